package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.analysis.AnalysisErrorAt
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult.DataTypeMismatch
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
  Or,
  OuterReference,
  ScalarSubquery
}
import org.apache.spark.sql.catalyst.expressions.aggregate.Max
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, Project}
import org.apache.spark.sql.types.BooleanType

/**
 * Writes IN over a subquery so that Spark gives TRUE, FALSE or NULL for it in a projection. Spark
 * plans IN there as a join that flags the rows with a partner, and so gives FALSE for NULL.
 */
private[analysis] object MembershipTest {

  /**
   * The test in SQL's three values.
   *
   * @param in
   *   IN, whose values are columns of the input or literals
   */
  def apply(in: InSubquery): Expression = {
    val inner = in.query.plan.output.take(in.values.size)
    if (!(in.values ++ inner).exists(_.nullable)) in
    else {
      CaseWhen(
        Seq(in -> Literal.TrueLiteral, isUnknown(in) -> Literal.create(null, BooleanType)),
        Literal.FalseLiteral)
    }
  }

  /** Refuses, in Spark's words, a subquery of other columns than the values: their number, their types. */
  def checkTypes(in: InSubquery): Unit =
    if (in.values.forall(_.resolved) && in.query.resolved) {
      in.checkInputDataTypes() match {
        case mismatch: DataTypeMismatch => in.dataTypeMismatch(in, mismatch)
        case _                          =>
      }
    }

  /** Whether a NULL keeps it open if a row of the subquery is equal. */
  private def isUnknown(in: InSubquery): Expression =
    if (in.values.size == 1 && in.query.children.isEmpty) isUnknownAlone(in)
    else isUnknownByRow(in)

  /**
   * For one value and a subquery that is the same for all rows. It looks for NULL in the subquery
   * once, not by row.
   */
  private def isUnknownAlone(in: InSubquery): Expression = {
    val isNull = Max(IsNull(in.query.plan.output.head)).toAggregateExpression()
    // NULL where the subquery has no row.
    val hasNull = ScalarSubquery(Aggregate(Nil, Seq(Alias(isNull, "has_null")()), in.query.plan))
    Or(hasNull, And(IsNull(in.values.head), IsNotNull(hasNull)))
  }

  /**
   * For several values, or for a subquery that uses columns of the row, as one in PARTITION BY can:
   * tests whether the subquery has a row in which no value differs. Spark plans it like NOT IN.
   */
  private def isUnknownByRow(in: InSubquery): Expression = {
    val plan = in.query.plan
    // Columns of its own: those of the input may have the same ids.
    val columns =
      Project(plan.output.take(in.values.size).map(column => Alias(column, column.name)()), plan)
    val values = in.values.map(_.transform { case column: Attribute => OuterReference(column) })
    val noneDiffers = values.zip(columns.output).map { case (value, column) =>
      val equal = EqualTo(value, column)
      Or(equal, IsNull(equal))
    }
    // Spark takes the rows with a NULL first where only the subquery can have one.
    val someNull = (values ++ columns.output).filter(_.nullable).map(IsNull(_): Expression)
    Exists(
      Filter((noneDiffers :+ someNull.reduce(Or(_, _))).reduce(And(_, _)), columns),
      (in.query.outerAttrs ++ in.values.flatMap(_.references)).distinct)
  }
}
