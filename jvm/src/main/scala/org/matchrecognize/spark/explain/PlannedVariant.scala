package org.matchrecognize.spark.explain

import org.apache.spark.sql.catalyst.expressions.{Expression, Unevaluable}
import org.apache.spark.sql.types.{DataType, NullType}

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.logical.{Cause, Finding}

/**
 * A variant of a clause, ready to be searched: an expression, as [[MatchPlan]] is, so that Spark
 * plans its subqueries.
 */
case class PlannedVariant(cause: Cause, findings: Seq[Finding], plan: MatchPlan)
    extends Expression
    with Unevaluable {
  override def children: Seq[Expression] = findings :+ plan
  override def dataType: DataType        = NullType
  override def nullable: Boolean         = true

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): PlannedVariant =
    copy(
      findings = newChildren.init.map(_.asInstanceOf[Finding]),
      plan = newChildren.last.asInstanceOf[MatchPlan])
}
