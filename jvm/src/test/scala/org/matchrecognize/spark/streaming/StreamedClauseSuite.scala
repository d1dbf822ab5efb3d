package org.matchrecognize.spark.streaming

import org.scalatest.Tag

import org.apache.spark.sql.{AnalysisException, DataFrame}
import org.apache.spark.sql.functions.{col, window}
import org.apache.spark.sql.streaming.Trigger

import org.matchrecognize.spark.parser.ParserTest

/** The clause over a streaming table: finality, state, and what is refused. */
class StreamedClauseSuite extends StreamedTicks with StoreTurns {

  override protected def hasTwin(name: String): Boolean =
    tags.get(name).exists(_.contains(AboutState.name))

  /** Of a key with nothing but a row after the watermark. */
  protected def entriesOfWaitingRow: Int = 1

  test(
    "a match comes out in the micro-batch that makes it final, whatever order rows come in",
    AboutState) {
    // The watermark of a micro-batch is the largest time before it, less 2 seconds.
    val run = streamOf(
      Seq(row("a", 1, 9), row("a", 3, 4)),
      Seq(row("a", 2, 6), row("a", 4, 8)),
      Seq(row("a", 6, 7)),
      // The watermark is 4: the row of 6, which ends the match, is not searched yet.
      Seq(row("b", 8, 1)),
      Seq(row("b", 9, 1))
    )
    val (batches, _) = run.run(vShape())
    assert(batches.flatten == Seq(Seq[Any]("a", 1, 4L)))
    assert(batches.indexWhere(_.nonEmpty) == 4)
  }

  test("rows from the first millisecond on", AboutState) {
    val run = new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_millis(o)", "0 seconds")
    run.add(Seq(row("a", 1, 1), row("a", 3, 2)))
    run.add(Seq(row("a", 5, 3), row("a", 7, 4)))
    run.add(Seq(row("b", 100, 1)))
    run.createViews("ticks", "table_of_ticks")
    val (batches, _) = run.run(
      "SELECT k, f, l FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t " +
        "MEASURES FIRST(x) AS f, LAST(x) AS l PATTERN (A B))")
    assert(batches.flatten == Seq(Seq[Any]("a", 1, 2), Seq[Any]("a", 3, 4)))
  }

  test("micro-batches without data, in which Spark sees other filters below the clause") {
    for (where <- Seq("k IS NOT NULL", "k > 'A'", "true")) {
      val run = new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_millis(o)", "0 seconds")
      run.add(Seq(row("a", 1, 1), row("a", 3, 2)))
      run.add(Seq(row("b", 100, 1)))
      run.createViews("ticks", "table_of_ticks", where = where)
      val (batches, _) = run.run(
        "SELECT m.k, n FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t " +
          "MEASURES COUNT(*) AS n PATTERN (A B)) AS m " +
          "JOIN (SELECT string(id) AS id FROM VALUES ('a'), ('b') AS v(id) WHERE id > 'A') AS c " +
          "ON m.k = c.id WHERE lower(m.k) <> 'x' AND m.k > 'A'")
      // The last one has no data.
      assert(batches.flatten == Seq(Seq[Any]("a", 2L)), where)
      assert(batches.size == 3, where)
    }
  }

  test("the order is that of timestamps, not of windows that were made of them") {
    val run                    = streamOf(Seq(row("a", 1, 1)))
    def fails(columns: String) = intercept[AnalysisException](
      run.run(s"SELECT n FROM (SELECT k, window(t, '1 second') AS w$columns FROM ticks) " +
        "MATCH_RECOGNIZE (PARTITION BY k ORDER BY w MEASURES COUNT(*) AS n PATTERN (A B))")).getMessage
    for ((columns, says) <- Seq(
        ""    -> "w is not a timestamp",
        ", t" -> "Write t as the first key")) {
      val message = fails(columns)
      assert(message.contains("STREAM_ORDER") && message.contains(says), message)
    }
  }

  test("a key that waits for nothing leaves no state", AboutState) {
    val run = streamOf(Seq(row("a", 1, 1), row("b", 1, 1)), Seq(row("c", 100, 1)))
    val sql = "SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t " +
      "MEASURES COUNT(*) AS n PATTERN (A B) WITHIN INTERVAL 5 SECONDS DEFINE A AS x = 1)"
    val (_, progress) = run.run(sql)
    assert(progress.head.stateOperators.head.numRowsTotal == 2 * entriesOfWaitingRow)
    assert(progress.last.stateOperators.head.numRowsTotal == entriesOfWaitingRow)
  }

  test("of a silent key, only rows stay that the next match can look at", AboutState) {
    for ((define, silentKeys) <- Seq(
        "DOWN AS x < PREV(x), UP AS x > PREV(x)"            -> 0,
        "DOWN AS DOWN.x < A.x, UP AS x > A.x"               -> 0,
        "DOWN AS x < PREV(x, 2), UP AS x > PREV(x)"         -> 1,
        "DOWN AS x < PREV(x), UP AS x > PREV(x, 2)"         -> 0,
        "A AS x > PREV(x), DOWN AS x < PREV(x), UP AS true" -> 1
      )) {
      val run = streamOf(
        Seq(row("a", 1, 9), row("a", 2, 5)),
        Seq(row("b", 100, 1)),
        Seq(row("c", 200, 1)))
      val (_, progress) = run.run(s"""SELECT * FROM ticks MATCH_RECOGNIZE (
        PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
        PATTERN (A DOWN UP) WITHIN INTERVAL 5 SECONDS DEFINE $define)""")
      val (waits, last) = (entriesOfWaitingRow, progress.last.stateOperators.head.numRowsTotal)
      // a and b are silent.
      assert(last == waits + 2 * silentKeys, define)
    }
  }

  test("two clauses over one table", AboutState) {
    val run = streamOf(Seq(row("a", 1, 1), row("a", 2, 2), row("a", 3, 3)), Seq(row("b", 50, 0)))
    def pairs(first: Int) = s"""SELECT f, l FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
      MEASURES A.x AS f, B.x AS l PATTERN (A B) DEFINE A AS x = $first)"""
    val expected = Seq(Seq[Any](1, 2), Seq[Any](2, 3))
    val union    = s"${pairs(1)} UNION ALL ${pairs(2)}"
    assert(run.run(union)._1.flatten.toSet == expected.toSet)
    val again      = streamOf(Seq(row("a", 1, 1), row("a", 2, 2)), Seq(row("b", 50, 0)))
    val (found, _) = again.run(
      s"WITH m AS (${pairs(1)}) SELECT 1 AS i, * FROM m UNION ALL SELECT 2 AS i, * FROM m")
    assert(found.flatten.toSet == Set(Seq[Any](1, 1, 2), Seq[Any](2, 1, 2)))
  }

  /** Two streams, the second of which stops early, and their union. */
  private def unionOf(policy: String, withWatermark: Boolean): Seq[Seq[Any]] = {
    val busy = streamOf(
      Seq(row("a", 1, 9), row("a", 2, 4)),
      Seq(row("a", 3, 8), row("a", 4, 1)),
      Seq(row("a", 40, 0)))
    busy.createViews("busy", "table_of_busy", withWatermark)
    val idle = streamOf(Seq(row("b", 1, 1)))
    idle.createViews("idle", "table_of_idle", withWatermark)
    val union = spark.sql("SELECT * FROM busy UNION ALL SELECT * FROM idle")
    (if (withWatermark) union else union.withWatermark("t", "2 seconds"))
      .createOrReplaceTempView("both")
    spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", policy)
    try busy.run(vShape("both"))._1.flatten
    finally spark.conf.unset("spark.sql.streaming.multipleWatermarkPolicy")
  }

  test("an idle stream in a union holds back matches, unless the watermark is above the union") {
    val found = Seq(Seq[Any]("a", 1, 3L))
    assert(unionOf("min", withWatermark = true).isEmpty)
    assert(unionOf("max", withWatermark = true) == found)
    assert(unionOf("min", withWatermark = false) == found)
  }

  test("rows without a time are ordered by the time of arrival") {
    val run = streamOf(
      Seq(row("a", 1, 9)),
      Seq(row("a", 1, 4)),
      Seq(row("a", 1, 8)),
      Seq(row("a", 1, 1)),
      Seq(row("b", 1, 0)))
    run.createViews("untimed", "table_of_untimed", withWatermark = false)
    spark
      .table("untimed")
      .drop("t")
      .selectExpr("*", "current_timestamp() AS t")
      .withWatermark("t", "0 seconds")
      .createOrReplaceTempView("arrivals")
    val (batches, _) =
      run.run("""SELECT * FROM arrivals MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
        |  MEASURES FIRST(x) AS a, LAST(x) AS b, COUNT(*) AS n
        |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin)
    assert(batches.flatten == Seq(Seq[Any]("a", 9, 8, 3L)))
  }

  test("late rows are dropped and counted; rows without a time, too", AboutState) {
    val run = streamOf(
      Seq(row("a", 10, 9)),
      Seq(row("a", 11, 8)),
      Seq(row("a", 2, 1), Map("k" -> "a", "x" -> 5), row("a", 12, 9)),
      Seq(row("a", 13, 1)),
      Seq(row("b", 40, 1)))
    val (batches, progress) = run.run(vShape())
    assert(batches.flatten == Seq(Seq[Any]("a", 10, 3L)))
    assert(progress.flatMap(_.stateOperators.map(_.numRowsDroppedByWatermark)).sum == 1)
  }

  test("the progress of a query says what the clause did, and what it keeps", AboutState) {
    assume(spark.version >= "4", "Spark 3.5 reports nothing of micro-batches without new rows")
    val run = streamOf(
      Seq(row("a", 1, 1), row("b", 1, 1), row("b", 2, 2), Map("k" -> "a", "x" -> 1)),
      Seq(row("c", 12, 9)),
      Seq(row("d", 30, 9)),
      Seq(row("e", 31, 1)),
      Seq(row("f", 34, 9)))
    val sql  = """SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
      MEASURES COUNT(*) AS n ONE ROW PER MATCH SHOW TIMEOUT MATCHES PATTERN (A B)
      WITHIN INTERVAL 5 SECONDS DEFINE A AS x = 1, B AS x = 2)"""
    def runs = StreamRun
      .ofClause(run.run(sql)._2)
      .map(of => StreamedClauseSuite.metrics.map(of).splitAt(5))
    // Of rows, rows without a time, matches, timed-out ones, output rows; waiting, retained, partial.
    assert(
      runs == Seq(
        (Seq(0L, 1L, 0L, 0L, 0L), Seq(3L, 0L, 0L)),
        (Seq(0L, 0L, 0L, 0L, 0L), Seq(4L, 0L, 0L)),
        // The watermark is 10: b matches, a has timed out.
        (Seq(3L, 0L, 1L, 1L, 2L), Seq(2L, 0L, 0L)),
        // It is 28: c starts no match.
        (Seq(1L, 0L, 0L, 0L, 0L), Seq(2L, 0L, 0L)),
        (Seq(0L, 0L, 0L, 0L, 0L), Seq(3L, 0L, 0L)),
        // It is 32, and no row comes: e is a partial match.
        (Seq(2L, 0L, 0L, 0L, 0L), Seq(1L, 1L, 1L))
      ))
    run.add(Seq(row("g", 60, 9)))
    assert(
      runs == Seq(
        (Seq(0L, 0L, 0L, 0L, 0L), Seq(2L, 1L, 1L)),
        // It is 58: e times out.
        (Seq(1L, 0L, 0L, 1L, 1L), Seq(1L, 0L, 0L))
      ))
  }

  test("rows of gaps and of keys that a filter drops move the watermark") {
    val run          = streamOf(Seq(row("a", 1, 1), row("a", 3, 2)), Seq(row("b", 100, 7)))
    val (batches, _) = run.run("""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
        |  MEASURES B.o AS o PATTERN (A {- Z*? -} B) WITHIN INTERVAL 5 SECONDS
        |  DEFINE A AS x = 1, B AS x = 2) WHERE k = 'a'""".stripMargin)
    assert(batches.flatten == Seq(Seq[Any]("a", 3)))
  }

  test("rows of gaps are not searched, and counted where late", AboutState) {
    val run = streamOf(
      Seq(row("a", 1, 1), row("a", 2, 9), row("b", 2, 1), row("a", 3, 2)),
      Seq(row("b", 100, 7)),
      Seq(row("b", 101, 7)),
      // Spark drops rows up to 98: one of a gap, and two that A and B would take.
      Seq(row("a", 5, 9), row("b", 6, 1), row("a", 7, 2), row("a", 102, 9))
    )
    val (batches, progress) =
      run.run("""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
        |  MEASURES B.o AS o PATTERN (A Z*? B) DEFINE A AS x = 1, B AS x = 2)
        |WHERE k = 'a'""".stripMargin)
    assert(batches.flatten == Seq(Seq[Any]("a", 3)))
    // Spark 3.5 reports nothing of micro-batches without new rows.
    if (spark.version >= "4")
      assert(StreamRun.ofClause(progress).map(_("rows").asInstanceOf[Long]).sum == 3)
    assert(progress.map(_.stateOperators.head.numRowsDroppedByWatermark).sum == 3)
  }

  test("a filter with a subquery is tested on the result, since its value can change") {
    val run = streamOf(Seq(row("a", 1, 1), row("b", 1, 1)), Seq(row("a", 2, 2), row("b", 2, 2)))
    val sql = """SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
                |  MEASURES B.x AS x PATTERN (A B) DEFINE A AS x = 1, B AS x = 2)
                |WHERE k = (SELECT max(name) FROM names)""".stripMargin
    spark.sql("SELECT 'a' AS name").createOrReplaceTempView("names")
    assert(run.run(sql)._1.flatten.isEmpty)
    spark.sql("SELECT 'b' AS name").createOrReplaceTempView("names")
    run.add(Seq(row("c", 50, 0)))
    assert(run.run(sql)._1.flatten == Seq(Seq[Any]("b", 2)))
  }

  test("scalar subqueries and IN over a subquery, in DEFINE and MEASURES") {
    val run = streamOf(
      Seq(row("a", 1, 1), row("a", 2, 5)),
      Seq(row("a", 3, 1), row("a", 4, 7)),
      Seq(row("b", 50, 0)))
    val (batches, _) = run.run("""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
        |  MEASURES B.x + (SELECT max(v) FROM VALUES (10) AS n(v)) AS y PATTERN (A B)
        |  DEFINE A AS x < (SELECT max(v) FROM VALUES (3) AS n(v)),
        |    B AS x IN (SELECT v FROM VALUES (5), (7) AS n(v)))""".stripMargin)
    assert(batches.flatten == Seq(Seq[Any]("a", 15), Seq[Any]("a", 17)))
  }

  test("the current time is that of a micro-batch in MEASURES, and refused in DEFINE") {
    val run = streamOf(Seq(row("a", 1, 1), row("a", 2, 5)), Seq(row("b", 50, 0)))
    def sql(measure: String, condition: String) =
      s"""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
         |  MEASURES $measure AS m PATTERN (A B) DEFINE B AS $condition)""".stripMargin
    val before       = System.currentTimeMillis
    val (batches, _) = run.run(sql("MATCH_PROCTIME()", "x = 5"))
    val time         = batches.flatten.head(1).asInstanceOf[java.sql.Timestamp].getTime
    assert(before <= time && time <= System.currentTimeMillis)
    for (now <- Seq("current_timestamp()", "now()", "current_date()", "localtimestamp()"))
      assert(refusal(spark.sql(sql("A.x", s"$now > t"))) == "NONDETERMINISTIC")
    assert(spark.sql(sql("A.x", "current_user() = k")).isStreaming)
  }

  test("without PARTITION BY there is one key", AboutState) {
    val run = streamOf(
      Seq(row("a", 1, 9), row("b", 2, 4)),
      Seq(row("c", 3, 8), row("d", 4, 1)),
      Seq(row("e", 40, 0)))
    val (batches, _) = run.run(vShape(by = ""))
    assert(batches.flatten == Seq(Seq[Any]("c", 1, 3L)))
  }

  test("keys that are equal are one key: NULL, -0.0 and 0.0", AboutState) {
    val run = streamOf(
      Seq(row("0.0", 1, 9), row(null, 1, 9)),
      Seq(row("-0.0", 2, 4), row(null, 2, 4)),
      Seq(row("0.0", 3, 8), row(null, 3, 8), row("0.0", 4, 1), row(null, 4, 1)),
      Seq(row("1", 40, 0))
    )
    val (batches, _) =
      run.run("""SELECT n, CAST(abs(d) AS STRING) FROM (SELECT *, double(k) AS d FROM ticks)
        |MATCH_RECOGNIZE (PARTITION BY d ORDER BY t MEASURES COUNT(*) AS n
        |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin)
    assert(batches.flatten.toSet == Set(Seq[Any](3L, "0.0"), Seq[Any](3L, null)))
  }

  /** The condition of the error with which a query is refused. */
  private def refusal(body: => Any): String =
    ParserTest.condition(intercept[AnalysisException](body)).stripPrefix("MATCH_RECOGNIZE.")

  test("in update mode the rows are those of append mode; complete mode is refused") {
    def run(mode: String) = {
      val stream = streamOf(
        Seq(row("a", 1, 3), row("b", 1, 3), row("a", 2, 2), row("a", 3, 4)),
        Seq(row("a", 4, 1), row("b", 5, 1), row("b", 6, 2)),
        Seq(row("b", 7, 1), row("c", 99, 0)))
      stream.run(spark.sql(vShape()), mode)._1
    }
    val rows = run("append")
    assert(rows.flatten.toSet == Set(Seq[Any]("a", 1, 3L), Seq[Any]("b", 1, 3L)))
    assert(run("update") == rows)
    def start(sql: String, mode: String) = spark
      .sql(sql)
      .writeStream
      .outputMode(mode)
      .format("noop")
      .trigger(Trigger.AvailableNow())
      .start()
    intercept[AnalysisException](start(vShape(), "complete"))
    if (isChained) {
      val count =
        s"SELECT n, COUNT(*) FROM ${matched.format("WITHIN INTERVAL 3 SECONDS", "A AS true")} GROUP BY n"
      val distinct = vShape("(SELECT DISTINCT k, t, x FROM ticks)")
      for ((sql, mode) <- Seq(count -> "complete", count -> "update", distinct -> "update"))
        assert(refusal(start(sql, mode)) == "STREAM_OUTPUT_MODE")
    }
  }

  /** Whether operators with state may be before and after a clause. */
  private def isChained = spark.version >= "4"

  private def matched = """(SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
    |MEASURES MATCH_ROWTIME() AS r, COUNT(*) AS n PATTERN (A B) %s DEFINE %s))""".stripMargin

  test("coalesced partitions after the clause, whose rows are read twice") {
    withSettings("spark.sql.shuffle.partitions" -> "3") {
      val keys    = Seq("a", "b", "c", "d", "e")
      val batches =
        Seq(1 -> 9, 2 -> 4, 3 -> 8, 4 -> 1).map { case (o, x) => keys.map(row(_, o, x)) }
      val run               = streamOf(batches :+ Seq(row("z", 50, 0)): _*)
      val (found, progress) = run.run(
        spark.sql(vShape()).coalesce(1),
        look = frame => {
          frame.repartition(2).count()
          ()
        })
      assert(found.flatten.toSet == keys.map(Seq[Any](_, 1, 3L)).toSet)
      // Spark 3.5 reports nothing of the micro-batch without rows.
      if (spark.version >= "4") {
        val counted = StreamRun.ofClause(progress)
        assert(counted.map(_("matches").asInstanceOf[Long]).sum == keys.size)
        assert(counted.map(_("rows").asInstanceOf[Long]).sum == 4 * keys.size)
      }
    }
  }

  test("an operator with state is refused where a clause hands on no watermark") {
    streamOf(Seq(row("a", 1, 1)))
    def count(within: String, define: String = "B AS x > A.x") =
      s"SELECT window.start, COUNT(*) FROM ${matched.format(within, define)} GROUP BY window(r, '5 seconds')"
    def message(sql: String) = failure(spark.sql(sql))
    val within               = "WITHIN INTERVAL 3 SECONDS"
    val statements           = Seq(
      count("")                               -> "Add WITHIN, or write the rows to a table",
      count(within, "B AS x > NEXT(x)")       -> "Remove NEXT, or write the rows to a table",
      s"SELECT DISTINCT k FROM (${vShape()})" -> "Add WITHIN",
      s"SELECT * FROM (${vShape()}) a JOIN ticks USING (k)" -> "Add WITHIN"
    )
    for ((sql, change) <- statements) {
      val error = message(sql)
      assert(error.contains("STREAM_STATEFUL_OPERATOR"), error)
      assert(error.contains(if (isChained) change else "this needs Spark 4.0 or later"), error)
    }
    if (isChained) {
      assert(spark.sql(count(within)).isStreaming)
      withSettings("spark.sql.streaming.statefulOperator.allowMultiple" -> "false") {
        assert(message(count(within)).contains("statefulOperator.allowMultiple = true"))
      }
      val again =
        failure(spark.sql(matched.format(within, "B AS x > A.x")).withWatermark("r", "1 second"))
      assert(again.contains("Remove withWatermark"), again)
      val optional = spark.sql(
        matched
          .format(within, "B AS x > A.x")
          .replace("A B", "A B?")
          .replace("MATCH_ROWTIME()", "B.t"))
      def start(frame: DataFrame, column: String = "n") = frame
        .dropDuplicatesWithinWatermark(column)
        .writeStream
        .format("noop")
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination()
      assert(failure(start(optional)).contains("Add the filter r IS NOT NULL"))
      start(optional.where("r IS NOT NULL"))
      // The window drops rows without a time.
      start(optional.groupBy(window(col("r"), "5 seconds")).count(), "count")
    } else assert(refusal(spark.sql(count(within))) == "STREAM_STATEFUL_OPERATOR")
    val clause = s"(${vShape()})"
    assert(spark.sql(s"SELECT * FROM $clause UNION ALL SELECT * FROM $clause").isStreaming)
    assert(spark.sql(s"SELECT * FROM $clause JOIN (VALUES ('a')) AS v(k) USING (k)").isStreaming)
  }
}

private object StreamedClauseSuite {

  /** What the clause did in a micro-batch, and what it keeps. */
  val metrics: Seq[String] = Seq(
    "rows",
    "rowsWithoutTime",
    "matches",
    "timedOutMatches",
    "outputRows",
    "waitingRows",
    "retainedRows",
    "partialMatches")
}

/** What depends on how the state of keys is kept. */
private[streaming] object AboutState extends Tag("org.matchrecognize.spark.AboutState")
