package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  And,
  Attribute,
  CaseWhen,
  EqualTo,
  Exists,
  Expression,
  InSubquery,
  IsNotNull,
  IsNull,
  Literal,
  OuterReference,
  ScalarSubquery
}
import org.apache.spark.sql.catalyst.expressions.aggregate.Max
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Limit, LogicalPlan, Project}
import org.apache.spark.sql.types.BooleanType

/**
 * Computes the value of IN or EXISTS where the row that they take their columns from does not
 * exist. Every column of that row is NULL, and so is what a Python UDF or the like computes. The
 * value is the same wherever it is used, so it is a scalar subquery.
 */
private[analysis] object ValueWithoutRow {

  /** Returns the value, or None for other expressions. */
  def apply(e: Expression): Option[Expression] = e match {
    case in: InSubquery =>
      val plan  = withNulls(in.query.plan)
      val equal = in.values
        .map(withNulls)
        .zip(plan.output)
        .map { case (value, column) => EqualTo(value, column): Expression }
        .reduce(And(_, _))
      // The disjunction over all rows: FALSE where there are none.
      val isIn = CaseWhen(
        Seq(
          Max(equal).toAggregateExpression()         -> Literal.TrueLiteral,
          Max(IsNull(equal)).toAggregateExpression() -> Literal.create(null, BooleanType)),
        Literal.FalseLiteral
      )
      Some(ScalarSubquery(Aggregate(Nil, Seq(Alias(isIn, "is_in")()), plan)))
    case exists: Exists =>
      val plan = withNulls(exists.plan)
      val one  = Project(Seq(Alias(Literal(1), "one")()), plan)
      Some(IsNotNull(ScalarSubquery(Limit(Literal(1), one))))
    case _ => None
  }

  private def withNulls(subquery: LogicalPlan): LogicalPlan = subquery.transformAllExpressions {
    case OuterReference(column) => Literal.create(null, column.dataType)
  }

  private def withNulls(value: Expression): Expression = value match {
    case column: Attribute                 => Literal.create(null, column.dataType)
    case _ if ColumnsBelow.isNeeded(value) =>
      apply(value).getOrElse(Literal.create(null, value.dataType))
    case other => other.mapChildren(withNulls)
  }
}
