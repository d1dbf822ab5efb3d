package org.matchrecognize.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Ascending, Attribute, AttributeSet, SortOrder}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext
import org.apache.spark.sql.catalyst.plans.physical.{
  AllTuples,
  ClusteredDistribution,
  Distribution,
  Partitioning
}
import org.apache.spark.sql.catalyst.util.truncatedString
import org.apache.spark.sql.execution.{CodegenSupport, ExplainUtils, SortExec, UnaryExecNode}
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Runs MATCH_RECOGNIZE.
 *
 * The operator asks Spark to bring all rows of a partition to one task and to sort them by
 * partition and order. One pass over the rows then suffices. It emits the partition columns and
 * measures (ONE ROW PER MATCH) or the input's columns and measures (ALL ROWS PER MATCH), matches of
 * a partition in match order, partitions one after the other. It is not blocking: it emits a match
 * as soon as no later row can change it.
 *
 * [[FusedMatchRecognizeExec]] searches in the generated code of the stage.
 * [[BufferedMatchRecognizeExec]] feeds a [[PartitionMatcher]], which keeps rows in a [[RowStore]].
 * Without generated code, both do the latter.
 */
trait MatchRecognizeExec extends UnaryExecNode with CodegenSupport {

  /** The clause, and how it is matched. */
  def plan: MatchPlan

  def measureOutput: Seq[Attribute]

  /** For EXPLAIN: what the optimizer took from above. */
  def pushed: Seq[String]

  override def output: Seq[Attribute] =
    MatchRecognize.output(plan.clause.rows, plan.partition, child.output, measureOutput)

  override def producedAttributes: AttributeSet = AttributeSet(measureOutput)

  override def nodeName: String = "MatchRecognize"

  override def simpleString(maxFields: Int): String = {
    val classes = plan.clause.variables.zipWithIndex.map { case (variable, v) =>
      s"${variable.name} ${plan.conditionClass(v).name}"
    }
    s"$nodeName ${plan.sql} matcher: $matcherText, " +
      truncatedString(classes, "conditions: [", ", ", "]", maxFields) +
      s", retained: ${plan.matcher.retained}, " +
      truncatedString(pushed, "pushed: [", ", ", "]", maxFields)
  }

  /** For EXPLAIN: the matcher. */
  protected def matcherText: String = plan.matcher.describe

  override def verboseStringWithOperatorId(): String = {
    val defined = plan.clause.variables.zipWithIndex.map { case (variable, v) =>
      s"${variable.name} AS ${plan.conditions(v).sql} (${plan.conditionClass(v).name})"
    }
    s"""
       |$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |${ExplainUtils.generateFieldString("Output", output)}
       |Clause: ${plan.sql}
       |${ExplainUtils.generateFieldString("Define", defined)}
       |${ExplainUtils.generateFieldString("Measures", plan.measures.map(_.sql))}
       |Matcher: $matcherText
       |Retained: ${plan.matcher.retained}
       |${ExplainUtils.generateFieldString("Pushed", pushed)}
       |""".stripMargin
  }

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(if (plan.partition.isEmpty) AllTuples else ClusteredDistribution(plan.partition))

  /** One partition after the other, each in order. */
  protected def fullOrdering: Seq[SortOrder] =
    plan.partition.map(SortOrder(_, Ascending)) ++ plan.order

  protected def childIsInFullOrder: Boolean =
    SortOrder.orderingSatisfies(child.outputOrdering, fullOrdering)

  override def requiredChildOrdering: Seq[Seq[SortOrder]] = Seq(fullOrdering)

  /** The sort that brings one partition after the other. */
  protected def fullSort: SortExec = SortExec(fullOrdering, global = false, child)

  override def outputPartitioning: Partitioning = child.outputPartitioning

  /** Rows of one match follow each other; with overlapping matches only the keys stay sorted. */
  override def outputOrdering: Seq[SortOrder] =
    if (childIsInFullOrder) plan.partition.map(SortOrder(_, Ascending)) else Nil

  /** Made on the driver; tasks get them with what they run. */
  @transient private[execution] lazy val matchMetrics: MatchMetrics =
    MatchMetrics.create(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] = matchMetrics.byName

  override protected def doExecute(): RDD[InternalRow] = {
    val (taskPlan, input, counted) = (plan.unfused, child.output, matchMetrics)
    // A fused operator is planned for rows in another order, which generated code expects.
    val sorted = if (childIsInFullOrder) child else fullSort
    sorted.execute().mapPartitions { rows =>
      // A task without rows opens nothing.
      if (rows.isEmpty) Iterator.empty
      else
        new MatchIterator(rows, new PartitionMatcher(taskPlan, input, counted, TaskContext.get()))
    }
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] =
    child.asInstanceOf[CodegenSupport].inputRDDs()

  /** The code of the operator below, which calls `doConsume` for each row. */
  protected def childCode(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)
}
