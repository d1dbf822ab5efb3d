package org.matchrecognize.spark.analysis

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  Expression,
  GetStructField,
  NamedExpression
}
import org.apache.spark.sql.catalyst.plans.logical.{
  Aggregate,
  CTERelationRef,
  LogicalPlan,
  Project
}
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.expressions.{MatchRowtime, RowAnchor, RowColumn, RowTarget}
import org.matchrecognize.spark.logical.{HandedOnWatermark, MatchRecognize, Watermarks}
import org.matchrecognize.spark.pattern.RowPattern

/** The columns of a streaming query that hold event times, before and after a clause. */
private[analysis] object EventTimes {

  /** Whether operators with state may follow each other: from Spark 4.0 on, if it is set. */
  def areChained: Boolean =
    SPARK_VERSION >= "4" && SQLConf.get.getConfString(chained, "true").toBoolean

  val chained = "spark.sql.streaming.statefulOperator.allowMultiple"

  /**
   * The columns that a clause returns with a watermark. Each holds the order key of a row of the
   * match: the order column with ALL ROWS PER MATCH, and measures. MATCH_ROWTIME() is before others.
   *
   * @param written
   *   the measures as the user wrote them
   */
  def of(m: MatchRecognize, written: Seq[Expression]): Seq[Attribute] =
    if (!m.child.isStreaming || !areChained || HandedOnWatermark.of(m).isLeft) Nil
    else {
      val column             = orderColumn(m)
      val (rowtimes, others) = m.measureOutput.indices
        .filter(i => isTime(m.measures(i), column))
        .partition(written(_).isInstanceOf[MatchRowtime])
      m.output.filter(_.exprId == column.exprId) ++ (rowtimes ++ others).map(m.measureOutput)
    }

  /** The column by which rows are searched in a stream. */
  def orderColumn(m: MatchRecognize): Attribute = m.order.head.child.asInstanceOf[Attribute]

  private def isTime(measure: Expression, column: Attribute): Boolean = measure match {
    case RowColumn(RowTarget(_: RowAnchor.Mapped | RowAnchor.Output, 0), key) =>
      key.semanticEquals(column)
    case _ => false
  }

  /** Whether one of these columns of a clause has a value in each row. */
  def isNeverNull(m: MatchRecognize, column: Attribute): Boolean =
    !m.measureOutput.contains(column) || (!m.clause.rows.showUnmatched &&
      !RowPattern.nullable(m.clause.pattern) &&
      (m.measures(m.measureOutput.indexOf(column)) match {
        case RowColumn(RowTarget(RowAnchor.Mapped(_, None, 0, _), 0), _) => true
        case _                                                           => false
      }))

  /**
   * Whether a column has a watermark, or is the end of a time window that has one: Spark returns a
   * window once the watermark has reached its end.
   *
   * @param ctes
   *   the common tables of the statement, by Spark's numbers
   */
  def isTimed(column: Attribute, plan: LogicalPlan, ctes: Map[Long, LogicalPlan]): Boolean =
    Watermarks.has(column) || (plan match {
      case Project(list, _)     => isTimedIn(list, column, plan, ctes)
      case aggregate: Aggregate => isTimedIn(aggregate.aggregateExpressions, column, plan, ctes)
      case ref: CTERelationRef  =>
        val index = ref.output.indexWhere(_.exprId == column.exprId)
        ctes.get(ref.cteId).exists(table => isTimed(table.output(index), table, ctes))
      case other => isTimedBelow(column, other, ctes)
    })

  private def isTimedIn(
      list: Seq[NamedExpression],
      column: Attribute,
      plan: LogicalPlan,
      ctes: Map[Long, LogicalPlan]): Boolean =
    list.find(_.exprId == column.exprId) match {
      case Some(Alias(GetStructField(window: Attribute, _, Some("end")), _)) =>
        Watermarks.has(window)
      case Some(Alias(same: Attribute, _)) => isTimedBelow(same, plan, ctes)
      case _                               => isTimedBelow(column, plan, ctes)
    }

  private def isTimedBelow(
      column: Attribute,
      plan: LogicalPlan,
      ctes: Map[Long, LogicalPlan]): Boolean =
    plan.children.filter(_.outputSet.contains(column)).exists(isTimed(column, _, ctes))
}
