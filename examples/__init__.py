"""Streaming applications over the clause, each a program: ``make example-checkouts``."""
