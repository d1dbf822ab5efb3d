package org.matchrecognize.spark.execution

import org.apache.spark.sql.{Encoder, Encoders}
import org.apache.spark.sql.expressions.Aggregator
import org.apache.spark.sql.functions.udaf

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.{
  Extensions,
  QueryCase,
  RandomQueries,
  RandomSeed,
  RandomTables,
  Weighted
}
import org.matchrecognize.spark.robustness.Fuzz

/** An incremental matcher that is written to bytes and read back finds the same, as early. */
class MatcherStateSuite extends SparkSuite {
  import MatcherStateSuite._

  override def beforeAll(): Unit = {
    spark.udf.register("own_sum", udaf(OwnSum))
    ()
  }

  /** Cuts runs of a statement. Returns the number of cuts, and of rows returned. */
  private def check(sql: String, seed: Long): (Int, Int) =
    try {
      val prepared = CutRuns.prepare(spark, sql)
      val runs     = CutRuns.both(spark, prepared, seed)
      runs.zipWithIndex.foreach { case ((whole, cut), i) =>
        assert(cut.outcome == whole.outcome, s"seed $seed, partition $i of\n$sql")
      }
      (runs.map(_._2.stateBytes.size).sum, runs.map(_._1.found.size).sum)
    } catch {
      case e: Exception => throw new AssertionError(s"seed $seed\n$sql", e)
    }

  private def checkQueries(seeds: Seq[Long], extensions: Extensions = Extensions.none): Unit = {
    var (cuts, rows) = (0, 0)
    seeds.foreach { seed =>
      val random    = RandomSeed(seed, "state")
      val threshold = Weighted.pick(random, Seq(2 -> Int.MaxValue, 1 -> 1, 1 -> 2, 1 -> 7))
      val tables    = RandomTables.random(seed, 8, nullKeys = extensions.time, singleRows = true)
      val query     = QueryCase(RandomQueries.query(seed, extensions = extensions), tables).query
      withSettings(
        "spark.sql.matchRecognize.spillThreshold" -> threshold.toString,
        "spark.sql.matchRecognize.invalidSkip"    -> (if (random.nextBoolean()) "nextRow"
                                                   else "error")
      ) {
        val (c, r) = check(query.sql(RandomTables.values(tables)), seed)
        cuts += c
        rows += r
      }
    }
    info(s"$cuts cuts, $rows rows")
    assert(cuts > seeds.size && rows > seeds.size)
  }

  test("random queries, cut at random rows") {
    checkQueries(1L to 80L)
  }

  test("random queries, batch by batch, cut at random rows") {
    val (_, seeds) = Fuzz.batches(inGate = 3, size = 20)(checkQueries(_))
    info(seeds)
  }

  for ((name, extensions, first) <- Seq(
      ("WITHIN, time-outs, all matches", Extensions(time = true, everyMatch = true), 1000L),
      ("absence, gaps, loose loops, stops", Extensions(contiguity = true), 2000L),
      ("all of them", Extensions(time = true, everyMatch = true, contiguity = true), 3000L)
    ))
    test(s"random queries with extensions, cut at random rows: $name") {
      checkQueries(first until first + 40, extensions)
    }

  private val table = "(SELECT id % 3 AS k, id AS o, hash(id) & 15 AS x, hash(-id) & 31 AS y, " +
    "chr(97 + (hash(2 * id) & 3)) AS s FROM range(0, 150, 1, 1))"

  private def clause(
      pattern: String,
      define: String,
      measures: String,
      options: String = "ALL ROWS PER MATCH") =
    s"""SELECT * FROM $table MATCH_RECOGNIZE (
       |  PARTITION BY k ORDER BY o MEASURES $measures $options
       |  PATTERN ($pattern) DEFINE $define)""".stripMargin

  /** Values of every kind of slot, in conditions: so threads hold them at the cuts. */
  private val slots: Seq[(String, String)] = Seq(
    "numbers" -> "AVG(A.x) <= 9 AND COUNT(A.x) < 12 AND COALESCE(STDDEV(A.y), 0) < 99",
    "strings" -> "MAX(A.s) >= 'b' OR COUNT(*) < 4",
    "a value beside another's" -> "max_by(A.s, A.y) <> 'd' OR COUNT(*) < 3",
    "structs"                  -> "MAX(struct(A.s, A.x)).x < 12",
    "decimals"                 -> "SUM(CAST(A.x AS DECIMAL(30, 3))) < 61.5",
    "distinct numbers"         -> "COUNT(DISTINCT A.x) <= 4",
    "distinct strings"         -> "COUNT(DISTINCT A.s, A.x) <= 5 AND SUM(DISTINCT A.y) < 99",
    "collected"          -> "size(collect_list(A.x)) < 8 AND array_max(array_agg(A.y)) < 30",
    "collected distinct" -> "size(collect_list(DISTINCT A.s)) <= 3",
    "percentiles"        -> "percentile(A.x, 0.5) < 9",
    "sketches"           -> "approx_count_distinct(A.x) < 6",
    "an aggregate of a user's" -> "own_sum(A.x) < 60",
    "a filter"                 -> "SUM(A.x) FILTER (WHERE A.y > 7) IS NULL OR COUNT(*) < 6",
    "first and last rows"      -> "x >= FIRST(A.x) OR LAST(A.y, 2) > y OR COUNT(*) < 3",
    "rows far back"            -> "COALESCE(LAST(A.x, 20) + FIRST(A.y, 18), 0) < 30",
    "labels" -> "CLASSIFIER() = 'A' AND COALESCE(LAST(CLASSIFIER(U), 1), 'B') <> 'C'",
    "labels of rows before" -> "COALESCE(PREV(CLASSIFIER()), 'B') <> 'C' OR x > 3"
  )

  for (((kind, condition), i) <- slots.zipWithIndex)
    test(s"slots: $kind") {
      val subset = " SUBSET U = (A, B) "
      for (options <- Seq("", "ALL ROWS PER MATCH", "AFTER MATCH SKIP TO NEXT ROW")) {
        val sql = clause(
          "(A | B)+ C",
          // Few rows can be both: threads differ in what they remember of them.
          s"A AS A.x <= 8 AND ($condition), B AS B.x > 5 AND ($condition), C AS C.y > 24",
          "COUNT(*) AS n, CLASSIFIER() AS c, SUM(x) AS total",
          options
        ).replace(" DEFINE", subset + "DEFINE")
        val (cuts, rows) = (1 to 3).map(n => check(sql, i * 100L + n)).unzip
        assert(cuts.sum > 100 && rows.sum > 0)
      }
    }

  for ((kind, pattern, options) <- Seq(
      ("WITHIN", "(A | B)+ C", "AFTER MATCH SKIP TO NEXT ROW"),
      ("time-outs", "(A | B)+ C", "ONE ROW PER MATCH SHOW TIMEOUT MATCHES"),
      (
        "time-outs of all rows, and the rows after them",
        "A {- B* -} C",
        "ALL ROWS PER MATCH SHOW TIMEOUT MATCHES"),
      ("unmatched rows", "A B+ C", "ALL ROWS PER MATCH WITH UNMATCHED ROWS SHOW TIMEOUT MATCHES"),
      ("all matches", "A (B | U)* C?", "AFTER MATCH NO SKIP"),
      (
        "all matches and time-outs",
        "A (B | U)+ C",
        "ALL ROWS PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH NO SKIP")
    ))
    test(s"within a bound: $kind") {
      // NULLs are the last keys.
      val sql = clause(
        pattern,
        "A AS A.x <= 9, B AS B.x > A.x - 3 AND SUM(x) < 40, C AS C.y > 20",
        "COUNT(*) AS n, CLASSIFIER() AS c, SUM(x) AS total, MATCH_NUMBER() AS m, " +
          "NEXT(LAST(x), 2) AS later, MATCH_ROWTIME() AS t, MATCH_TIMED_OUT() AS out",
        options
      ).replace("ORDER BY o", "ORDER BY IF(o < 140, o, NULL) NULLS LAST, o")
        .replace(" DEFINE", " WITHIN 14 DEFINE")
      val (cuts, rows) = (1 to 5).map(n => check(sql, n.toLong)).unzip
      assert(cuts.sum > 100 && rows.sum > 50)
    }

  test("WITHIN bounds what is retained") {
    for (after <- Seq("SKIP TO NEXT ROW", "NO SKIP")) {
      val sql =
        s"""SELECT * FROM (SELECT id AS o, id % 8 AS x FROM range(0, 20000, 1, 1))
           |MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n AFTER MATCH $after
           |  PATTERN (A B* C) WITHIN 20 DEFINE B AS SUM(B.x) >= 0, C AS C.x > 9)""".stripMargin
      val prepared = CutRuns.prepare(spark, sql)
      val rows     = prepared.partitions.head.toArray
      val spec     = prepared.spec
      val largest  = CutRuns.inTask(spark) { task =>
        val matcher = task.open(spec)
        rows.indices.map { i =>
          matcher.append(rows(i))
          while (matcher.next()) {}
          if (i % 97 == 0) matcher.saveState().length else 0
        }.max
      }
      assert(largest < 2000)
    }
  }

  test("an error in an aggregate surfaces where the aggregate is read, and says the same") {
    // The sum fails at x = 0; it is read only from the fifth row on.
    val asked = "CASE WHEN COUNT(*) < 5 THEN true ELSE SUM(100 / A.x) > 0 END"
    for (options <- Seq("", "ALL ROWS PER MATCH")) {
      val sql      = clause("A+ B", s"A AS $asked, B AS B.y > 40", "COUNT(*) AS n", options)
      val prepared = CutRuns.prepare(spark, sql)
      val runs     = (1L to 10L).flatMap(CutRuns.both(spark, prepared, _))
      assert(runs.forall(r => r._1.outcome == r._2.outcome))
      assert(runs.forall(_._1.error.exists(_._2.startsWith("[DIVIDE_BY_ZERO]"))))
    }
  }

  test("an error that is restored keeps its condition") {
    val sql = clause("A+ B", "A AS COUNT(*) < 5 OR SUM(100 / A.x) > 0, B AS B.y > 40", "1 AS n")
    val prepared  = CutRuns.prepare(spark, sql)
    val rows      = prepared.partitions.head.toArray
    val spec      = prepared.spec
    val condition = CutRuns.inTask(spark) { task =>
      var matcher = task.open(spec)
      try {
        rows.foreach { row =>
          val bytes = matcher.saveState()
          matcher = task.open(spec)
          matcher.restoreState(bytes)
          matcher.append(row)
          while (matcher.next()) {}
        }
        "none"
      } catch {
        case e: org.apache.spark.SparkThrowable =>
          org.matchrecognize.spark.parser.ParserTest.condition(e) + e.getSqlState
      }
    }
    assert(condition == "DIVIDE_BY_ZERO22012")
  }

  test("a state is as large as what is retained, not as what was seen") {
    // Matches of 2 to 9 rows: x counts to 7 again and again.
    val sql =
      """SELECT * FROM (SELECT id AS o, id % 8 AS x FROM range(0, 100000, 1, 1))
        |MATCH_RECOGNIZE (ORDER BY o
        |  MEASURES COUNT(*) AS n, COUNT(DISTINCT B.x) AS d, collect_list(B.x) AS l
        |  ALL ROWS PER MATCH
        |  PATTERN (A B* C) DEFINE B AS B.x > A.x AND SUM(B.x) < 99, C AS C.x = 0)""".stripMargin
    val prepared      = CutRuns.prepare(spark, sql)
    val rows          = prepared.partitions.head.toArray
    val spec          = prepared.spec
    val (put, states) = CutRuns.inTask(spark) { task =>
      var matcher = task.open(spec)
      var put     = 0
      val sizes   = rows.indices.map { i =>
        matcher.append(rows(i))
        while (matcher.next()) put += 1
        if (i % 97 == 0) {
          val bytes = matcher.saveState()
          matcher = task.open(spec)
          matcher.restoreState(bytes)
          bytes.length
        } else {
          0
        }
      }
      (put, sizes.filter(_ > 0).toArray)
    }
    // 0..7 and the 0 after; the search continues at 1: 1..7, 0; all rows but the last are matched.
    assert(put > 99980)
    assert(states.length == 1031 && states.max < 1200, states.max)
    // Late in the partition a state is no larger but for its row number.
    assert(states.takeRight(200).max <= states.take(200).max + 4)
  }

  /** The error of what a task does with states of a clause. */
  private def failing(body: (CutRuns.Task, CutRuns.Prepared) => Any): String = {
    val sql      = clause("A+ B", "A AS A.x >= FIRST(A.x) - 9, B AS B.y > 29", "COUNT(*) AS n")
    val prepared = CutRuns.prepare(spark, sql)
    failure(CutRuns.inTask(spark) { task => body(task, prepared); () })
  }

  test("a state of another format, of another clause, or damaged is refused") {
    val change: Seq[(Array[Byte] => Array[Byte], String)] = Seq(
      ((b: Array[Byte]) => b.updated(0, 99.toByte))         -> "its format is 99",
      ((b: Array[Byte]) => b.updated(5, (b(5) ^ 1).toByte)) -> "another clause",
      ((b: Array[Byte]) => b.updated(b.length / 2, (b(b.length / 2) ^ 1).toByte)) -> "damaged",
      ((b: Array[Byte]) => b.dropRight(1))                                        -> "damaged",
      ((b: Array[Byte]) => b.take(3))                                             -> "damaged",
      ((_: Array[Byte]) => Array.emptyByteArray) -> "its format is none"
    )
    for ((changed, reason) <- change) {
      val message = failing((task, prepared) =>
        task.open(prepared.spec).restoreState(changed(state(task, prepared))))
      Seq("STATE_UNREADABLE", reason, "58030", "checkpoint", "MATCH_RECOGNIZE (")
        .foreach(part => assert(message.contains(part), message))
    }
  }

  test("a state of another clause") {
    val other = CutRuns.prepare(
      spark,
      clause("A+ B", "A AS A.x >= LAST(A.x, 1) - 9, B AS B.y > 29", "COUNT(*) AS n"))
    val message =
      failing((task, prepared) => task.open(other.spec).restoreState(state(task, prepared)))
    assert(message.contains("another clause wrote it"), message)
  }

  test("a state of the same clause in another dialect") {
    val conditions = "A AS A.x >= FIRST(A.x) - 9, B AS B.y > 29"
    val sql        = clause("A+ B", conditions, "COUNT(*) AS n", "AFTER MATCH SKIP TO NEXT ROW")
    val standard   = CutRuns.prepare(spark, sql)
    val flink      = withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      CutRuns.prepare(spark, sql)
    }
    val message = failure(CutRuns.inTask(spark) { task =>
      task.open(flink.spec).restoreState(state(task, standard))
    })
    assert(message.contains("another clause wrote it"), message)
  }

  test("a state that may have no more bytes is refused when it is written") {
    val message = failing { (task, prepared) =>
      val matcher = task.open(prepared.spec)
      matcher.restoreState(state(task, prepared))
      matcher.saveState(50)
    }
    Seq("STATE_TOO_LARGE", "A+ B", "k = 0", "50 bytes", "54000").foreach(part =>
      assert(message.contains(part), message))
  }

  test("without a wait: where the row alone rules out starts, and where it decides all") {
    for (define <- Seq("B AS x < PREV(x) AND x < A.x", "B AS x < PREV(x)")) {
      val exec = withSettings("spark.sql.adaptive.enabled" -> "false") {
        val sql = clause("A B+ C*", define, "COUNT(*) AS n")
        searchOf(spark.sql(sql))
      }
      assert(!exec.plan.unfused.matcher.isIncremental)
      assert(exec.plan.incremental.unfused.matcher.isIncremental)
    }
  }
}

private object MatcherStateSuite {

  /** A state in the middle of the first partition. */
  def state(task: CutRuns.Task, prepared: CutRuns.Prepared): Array[Byte] = {
    val matcher = task.open(prepared.spec)
    prepared.partitions.head.take(20).foreach { row =>
      matcher.append(row)
      while (matcher.next()) {}
    }
    matcher.saveState()
  }

  /** A sum as a user writes it: its buffer is an object. */
  object OwnSum extends Aggregator[Int, Array[Int], Long] {
    override def zero: Array[Int]                                = Array(0)
    override def reduce(b: Array[Int], a: Int): Array[Int]       = Array(b(0) + a)
    override def merge(a: Array[Int], b: Array[Int]): Array[Int] = Array(a(0) + b(0))
    override def finish(b: Array[Int]): Long                     = b(0).toLong
    override def bufferEncoder: Encoder[Array[Int]]              = Encoders.kryo[Array[Int]]
    override def outputEncoder: Encoder[Long]                    = Encoders.scalaLong
  }
}
