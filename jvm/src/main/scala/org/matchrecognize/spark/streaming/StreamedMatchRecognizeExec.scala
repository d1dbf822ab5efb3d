package org.matchrecognize.spark.streaming

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.util.truncatedString
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.execution.{LookAhead, MatchPlan}
import org.matchrecognize.spark.logical.Pushed

/**
 * Names the clause in the plan of a streaming query, and shows its metrics. Spark's own stateful
 * operator does the work ([[StreamingLowering]]). It is below this node, or in real-time mode beside.
 * Its tasks get the plan from here, once subqueries have values, by a matcher that fits a stream.
 *
 * @param input
 *   the columns that the clause reads
 * @param pushed
 *   what the optimizer took from above
 * @param columns
 *   what may change of the columns in the state
 * @param mode
 *   in real-time mode, when rows are returned, in words
 * @param beside
 *   in real-time mode, the operator, once it has its state
 */
final private[streaming] case class StreamedMatchRecognizeExec(
    plan: MatchPlan,
    input: Seq[Attribute],
    pushed: Pushed,
    columns: StoredColumns,
    child: SparkPlan,
    mode: Option[String] = None)(
    deferred: DeferredPlan,
    override val metrics: Map[String, SQLMetric],
    beside: Option[SparkPlan] = None)
    extends UnaryExecNode
    with BesideRows {
  override protected def otherCopyArgs: Seq[AnyRef] = Seq(deferred, metrics, beside)

  override def nodeName: String                 = "MatchRecognize"
  override def output: Seq[Attribute]           = child.output
  override def outputPartitioning: Partitioning = child.outputPartitioning
  override def outputOrdering: Seq[SortOrder]   = child.outputOrdering

  override def simpleString(maxFields: Int): String =
    s"$nodeName ${plan.sql}${mode.map(" real-time: " + _).mkString}" +
      truncatedString(LookAhead.of(plan), " may wait for: [", ", ", "]", maxFields) +
      truncatedString(pushed.texts, " pushed: [", ", ", "]", maxFields)

  /** Attributes below the child. */
  @transient override lazy val references: AttributeSet = AttributeSet.empty

  override def of(operator: SparkPlan): StreamedMatchRecognizeExec =
    copy()(deferred, metrics, Some(operator))

  private def operator: SparkPlan = beside.getOrElse(child)

  override protected def doExecute(): RDD[InternalRow] = {
    if (beside.nonEmpty) written.compareWith(folder)
    // The values of subqueries are known now.
    deferred.set(asRun, written.writeTo(folder))
    IsLate.begin(operator)
    child.execute()
  }

  private def asRun = plan.incremental.unfused

  private def written = new CheckpointedClause(asRun, input, pushed, columns)

  private def folder = ClauseFolder.of(operator, session.sessionState.newHadoopConf())

  /**
   * Compares the clause with that of the checkpoint, as soon as the child has its state. Spark
   * compares the columns of the state next, and its error does not name the clause.
   */
  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = {
    val changed = copy(child = newChild)(deferred, metrics, beside)
    if (ClauseFolder.stateOf(child).isEmpty && ClauseFolder.stateOf(newChild).isDefined)
      written.compareWith(changed.folder)
    changed
  }
}
