package org.matchrecognize.spark.explain

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.SparkPlan

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{ClauseTrace, ClauseTracer, TraceLimits}

/**
 * Searches the input of a clause, and returns what came of it in words. The tasks trace their
 * partitions; one task puts their counts together.
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
    extends ExplainingExec {

  override def nodeName: String = "ExplainMatchRecognize"

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
        val whole = traces.foldLeft(none)(_.and(_))
        ExplainingExec.rows(new Explanation(shown, whole, others, most.rows).lines, types)
      }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): ExplainClauseExec =
    copy(child = newChild)
}
