package org.matchrecognize.spark.explain

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.tracing.TraceLimits

/** EXPLAIN MATCH_RECOGNIZE, over tables whose tests are counted by hand. */
class ExplainSuite extends SparkSuite {

  /** Rows (id, symbol, price); a price may be NULL. */
  private def ticks(prices: (String, String)*): String =
    prices
      .flatMap { case (symbol, list) => list.split(" ").toSeq.map(symbol -> _) }
      .zipWithIndex
      .map { case ((symbol, price), i) => s"(${i + 1}, '$symbol', $price)" }
      .mkString("(SELECT * FROM VALUES ", ", ", " AS t(id, symbol, price))")

  private def explain(table: String, clause: String): Seq[String] =
    rows(s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM $table MATCH_RECOGNIZE ($clause)")
      .map(_.head.toString)

  private val falls = "PARTITION BY symbol ORDER BY id MEASURES A.id AS a " +
    "PATTERN (A DOWN+ UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)"

  private def assertHas(lines: Seq[String], wanted: String*): Unit =
    wanted.foreach(w =>
      assert(lines.contains(w), s"\n$w\n  is not in\n${lines.mkString("\n")}\n"))

  private def explainPlan(text: String): ExplainClauseExec =
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      spark
        .sql(text)
        .queryExecution
        .executedPlan
        .collectFirst { case explain: ExplainClauseExec => explain }
        .get
    }

  private def linesOf(plan: ExplainClauseExec, limits: TraceLimits): Seq[String] =
    plan.copy(limits = limits).execute().map(_.getString(0)).collect().toSeq

  test("a partition that ends too soon") {
    val lines = explain(ticks("X" -> "10 9 8 7"), falls)
    assertHas(
      lines,
      "MATCH_RECOGNIZE PARTITION BY symbol ORDER BY id PATTERN (A DOWN+ UP)",
      "0 matches in 4 rows of 1 partition.",
      "  symbol = 'X': 4 rows, 0 matches",
      "  A AS TRUE (not in DEFINE): tested on 4 rows",
      "  DOWN AS price < PREV(price): tested on 3 rows: true for 3, false for 0, NULL for 0",
      "  UP AS price > PREV(price): tested on 2 rows: true for 0, false for 2, NULL for 0",
      "Furthest partial match: 4 rows, from row 1 (id = 1) of symbol = 'X'",
      "  A: row 1",
      "  DOWN: rows 2 to 4",
      "  It ended because the partition has no more rows."
    )
  }

  test("a pattern without variables") {
    assertHas(
      explain(ticks("X" -> "1 2"), "ORDER BY id MEASURES MATCH_NUMBER() AS n PATTERN (())"),
      "2 matches in 2 rows of 1 partition.")
  }

  test("what the search does not evaluate fails no explanation") {
    // A fails on row 2, which is within the match.
    assertHas(
      explain(
        ticks("X" -> "5 0"),
        "ORDER BY id MEASURES A.id AS a PATTERN (A B) DEFINE A AS 10 DIV price > 1"),
      "1 match in 2 rows of 1 partition.")
    // B fails on row 1, which it is not tested on; the explanation tries other numbers for 1000.
    assertHas(
      explain(
        ticks("X" -> "0 5 1"),
        "ORDER BY id MEASURES 1 AS m PATTERN (A B) DEFINE A AS price = 5, B AS 10 DIV price > 1000"),
      "0 matches in 3 rows of 1 partition."
    )
    // The sum overflows, and is not read.
    val big = Long.MaxValue
    assertHas(
      explain(
        ticks("X" -> s"$big $big -1"),
        "ORDER BY id MEASURES 1 AS m PATTERN (A+ B) " +
          "DEFINE A AS price > 0, B AS price = 7 AND SUM(A.price) > 0"),
      "0 matches in 3 rows of 1 partition."
    )
  }

  test("a long match does not cost as much as all that start within it") {
    assertHas(
      explain(
        "range(50000)",
        "ORDER BY id MEASURES LAST(id) AS l PATTERN (A+) DEFINE A AS id >= 0"),
      "1 match in 50000 rows of 1 partition.")
  }

  test("the first row for which a condition is NULL, and not TRUE of another partial match") {
    // At row 2, C is NULL after B and TRUE after A.
    val lines = explain(
      ticks("X" -> "9 1 1 1"),
      "ORDER BY id MEASURES 1 AS m PATTERN ((B | A) C) DEFINE A AS price > 5, C AS A.price > 0")
    assert(!lines.exists(_.contains("first at row 2")), lines.mkString("\n"))
  }

  test("the conditions that were not true, and what they read") {
    val lines = explain(ticks("X" -> "10 9 9", "Y" -> "10 9 8 8 5"), falls)
    assertHas(
      lines,
      "0 matches in 8 rows of 2 partitions.",
      "Furthest partial match: 3 rows, from row 1 (id = 4) of symbol = 'Y'",
      "  DOWN: rows 2 to 3",
      "  It ended at row 4 (id = 7):",
      "    DOWN AS price < PREV(price) is false: PREV(price) = 8, price = 8",
      "    UP AS price > PREV(price) is false: PREV(price) = 8, price = 8",
      "  * UP is true of no row that was tested."
    )
  }

  test("PREV is NULL on the first row of a partition") {
    val lines = explain(
      ticks("X" -> "10 9", "Y" -> "3 2"),
      "PARTITION BY symbol ORDER BY id MEASURES 1 AS a PATTERN (UP B) " +
        "DEFINE UP AS price > PREV(price)")
    assertHas(
      lines,
      "  UP AS price > PREV(price): tested on 4 rows: true for 0, false for 2, NULL for 2",
      "  B AS TRUE (not in DEFINE): never tested",
      "Furthest partial match: none, no row begins one. At row 1 (id = 1) of symbol = 'X':",
      "  UP AS price > PREV(price) is NULL: PREV(price) = NULL, price = 10",
      "  * UP AS price > PREV(price) is NULL on the first row of a partition, which has no row " +
        "before it. NULL is not true."
    )
  }

  test("matches, ties, and hidden matches") {
    val lines = explain(
      ticks("X" -> "1 2 3 3"),
      "PARTITION BY symbol ORDER BY price MEASURES 1 AS a PATTERN (A B) DEFINE A AS price > 0")
    assertHas(
      lines,
      "2 matches in 4 rows of 1 partition.",
      "  * 2 rows tie in ORDER BY: their order is arbitrary. Add a column that tells them apart.",
      "  * AFTER MATCH SKIP PAST LAST ROW passes over at least 1 row at which another match starts. " +
        "Write AFTER MATCH SKIP TO NEXT ROW to find these, too."
    )
  }

  test("values of rows mapped before, and of aggregates") {
    val lines = explain(
      ticks("X" -> "10 20 12"),
      "ORDER BY id MEASURES 1 AS a PATTERN (A B C) " +
        "DEFINE B AS price > A.price, C AS price > AVG(B.price) + FIRST(A.price)")
    assertHas(
      lines,
      "Furthest partial match: 2 rows, from row 1 (id = 1)",
      "  It ended at row 3 (id = 3):",
      "    C AS price > AVG(B.price) + FIRST(A.price) is false: " +
        "AVG(B.price) = 20.0, FIRST(A.price) = 10, price = 12"
    )
  }

  test("NULL is not true") {
    val lines = explain(
      ticks("X" -> "10 NULL 12 13"),
      "ORDER BY id MEASURES 1 AS a PATTERN (A B) DEFINE A AS price < 11, B AS price > 11")
    assertHas(
      lines,
      "0 matches in 4 rows of 1 partition.",
      "  A AS price < 11: tested on 4 rows: true for 1, false for 2, NULL for 1",
      "  B AS price > 11: tested on 1 row: true for 0, false for 0, NULL for 1",
      "    B AS price > 11 is NULL: price = NULL",
      "  * B AS price > 11 is NULL for 1 row, first at row 2 (id = 2) because price is NULL. " +
        "NULL is not true."
    )
  }

  test("WITHIN ends a partial match") {
    val lines =
      explain(ticks("X" -> "1 2 9"), "ORDER BY price MEASURES 1 AS a PATTERN (A B C) WITHIN 3")
    assertHas(
      lines,
      "Furthest partial match: 2 rows, from row 1 (price = 1)",
      "  It ended before row 3 (price = 9), which is beyond WITHIN 3."
    )
  }

  test("within the bound, it is not WITHIN that ends a partial match") {
    val absence = explain(
      ticks("X" -> "1 5 2 9"),
      "ORDER BY id MEASURES 1 AS a PATTERN (A {- GAP*? -} [^B]) WITHIN 100 " +
        "DEFINE A AS price = 1, B AS price = 2")
    assertHas(
      absence,
      "Furthest partial match: 1 row, from row 1 (id = 1)",
      "  It ended at row 3 (id = 3):",
      "    B AS price = 2 is true, which forbids the row: price = 2"
    )
    assert(!absence.exists(_.contains("may be too short")))
    val anchored = explain(
      ticks("X" -> "1 5 2"),
      "ORDER BY id MEASURES 1 AS a PATTERN (A B $) WITHIN 100 DEFINE A AS price = 1")
    assertHas(
      anchored,
      "  It ended before row 3 (id = 3), where the pattern allows no more rows.")
    assert(!anchored.exists(_.contains("may be too short")))
  }

  test("empty matches, and no rows") {
    assertHas(
      explain(
        ticks("X" -> "1 2"),
        "ORDER BY id MEASURES 1 AS a PATTERN (A*) DEFINE A AS price > 5"),
      "2 matches in 2 rows of 1 partition.",
      "  * 2 matches are empty: the pattern matches no row. " +
        "Write + for *, or {1,} for a loop that must map a row."
    )
    assertHas(
      explain(
        "(SELECT * FROM VALUES (1) AS t(id) WHERE id > 1)",
        "ORDER BY id MEASURES 1 AS a PATTERN (A)"),
      "0 matches in 0 rows of 0 partitions.",
      "  * The input has no rows. Check its WHERE and its joins."
    )
  }

  test("a variable that others take the rows of") {
    assertHas(
      explain(
        ticks("X" -> "1 2 3"),
        "ORDER BY id MEASURES 1 AS a PATTERN (A+ B*) DEFINE A AS price > 0, B AS price > 1"),
      "1 match in 3 rows of 1 partition.",
      "  B AS price > 1: never tested",
      "  * B was never tested: what precedes it in the pattern takes the rows, and the matches " +
        "are complete without it. A is greedy and true of all 3 rows that were tested."
    )
    // B is tested at row 2, where A is preferred and comes to a match with C.
    assertHas(
      explain(
        ticks("X" -> "1 2 3"),
        "ORDER BY id MEASURES 1 AS a PATTERN (S (A | B) C) DEFINE A AS price > 1, B AS price > 1"),
      "1 match in 3 rows of 1 partition.",
      "  B AS price > 1: tested on 1 row: true for 1, false for 0, NULL for 0",
      "  * B is true of 1 row, but no match maps a row to it."
    )
  }

  test("the clause of WITH, of a subquery, of an INSERT and of a view, with parameters") {
    val clause = s"MATCH_RECOGNIZE ($falls)"
    val found  = "0 matches in 4 rows of 1 partition."
    spark.sql(s"CREATE OR REPLACE TEMP VIEW ticks AS SELECT * FROM ${ticks("X" -> "10 9 8 7")}")
    spark.sql(s"CREATE OR REPLACE TEMP VIEW falls AS SELECT * FROM ticks $clause")
    for (text <- Seq(
        s"WITH w AS (SELECT * FROM ticks) SELECT * FROM w $clause",
        s"WITH w AS (SELECT * FROM ticks), m AS (SELECT * FROM w $clause) SELECT a FROM m",
        s"SELECT 1 WHERE 1 IN (SELECT a FROM ticks $clause)",
        s"INSERT OVERWRITE DIRECTORY '/nonexistent/x' USING parquet SELECT * FROM ticks $clause",
        "SELECT COUNT(*) FROM falls"
      )) assertHas(rows(s"explain match_recognize\n$text").map(_.head.toString), found)
    val bound = spark.sql(
      "EXPLAIN MATCH_RECOGNIZE SELECT * FROM ticks MATCH_RECOGNIZE (ORDER BY id " +
        "MEASURES 1 AS a PATTERN (A) DEFINE A AS price > :least)",
      Map("least" -> 8)
    )
    assertHas(values(bound).map(_.head.toString), "2 matches in 4 rows of 1 partition.")
  }

  test("errors are where the user wrote them, and EXPLAIN of Spark is as it was") {
    val text =
      "EXPLAIN MATCH_RECOGNIZE\nSELECT * FROM VALUES (1) AS t(id) MATCH_RECOGNIZE (PATTERN)"
    val error = intercept[org.apache.spark.sql.catalyst.parser.ParseException](spark.sql(text))
    assert(error.line.contains(2))
    assert(rows("EXPLAIN SELECT 1 AS match_recognize").head.head.toString.contains("Plan"))
    assert(
      failure(spark.sql("EXPLAIN MATCH_RECOGNIZE SELECT 1")).contains("EXPLAIN_WITHOUT_CLAUSE"))
  }

  test("all matches of a start row, the flink dialect, and exclusion") {
    val two = ticks("X" -> "1 2")
    assertHas(
      explain(two, "ORDER BY id MEASURES 1 AS a AFTER MATCH NO SKIP PATTERN (A+)"),
      "3 matches in 2 rows of 1 partition.")
    assertHas(
      explain(two, "ORDER BY id MEASURES 1 AS a ALL ROWS PER MATCH PATTERN ({- A B -})"),
      "1 match in 2 rows of 1 partition.",
      "  * {- -} is around the whole pattern: no row of a match is returned."
    )
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      assertHas(
        explain(
          two,
          "ORDER BY id MEASURES 1 AS a PATTERN (A B) DEFINE A AS price = 1, B AS price > 2"),
        "0 matches in 2 rows of 1 partition.",
        "  B AS price > 2: tested on 1 row: true for 0, false for 1, NULL for 0"
      )
    }
  }

  test("only some partitions and rows are searched") {
    val table = ticks("X" -> "3 2 1", "Y" -> "3 4 5", "Z" -> "1 2 3")
    val text  = s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM $table MATCH_RECOGNIZE ($falls)"
    withSettings("spark.sql.shuffle.partitions" -> "1") {
      val plan                       = explainPlan(text)
      def lines(limits: TraceLimits) = linesOf(plan, limits)
      val sampled                    = lines(TraceLimits(partitions = 2, rows = 100))
      assertHas(
        sampled,
        "0 matches in 6 rows of 2 partitions.",
        "This is a sample: the input has 9 rows of 3 partitions. " +
          "A hash of the keys chose the partitions."
      )
      assert(sampled.count(_.startsWith("  symbol = ")) == 2)
      // The limit of rows is for all partitions that are searched: one fits.
      assertHas(
        lines(TraceLimits(partitions = 3, rows = 5)),
        "0 matches in 3 rows of 1 partition.")
      assertHas(
        lines(TraceLimits(partitions = 3, rows = 9)),
        "0 matches in 9 rows of 3 partitions.",
        "  symbol = 'Z': 3 rows, 0 matches")
    }
  }

  test("only the first rows of a long partition are searched") {
    // The match of rows 1 to 3 is final at row 4, in which the price does not rise. The next search
    // begins at row 4, and has not ended at row 6.
    val table = ticks("X" -> "3 2 5 3 2 1 4 4")
    val text  = s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM $table MATCH_RECOGNIZE ($falls)"
    val plan  = explainPlan(text)
    val lines = linesOf(plan, TraceLimits(partitions = 9, rows = 6))
    assertHas(
      lines,
      "1 match in 6 rows of 1 partition.",
      "The input has 8 rows of 1 partition.",
      "1 partition is long: only the first 6 rows were searched.",
      "  symbol = 'X': the first 6 of 8 rows, 1 match",
      "Furthest partial match: 3 rows, from row 4 (id = 4) of symbol = 'X'",
      "  A: row 4",
      "  DOWN: rows 5 to 6",
      "  It had not ended at the last row that was searched."
    )
    assertHas(
      linesOf(plan, TraceLimits(partitions = 9, rows = 8)),
      "2 matches in 8 rows of 1 partition.")
  }

  test("a condition that reads rows beyond those that are searched is not tested") {
    val text =
      s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM ${ticks("X" -> "1 2 3 4")} MATCH_RECOGNIZE (" +
        "ORDER BY id MEASURES 1 AS a PATTERN (A) DEFINE A AS NEXT(price, 2) IS NULL)"
    val lines = linesOf(explainPlan(text), TraceLimits(partitions = 9, rows = 3))
    assertHas(
      lines,
      "0 matches in 3 rows of 1 partition.",
      "  A AS NEXT(price, 2) IS NULL: tested on 1 row: true for 0, false for 1, NULL for 0")
  }

  test("as many matches as the query has rows, for random clauses") {
    val random = new scala.util.Random(7)
    for (_ <- 1 to 6) {
      val prices  = Seq.fill(8)(random.nextInt(4)).mkString(" ")
      val pattern = Seq("A B+ C?", "A | B C", "PERMUTE(A, B)", "A*? B")(random.nextInt(4))
      val skip    = Seq("PAST LAST ROW", "TO NEXT ROW")(random.nextInt(2))
      val clause  = s"ORDER BY id MEASURES 1 AS a AFTER MATCH SKIP $skip PATTERN ($pattern) " +
        "DEFINE A AS price > 1, B AS price <= PREV(price)" +
        (if (pattern.contains("C")) ", C AS price = 0" else "")
      val table  = ticks("X" -> prices)
      val output = rows(s"SELECT * FROM $table MATCH_RECOGNIZE ($clause)").size
      val lines  = explain(table, clause)
      assert(lines(1).startsWith(s"$output match"), s"$prices $clause\n${lines.mkString("\n")}")
    }
  }
}
