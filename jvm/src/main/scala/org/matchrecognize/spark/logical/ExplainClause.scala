package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  AttributeSet,
  Expression,
  SortOrder
}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.apache.spark.sql.types.StringType

/**
 * EXPLAIN MATCH_RECOGNIZE, as the parser leaves it. Analysis replaces it by a [[TracedClause]] once
 * the statement below is resolved, so it never runs that statement. Until then, it has the columns
 * of the explanation: a client of Spark Connect builds on the text of the statement, and what it
 * adds above is analyzed together with it.
 *
 * @param showThreads
 *   whether TRACE is written: each thread of one partition is shown, and no counts
 */
case class ExplainClause(
    child: LogicalPlan,
    showThreads: Boolean,
    override val output: Seq[Attribute])
    extends UnaryNode {
  override def producedAttributes: AttributeSet = outputSet

  override protected def withNewChildInternal(newChild: LogicalPlan): ExplainClause =
    copy(child = newChild)
}

object ExplainClause {

  /** The explanation of the first clause of a statement, one line per row. */
  def of(statement: LogicalPlan, showThreads: Boolean): ExplainClause =
    ExplainClause(
      statement,
      showThreads,
      Seq(AttributeReference("explanation", StringType, nullable = false)()))
}

/**
 * The clause that is explained, over its own input. It is a node of its own, so that no rule for
 * [[MatchRecognize]] drops rows whose tests the explanation counts.
 *
 * @param conditions
 *   by variable, as in [[MatchRecognize]]
 * @param variants
 *   what the user may have meant, tried if nothing matches
 * @param clauses
 *   how many clauses the statement has
 * @param showThreads
 *   as in [[ExplainClause]]
 */
case class TracedClause(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[Expression],
    clause: ResolvedClause,
    variants: Seq[ClauseVariant],
    clauses: Int,
    showThreads: Boolean,
    child: LogicalPlan,
    override val output: Seq[Attribute])
    extends UnaryNode {

  override def producedAttributes: AttributeSet = outputSet

  override def simpleString(maxFields: Int): String =
    s"${if (showThreads) "Trace" else "Explain"}MatchRecognize ${clause.describe(partition, order)}"

  /** The clause without its measures: they do not decide what matches. */
  def withoutMeasures: MatchRecognize =
    MatchRecognize(partition, order, conditions, Nil, Nil, clause, child)

  /** The same of a variant. */
  def changed(to: ClauseVariant): MatchRecognize =
    MatchRecognize(to.partition, to.order, to.conditions, Nil, Nil, to.clause, child)

  override protected def withNewChildInternal(newChild: LogicalPlan): TracedClause =
    copy(child = newChild)
}
