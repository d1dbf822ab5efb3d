package org.matchrecognize.spark.explain

import org.matchrecognize.spark.execution.statements.ContiguityTest
import org.matchrecognize.spark.execution.tracing.ThreadTraceLimits

/** EXPLAIN MATCH_RECOGNIZE TRACE, over tables whose threads are followed by hand. */
class TraceSuite extends ContiguityTest {

  /** Rows (day, price). */
  private def prices(list: String): String =
    list
      .split(" ")
      .zipWithIndex
      .map { case (price, i) => s"(${i + 1}, $price)" }
      .mkString("(SELECT * FROM VALUES ", ", ", " AS t(day, price))")

  private def text(table: String, clause: String): String =
    s"EXPLAIN MATCH_RECOGNIZE TRACE SELECT * FROM $table MATCH_RECOGNIZE ($clause)"

  private def trace(table: String, clause: String): Seq[String] =
    rows(text(table, clause)).map(_.head.toString)

  private def fall(pattern: String): String =
    s"ORDER BY day MEASURES 1 AS m PATTERN ($pattern) " +
      "DEFINE DOWN AS price < PREV(price)" +
      (if (pattern.contains("UP")) ", UP AS price > PREV(price)" else "")

  private def assertHas(lines: Seq[String], wanted: String*): Unit =
    wanted.foreach(w =>
      assert(lines.contains(w), s"\n$w\n  is not in\n${lines.mkString("\n")}\n"))

  test("the worked example of docs/matchers.md") {
    assert(
      trace(prices("10 8 7 9 11 6"), fall("DOWN+ UP+")) ==
        """MATCH_RECOGNIZE ORDER BY day PATTERN (DOWN+ UP+)
          |Trace of 6 rows.
          |
          |Conditions:
          |  DOWN AS price < PREV(price)
          |  UP AS price > PREV(price)
          |
          |Start row 1 (day = 1): a thread waits for DOWN.
          |  Row 1 (day = 1):
          |    thread (): DOWN is NULL: PREV(price) = NULL, price = 10. It fails.
          |  No match: no thread waits for a row.
          |
          |Start row 2 (day = 2): a thread waits for DOWN.
          |  Row 2 (day = 2):
          |    thread (): DOWN is true: PREV(price) = 10, price = 8. It maps the row and waits for DOWN or UP.
          |  Row 3 (day = 3):
          |    thread (DOWN): DOWN is true: PREV(price) = 8, price = 7. It maps the row and waits for DOWN or UP.
          |    thread (DOWN): UP is false: PREV(price) = 8, price = 7. It fails.
          |  Row 4 (day = 4):
          |    thread (DOWN{2}): DOWN is false: PREV(price) = 7, price = 9. It fails.
          |    thread (DOWN{2}): UP is true: PREV(price) = 7, price = 9. It maps the row, waits for UP and completes a match.
          |  Row 5 (day = 5):
          |    thread (DOWN{2} UP): UP is true: PREV(price) = 9, price = 11. It maps the row, waits for UP and completes a match.
          |  Row 6 (day = 6):
          |    thread (DOWN{2} UP{2}): UP is false: PREV(price) = 11, price = 6. It fails.
          |  Match 1: DOWN: rows 2 to 3, UP: rows 4 to 5
          |
          |Start row 6 (day = 6): a thread waits for DOWN.
          |  Row 6 (day = 6):
          |    thread (): DOWN is true: PREV(price) = 11, price = 6. It maps the row and waits for DOWN or UP.
          |  No match: threads wait for a row, and the partition has no more rows.
          |
          |The search of the partition has ended.""".stripMargin.linesIterator.toSeq)
  }

  test("the first partition is that with the smallest keys, and a filter names another") {
    val table = "(SELECT * FROM VALUES (10, 1), (9, 1), (2, 1), (2, 2) AS t(k, day))"
    val all   = "PARTITION BY k ORDER BY day MEASURES 1 AS m PATTERN (A)"
    withSettings("spark.sql.shuffle.partitions" -> "3") {
      assertHas(trace(table, all), "Trace of 2 rows of the first partition, k = 2.")
      assertHas(
        trace(s"(SELECT * FROM $table WHERE k > 2)", all),
        "Trace of 1 row of the first partition, k = 9.")
    }
    assertHas(
      trace(s"(SELECT * FROM $table WHERE k > 10)", all),
      "The input has no rows. Check its WHERE and its joins.")
  }

  test("threads that are dropped for a preferred one, and empty matches") {
    // Row 1 is an A and a B, and C reads neither.
    assertHas(
      trace(prices("1 2"), "ORDER BY day MEASURES 1 AS m PATTERN ((A | B) C)"),
      "Start row 1 (day = 1): a thread waits for A or B.",
      "    thread (): A is true. It maps the row and waits for C.",
      "    thread (): B is true. It maps the row. The path to C is dropped: a preferred thread " +
        "has the same continuations.",
      "    thread (A): C is true. It maps the row and completes a match.",
      "  Match 1: A: row 1, C: row 2"
    )
    assertHas(
      trace(prices("1"), "ORDER BY day MEASURES 1 AS m PATTERN (A*) DEFINE A AS price > 1"),
      "Start row 1 (day = 1): a thread waits for A and completes a match.",
      "    thread (): A is false: price = 1. It fails.",
      "  Match 1 is empty."
    )
  }

  test("states from which an earlier start row failed") {
    // The search from row 1 lasts 8 rows, and notes its states at row 4. That from row 2 reaches the
    // same states there.
    assertHas(
      trace(prices("9 8 7 6 5 4 3 2"), fall("A DOWN+ UP")),
      "    thread (A DOWN): DOWN is true: PREV(price) = 7, price = 6. It maps the row. " +
        "The path to DOWN is dropped: an earlier start row failed from there. " +
        "The path to UP is dropped: an earlier start row failed from there."
    )
  }

  test("rows that are passed over, and rows that are barred") {
    val loose = trace(
      table("a1 d1 a2 e1"),
      "ORDER BY o MEASURES 1 AS m PATTERN (A+??{E} C) " +
        "DEFINE A AS type = 'a', C AS type = 'c', E AS type = 'e'")
    assert(loose.exists(_.contains("It passes over the row")), loose.mkString("\n"))
    assert(
      loose.exists(_.contains("E, which would forbid row 4, is true: type = 'e'. It fails.")))
    assertHas(
      trace(
        table("a1 a2 b1"),
        "ORDER BY o MEASURES 1 AS m PATTERN (A+{B} C) " +
          "DEFINE A AS type IN ('a', 'b'), B AS type = 'b', C AS type = 'c'"),
      "    thread (A{2}): A is true: type = 'b'. B, which would forbid row 3, is true: type = 'b'. It fails."
    )
    assertHas(
      trace(
        table("a1 b1"),
        "ORDER BY o MEASURES 1 AS m PATTERN (A [^B]) DEFINE A AS type = 'a', B AS type = 'b'"),
      "    thread (): A is true: type = 'a'. B, which would forbid row 2, is true: type = 'b'. " +
        "It maps the row."
    )
  }

  test("the bound of WITHIN, and timed-out matches") {
    assertHas(
      trace(prices("1 2 9"), "ORDER BY price MEASURES 1 AS m PATTERN (A B C) WITHIN 3"),
      "  No match: the next row is beyond WITHIN 3.")
    assertHas(
      trace(
        prices("1 2 9"),
        "ORDER BY price MEASURES 1 AS m ONE ROW PER MATCH SHOW TIMEOUT MATCHES " +
          "PATTERN (A B C) WITHIN 3"),
      "  Timed-out match 1: A: row 1, B: row 2",
      "  Timed-out match 3: A: row 3"
    )
  }

  test("all matches of a start row, and the flink dialect") {
    val all =
      trace(prices("1 2"), "ORDER BY day MEASURES 1 AS m AFTER MATCH NO SKIP PATTERN (A+)")
    assertHas(
      all,
      "  Match 1: A: rows 1 to 2",
      "  Match 2: A: row 1",
      "  Match 3: A: row 2",
      "    thread (A): A is true. It maps the row, waits for A and completes a match."
    )
    assert(all.count(_.startsWith("Start row")) == 2)
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      assertHas(
        trace(
          prices("1 3"),
          "ORDER BY day MEASURES 1 AS m PATTERN (A B) DEFINE A AS price = 1, B AS price > 2"),
        "    thread (A): B is true: price = 3. It maps the row and completes a match.",
        "  Match 1: A: row 1, B: row 2"
      )
    }
  }

  test("the trace is bounded, and says so") {
    def limited(table: String, clause: String, limits: ThreadTraceLimits): Seq[String] =
      withSettings("spark.sql.adaptive.enabled" -> "false") {
        val plan = spark.sql(text(table, clause)).queryExecution.executedPlan
        val exec = plan.collectFirst { case trace: TraceClauseExec => trace }.get
        exec.copy(limits = limits).execute().map(_.getString(0)).collect().toSeq
      }
    // Four rows from start row 1, and one from start row 2.
    val rows = limited(prices("4 3 2 1"), fall("A DOWN DOWN+ UP"), ThreadTraceLimits(9, 5, 9))
    assertHas(
      rows,
      "Trace of 4 rows.",
      "The trace ends here: it shows at most 5 rows of searches. To see others, filter the input " +
        "of the clause.")
    assert(rows.count(_.startsWith("  Row")) == 5)
    assertHas(
      limited(prices("4 3 2 1"), fall("A DOWN DOWN+ UP"), ThreadTraceLimits(3, 99, 9)),
      "Trace of the first 3 rows.",
      "The trace ends here: only the first 3 rows of a partition are read. To see others, filter " +
        "the input of the clause."
    )
    assertHas(
      limited(
        prices("1"),
        "ORDER BY day MEASURES 1 AS m PATTERN (A | B | C) DEFINE A AS price > 1, B AS price > 1, " +
          "C AS price > 1",
        ThreadTraceLimits(9, 9, 1)
      ),
      "    thread (): A is false: price = 1. It fails.",
      "    and 2 more threads"
    )
  }

  test("the statement is not run, may have several clauses, and needs one") {
    val clause = "MATCH_RECOGNIZE (ORDER BY day MEASURES 1 AS m PATTERN (A))"
    val table  = prices("1")
    assertHas(
      rows(
        "explain match_recognize\n trace INSERT OVERWRITE DIRECTORY '/nonexistent/x' USING parquet " +
          s"SELECT * FROM $table $clause UNION ALL SELECT * FROM $table $clause")
        .map(_.head.toString),
      "Trace of 1 row.",
      "The statement has 2 clauses. This traces the first of them."
    )
    assert(
      failure(spark.sql("EXPLAIN MATCH_RECOGNIZE TRACE SELECT 1"))
        .contains("EXPLAIN_WITHOUT_CLAUSE"))
    val error = intercept[org.apache.spark.sql.catalyst.parser.ParseException](
      spark.sql("EXPLAIN MATCH_RECOGNIZE TRACE\n" +
        "SELECT * FROM VALUES (1) AS t(id) MATCH_RECOGNIZE (PATTERN)"))
    assert(error.line.contains(2))
  }
}
