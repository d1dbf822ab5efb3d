"""The readings of the trucks, from JSON files that arrive in a folder."""

from pathlib import Path

from pyspark import pipelines as dp
from pyspark.sql import DataFrame, SparkSession

FOLDER = Path(__file__).parents[1] / "readings"

spark = SparkSession.active()


@dp.table
def readings() -> DataFrame:
    """Reads each file once."""
    return spark.readStream.schema("truck STRING, at TIMESTAMP, celsius DOUBLE").json(str(FOLDER))


@dp.materialized_view
def still_warm() -> DataFrame:
    """Finds the trucks whose newest readings are warm."""
    return spark.sql("""
        SELECT * FROM readings MATCH_RECOGNIZE (
          PARTITION BY truck
          ORDER BY at
          MEASURES FIRST(at) AS since, COUNT(*) AS warm_readings, MAX(celsius) AS peak
          PATTERN (WARM+ $)
          DEFINE WARM AS celsius > 7)
    """)
