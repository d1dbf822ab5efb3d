package org.matchrecognize.spark

/** The clause as the source of a MERGE, on a table that takes one. */
class MergeSuite extends SparkSuite {

  override protected def settings: Map[String, String] =
    Map("spark.sql.catalog.memory" -> classOf[MergeCatalog].getName)

  override def beforeAll(): Unit = {
    // ACME falls on days 2 and 3 and rises until day 5, BETA falls on day 2 and rises on day 3.
    spark.sql("""CREATE TEMP VIEW ticks AS SELECT * FROM VALUES
      ('ACME', 1, 20), ('ACME', 2, 17), ('ACME', 3, 14), ('ACME', 4, 18), ('ACME', 5, 21),
      ('BETA', 1, 5), ('BETA', 2, 4), ('BETA', 3, 6),
      ('FLAT', 1, 7), ('FLAT', 2, 7) AS ticks(symbol, day, price)""")
    ()
  }

  private val clause =
    """MATCH_RECOGNIZE (
         PARTITION BY symbol ORDER BY day
         MEASURES LAST(UP.day) AS until, MIN(price) AS lowest
         PATTERN (TOP DOWN+ UP+)
         DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))"""

  /** The target after a MERGE: ACME is there before, BETA is not, FLAT has no match. */
  private def merged(source: String): Seq[Seq[Any]] = {
    spark.sql("INSERT OVERWRITE memory.falls VALUES ('ACME', 1, 99), ('FLAT', 2, 7)")
    spark.sql(s"""MERGE INTO memory.falls AS target USING $source ON target.symbol = m.symbol
      WHEN MATCHED THEN UPDATE SET until = m.until, lowest = m.lowest
      WHEN NOT MATCHED THEN INSERT (symbol, until, lowest) VALUES (m.symbol, m.until, m.lowest)""")
    rows("SELECT * FROM memory.falls ORDER BY symbol")
  }

  private val expected =
    Seq(Seq[Any]("ACME", 5, 14), Seq[Any]("BETA", 3, 4), Seq[Any]("FLAT", 2, 7))

  test("MERGE takes what a query with the clause finds") {
    assert(merged(s"(SELECT symbol, until, lowest FROM ticks $clause) AS m") == expected)
  }

  test("MERGE takes the clause without a query around it") {
    assert(merged(s"ticks $clause AS m") == expected)
    assert(merged(s"ticks AS t ${clause.replace("BY day", "BY t.day")} m") == expected)
  }
}
