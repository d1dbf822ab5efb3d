"""Accounts that somebody else has taken over and emptied."""
