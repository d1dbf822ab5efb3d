"""How fast MATCH_RECOGNIZE is beside the Spark SQL that one would write without it."""
