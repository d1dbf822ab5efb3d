package org.matchrecognize.spark.execution

import java.util.Collections
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.{AtomicBoolean, AtomicLong}

import org.apache.spark.scheduler._

import org.matchrecognize.spark.SparkSuite

/** The operator's spill size is all that its tasks write to disk for it. */
class SpillMetricSuite extends SparkSuite {

  // Spark's own sorter writes to disk at so many rows.
  override protected def settings: Map[String, String] =
    Map("spark.shuffle.spill.numElementsForceSpillThreshold" -> "5000")

  private val group = "spilled"

  /** What the tasks of a job count as spilled. */
  final private class TaskSpill extends SparkListener {
    private val stages = Collections.newSetFromMap(new ConcurrentHashMap[Int, java.lang.Boolean])
    private val bytes  = new AtomicLong
    private val ended  = new AtomicBoolean

    override def onJobStart(job: SparkListenerJobStart): Unit =
      if (job.properties.getProperty("spark.jobGroup.id") == group) {
        job.stageIds.foreach(stages.add(_))
      }
    override def onTaskEnd(task: SparkListenerTaskEnd): Unit =
      if (stages.contains(task.stageId)) {
        val _ = bytes.addAndGet(task.taskMetrics.memoryBytesSpilled)
      }
    override def onStageCompleted(stage: SparkListenerStageCompleted): Unit =
      if (stages.contains(stage.stageInfo.stageId)) ended.set(true)

    /** Events come later than rows. */
    def result: Long = {
      val deadline = System.nanoTime() + 20000000000L
      while (!ended.get && System.nanoTime() < deadline) Thread.sleep(20)
      assert(ended.get)
      bytes.get
    }
  }

  /** What the operator says; its tasks say the same, where nothing else can spill. */
  private def spilled(sql: String): Long =
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val listener = new TaskSpill
      spark.sparkContext.addSparkListener(listener)
      spark.sparkContext.setJobGroup(group, sql)
      try {
        val frame = spark.sql(sql)
        frame.collect()
        val found = searchOf(frame).metrics("spillSize").value
        assert(found == listener.result, sql)
        found
      } finally {
        spark.sparkContext.clearJobGroup()
        spark.sparkContext.removeSparkListener(listener)
      }
    }

  test("rows, and what is kept beside each row") {
    def sql(rows: String) =
      s"""SELECT COUNT(*) FROM range(0, 300000, 1, 1) MATCH_RECOGNIZE (
         |  ORDER BY id MEASURES LAST(id) AS l $rows
         |  PATTERN (A+ B+ C) DEFINE A AS id % 3 < 2, C AS id % 1000 = 999)""".stripMargin
    for {
      matcher <- Seq("automaton", "threads")
      rows    <- Seq("", "ALL ROWS PER MATCH")
    }
      withSettings(
        "spark.sql.matchRecognize.spillThreshold" -> "10000",
        "spark.sql.matchRecognize.matcher"        -> matcher) {
        val bytes = spilled(sql(rows))
        if (rows.nonEmpty || matcher == "automaton") assert(bytes > 1000000, s"$matcher $rows")
      }
  }

}
