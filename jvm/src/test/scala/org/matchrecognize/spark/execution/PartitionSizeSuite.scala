package org.matchrecognize.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.sql.matchrecognize.RowStoreDisk

import org.matchrecognize.spark.SparkSuite

/** Partitions need not fit in memory, a search can be ended. */
class PartitionSizeSuite extends SparkSuite {

  private def metric(sql: String, name: String): Long =
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val frame = spark.sql(sql)
      frame.collect()
      searchOf(frame).metrics(name).value
    }

  test("one long match of ALL ROWS spills and is right") {
    val sql =
      """SELECT COUNT(*), SUM(id), MAX(total) FROM range(0, 300000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES SUM(id) AS total ALL ROWS PER MATCH
        |  PATTERN (A B* C) DEFINE C AS id = 299999)""".stripMargin
    withSettings("spark.sql.matchRecognize.spillThreshold" -> "10000") {
      val sum = 299999L * 300000L / 2
      assert(rows(sql) == Seq(Seq(300000L, sum, sum)))
      assert(metric(sql, "spillSize") > 1000000)
    }
  }

  test("rows that nothing can reach any more are given back") {
    // Matches of two rows with a look back of one: a few rows are held, whatever the partition.
    val sql =
      """SELECT COUNT(before) FROM (SELECT * FROM range(0, 500000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES PREV(A.id) AS before, B.id AS b PATTERN (A B)))""".stripMargin
    assert(rows(sql) == Seq(Seq(249999L)))
    val memory = metric(sql, "peakMemory")
    assert(memory > 0 && memory < 1000000)
  }

  test("a task that goes on after its last match has given the memory back") {
    val sql =
      """SELECT * FROM range(0, 20000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES LAST(id) AS l ALL ROWS PER MATCH
        |  PATTERN (A+ B) DEFINE B AS id % 1000 = 999)""".stripMargin
    for {
      matcher   <- Seq("automaton", "threads")
      generated <- Seq("true", "false")
    }
      withSettings(
        "spark.sql.codegen.wholeStage"     -> generated,
        "spark.sql.matchRecognize.matcher" -> matcher) {
        val held = spark
          .sql(sql)
          .queryExecution
          .toRdd
          .mapPartitions { rows =>
            val count = rows.size
            val task  = RowStoreDisk.memoryOf(TaskContext.get())
            Iterator((count, task.getMemoryConsumptionForThisTask))
          }
          .collect()
        assert(held.toSeq == Seq((20000, 0L)), s"$matcher $generated")
      }
  }

  test(
    "a runaway search ends with an error that names pattern, partition, start row and suggestion") {
    val sql =
      """SELECT * FROM (SELECT 7 AS k, id AS o FROM range(0, 1000, 1, 1)) MATCH_RECOGNIZE (
        |  PARTITION BY k ORDER BY o MEASURES COUNT(*) AS n
        |  PATTERN ((A | B)* C)
        |  DEFINE A AS SUM(A.o) >= 0, B AS SUM(B.o) >= 0, C AS SUM(C.o) < 0)""".stripMargin
    val message =
      withSettings("spark.sql.matchRecognize.maxSteps" -> "20000")(
        failure(spark.sql(sql).collect()))
    val tested = "most tests were for A."
    Seq("TOO_MANY_STEPS", "(A | B)* C", "k = 7", "o = 0", tested, "20000", "maxSteps", "54001")
      .foreach(part => assert(message.contains(part), message))
  }

  test("searches with many candidates at many rows end with an error that names a variable") {
    val sums     = "A AS SUM(A.id) >= 0, B AS SUM(B.id) >= 0, C AS SUM(C.id) < 0"
    val letters  = ('A' to 'Z').mkString(", ")
    val searches = Seq(
      (1000, "AFTER MATCH NO SKIP PATTERN ((A | B)+ C) DEFINE C AS id < 0"),
      (5000, s"PATTERN ((A | B)+ C) DEFINE $sums"),
      (25000, "PATTERN (((A B){100,200}){100,200} C) DEFINE C AS id < 0"),
      (60, s"PATTERN (PERMUTE($letters)) DEFINE Z AS id < 0")
    )
    // A hundredth of the default.
    withSettings("spark.sql.matchRecognize.maxSteps" -> "10000000") {
      for ((rows, rest) <- searches) {
        val input = s"range(0, $rows, 1, 1)"
        val sql   = s"SELECT * FROM $input MATCH_RECOGNIZE (ORDER BY id MEASURES 1 AS one $rest)"
        val message = failure(spark.sql(sql).collect())
        assert(message.contains("TOO_MANY_STEPS") && message.contains("(id = 0)"), message)
        assert("most tests were for [A-Z]\\.".r.findFirstIn(message).nonEmpty, message)
      }
    }
  }

  test("ways to go on at one row are bounded before they fill the memory, by the same error") {
    // Elements that can be left out, in an order that is chosen at the start: 720 * 720 orders.
    val inner = "PERMUTE(G?, H?, I?, J?, K?, L?)"
    val sql   =
      s"""SELECT * FROM (SELECT 7 AS k, id AS o FROM range(0, 1000, 1, 1)) MATCH_RECOGNIZE (
         |  PARTITION BY k ORDER BY o MEASURES COUNT(*) AS n
         |  PATTERN (PERMUTE(A?, B?, C?, D?, E?, $inner) Z)
         |  DEFINE A AS COUNT(*) >= 0, Z AS COUNT(*) < 0)""".stripMargin
    val message =
      withSettings("spark.sql.matchRecognize.maxSteps" -> "20000000")(
        failure(spark.sql(sql).collect()))
    Seq("TOO_MANY_STEPS", "PERMUTE(A?", "k = 7", "o = 0", "20000 partial", "maxSteps", "54001")
      .foreach(part => assert(message.contains(part), message))
  }

  /** Cancels a query a second after its task began; fails if the task goes on for long. */
  private def cancel(sql: String): Unit = {
    val context      = spark.sparkContext
    def running: Int = context.statusTracker.getExecutorInfos.map(_.numRunningTasks()).sum
    context.setJobGroup("long", "a search without end", interruptOnCancel = false)
    var cancelledAt = 0L
    val canceller   = new Thread(() => {
      while (running == 0) Thread.sleep(20)
      Thread.sleep(1000)
      cancelledAt = System.nanoTime()
      context.cancelJobGroup("long")
    })
    canceller.start()
    intercept[Exception](spark.sql(sql).collect())
    canceller.join()
    context.clearJobGroup()
    // The job has ended; what counts is that its task does, too. A second, and as much for a busy machine.
    while (running > 0 && System.nanoTime() - cancelledAt < 4e9) Thread.sleep(20)
    assert(running == 0)
  }

  test("a query can be cancelled in the middle of one long search") {
    cancel("""SELECT * FROM range(0, 100000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES COUNT(*) AS n
        |  PATTERN (A+ B+ C) DEFINE C AS COUNT(*) < 0)""".stripMargin)
  }

  test("a query can be cancelled while rows are tested ahead of the search, and bounds") {
    spark.udf.register("slowly", (id: Long) => { Thread.sleep(1); id })
    cancel("""SELECT * FROM range(0, 100000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES COUNT(*) AS n
        |  PATTERN (A+ B+ C) DEFINE C AS slowly(id) < 0)""".stripMargin)
    cancel("""SELECT * FROM range(0, 100000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES COUNT(*) AS n
        |  PATTERN (A B+ C) DEFINE C AS id <= slowly(A.id) + 10)""".stripMargin)
  }

  test("a query can be cancelled while the measures of a long match are computed") {
    // 4,096 rows would take longer than a task may go on.
    spark.udf.register("slower", (id: Long) => { Thread.sleep(3); id })
    cancel("""SELECT * FROM range(0, 100000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES slower(LAST(id)) AS n ALL ROWS PER MATCH
        |  PATTERN (A+))""".stripMargin)
  }

  test("a million partitions of one row") {
    val sql =
      """SELECT COUNT(*) FROM range(0, 1000000, 1, 2) MATCH_RECOGNIZE (
        |  PARTITION BY id ORDER BY id MEASURES A.id AS a PATTERN (A))""".stripMargin
    assert(rows(sql) == Seq(Seq(1000000L)))
  }
}
