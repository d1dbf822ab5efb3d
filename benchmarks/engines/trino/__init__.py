"""A Trino server of its own, which reads the same Parquet files as the other engines."""
