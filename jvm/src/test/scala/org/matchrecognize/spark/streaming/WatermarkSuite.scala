package org.matchrecognize.spark.streaming

import java.nio.file.Files

import scala.collection.mutable

import org.apache.spark.sql.{AnalysisException, DataFrame}
import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.types.{MetadataBuilder, TimestampType}

import org.matchrecognize.spark.parser.ParserTest
import org.matchrecognize.spark.reference.RandomSeed
import org.matchrecognize.spark.robustness.Fuzz

/** The watermark of a column is an operator's; a clause hands on one of its own, or none. */
class WatermarkSuite extends StreamedTicks {

  private val delay = "spark.watermarkDelayMs"

  private def clause(table: String, rows: String = "ONE ROW PER MATCH", within: String = "") =
    s"""SELECT * FROM $table MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
       |  MEASURES FIRST(t) AS f, LAST(B.t) AS l, PREV(A.t) AS p, MATCH_ROWTIME() AS r,
       |    FIRST(t) + INTERVAL 0 SECONDS AS s $rows
       |  PATTERN (A B) $within)""".stripMargin

  private def timed(frame: DataFrame) =
    frame.schema.filter(_.metadata.contains(delay)).map(_.name).toSet

  test("without WITHIN no column of the result carries a watermark") {
    streamOf(Seq(row("a", 1, 1)))
    for (sql <- Seq(clause("ticks"), clause("ticks", "ALL ROWS PER MATCH")))
      assert(timed(spark.sql(sql)).isEmpty, sql)
    val byTime = spark.sql("""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY t, k ORDER BY t
                             |  MEASURES COUNT(*) AS n PATTERN (A B))""".stripMargin)
    assert(timed(byTime).isEmpty)
    val inStruct = spark.sql("""SELECT u FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
                               |  MEASURES struct(A.t, B.x) AS u PATTERN (A B))""".stripMargin)
    assert(!inStruct.schema.json.contains(delay))
  }

  test("with WITHIN the times of rows of the match do, and no table that is written") {
    val run    = streamOf(Seq(row("a", 1, 1), row("a", 2, 1)), Seq(row("b", 50, 0)))
    val within = "WITHIN INTERVAL 5 SECONDS"
    val times  = if (spark.version >= "4") Set("f", "l", "r") else Set.empty[String]
    assert(timed(spark.sql(clause("ticks", within = within))) == times)
    val all = spark.sql(clause("ticks", "ALL ROWS PER MATCH", within))
    assert(timed(all) == (if (times.isEmpty) times else times + "t"))
    assert(timed(spark.sql(clause("table_of_ticks", within = within))).isEmpty)

    all.writeStream
      .option("checkpointLocation", Files.createTempDirectory("checkpoint").toString)
      .trigger(Trigger.AvailableNow())
      .toTable("written_ticks")
      .awaitTermination()
    assert(spark.table("written_ticks").count() == 2)
    assert(timed(spark.table("written_ticks")).isEmpty)
    val batches = mutable.ArrayBuffer[Set[String]]()
    val note    = (frame: DataFrame, _: Long) => { frame.collect(); batches += timed(frame); () }
    spark
      .sql(clause("ticks", within = within))
      .writeStream
      .option("checkpointLocation", Files.createTempDirectory("checkpoint").toString)
      .trigger(Trigger.AvailableNow())
      .foreachBatch(note)
      .start()
      .awaitTermination()
    assert(batches.nonEmpty && batches.forall(_.isEmpty))
    assert(run.run(clause("ticks", within = within))._1.flatten.map(_.head) == Seq("a"))
  }

  test("a window over MATCH_ROWTIME(), after the example of Flink's documentation") {
    assume(spark.version >= "4")
    // The prices of ACME, one a second from 10:00:00 on. They fall until :07, and rise with :08.
    val prices = Seq(12, 17, 19, 21, 25, 18, 15, 14, 24, 25, 19)
    val run    = streamOf(
      prices.zipWithIndex.map { case (price, i) => row("ACME", 36000 + i, price) },
      Seq(row("flush", 50000, 0)),
      Seq(row("flush", 60000, 0)))
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      val found =
        run.run("""SELECT date_format(window.start, 'HH:mm:ss'), symbol, COUNT(*), MIN(bottom)
          |FROM ticks MATCH_RECOGNIZE (
          |  PARTITION BY k AS symbol ORDER BY t
          |  MEASURES LAST(PRICE_DOWN.x) AS bottom, MATCH_ROWTIME() AS rowtime
          |  ONE ROW PER MATCH AFTER MATCH SKIP TO LAST PRICE_UP
          |  PATTERN (START_ROW PRICE_DOWN+ PRICE_UP) WITHIN INTERVAL '1' HOUR
          |  DEFINE
          |    PRICE_DOWN AS (LAST(PRICE_DOWN.x, 1) IS NULL AND PRICE_DOWN.x < START_ROW.x) OR
          |      PRICE_DOWN.x < LAST(PRICE_DOWN.x, 1),
          |    PRICE_UP AS PRICE_UP.x > LAST(PRICE_DOWN.x, 1))
          |GROUP BY symbol, window(rowtime, '5 seconds')""".stripMargin)
      assert(found._1.flatten == Seq(Seq[Any]("10:00:05", "ACME", 1L, 14)))
    }
  }

  test("copies of the event time can be keys, and be read") {
    val run = streamOf(Seq(row("a", 1, 1), row("a", 2, 1)), Seq(row("b", 50, 0)))
    val sql =
      """SELECT k, int(unix_timestamp(u)) AS u FROM (SELECT *, t AS copy, window(t, '1 hour') AS w FROM ticks)
        |MATCH_RECOGNIZE (PARTITION BY w, k ORDER BY t MEASURES LAST(copy) AS u
        |  PATTERN (A B))""".stripMargin
    assert(run.run(sql)._1.flatten == Seq(Seq[Any]("a", 2)))
  }

  test("a column that has only the metadata of a watermark has none") {
    val run = streamOf(Seq(row("a", 1, 1)))
    run.createViews("bare", "table_of_bare", withWatermark = false)
    val noted = new MetadataBuilder().putLong(delay, 2000L).build()
    spark
      .table("bare")
      .select(col("k"), col("x"), expr("t").as("t", noted))
      .createOrReplaceTempView("noted")
    val error = intercept[AnalysisException](spark.sql(clause("noted")))
    assert(ParserTest.condition(error) == "MATCH_RECOGNIZE.STREAM_WITHOUT_WATERMARK")
  }

  test("a filter of the other stream of a join, in a micro-batch in which it has no data") {
    assume(spark.version >= "4")
    def stream(name: String, where: String, batches: Seq[Map[String, Any]]*) = {
      val run =
        new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_seconds(o)", "0 seconds")
      batches.foreach(run.add)
      run.createViews(name, s"table_of_$name", where = where)
      run
    }
    stream("others", "k = 'a'", Seq(row("a", 2, 1)))
    val run = stream(
      "ticks",
      "true",
      Seq(row("a", 1, 1), row("a", 2, 1)),
      Seq(row("a", 100, 1)),
      Seq(row("b", 101, 1)))
    val (found, _) = run.run(
      "SELECT m.k, m.n FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t " +
        "MEASURES MATCH_ROWTIME() AS at, COUNT(*) AS n PATTERN (A B) WITHIN INTERVAL 1 MINUTE) m " +
        "JOIN others AS o ON m.k = o.k AND o.t BETWEEN m.at AND m.at + INTERVAL 1 MINUTE")
    assert(found.size > 2 && found.flatten == Seq(Seq[Any]("a", 2L)))
  }

  test("of the times that operators ask for, the clause keeps that of the next one") {
    assume(spark.version >= "4")
    val run = streamOf(Seq(row("a", 1, 1), row("a", 2, 1)), Seq(row("a", 100, 1)))
    streamOf(Seq(row("a", 2, 1)))
    val joined = spark.sql(
      "SELECT m.k, m.started FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t " +
        "MEASURES FIRST(t) AS started, LAST(B.t) AS ended PATTERN (A B) WITHIN INTERVAL 1 MINUTE) m " +
        "JOIN ticks AS o ON m.k = o.k AND o.t BETWEEN m.ended - INTERVAL 1 HOUR AND m.ended")
    run.run(joined.dropDuplicates("k", "started"))
    val cleanup = "state cleanup \\[.*".r.findFirstIn(run.lastPlan).mkString
    assert(cleanup.nonEmpty && !cleanup.contains("null"), run.lastPlan)
  }

  test("the operator may be anywhere below the clause") {
    val run = streamOf(Seq(row("a", 1, 1), row("a", 2, 1)), Seq(row("b", 50, 0)))
    for (sql <- Seq(
        s"WITH w AS (SELECT * FROM ticks) ${clause("w")}",
        s"WITH w AS (SELECT * FROM ticks), v AS (SELECT k, t FROM w) ${clause("v")}",
        clause("(SELECT t, k FROM ticks JOIN (VALUES ('a'), ('b')) AS v(k) USING (k))")
      ))
      assert(spark.sql(sql).isStreaming)
    val (found, _) =
      run.run(s"WITH w AS (SELECT k, t, o FROM ticks), v AS (SELECT * FROM w) ${clause("v")}")
    assert(found.flatten.map(_.head) == Seq("a"))
  }

  /**
   * A random clause whose measures are times. The table that it is written to has the rows of batch
   * and no watermark, which a query over it must not find.
   */
  private def checkWritten(seed: Long): Int = {
    val random              = RandomSeed(seed, "written")
    def one(texts: String*) = texts(random.nextInt(texts.size))
    val measures            = random.shuffle(times).take(3).zipWithIndex.map { case (time, i) =>
      s"$time AS m$i"
    }
    val source =
      one("%s", "(SELECT *, t AS copy FROM %s)", "(SELECT t, k, x FROM %s WHERE x > 0)")
    val keys   = one("k", "k", "k, x", "k, window(t, '1 day') AS w")
    val within = one("", "WITHIN INTERVAL 3 SECONDS")
    // Without WITHIN, the last rows of a key wait for what follows them.
    val show =
      one(
        "",
        "ALL ROWS PER MATCH",
        if (within.isEmpty) "" else "ALL ROWS PER MATCH WITH UNMATCHED ROWS")
    val around             = one("*", "k, m1 AS t, m0", "*, m2 AS copy_of_m2")
    val pattern            = one("A C? B", "A C{0,2} B", "A C* B")
    def sql(table: String) =
      s"""SELECT $around FROM ${source.replace("%s", table)} MATCH_RECOGNIZE (
         |  PARTITION BY $keys ORDER BY t MEASURES ${measures.mkString(", ")} $show
         |  PATTERN ($pattern) $within DEFINE B AS x >= PREV(x), C AS x < PREV(x))""".stripMargin
    // No operator with state follows a clause on Spark 3.5, or one without WITHIN.
    // Spark itself refuses an operator with state over two columns of the event time.
    val mayFollow            = spark.version >= "4" && within.nonEmpty && !around.contains("copy")
    val isDistinct           = mayFollow && random.nextBoolean()
    def frame(table: String) = {
      val all = spark.sql(sql(table))
      if (isDistinct) all.dropDuplicates() else all
    }
    val rows = (1 to 20).map(o => row(one("a", "b"), o, random.nextInt(4)))
    val run  = streamOf(rows.grouped(7).toSeq :+ Seq(row("flush", 1000, 1)): _*)
    run.createViews("ticks", "table_of_ticks")
    val text = s"seed $seed, ${if (isDistinct) "distinct " else ""}${sql("ticks")}"
    spark.sql("DROP TABLE IF EXISTS written_times")
    try {
      frame("ticks").writeStream
        .option("checkpointLocation", Files.createTempDirectory("checkpoint").toString)
        .trigger(Trigger.AvailableNow())
        .toTable("written_times")
        .awaitTermination()
      val written              = spark.table("written_times")
      def shown(of: DataFrame) =
        values(of).filter(_(of.columns.indexOf("k")) != "flush").map(_.toString).sorted
      assert(shown(written) == shown(frame("table_of_ticks")), text)
      // Columns in structs, too.
      assert(!written.schema.json.contains(delay), text)
      spark.readStream.table("written_times").createOrReplaceTempView("written_stream")
      for (column <- written.schema if column.dataType == TimestampType) {
        val next =
          s"""SELECT * FROM written_stream MATCH_RECOGNIZE (PARTITION BY k
             |  ORDER BY ${column.name} MEASURES COUNT(*) AS n PATTERN (A B))""".stripMargin
        val error = intercept[AnalysisException](spark.sql(next))
        assert(ParserTest.condition(error) == "MATCH_RECOGNIZE.STREAM_WITHOUT_WATERMARK", text)
      }
      written.count().toInt
    } catch {
      case e: Exception => throw new AssertionError(text, e)
    } finally {
      spark.sql("DROP TABLE IF EXISTS written_times")
      ()
    }
  }

  private val times = Seq(
    "FIRST(t)",
    "LAST(B.t)",
    "PREV(A.t)",
    "A.t",
    "MAX(t)",
    "MATCH_ROWTIME()",
    "coalesce(LAST(C.t), A.t)",
    "FIRST(t) + INTERVAL 0 SECONDS",
    "struct(B.t)",
    "array_agg(t)"
  )

  test("random clauses: no table that is written has a watermark") {
    val (reports, seeds) =
      Fuzz.batches(inGate = 1, size = 3, first = 8000L, nightly = 8)(_.map(checkWritten))
    val all = reports.flatten
    info(s"$seeds: ${all.size} tables, ${all.sum} rows")
    if (!Fuzz.isAsked) assert(all.exists(_ > 0))
  }
}
