"""``python -m match_recognize.demo``: questions to real data, their SQL and their answers."""
