"""Prints the tables of the pipeline. It runs in the folder that has their catalog."""

from pyspark.sql import SparkSession

#: The tables, and the order of their rows.
TABLES = {"warm_spells": "ended", "failing_units": "until", "still_warm": "since"}

if __name__ == "__main__":
    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", "false")
        .enableHiveSupport()
        .getOrCreate()
    )
    for name, order in TABLES.items():
        print(name)
        spark.table(name).orderBy(order).show()
    spark.stop()
