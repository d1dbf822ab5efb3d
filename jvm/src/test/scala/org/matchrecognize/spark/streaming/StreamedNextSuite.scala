package org.matchrecognize.spark.streaming

/** NEXT in a stream: a match waits for a row only if the row can change it. */
class StreamedNextSuite extends StreamedTicks {

  private def clause(
      pattern: String,
      define: String,
      measures: String = "FIRST(o) AS f, LAST(o) AS l",
      after: String = "SKIP PAST LAST ROW",
      more: String = "") =
    s"""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
       |  MEASURES $measures AFTER MATCH $after PATTERN ($pattern) $more DEFINE $define)""".stripMargin

  /** What comes out of some rows of a key, one second after the other, if no other row comes. */
  private def found(sql: String, xs: Int*): Seq[Seq[Any]] = {
    val run = streamOf(
      xs.zipWithIndex.map { case (x, i) => row("a", i + 1, x) },
      Seq(row("b", 100, 0)),
      Seq(row("b", 101, 0)))
    run.run(sql)._1.flatten.filter(_.head == "a")
  }

  private val rise = clause("A B", "A AS x < NEXT(x), B AS x >= PREV(x)")

  test("a match is returned with its last row, if that does not look ahead") {
    assert(found(rise, 1, 2) == Seq(Seq[Any]("a", 1, 2)))
    for (after <- Seq("SKIP TO NEXT ROW", "NO SKIP"))
      assert(found(rise.replace("SKIP PAST LAST ROW", after), 1, 2) == Seq(Seq[Any]("a", 1, 2)))
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      for (after <- Seq("SKIP TO NEXT ROW", "NO SKIP"))
        assert(found(rise.replace("SKIP PAST LAST ROW", after), 1, 2) == Seq(Seq[Any]("a", 1, 2)))
    }
  }

  test("a condition that the rows so far decide does not wait") {
    val either = "PATTERN (A | C)"
    for ((a, x, isOut) <- Seq(
        ("x > 5 AND x < NEXT(x)", 3, true),
        ("x < NEXT(x) AND x > 5", 3, true),
        ("NOT (x < 5 OR x < NEXT(x))", 3, true),
        ("NOT (x < 5 OR x < NEXT(x))", 7, false),
        ("x < NEXT(x)", 3, false),
        ("NEXT(x) IS NULL AND x > 5", 7, false),
        // This fails with an error if the next row has 0.
        ("1 / NEXT(x) > 0 AND x > 5", 3, false),
        ("x > 5 AND 1 / NEXT(x) > 0", 3, true),
        ("x > 2 OR NEXT(x) > 0", 3, true)
      )) {
      val sql = clause("A | C", s"A AS $a, C AS x > 0", "FIRST(o) AS f, LAST(o) AS l")
      assert(found(sql, x).nonEmpty == isOut, s"$either DEFINE A AS $a at $x")
    }
  }

  test("what is less preferred than a match need not be decided") {
    val sql = clause("A B | C", "A AS x = 1, B AS x = 2, C AS x < NEXT(x, 2)")
    assert(found(sql, 1, 2) == Seq(Seq[Any]("a", 1, 2)))
    // B fails, and C has to wait.
    assert(found(sql, 1, 3) == Nil)
    assert(found(sql, 1, 3, 4) == Seq(Seq[Any]("a", 1, 1)))
  }

  test("a row that a match maps later is known to it") {
    assert(found(clause("A B C", "C AS x > NEXT(A.x)"), 1, 2, 3) == Seq(Seq[Any]("a", 1, 3)))
  }

  test("a partial match times out while a later condition looks ahead") {
    val sql = clause(
      "A B",
      "A AS x = 1, B AS x < NEXT(x)",
      more = "WITHIN INTERVAL 5 SECONDS",
      measures = "FIRST(o) AS f, MATCH_TIMED_OUT() AS l ONE ROW PER MATCH SHOW TIMEOUT MATCHES"
    )
    assert(found(sql, 1) == Seq(Seq[Any]("a", 1, true)))
  }

  test("what is absent up to the bound is known once the bound has passed") {
    val gap = "A {- X*? -} [^B]"

    /** The keys with a match, of one without another row, one with B and one with neither. */
    def keys(pattern: String, after: String, next: String = ""): Seq[Any] = {
      val run = streamOf(
        Seq(row("alone", 1, 1), row("b", 1, 1), row("other", 1, 1)),
        // They are searched before the watermark has passed the bound.
        Seq(row("b", 2, 2), row("other", 2, 3), row("z", 4, 0)),
        Seq(row("z", 5, 0)),
        Seq(row("z", 100, 0)),
        Seq(row("z", 101, 0))
      )
      val define = s"A AS x = 1, B AS x = 2$next"
      val sql    = clause(pattern, define, after = after, more = "WITHIN INTERVAL 5 SECONDS")
      run.run(sql)._1.flatten.map(_.head).sortBy(_.toString)
    }
    val both = Seq("alone", "other")
    assert(keys("A [^B]", "SKIP PAST LAST ROW") == both)
    assert(keys(gap, "NO SKIP") == both)
    // The rows that NEXT would read would follow B.
    assert(keys(gap, "SKIP PAST LAST ROW", " AND NEXT(x) > 0").contains("alone"))
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      assert(keys(gap, "SKIP TO NEXT ROW") == both)
      // Flink completes it on a row within the bound.
      assert(keys("A [^B]", "NO SKIP") == Seq("other"))
      assert(keys(gap, "NO SKIP", " AND NEXT(x) > 0").contains("alone"))
    }
  }

  test("EXPLAIN and the progress of a query say what a match waits for") {
    val shown =
      clause("A B", "A AS x < NEXT(x), B AS x < NEXT(x, 2)", "FIRST(o) AS f, NEXT(LAST(o)) AS l")
    val run = streamOf(Seq(row("a", 1, 1)))
    run.run(shown)
    assert(
      run.lastPlan.contains(
        "may wait for: [1 row after A (DEFINE), 2 rows after B (DEFINE), " +
          "1 row after the match (MEASURES)]"),
      run.lastPlan)
    assume(spark.version >= "4", "Spark 3.5 reports nothing of micro-batches without new rows")
    def last(sql: String, xs: Int*): (Any, Any) = {
      val run = streamOf(
        xs.zipWithIndex.map { case (x, i) => row("a", i + 1, x) },
        Seq(row("b", 100, 0)),
        Seq(row("b", 101, 0)))
      val of = StreamRun.ofClause(run.run(sql)._2).last
      (of("waitingForNext"), of("next"))
    }
    assert(last(rise, 1, 2) == ((0L, "1 row after A (DEFINE)")))
    // In a query that was restarted, a key that waits for another row still counts once.
    val again   = streamOf(Seq(row("a", 1, 1)), Seq(row("b", 100, 0)), Seq(row("b", 101, 0)))
    def waiting = StreamRun.ofClause(again.run(rise)._2).last("waitingForNext")
    assert(waiting == 1L)
    again.add(Seq(row("a", 200, 1)))
    again.add(Seq(row("a", 201, 0)))
    again.add(Seq(row("b", 300, 0)))
    // The last row of a, and that of b at 101.
    assert(waiting == 2L)
    // The condition of A, and a match that was found.
    assert(last(rise, 1) == ((1L, "1 row after A (DEFINE)")))
    val measure = clause("A B", "A AS x = 1, B AS x = 2", "NEXT(LAST(o)) AS l")
    assert(last(measure, 1, 2) == ((1L, "1 row after the match (MEASURES)")))
    assert(last(clause("A B", "A AS x = 1, B AS x = 2"), 1, 2) == ((0L, null)))
  }
}
