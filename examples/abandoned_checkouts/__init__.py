"""Completed and abandoned checkouts, each kind to a topic of its own."""
