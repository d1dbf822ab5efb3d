package org.matchrecognize.spark.explain

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.SparkPlan

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{
  ClauseTrace,
  ClauseTracer,
  TraceLimits,
  WrittenCondition
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
