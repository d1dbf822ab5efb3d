package org.matchrecognize.spark.streaming

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import scala.collection.mutable

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericRowWithSchema, NamedExpression}
import org.apache.spark.sql.execution.{CollectMetricsExec, SparkPlan}
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
    change: StateLevels) {

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
  def toRow(levels: Option[StateLevels], next: Seq[String]): Row = new GenericRowWithSchema(
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
  val none: ClauseProgress = ClauseProgress(0, 0, 0, 0, 0, StateLevels.none)

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
 * Brings what tasks did to the driver. A task that runs again counts once. Where `foreachBatch` reads
 * its rows twice, maybe in other partitions, one stage counts, which has searched most.
 */
final private[streaming] class ProgressOfTasks
    extends AccumulatorV2[ClauseProgress, ClauseProgress] {

  /** By stage and partition. */
  private val done = mutable.Map.empty[Int, Map[Int, ClauseProgress]].withDefaultValue(Map.empty)

  /** In a task, once for each matcher: coalesced partitions have several. */
  override def add(ofMatcher: ClauseProgress): Unit = {
    val (stage, partition) = (TaskContext.get().stageId(), TaskContext.getPartitionId())
    val before             = done(stage).getOrElse(partition, ClauseProgress.none)
    done(stage) = done(stage).updated(partition, before + ofMatcher)
  }

  override def merge(other: AccumulatorV2[ClauseProgress, ClauseProgress]): Unit = other match {
    case tasks: ProgressOfTasks =>
      tasks.done.foreach { case (stage, ofTasks) => done(stage) = done(stage) ++ ofTasks }
    case _ => throw new IllegalArgumentException(s"not of tasks: $other")
  }

  override def value: ClauseProgress = {
    val stages = done.values.map(_.values.fold(ClauseProgress.none)(_ + _))
    if (stages.isEmpty) ClauseProgress.none else stages.maxBy(s => (s.rows, s.outputRows))
  }
  override def isZero: Boolean = done.isEmpty
  override def reset(): Unit   = done.clear()

  override def copy(): ProgressOfTasks = {
    val copied = new ProgressOfTasks
    copied.done ++= done
    copied
  }
}

/**
 * What the state of a key holds, or of all keys of a query; or by how much that changes.
 *
 * @param waitingRows
 *   rows after the watermark
 * @param retainedRows
 *   rows that the match under way, or the next one, can still read
 * @param partialMatches
 *   a key has one at most: its start rows are searched one after the other
 * @param waitingForNext
 *   keys whose search waits for a row that NEXT reads
 */
final private[streaming] case class StateLevels(
    waitingRows: Long,
    retainedRows: Long,
    partialMatches: Long,
    waitingForNext: Long) {

  def +(other: StateLevels): StateLevels = StateLevels(
    waitingRows + other.waitingRows,
    retainedRows + other.retainedRows,
    partialMatches + other.partialMatches,
    waitingForNext + other.waitingForNext)

  def -(other: StateLevels): StateLevels = StateLevels(
    waitingRows - other.waitingRows,
    retainedRows - other.retainedRows,
    partialMatches - other.partialMatches,
    waitingForNext - other.waitingForNext)
}

private[streaming] object StateLevels {
  val none: StateLevels = StateLevels(0, 0, 0, 0)
}

/**
 * What the state of a query holds. A micro-batch knows only by how much that changes, so the query
 * remembers it while it runs, and its checkpoint for the next run. There two files take turns:
 * Spark may run the last micro-batch again.
 */
private[streaming] object StateLevelFiles {

  /** What a query that runs held after a micro-batch, once that has ended. */
  final private case class Remembered(run: UUID, batch: Long, levels: () => Option[StateLevels])

  /** By the folder of the clause. */
  private val remembered = new ConcurrentHashMap[String, Remembered]

  /** Remembers what the state holds after a micro-batch. */
  def remember(folder: ClauseFolder, batch: Long, levels: () => Option[StateLevels]): Unit =
    remembered.put(folder.path, Remembered(folder.run, batch, levels))

  /** Before a micro-batch; None if Spark ended before it had reported the one before. */
  def read(folder: ClauseFolder, batch: Long): Option[StateLevels] =
    if (batch == 0) Some(StateLevels.none)
    else
      Option(remembered.get(folder.path)) match {
        case Some(last) if last.run == folder.run && last.batch == batch => last.levels()
        case _ => fromFile(folder, batch)
      }

  private def fromFile(folder: ClauseFolder, batch: Long): Option[StateLevels] =
    folder.read(nameOf(batch)).filter(_("batch") == batch.toString).map { of =>
      StateLevels(
        of("waitingRows").toLong,
        of("retainedRows").toLong,
        of("partialMatches").toLong,
        of("waitingForNext").toLong)
    }

  def write(folder: ClauseFolder, batch: Long, levels: StateLevels): Unit =
    folder.write(
      nameOf(batch),
      Map(
        "batch"          -> batch.toString,
        "waitingRows"    -> levels.waitingRows.toString,
        "retainedRows"   -> levels.retainedRows.toString,
        "partialMatches" -> levels.partialMatches.toString,
        "waitingForNext" -> levels.waitingForNext.toString
      )
    )

  private def nameOf(batch: Long): String = s"levels_${batch % 2}"
}

/**
 * Adds what a clause did to the progress of a streaming query. Spark puts the metrics of each
 * CollectMetricsExec there, by its name, after a micro-batch.
 */
final private[streaming] class ClauseProgressExec(
    name: String,
    metricExpressions: Seq[NamedExpression],
    child: SparkPlan)(tasks: ProgressOfTasks, next: Seq[String], beside: Option[SparkPlan])
    extends CollectMetricsExec(name, metricExpressions, child)
    with BesideRows {
  override protected def otherCopyArgs: Seq[AnyRef] = Seq(tasks, next, beside)

  /** The folder of the clause, and what the state held before the micro-batch, once it runs. */
  @transient private var before: Option[(ClauseFolder, Option[StateLevels])] = None

  override def of(operator: SparkPlan): ClauseProgressExec =
    ClauseProgressExec(child, tasks, next, Some(operator))

  override protected def doExecute(): RDD[InternalRow] = {
    val folder  = ClauseFolder.of(beside.getOrElse(child), session.sessionState.newHadoopConf())
    val levels  = StateLevelFiles.read(folder, folder.batch)
    val counted = tasks
    before = Some((folder, levels))
    StateLevelFiles.remember(folder, folder.batch + 1, () => levels.map(_ + counted.value.change))
    child.execute()
  }

  /** Spark 3.5 does not ask after a micro-batch without new rows. */
  override def collectedMetrics: Row = {
    val progress = tasks.value
    val levels   = before.flatMap { case (folder, levels) =>
      val after = levels.map(_ + progress.change)
      after.foreach(StateLevelFiles.write(folder, folder.batch + 1, _))
      after
    }
    progress.toRow(levels, next)
  }

  override def resetMetrics(): Unit = tasks.reset()

  override protected def withNewChildInternal(newChild: SparkPlan): ClauseProgressExec =
    ClauseProgressExec(newChild, tasks, next, beside)
}

private[streaming] object ClauseProgressExec {

  /**
   * Spark numbers the operators of a query after it has planned them.
   *
   * @param next
   *   the rows that NEXT reads, in words
   * @param beside
   *   in real-time mode, the operator that runs the clause, once it has its state
   */
  def apply(
      child: SparkPlan,
      tasks: ProgressOfTasks,
      next: Seq[String],
      beside: Option[SparkPlan] = None): ClauseProgressExec = {
    val number = ClauseFolder.stateOf(beside.getOrElse(child)).map(_.operatorId)
    new ClauseProgressExec(s"match_recognize_${number.getOrElse("")}", Nil, child)(
      tasks,
      next,
      beside)
  }
}
