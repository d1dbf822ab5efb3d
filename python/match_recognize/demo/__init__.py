"""``python -m match_recognize.demo``: questions about data, their SQL and their answers."""
