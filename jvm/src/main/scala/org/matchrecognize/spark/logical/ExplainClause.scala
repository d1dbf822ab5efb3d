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

/** What EXPLAIN MATCH_RECOGNIZE returns. */
sealed trait ExplanationForm

object ExplanationForm {

  /** What the search came to, one line per row. */
  case object Words extends ExplanationForm

  /** The same as one JSON text. */
  case object Json extends ExplanationForm

  /** TRACE: what each thread of one partition did, one line per row. */
  case object Threads extends ExplanationForm
}

/**
 * EXPLAIN MATCH_RECOGNIZE, as the parser leaves it. Analysis replaces it by a [[TracedClause]] once
 * the statement below is resolved, so it never runs that statement. Until then, it has the columns
 * of the explanation: a client of Spark Connect builds on the text of the statement, and what it
 * adds above is analyzed together with it.
 */
case class ExplainClause(
    child: LogicalPlan,
    form: ExplanationForm,
    override val output: Seq[Attribute])
    extends UnaryNode {
  override def producedAttributes: AttributeSet = outputSet

  override protected def withNewChildInternal(newChild: LogicalPlan): ExplainClause =
    copy(child = newChild)
}

object ExplainClause {

  /** The explanation of the first clause of a statement. */
  def of(statement: LogicalPlan, form: ExplanationForm): ExplainClause =
    ExplainClause(
      statement,
      form,
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
 */
case class TracedClause(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[Expression],
    clause: ResolvedClause,
    variants: Seq[ClauseVariant],
    clauses: Int,
    form: ExplanationForm,
    child: LogicalPlan,
    override val output: Seq[Attribute])
    extends UnaryNode {

  override def producedAttributes: AttributeSet = outputSet

  override def simpleString(maxFields: Int): String =
    s"${if (form == ExplanationForm.Threads) "Trace" else "Explain"}MatchRecognize " +
      clause.describe(partition, order)

  /** The clause without its measures: they do not decide what matches. */
  def withoutMeasures: MatchRecognize =
    MatchRecognize(partition, order, conditions, Nil, Nil, clause, child)

  /** The same of a variant. */
  def changed(to: ClauseVariant): MatchRecognize =
    MatchRecognize(to.partition, to.order, to.conditions, Nil, Nil, to.clause, child)

  override protected def withNewChildInternal(newChild: LogicalPlan): TracedClause =
    copy(child = newChild)
}
