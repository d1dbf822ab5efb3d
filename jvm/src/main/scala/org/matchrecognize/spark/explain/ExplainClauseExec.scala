package org.matchrecognize.spark.explain

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  AttributeSet,
  Expression,
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
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{ClauseTrace, ClauseTracer, TraceLimits}

/**
 * Searches the input of a clause, and returns what came of it in words, one line per row. The tasks
 * trace their partitions; one task puts their counts together.
 *
 * @param written
 *   by variable, the condition as the user wrote it
 * @param clauses
 *   how many clauses the statement has
 * @param limits
 *   how much each task searches
 */
case class ExplainClauseExec(
    plan: MatchPlan,
    written: Seq[Expression],
    clauses: Int,
    limits: TraceLimits,
    override val output: Seq[Attribute],
    child: SparkPlan)
    extends UnaryExecNode {

  override def nodeName: String = "ExplainMatchRecognize"

  override def simpleString(maxFields: Int): String = s"$nodeName ${plan.sql}"

  override def producedAttributes: AttributeSet = outputSet

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(if (plan.partition.isEmpty) AllTuples else ClusteredDistribution(plan.partition))

  override def requiredChildOrdering: Seq[Seq[SortOrder]] =
    Seq(plan.partition.map(SortOrder(_, Ascending)) ++ plan.order)

  override def outputPartitioning: Partitioning = SinglePartition

  override protected def doExecute(): RDD[InternalRow] = {
    val (clause, tests, input, types) = (plan, written, child.output, schema)
    val (others, shown, most)         = (clauses - 1, new ShownClause(plan), limits)
    val none                          = ClauseTrace.none(plan.clause.variables.size)
    child
      .execute()
      .mapPartitions { rows =>
        if (rows.isEmpty) Iterator.empty
        else {
          val tracer = new ClauseTracer(clause, tests, input, TaskContext.get(), most)
          Iterator.single(tracer.trace(rows))
        }
      }
      .coalesce(1, shuffle = true)
      .mapPartitions { traces =>
        val whole   = traces.foldLeft(none)(_.and(_))
        val project = UnsafeProjection.create(types)
        new Explanation(shown, whole, others, most.rows).lines.iterator.map(line =>
          project(InternalRow(UTF8String.fromString(line))))
      }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): ExplainClauseExec =
    copy(child = newChild)
}
