"""Streaming queries: Spark with MATCH_RECOGNIZE, and Flink SQL."""
