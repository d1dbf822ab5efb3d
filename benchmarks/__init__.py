"""Compares the speed of MATCH_RECOGNIZE with the Spark SQL that one would write without it."""
