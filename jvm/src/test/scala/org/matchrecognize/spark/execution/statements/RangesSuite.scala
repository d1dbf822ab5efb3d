package org.matchrecognize.spark.execution.statements

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.sql.matchrecognize.LostShuffles
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.RangedMatchRecognizeExec
import org.matchrecognize.spark.execution.ranges.RangeExchangeExec

/** Clauses without PARTITION BY that are searched in ranges; answers worked out by hand. */
class RangesSuite extends SparkSuite {

  override protected def settings: Map[String, String] = Map(
    "spark.sql.matchRecognize.ranges.minBytes" -> "0",
    "spark.sql.matchRecognize.ranges.number"   -> "5",
    // No class is sent that users would have to register.
    "spark.serializer"                -> "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrationRequired" -> "true"
  )

  private val rowsOf = "(SELECT id AS o, (id + 5) % 10 AS x FROM range(1000))"

  private def clause(measures: String, pattern: String, define: String, more: String = "") =
    s"""SELECT * FROM $rowsOf MATCH_RECOGNIZE (ORDER BY o MEASURES $measures
       |  $more PATTERN ($pattern) DEFINE $define)""".stripMargin

  /** The metrics of the operator that joins the ranges, once the query has run. */
  private def metrics(frame: DataFrame): Map[String, Long] = {
    val joins = operators(frame).collect { case ranged: RangedMatchRecognizeExec =>
      ranged.metrics.map { case (k, v) => k -> v.value }
    }
    joins.headOption.getOrElse(Map.empty)
  }

  private def ranges(frame: DataFrame): String = {
    val formatted =
      frame.queryExecution.explainString(org.apache.spark.sql.execution.FormattedMode)
    formatted.linesIterator.find(_.startsWith("Ranges")).getOrElse("")
  }

  // x is 5 to 9, then 0 to 9 again and again. A match ends where x falls to 0.
  private val rising =
    clause("MATCH_NUMBER() AS n, FIRST(o) AS f, LAST(o) AS l", "A UP+", "UP AS x > PREV(x)")

  test("matches across the borders, numbered as by one task") {
    val expected =
      (1L to 101L).map(n => Seq(n, math.max(0, 10 * n - 15), math.min(999, 10 * n - 6)))
    for (matcher <- Seq("fused", "threads"))
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        val frame = spark.sql(rising)
        assert(values(frame) == expected, matcher)
        val joined = metrics(frame)
        assert(joined("ranges") == 5 && joined("inOneTask") == 0)
        assert(joined("searchedTwice") > 0 && joined("searchedTwice") < 100, joined)
        assert(ranges(frame) == "Ranges: 5")
      }
  }

  test("overlapping matches, all rows, and rows that no match covers") {
    val starts = clause(
      "MATCH_NUMBER() AS n, FIRST(o) AS f",
      "A B",
      "A AS x < 9, B AS x > PREV(x)",
      "ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW")
    val pairs       = (0L until 999L).filter(o => (o + 5) % 10 < 9)
    val overlapping = spark.sql(starts)
    assert(values(overlapping) == pairs.zipWithIndex.map { case (o, i) => Seq(i + 1L, o) })
    assert(metrics(overlapping)("ranges") == 5 && metrics(overlapping)("inOneTask") == 0)
    val all = clause(
      "MATCH_NUMBER() AS n",
      "A B",
      "A AS FIRST(x) = 8, B AS x > A.x",
      "ALL ROWS PER MATCH WITH UNMATCHED ROWS")
    withSettings("spark.sql.matchRecognize.matcher" -> "threads") {
      val frame    = spark.sql(s"SELECT o, n FROM ($all)")
      val expected =
        (0L until 1000L).map(o => Seq(o, if ((o + 5) % 10 < 8) null else (o + 5) / 10 + 1))
      assert(values(frame) == expected)
      assert(metrics(frame)("inOneTask") == 0)
    }
  }

  test("partial matches that the bound ended have numbers, too") {
    // x is 0 at 5, 15, 25 and so on. Six rows after every second of these, C comes.
    val sql = clause(
      "MATCH_NUMBER() AS n, FIRST(o) AS f, MATCH_TIMED_OUT() AS out",
      "A B* C",
      "A AS x = 0, B AS x > 0, C AS o % 20 = 11",
      "ONE ROW PER MATCH SHOW TIMEOUT MATCHES"
    ).replace("DEFINE", "WITHIN 8 DEFINE")
    withSettings("spark.sql.matchRecognize.matcher" -> "threads") {
      val frame = spark.sql(sql)
      // So a match begins at 5, 25 and so on, and a partial one at 15, 35 and so on.
      val expected = (0L until 100L).map(i => Seq[Any](i + 1, 10 * i + 5, i % 2 == 1))
      assert(values(frame) == expected)
      assert(metrics(frame)("ranges") == 5 && metrics(frame)("inOneTask") == 0)
    }
  }

  test("a match over all rows: one task finds it") {
    val frame = spark.sql(clause("COUNT(*) AS n", "A+", "A AS x >= 0"))
    assert(values(frame) == Seq(Seq(1000L)))
    assert(metrics(frame)("inOneTask") == 1)
  }

  test("more output rows at a border than the driver shall hold: one task finds them") {
    def of(bytes: Int) = spark.sql(
      s"""SELECT COUNT(*), SUM(length(w)) FROM (SELECT *, repeat('w', $bytes) AS w FROM $rowsOf)
         |MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n ALL ROWS PER MATCH
         |  AFTER MATCH SKIP TO NEXT ROW PATTERN (A{150}) DEFINE A AS x >= 0)""".stripMargin)
    withSettings(
      "spark.sql.matchRecognize.matcher" -> "threads",
      "spark.sql.adaptive.enabled"       -> "false")(
      for ((bytes, inOneTask) <- Seq(1 -> 0L, 1000 -> 1L)) {
        val frame = of(bytes)
        assert(values(frame) == Seq(Seq(150L * 851, 150L * 851 * bytes)))
        assert(metrics(frame)("inOneTask") == inOneTask, bytes)
      })
  }

  test("rows without columns at a border are counted, too") {
    // 400 times 399 matches or so cross a border, each a row without a column.
    withSettings("spark.sql.matchRecognize.matcher" -> "threads") {
      val frame = spark.sql(
        s"""SELECT COUNT(*) FROM $rowsOf MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n
           |  ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A{400}) DEFINE A AS x >= 0)
           |""".stripMargin)
      assert(values(frame) == Seq(Seq(400L * 601)))
      assert(metrics(frame)("inOneTask") == 1)
    }
  }

  test("all matches of each start row") {
    // A match begins at each row, and ends at each further row up to the next 0.
    val frame =
      spark.sql(s"""SELECT COUNT(*), SUM(n) FROM (SELECT id AS o, id % 100 AS x FROM range(2000))
         |MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n AFTER MATCH NO SKIP
         |  PATTERN (A B*) DEFINE B AS x > PREV(x))""".stripMargin)
    val lengths = for (x <- 0L until 100L; n <- 1L to 100L - x) yield n
    assert(values(frame) == Seq(Seq(20L * lengths.size, 20L * lengths.sum)))
    assert(metrics(frame)("ranges") == 5 && metrics(frame)("inOneTask") == 0)
  }

  test("rows that Spark has to compute again after the query") {
    val frame    = spark.sql(rising)
    val expected = values(frame)
    LostShuffles.all()
    assert(values(frame) == expected && expected.size == 101)
  }

  test("rows that come in another order when Spark computes them again") {
    // The rows are not in another order, but others: for the borders that is the same.
    val turns = udf((id: Long) => id + RangesSuite.turn.get)
    spark
      .range(1000)
      .select(col("id").mod(10).as("k"), turns(col("id")).as("x"))
      .createOrReplaceTempView("by_turns")
    val frame = spark.sql(
      """SELECT * FROM by_turns MATCH_RECOGNIZE (ORDER BY k MEASURES A.x AS x PATTERN (A)
        |  DEFINE A AS k = 7)""".stripMargin)
    assert(values(frame).size == 100 && metrics(frame)("ranges") == 5)
    RangesSuite.turn.incrementAndGet()
    LostShuffles.all()
    // Spark 3.5 keeps nothing of a query that has run, so all ranges are searched again.
    if (spark.version < "4") assert(values(frame).size == 100)
    else {
      val error = intercept[Exception](values(frame))
      assert(error.getMessage.contains("add columns to ORDER BY"))
    }
  }

  test("a clause that is planned again once its input is known stays in one task") {
    spark
      .createDataFrame(spark.range(1000).rdd.map(Row(_)), StructType.fromDDL("o LONG"))
      .createOrReplaceTempView("of_thousand")
    for (table <- Seq("of_thousand", "(SELECT DISTINCT id AS o FROM range(1000))")) {
      val frame = spark.sql(
        s"SELECT * FROM $table MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n PATTERN (A B?))")
      assert(values(frame) == Seq.fill(500)(Seq(2L)), table)
      assert(metrics(frame).isEmpty, table)
    }
  }

  test("a cached table is searched in ranges") {
    spark.sql(s"CACHE TABLE thousand AS SELECT * FROM $rowsOf")
    val frame = spark.sql(rising.replace(rowsOf, "thousand"))
    assert(values(frame).size == 101)
    assert(metrics(frame)("ranges") == 5)
  }

  test("an error at a row where no match is searched for is none") {
    // Matches have three rows, from 0 on. A search that begins at another row divides by zero.
    def query(divisor: String) =
      clause("MATCH_NUMBER() AS n", "A B B", s"A AS 1 / IF($divisor, 0, 1) > 0, B AS TRUE")
    val frame = spark.sql(query("o % 3 <> 0"))
    assert(values(frame) == (1L to 333L).map(Seq(_)))
    // Two tasks at once search two ranges of 200 rows. After the error, no further one is searched.
    val exchange = operators(frame).collectFirst { case e: RangeExchangeExec => e }.get
    assert(exchange.metrics("recordsRead").value < 1900)
    val error = intercept[Exception](rows(query("o = 600")))
    assert(
      Iterator
        .iterate[Throwable](error)(_.getCause)
        .takeWhile(_ != null)
        .exists(e => String.valueOf(e.getMessage).contains("DIVIDE_BY_ZERO")))
  }

  // The partition 0 has 900 rows. In the others, x is r + 5, r, r + 5, r and so on.
  private val keyed = s"(SELECT *, IF(o < 900, 0, 1 + o % 5) AS k FROM $rowsOf)"

  test("a partition with most of the rows, among others") {
    val ofHot =
      (1L to 91L).map(n => Seq(0L, n, math.max(0, 10 * n - 15), math.min(899, 10 * n - 6)))
    val ofOthers =
      for (r <- 0L until 5L; n <- 1L to 9L)
        yield Seq(r + 1, n, 895 + 10 * n + r, 900 + 10 * n + r)
    val sql = rising.replace(rowsOf, keyed).replace("ORDER BY", "PARTITION BY k ORDER BY")
    for (matcher <- Seq("fused", "threads"))
      withSettings(
        "spark.sql.matchRecognize.ranges.partitions" -> "true",
        "spark.sql.matchRecognize.matcher"           -> matcher) {
        val frame = spark.sql(sql)
        val found = values(frame)
        assert(found.filter(_.head == 0L) == ofHot, matcher)
        assert(found.filter(_.head != 0L).toSet == ofOthers.toSet)
        // 0.9 of five ranges are four, and one for the other partitions.
        assert(metrics(frame)("ranges") == 5 && metrics(frame)("inOneTask") == 0)
        assert(ranges(frame) == "Ranges: 5")
        val counts = spark.sql(s"SELECT k, COUNT(*) FROM ($sql) GROUP BY k")
        assert(values(counts).toSet == Set(Seq(0L, 91L)) ++ (1L to 5L).map(Seq(_, 9L)))
      }
    assert(ranges(spark.sql(sql)) == "" && metrics(spark.sql(sql)).isEmpty)
  }

  test("a partition has rows of equal keys, whatever their bytes") {
    // 880 rows of 1, and in turn of 0 and -0, and of two NaN, 60 of each pair.
    val keys = "CASE WHEN o < 880 THEN 1D WHEN o < 940 THEN IF(o % 2 = 0, 0D, -0D) " +
      "ELSE IF(o % 2 = 0, double('NaN'), -double('NaN')) END"
    val sql = clause("MATCH_NUMBER() AS n", "A{20}", "A AS x >= 0")
      .replace(rowsOf, s"(SELECT *, $keys AS k FROM $rowsOf)")
      .replace("ORDER BY", "PARTITION BY k ORDER BY")
    withSettings(
      "spark.sql.matchRecognize.ranges.partitions" -> "true",
      "spark.sql.matchRecognize.matcher"           -> "threads") {
      val frame = spark.sql(s"SELECT IF(k = 1, 1, IF(k = 0, 0, 2)), n FROM ($sql)")
      assert(
        values(frame).toSet == (1L to 44L).map(Seq[Any](1, _)).toSet ++
          (for (k <- Seq(0, 2); n <- 1L to 3L) yield Seq[Any](k, n)))
      assert(metrics(frame)("ranges") == 5)
    }
  }

  test("a match over all rows of such a partition: one task finds it") {
    withSettings("spark.sql.matchRecognize.ranges.partitions" -> "true") {
      val sql   = clause("COUNT(*) AS n", "A+", "A AS x >= 0").replace(rowsOf, keyed)
      val frame = spark.sql(sql.replace("ORDER BY", "PARTITION BY k ORDER BY"))
      assert(values(frame).toSet == Set(Seq(0L, 900L)) ++ (1L to 5L).map(Seq(_, 20L)))
      assert(metrics(frame)("inOneTask") == 1)
    }
  }

  test("partitions without ranges of their own have the whole budget") {
    val sql = "SELECT COUNT(*) FROM (SELECT id AS o, id % 20 AS k FROM range(2000)) " +
      "MATCH_RECOGNIZE (PARTITION BY k ORDER BY o MEASURES COUNT(*) AS n PATTERN (A B?))"
    // Three steps a row at least, for 100 rows. Five ranges and five borders would have 200 each.
    // Spark does not run generated code that is too long: the fused matcher has none, then.
    for ((matcher, longest) <- Seq("threads" -> "8000", "fused" -> "1"))
      withSettings(
        "spark.sql.matchRecognize.ranges.partitions" -> "true",
        "spark.sql.matchRecognize.matcher"           -> matcher,
        "spark.sql.codegen.hugeMethodLimit"          -> longest,
        "spark.sql.matchRecognize.maxSteps"          -> "2000"
      ) {
        val frame = spark.sql(sql)
        assert(values(frame) == Seq(Seq(1000L)), matcher)
        assert(metrics(frame)("ranges") == 5)
      }
  }

  test("few rows, equal keys, no rows") {
    def of(table: String) = rows(
      s"SELECT * FROM $table MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n PATTERN (A B?))")
    assert(of("(SELECT id AS o FROM range(3))") == Seq(Seq(2L), Seq(1L)))
    assert(of("(SELECT id DIV 100 AS o FROM range(100))") == Seq.fill(50)(Seq(2L)))
    assert(of("(SELECT id AS o FROM range(100) WHERE id < 0)").isEmpty)
  }

  test("why one task searches all rows") {
    def why(sql: String) = ranges(spark.sql(sql)).stripPrefix("Ranges: none, ")
    assert(why(clause("MATCH_NUMBER() + 1 AS n", "A", "A AS x = 0")).contains("MATCH_NUMBER"))
    assert(why(clause("COUNT(*) AS n", "^ A", "A AS x = 0")).startsWith("^"))
    assert(why(clause("COUNT(*) AS n", "A", "A AS MATCH_NUMBER() < 3")).contains("DEFINE"))
    assert(
      why(s"SELECT * FROM (SELECT DISTINCT * FROM $rowsOf) MATCH_RECOGNIZE (ORDER BY o " +
        "MEASURES COUNT(*) AS n PATTERN (A))").contains("sample"))
    spark
      .createDataFrame(spark.sparkContext.parallelize(Seq(Row(1L))), StructType.fromDDL("o LONG"))
      .createOrReplaceTempView("of_rdd")
    assert(
      why("SELECT * FROM of_rdd MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n PATTERN (A))")
        .contains("not known"))
    withSettings("spark.sql.matchRecognize.ranges.number" -> "0")(
      assert(why(rising).contains("fewer than 4 cores")))
    withSettings("spark.sql.matchRecognize.ranges.minBytes" -> "1p")(
      assert(why(rising).contains("minBytes")))
  }
}

private object RangesSuite {

  /** Added to the rows of a table, so that they are others when Spark computes them again. */
  val turn = new AtomicLong
}
