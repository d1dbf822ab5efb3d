package org.matchrecognize.spark.explain

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  Expression,
  RowOrdering,
  SortOrder
}
import org.apache.spark.sql.execution.SparkPlan

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{
  ThreadTraceLimits,
  ThreadTracer,
  WrittenCondition
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
