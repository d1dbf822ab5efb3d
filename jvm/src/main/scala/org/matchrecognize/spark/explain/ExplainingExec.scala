package org.matchrecognize.spark.explain

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  AttributeSet,
  Expression,
  RowOrdering,
  SortOrder,
  UnsafeProjection
}
import org.apache.spark.sql.catalyst.plans.physical.{
  AllTuples,
  ClusteredDistribution,
  Distribution,
  Partitioning,
  SinglePartition
}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{
  ClauseTrace,
  ClauseTracer,
  ThreadTraceLimits,
  ThreadTracer,
  TraceLimits,
  WrittenCondition
}

/** An operator that searches the input of a clause, and returns lines of text, one per row. */
private[explain] trait ExplainingExec extends UnaryExecNode {
  def plan: MatchPlan

  override def simpleString(maxFields: Int): String = s"$nodeName ${plan.sql}"

  override def producedAttributes: AttributeSet = outputSet

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(if (plan.partition.isEmpty) AllTuples else ClusteredDistribution(plan.partition))

  override def requiredChildOrdering: Seq[Seq[SortOrder]] =
    Seq(plan.partition.map(SortOrder(_, Ascending)) ++ plan.order)

  override def outputPartitioning: Partitioning = SinglePartition
}

private[explain] object ExplainingExec {
  def rows(lines: Seq[String], types: StructType): Iterator[InternalRow] = {
    val project = UnsafeProjection.create(types)
    lines.iterator.map(line => project(InternalRow(UTF8String.fromString(line))))
  }
}

/**
 * Searches the input of a clause, and returns what came of it in words. The tasks trace their
 * partitions; one task puts their counts together. If nothing matches, that task tries the variants
 * of the clause on a few of the rows.
 *
 * @param written
 *   by variable, the condition as the user wrote it
 * @param variants
 *   what the user may have meant
 * @param clauses
 *   how many clauses the statement has
 * @param asJson
 *   whether it returns one JSON text
 * @param limits
 *   how much each task searches
 */
case class ExplainClauseExec(
    plan: MatchPlan,
    written: Seq[Expression],
    variants: Seq[PlannedVariant],
    clauses: Int,
    asJson: Boolean,
    limits: TraceLimits,
    override val output: Seq[Attribute],
    child: SparkPlan)
    extends ExplainingExec {

  override def nodeName: String = "ExplainMatchRecognize"

  override protected def doExecute(): RDD[InternalRow] = {
    val (clause, input, types) = (plan, child.output, schema)
    val tests                  = written.map(WrittenCondition.of)
    val (others, shown, most)  = (clauses - 1, new ShownClause(plan), limits)
    val none                   = ClauseTrace.none(plan.clause.variables.size)
    val (tried, json)          = (variants, asJson)
    val groups                 = plan.partition.take(1)
    child
      .execute()
      .mapPartitions { rows =>
        if (rows.isEmpty) Iterator.empty
        else {
          val tracer = new ClauseTracer(clause, tests, input, TaskContext.get(), most)
          val kept   = new TrialRows(groups, input)
          if (tried.isEmpty) Iterator.single(tracer.trace(rows)  -> kept.result)
          else Iterator.single(tracer.trace(rows.map(kept.keep)) -> kept.result)
        }
      }
      .coalesce(1, shuffle = true)
      .mapPartitions { tasks =>
        val kept  = new TrialRows(groups, input)
        val whole = tasks.foldLeft(none) { case (sum, (trace, rows)) =>
          kept.keepAll(rows)
          sum.and(trace)
        }
        val causes =
          if (whole.matches > 0 || whole.failure.nonEmpty || whole.rows == 0) Nil
          else new VariantTrials(tried, clause, input, kept, TaskContext.get()).causes
        val explanation = new Explanation(shown, whole, causes, others, most.rows)
        ExplainingExec.rows(
          if (json) Seq(ExplanationJson.of(explanation, shown, whole)) else explanation.lines,
          types)
      }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): ExplainClauseExec =
    copy(child = newChild)
}

/**
 * Searches the first partition of a clause's input, and returns what each thread did in words. Each
 * task traces its first partition, and the one with the smallest keys is returned.
 *
 * @param written
 *   by variable, the condition as the user wrote it
 * @param clauses
 *   how many clauses the statement has
 */
case class TraceClauseExec(
    plan: MatchPlan,
    written: Seq[Expression],
    clauses: Int,
    limits: ThreadTraceLimits,
    override val output: Seq[Attribute],
    child: SparkPlan)
    extends ExplainingExec {

  override def nodeName: String = "TraceMatchRecognize"

  override protected def doExecute(): RDD[InternalRow] = {
    val (clause, input, types) = (plan, child.output, schema)
    val tests                  = written.map(WrittenCondition.of)
    val (others, shown, most)  = (clauses - 1, new ShownClause(plan), limits)
    child
      .execute()
      .mapPartitions { rows =>
        if (rows.isEmpty) Iterator.empty
        else {
          val ahead  = rows.buffered
          val first  = ahead.head.copy()
          val tracer = new ThreadTracer(clause, tests, input, TaskContext.get(), most)
          Iterator.single(first -> tracer.trace(ahead))
        }
      }
      .coalesce(1, shuffle = true)
      .mapPartitions { traces =>
        val order = RowOrdering.create(clause.partition.map(SortOrder(_, Ascending)), input)
        val first = traces.reduceOption((a, b) => if (order.compare(a._1, b._1) <= 0) a else b)
        ExplainingExec.rows(new TraceInWords(shown, first.map(_._2), others, most).lines, types)
      }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): TraceClauseExec =
    copy(child = newChild)
}
