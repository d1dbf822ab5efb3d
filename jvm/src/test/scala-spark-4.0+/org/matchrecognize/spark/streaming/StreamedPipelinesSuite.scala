package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.streaming.StreamingQueryProgress

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.logical.Within
import org.matchrecognize.spark.reference.{RandomSeed, Weighted}
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Random queries with operators with state and joins with tables before and after the clause return
 * over streams what they return over tables, and the operator after the clause gets the watermark before it less
 * WITHIN (semantics.md: Streaming).
 */
class StreamedPipelinesSuite extends SparkSuite {
  import StreamedPipelinesSuite._

  private type Result = (Seq[Seq[Seq[Any]]], Seq[StreamingQueryProgress])

  override protected def settings: Map[String, String] = Map(
    "spark.sql.streaming.metricsEnabled"     -> "false",
    "spark.sql.streaming.minBatchesToRetain" -> "2",
    "spark.sql.shuffle.partitions"           -> "1",
    // A join that is read twice gets no watermark where Spark reuses an exchange (limitations.md).
    "spark.sql.exchange.reuse"   -> "false",
    "spark.sql.session.timeZone" -> "UTC"
  )

  test("random operators with state before and after the clause") {
    val (reports, seeds) =
      Fuzz.batches(inGate = 1, size = 4, first = first, nightly = 16)(_.map(check))
    val all = reports.flatten
    info(s"$seeds: ${all.size} queries, ${all.sum} rows, ${all.count(_ == 0)} without one")
    if (!Fuzz.isAsked) assert(all.count(_ > 0) > all.size / 2)
  }

  /** The first seed, relative to those of the number. */
  protected def first: Long = 100000L

  /** How many rows there were. */
  private def check(seed: Long): Int = {
    val random   = RandomSeed(seed, "pipeline")
    val pipeline = new Pipeline(random)
    val delay    = 1 + random.nextInt(3)
    val names    = Seq("ticks", "others")
    val files    = names.map(_ => cut(random, delay))
    // Some queries stop, and go on from their checkpoint.
    val parts = if (random.nextBoolean()) Seq(2, Int.MaxValue) else Seq(Int.MaxValue)

    def streamed(around: DataFrame => DataFrame, handedOn: Watermarks) = {
      val runs = names.map { _ =>
        new StreamRun(spark, "k INT, o INT, x INT", "timestamp_seconds(o)", s"$delay seconds")
      }
      val results = parts
        .foldLeft((files, Seq.empty[Result])) { case ((left, done), size) =>
          runs.zip(left).foreach { case (run, batches) => batches.take(size).foreach(run.add) }
          runs.zip(names).foreach { case (run, name) => run.createViews(name, s"table_of_$name") }
          val frame = around(spark.sql(pipeline.sql("")))
          (left.map(_.drop(size)), done :+ runs.head.run(frame, look = _ => handedOn.check()))
        }
        ._2
      val (batches, progress) = (results.flatMap(_._1), results.flatMap(_._2))
      val dropped = progress.flatMap(_.stateOperators.map(_.numRowsDroppedByWatermark)).sum
      assert(dropped == 0, "rows are late")
      batches.map(_.filter(isBeforeEnd))
    }
    try {
      val handedOn = new Watermarks
      val batches  = streamed(pipeline.deduplicate, handedOn)
      val found    = batches.flatten.map(_.toString).sorted
      if (pipeline.isWithinWatermark) {
        val before = new Watermarks
        val all    = streamed(identity, before)
        checkWithinWatermark(
          byWatermark(all, before.ofClause.toSeq),
          byWatermark(batches, handedOn.ofClause.toSeq),
          handedOn.ofClause.zip(handedOn.after).toMap,
          delay * 1000000L)
      } else {
        val expected = values(pipeline.deduplicate(spark.sql(pipeline.sql("table_of_"))))
          .filter(isBeforeEnd)
          .map(_.toString)
          .sorted
        assert(found == expected)
      }
      if (pipeline.hasAfter) assert(handedOn.isSeen, "no watermark was handed on")
      found.size
    } catch {
      case e: Throwable => throw new AssertionError(s"seed $seed\n${pipeline.sql("")}", e)
    }
  }

  /** The rows of micro-batches by the watermark of the clause, which alone lets rows out. */
  private def byWatermark(batches: Seq[Seq[Seq[Any]]], watermarks: Seq[Long]) = {
    assert(batches.size == watermarks.size)
    watermarks.zip(batches).groupBy(_._1).map { case (w, some) => w -> some.flatMap(_._2) }
  }

  /**
   * dropDuplicatesWithinWatermark, which tables do not have: of a key, the first row is returned, and
   * no other until the watermark has reached its time plus the delay. Of several rows of a key in a
   * micro-batch, any may be the first.
   *
   * @param all
   *   what the operator gets, by the watermark of the clause
   * @param found
   *   what it returns
   * @param own
   *   its own watermark
   * @param delay
   *   in microseconds
   */
  private def checkWithinWatermark(
      all: Map[Long, Seq[Seq[Any]]],
      found: Map[Long, Seq[Seq[Any]]],
      own: Map[Long, Long],
      delay: Long): Unit = {
    val none = Map.empty[Any, Long]
    found.keys.toSeq.sorted.foldLeft(none) { (ends, watermark) =>
      def keyOf(row: Seq[Any]) = row(1)
      val rows                 = all.getOrElse(watermark, Nil)
      val firsts               = found(watermark)
      val news                 = rows.map(keyOf).distinct.filterNot(ends.contains)
      assert(
        firsts.map(keyOf).map(_.toString).sorted == news.map(_.toString).sorted,
        s"at $watermark: $firsts of $rows")
      assert(firsts.forall(rows.contains))
      (ends ++ firsts.map(row => keyOf(row) -> (micros(row.head) + delay)))
        .filter(_._2 > own(watermark) * 1000)
    }
    ()
  }

  /** The watermarks of the operators of a micro-batch. */
  private class Watermarks {

    /** Of the clause above which no other one is, and of the operator after it, in each micro-batch. */
    val ofClause = new ArrayBuffer[Long]
    val after    = new ArrayBuffer[Long]

    /** Whether an operator has followed any clause. */
    var isSeen = false

    def check(): Unit = {
      val found = clauses(lastPlan, None)
      found.foreach { case (own, within, next) =>
        next.foreach { operator =>
          isSeen = true
          Seq("eventTimeWatermarkForEviction", "eventTimeWatermarkForLateEvents").foreach { w =>
            assert(millis(operator, w) == math.max(0, millis(own, w) - within), w)
          }
        }
      }
      val (own, _, next) = found.head
      ofClause += millis(own, "eventTimeWatermarkForEviction")
      after ++= next.map(millis(_, "eventTimeWatermarkForEviction"))
    }

    /** Of each clause its operator, WITHIN in milliseconds, and the operator that follows. */
    private def clauses(
        plan: SparkPlan,
        after: Option[SparkPlan]): Seq[(SparkPlan, Long, Option[SparkPlan])] = {
      val here = plan match {
        case clause: StreamedMatchRecognizeExec =>
          val own = clause.child.collectFirst {
            case operator if hasWatermark(operator) => operator
          }
          clause.plan.clause.within match {
            case Some(time: Within.Time) => Seq((own.get, time.micros / 1000, after))
            case other                   => fail(s"$other")
          }
        case _ => Nil
      }
      val isNext = hasWatermark(plan) && !plan.isInstanceOf[HandedOnWatermarkExec]
      here ++ plan.children.flatMap(clauses(_, if (isNext) Some(plan) else after))
    }

    private def hasWatermark(plan: SparkPlan) =
      plan.getClass.getMethods.exists(_.getName == "eventTimeWatermarkForEviction")

    /** Joins have no type in common with the other operators. */
    private def millis(plan: SparkPlan, watermark: String): Long =
      of(plan, watermark).asInstanceOf[Option[Long]].getOrElse(0L)

    private def of(owner: Any, name: String): Any = owner.getClass.getMethod(name).invoke(owner)

    private def lastPlan: SparkPlan = {
      val query = of(spark.streams.active.head, "streamingQuery")
      of(query, "lastExecution").asInstanceOf[QueryExecution].executedPlan
    }
  }
}

private object StreamedPipelinesSuite {

  /** When the rows begin that only move the watermark, in seconds. */
  private val end = 500L

  private val endKey = -1

  /** The microseconds of a time. */
  def micros(time: Any): Long = time match {
    case t: java.sql.Timestamp => t.getTime * 1000 + t.getNanos / 1000 % 1000
    case other                 => throw new IllegalStateException(s"$other is no time")
  }

  /** Whether a row is none that depends on what comes after the end. */
  def isBeforeEnd(row: Seq[Any]): Boolean = row.head match {
    case time: java.sql.Timestamp => time.getTime < end * 1000
    // The rows that move the watermark at the end have a key of their own, and may have no time.
    case null  => row.lift(1) != Some(endKey)
    case other => throw new IllegalStateException(s"$other is no time")
  }

  /** Micro-batches of rows that come in disorder, none of them late. */
  def cut(random: Random, delay: Int): Seq[Seq[Map[String, Any]]] = {
    val keys = 1 + random.nextInt(4)
    var time = 10.0
    val rows = (0 until 20 + random.nextInt(40)).map { _ =>
      time += random.nextDouble() * 1.5
      Map[String, Any]("k" -> random.nextInt(keys), "o" -> time.toLong, "x" -> random.nextInt(4))
    }
    val arrived = rows
      .map(row => (row("o").asInstanceOf[Long] + random.nextDouble() * (delay - 0.01), row))
      .sortBy(_._1)
      .map(_._2)
    val size = 1 + arrived.size / (2 + random.nextInt(4))
    arrived.grouped(size).toSeq ++
      Seq(end + 100, end + 200).map(o => Seq(Map("k" -> endKey, "o" -> o, "x" -> 0)))
  }

  /** A query; tables and streams have the same names but for a prefix. */
  final class Pipeline(random: Random) {
    private def pick(choices: String*): String = choices(random.nextInt(choices.size))

    private val before = Weighted.pick(
      random,
      Seq(
        4 -> "",
        1 -> "distinct",
        1 -> "window",
        1 -> "window end",
        2 -> "join",
        2 -> "table",
        2 -> "clause"))
    private val after = Weighted.pick(
      random,
      Seq(
        1 -> "",
        4 -> "window",
        1 -> "session",
        1 -> "union",
        1 -> "distinct",
        1 -> "deduplicate",
        1 -> "within",
        2 -> "join",
        1 -> "outer join",
        1 -> "self join",
        1 -> "table",
        1 -> "clause over a table",
        3 -> "clause"
      )
    )

    /** Whether an operator with state follows the clause. */
    def hasAfter: Boolean = !Set("", "table", "clause over a table").contains(after)

    private val allRows = random.nextInt(4) == 0
    private val size    = 1 + random.nextInt(4)

    private val window = pick("1 second", "2 seconds", "3 seconds")

    private val joinOfTable = pick("JOIN", "LEFT JOIN")

    /** The key 1 has no row, 2 has two. */
    private val rowsOfTable =
      "(SELECT * FROM VALUES (0, 3), (2, 2), (2, 4), (3, 9), (-1, 9) AS v(k, y))"

    private val timeOfJoin = pick("a.t", "b.t")

    private def input(prefix: String): String = before match {
      case ""         => s"SELECT k, t AS et, x FROM ${prefix}ticks"
      case "distinct" => s"SELECT DISTINCT k, t AS et, x FROM ${prefix}ticks"
      case "window"   =>
        s"""SELECT k, window_time(window) AS et, x FROM (
           |SELECT k, window, CAST(SUM(x) AS INT) AS x FROM ${prefix}ticks
           |GROUP BY k, window(t, '$window'))""".stripMargin
      case "window end" =>
        s"""SELECT k, window.end AS et, CAST(SUM(x) AS INT) AS x FROM ${prefix}ticks
           |GROUP BY k, window(t, '$window')""".stripMargin
      case "join" =>
        s"""SELECT a.k, $timeOfJoin AS et, a.x + b.x AS x FROM ${prefix}ticks a JOIN ${prefix}others b
           |ON a.k = b.k AND b.t BETWEEN a.t - INTERVAL 2 SECONDS AND a.t + INTERVAL 1 SECOND""".stripMargin
      case "table" =>
        s"""SELECT a.k, t AS et, a.x + b.y AS x FROM ${prefix}ticks a $joinOfTable $rowsOfTable b
           |ON a.k = b.k AND a.x < b.y""".stripMargin
      case "clause" =>
        s"""SELECT k, rt AS et, n AS x FROM ${prefix}ticks MATCH_RECOGNIZE (
           |PARTITION BY k ORDER BY t, x MEASURES $firstTime AS rt, CAST(COUNT(*) AS INT) AS n
           |PATTERN (A B?) WITHIN INTERVAL '3' SECOND DEFINE B AS x >= A.x)""".stripMargin
    }
    private val firstTime = pick("MATCH_ROWTIME()", "FIRST(t)", "LAST(A.t)")

    private val within = s"INTERVAL '${pick("0.5", "1", "2", "3.25", "5")}' SECOND"

    private val rows =
      pick("ONE ROW PER MATCH", "ONE ROW PER MATCH", "ONE ROW PER MATCH SHOW TIMEOUT MATCHES")

    private val all = pick(
      "ALL ROWS PER MATCH",
      "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
      "ALL ROWS PER MATCH OMIT EMPTY MATCHES")

    private val skip = pick(
      "",
      "AFTER MATCH SKIP TO NEXT ROW",
      "AFTER MATCH SKIP PAST LAST ROW",
      "AFTER MATCH NO SKIP")

    private val pattern =
      pick("A B", "A B+", "A B* C", "A B?", "A (B | C)", "A B*? C", "A{2,3} C?")

    private val conditions = {
      def condition(v: String) = pick("x > PREV(x)", "x >= A.x", "x <> 2", "x > 1", s"$v.x < 3")
      // Only those of the pattern.
      Seq("A", "B", "C")
        .filter(v => pattern.contains(v))
        .flatMap(v =>
          if (v == "A" && random.nextBoolean()) None
          else Some(s"$v AS ${if (v == "A") pick("x < 3", "x >= 1") else condition(v)}"))
        .mkString(", ") match {
        case ""   => "A AS x >= 0"
        case some => some
      }
    }

    private val time =
      pick("MATCH_ROWTIME()", "FIRST(et)", "LAST(et)", "A.et", "LAST(B.et)") match {
        case "LAST(B.et)" if !pattern.contains("B") => "FIRST(A.et)"
        case other                                  => other
      }

    private val others =
      if (random.nextBoolean()) ", FIRST(et) AS f, MATCH_ROWTIME() AS l" else ""

    private def clause(prefix: String): String =
      if (allRows)
        s"""SELECT k, et AS rt, n, x AS s FROM (${input(prefix)}) MATCH_RECOGNIZE (
           |PARTITION BY k ORDER BY et, x MEASURES COUNT(*) AS n $all $skip
           |PATTERN ($pattern) WITHIN $within DEFINE $conditions)""".stripMargin
      else
        s"""SELECT * FROM (${input(prefix)}) MATCH_RECOGNIZE (
           |PARTITION BY k ORDER BY et, x MEASURES $time AS rt, COUNT(*) AS n, SUM(x) AS s$others $rows $skip
           |PATTERN ($pattern) WITHIN $within DEFINE $conditions)""".stripMargin

    private val filter =
      if (Set("", "window", "session", "union").contains(after)) "" else " WHERE rt IS NOT NULL"

    private val step = pick("1 second", "2 seconds", "5 seconds")

    def sql(prefix: String): String = {
      val found = s"(SELECT * FROM (${clause(prefix)})$filter)"
      after match {
        case ""       => s"SELECT rt, k, n, s FROM $found"
        case "window" =>
          val slide = if (size == 1) s", '1 second'" else ""
          val keys  = if (size == 2) "" else "k, "
          s"""SELECT window.start, ${keys}COUNT(*), SUM(s) FROM $found
             |GROUP BY ${keys}window(rt, '$step'$slide)""".stripMargin
        case "session" =>
          // A second time is a key as others are.
          val keys = if (others.nonEmpty && !allRows) "k, l" else "k"
          s"""SELECT session_window.start, $keys, COUNT(*) FROM $found
             |GROUP BY $keys, session_window(rt, '$step')""".stripMargin
        case "union" =>
          val parts = Seq(s"SELECT rt, k FROM $found", s"SELECT t, k FROM ${prefix}others")
          val union = (if (size > 2) parts.reverse else parts).mkString(" UNION ALL ")
          s"""SELECT window.start, k, COUNT(*) FROM ($union) AS u(rt, k)
             |GROUP BY k, window(rt, '$step')""".stripMargin
        case "distinct"            => s"SELECT DISTINCT rt, k FROM $found"
        case "deduplicate"         => s"SELECT rt, k, n FROM $found"
        case "within"              => s"SELECT rt, k, n FROM $found"
        case "join" | "outer join" =>
          val join = if (after == "join") "JOIN" else "LEFT JOIN"
          s"""SELECT m.rt, m.k, n, o.x, o.t FROM $found m $join ${prefix}others o
             |ON m.k = o.k AND o.t BETWEEN m.rt - INTERVAL 2 SECONDS AND m.rt + INTERVAL $step""".stripMargin
        case "table" =>
          s"""SELECT m.rt, m.k, n, b.y FROM $found m $joinOfTable $rowsOfTable b
             |ON m.k = b.k AND m.n < b.y""".stripMargin
        case "clause over a table" =>
          s"""SELECT m.rt, m.k, n, b.most FROM $found m $joinOfTable $rowsOfTable
             |MATCH_RECOGNIZE (ORDER BY k, y MEASURES A.k AS k, MAX(y) AS most PATTERN (A B)
             |DEFINE B AS y > A.y) AS b ON m.k = b.k""".stripMargin
        case "self join" =>
          s"""WITH m AS $found SELECT a.rt, a.k, a.n, b.rt, b.n FROM m a JOIN m b
             |ON a.k = b.k AND b.rt BETWEEN a.rt - INTERVAL 1 SECOND AND a.rt""".stripMargin
        case "clause" =>
          s"""SELECT r, k, c FROM $found MATCH_RECOGNIZE (PARTITION BY k ORDER BY rt, n, s
             |MEASURES MATCH_ROWTIME() AS r, COUNT(*) AS c PATTERN (P Q*) WITHIN INTERVAL $step
             |DEFINE Q AS Q.n >= P.n)""".stripMargin
      }
    }

    def isWithinWatermark: Boolean = after == "within"

    def deduplicate(frame: DataFrame): DataFrame = after match {
      case "deduplicate" => frame.dropDuplicates()
      case "within"      => frame.dropDuplicatesWithinWatermark("k")
      case _             => frame
    }
  }
}
