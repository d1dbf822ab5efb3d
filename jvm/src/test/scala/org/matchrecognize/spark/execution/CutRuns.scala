package org.matchrecognize.spark.execution

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Ascending, Attribute, SortOrder, UnsafeRow}
import org.apache.spark.sql.execution.SortExec
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.reference.RandomSeed

/** Runs of an incremental matcher, in one piece and cut into pieces. */
private[execution] object CutRuns {

  /**
   * What a matcher did with a partition.
   *
   * @param found
   *   the rows returned, as bytes, each with the number of rows read when it was final
   * @param error
   *   how it ended, if with an error, with the same number
   * @param stateBytes
   *   the sizes of the states at the cuts
   */
  final case class Run(
      found: Seq[(Int, Seq[Byte])],
      error: Option[(Int, String)],
      stateBytes: Seq[Int]) {

    /** All but how it was cut. */
    def outcome: (Seq[(Int, Seq[Byte])], Option[(Int, String)]) = (found, error)
  }

  /** What a task needs to match a clause. */
  final case class Opening(
      plan: MatchPlan,
      input: Seq[Attribute],
      metrics: Map[String, SQLMetric])

  /** The input of a clause, by partition, and what a task needs to match it incrementally. */
  final case class Prepared(spec: Opening, partitions: Seq[Seq[UnsafeRow]])

  /** Plans a statement whose only operator of ours is on top of its input. */
  def prepare(spark: SparkSession, sql: String): Prepared = {
    val settings =
      Seq(
        "spark.sql.adaptive.enabled"       -> "false",
        "spark.sql.matchRecognize.matcher" -> "threads")
    settings.foreach { case (key, value) => spark.conf.set(key, value) }
    try {
      val exec = spark
        .sql(sql)
        .queryExecution
        .executedPlan
        .collectFirst { case m: MatchRecognizeExec =>
          m
        }
        .get
      val spec =
        Opening(exec.plan.incremental.unfused, exec.child.output, exec.metrics)
      val sorted = exec.plan.partition.map(SortOrder(_, Ascending)) ++ exec.plan.order
      val rows   = SortExec(sorted, global = false, exec.child)
        .execute()
        .mapPartitions(_.map(_.copy().asInstanceOf[UnsafeRow]))
        .collect()
      val keys       = new PartitionKeys(spec.plan.partition, spec.input)
      val partitions = ArrayBuffer[ArrayBuffer[UnsafeRow]]()
      rows.foreach { row =>
        if (partitions.isEmpty || !keys.isSame(row)) {
          keys.set(row)
          partitions += ArrayBuffer[UnsafeRow]()
        }
        partitions.last += row
      }
      Prepared(spec, partitions.map(_.toSeq).toSeq)
    } finally settings.foreach { case (key, _) => spark.conf.unset(key) }
  }

  /** Runs `body` in a task. */
  def inTask[T: scala.reflect.ClassTag](spark: SparkSession)(body: Task => T): T =
    spark.sparkContext
      .runJob(
        spark.sparkContext.parallelize(Seq(1), 1),
        (context: TaskContext, _: Iterator[Int]) => body(new Task(context)))
      .head

  /** Both runs of each partition, of which the second is cut before random rows. */
  def both(spark: SparkSession, prepared: Prepared, seed: Long): Seq[(Run, Run)] =
    inTask(spark)(_.both(prepared, seed))

  /** What runs in a task. */
  final class Task(context: TaskContext) {

    /** A matcher as another JVM would make it. */
    def open(spec: Opening): PartitionMatcher = {
      val serializer = SparkEnv.get.closureSerializer.newInstance()
      val read       = serializer.deserialize[Opening](serializer.serialize(spec))
      new PartitionMatcher(read.plan, read.input, read.metrics, context)
    }

    def both(prepared: Prepared, seed: Long): Seq[(Run, Run)] = {
      val random = RandomSeed(seed, "cuts")
      def three  = IndexedSeq.fill(3)(open(prepared.spec))
      // As a stream's operator, they take up one key after the other. One that failed is not used again.
      var matchers = three
      prepared.partitions.zipWithIndex.map { case (rows, i) =>
        val whole = new Piecewise(matchers.last).run(rows, Set.empty, _ => sys.error("cut"))
        val cuts  = (0 to rows.size).filter(_ => random.nextInt(3) == 0).toSet
        // Of the first partitions, one that has found nothing before goes on last.
        val last = if (cuts.isEmpty || i > 2) -1 else cuts.max
        val cut  = new Piecewise(matchers(i % 2))
          .run(rows, cuts, at => if (at == last) open(prepared.spec) else matchers(at % 2))
        if (whole.error.nonEmpty || cut.error.nonEmpty) matchers = three
        (whole, cut)
      }
    }
  }

  /** A run of one partition. */
  final private class Piecewise(first: PartitionMatcher) {
    private var matcher = first
    private val found   = ArrayBuffer[(Int, Seq[Byte])]()
    private val sizes   = ArrayBuffer[Int]()

    def run(rows: Seq[UnsafeRow], cuts: Set[Int], next: Int => PartitionMatcher): Run = {
      var come  = 0
      val error =
        try {
          matcher.begin()
          while (come < rows.size) {
            if (cuts(come)) cut(next(come))
            matcher.append(rows(come))
            come += 1
            drain(come)
          }
          if (cuts(come)) cut(next(come))
          matcher.finish()
          come += 1
          drain(come)
          None
        } catch { case e: Exception => Some(come -> e.getMessage) }
      Run(found.toSeq, error, sizes.toSeq)
    }

    private def cut(next: PartitionMatcher): Unit = {
      val bytes = matcher.saveState()
      sizes += bytes.length
      matcher = next
      matcher.restoreState(bytes)
    }

    // Bytes are copied: in Scala 2.12, toSeq would be the matcher's own array, which it writes again.
    private def drain(come: Int): Unit =
      while (matcher.next()) found += come -> matcher.row.getBytes.toVector
  }
}
