"""REPORT.md out of results.json."""
