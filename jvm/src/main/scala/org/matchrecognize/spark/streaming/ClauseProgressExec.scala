package org.matchrecognize.spark.streaming

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.execution.{CollectMetricsExec, SparkPlan}

/**
 * Adds what a clause did to the progress of a streaming query. Spark puts the metrics of each
 * CollectMetricsExec there, by its name, after a micro-batch.
 */
final private[streaming] class ClauseProgressExec(
    name: String,
    metricExpressions: Seq[NamedExpression],
    child: SparkPlan)(tasks: ProgressOfTasks, next: Seq[String])
    extends CollectMetricsExec(name, metricExpressions, child) {
  override protected def otherCopyArgs: Seq[AnyRef] = Seq(tasks, next)

  /** The folder of the clause, and what the state held before the micro-batch, once it runs. */
  @transient private var before: Option[(ClauseFolder, Option[Levels])] = None

  override protected def doExecute(): RDD[InternalRow] = {
    val folder  = ClauseFolder.of(child, sparkContext.hadoopConfiguration)
    val levels  = WrittenLevels.read(folder, folder.batch)
    val counted = tasks
    before = Some((folder, levels))
    WrittenLevels.remember(folder, folder.batch + 1, () => levels.map(_ + counted.value.change))
    child.execute()
  }

  /** Spark 3.5 does not ask after a micro-batch without new rows. */
  override def collectedMetrics: Row = {
    val progress = tasks.value
    val levels   = before.flatMap { case (folder, levels) =>
      val after = levels.map(_ + progress.change)
      after.foreach(WrittenLevels.write(folder, folder.batch + 1, _))
      after
    }
    progress.toRow(levels, next)
  }

  override def resetMetrics(): Unit = tasks.reset()

  override protected def withNewChildInternal(newChild: SparkPlan): ClauseProgressExec =
    ClauseProgressExec(newChild, tasks, next)
}

private[streaming] object ClauseProgressExec {

  /**
   * Spark numbers the operators of a query after it has planned them.
   *
   * @param next
   *   the rows that NEXT reads, in words
   */
  def apply(child: SparkPlan, tasks: ProgressOfTasks, next: Seq[String]): ClauseProgressExec = {
    val number = ClauseFolder.stateOf(child).map(_.operatorId)
    new ClauseProgressExec(s"match_recognize_${number.getOrElse("")}", Nil, child)(tasks, next)
  }
}
