package org.matchrecognize.spark.streaming

import scala.collection.mutable

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema
import org.apache.spark.sql.types.{LongType, StringType, StructField, StructType}
import org.apache.spark.util.AccumulatorV2

/**
 * What a clause did in a micro-batch, in one task or in all.
 *
 * @param rows
 *   rows that were searched
 * @param rowsWithoutTime
 *   rows that were dropped since their time is NULL
 * @param change
 *   of what the state holds
 */
final private[streaming] case class ClauseProgress(
    rows: Long,
    rowsWithoutTime: Long,
    matches: Long,
    timedOutMatches: Long,
    outputRows: Long,
    change: Levels) {

  def +(other: ClauseProgress): ClauseProgress = ClauseProgress(
    rows + other.rows,
    rowsWithoutTime + other.rowsWithoutTime,
    matches + other.matches,
    timedOutMatches + other.timedOutMatches,
    outputRows + other.outputRows,
    change + other.change
  )

  /**
   * As the progress of a query shows it.
   *
   * @param levels
   *   what the state holds after the micro-batch, if it is known
   * @param next
   *   the rows that NEXT reads, in words
   */
  def toRow(levels: Option[Levels], next: Seq[String]): Row = new GenericRowWithSchema(
    Array[Any](
      rows,
      rowsWithoutTime,
      matches,
      timedOutMatches,
      outputRows,
      levels.map(_.waitingRows).orNull,
      levels.map(_.retainedRows).orNull,
      levels.map(_.partialMatches).orNull,
      levels.map(_.waitingForNext).orNull,
      if (next.isEmpty) null else next.mkString(", ")
    ),
    ClauseProgress.schema
  )
}

private[streaming] object ClauseProgress {
  val none: ClauseProgress = ClauseProgress(0, 0, 0, 0, 0, Levels.none)

  private val schema = StructType(
    Seq(
      "rows",
      "rowsWithoutTime",
      "matches",
      "timedOutMatches",
      "outputRows",
      "waitingRows",
      "retainedRows",
      "partialMatches",
      "waitingForNext").map(StructField(_, LongType)) :+ StructField("next", StringType))
}

/**
 * Brings what tasks did to the driver. A task that runs again counts once, as where `foreachBatch`
 * reads its rows twice.
 */
final private[streaming] class ProgressOfTasks
    extends AccumulatorV2[ClauseProgress, ClauseProgress] {
  private val byPartition = mutable.Map.empty[Int, ClauseProgress]

  override def add(ofTask: ClauseProgress): Unit =
    byPartition(TaskContext.getPartitionId()) = ofTask

  override def merge(other: AccumulatorV2[ClauseProgress, ClauseProgress]): Unit = other match {
    case tasks: ProgressOfTasks => byPartition ++= tasks.byPartition
    case _                      => throw new IllegalArgumentException(s"not of tasks: $other")
  }

  override def value: ClauseProgress = byPartition.values.fold(ClauseProgress.none)(_ + _)
  override def isZero: Boolean       = byPartition.isEmpty
  override def reset(): Unit         = byPartition.clear()

  override def copy(): ProgressOfTasks = {
    val copied = new ProgressOfTasks
    copied.byPartition ++= byPartition
    copied
  }
}

private[streaming] object ProgressOfTasks {
  def create(context: SparkContext): ProgressOfTasks = {
    val tasks = new ProgressOfTasks
    context.register(tasks)
    tasks
  }
}
