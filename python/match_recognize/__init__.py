"""MATCH_RECOGNIZE for Apache Spark SQL."""
