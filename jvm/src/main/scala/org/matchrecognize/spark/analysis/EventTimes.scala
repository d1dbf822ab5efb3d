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
   * @param ctes
   *   the common tables of the statement, by Spark's numbers
   */
  def of(
      m: MatchRecognize,
      written: Seq[Expression],
      ctes: Map[Long, LogicalPlan]): Seq[Attribute] =
    if (!m.child.isStreaming || !areChained || HandedOnWatermark.of(m).isLeft) Nil
    else {
      val column             = orderColumn(m)
      val before             = timed(column, m.child, ctes).toSeq
      val (rowtimes, others) = m.measureOutput.indices
        .filter(i => isTime(m.measures(i), column))
        .partition(written(_).isInstanceOf[MatchRowtime])
      val times =
        m.output.filter(_.exprId == column.exprId) ++ (rowtimes ++ others).map(m.measureOutput)
      times.flatMap { time =>
        before.map(b => time.withMetadata(Watermarks.ofClause(time.metadata, b.metadata)))
      }
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
    m.measureOutput.indexWhere(_.exprId == column.exprId) match {
      case -1      => true
      case measure =>
        !m.clause.rows.showUnmatched && !RowPattern.nullable(m.clause.pattern) &&
        (m.measures(measure) match {
          case RowColumn(RowTarget(RowAnchor.Mapped(_, None, 0, _), 0), _) => true
          case _                                                           => false
        })
    }

  /**
   * The column itself, if it has a watermark, or the time window that it is the end of, if that has
   * one: Spark returns a window once the watermark has reached its end.
   *
   * @param ctes
   *   the common tables of the statement, by Spark's numbers
   */
  def timed(
      column: Attribute,
      plan: LogicalPlan,
      ctes: Map[Long, LogicalPlan]): Option[Attribute] =
    if (Watermarks.has(column)) Some(column)
    else
      plan match {
        case Project(list, _)     => timedIn(list, column, plan, ctes)
        case aggregate: Aggregate => timedIn(aggregate.aggregateExpressions, column, plan, ctes)
        case ref: CTERelationRef  =>
          val index = ref.output.indexWhere(_.exprId == column.exprId)
          ctes.get(ref.cteId).flatMap(table => timed(table.output(index), table, ctes))
        case other => timedBelow(column, other, ctes)
      }

  private def timedIn(
      list: Seq[NamedExpression],
      column: Attribute,
      plan: LogicalPlan,
      ctes: Map[Long, LogicalPlan]): Option[Attribute] =
    list.find(_.exprId == column.exprId) match {
      case Some(Alias(GetStructField(window: Attribute, _, Some("end")), _)) =>
        Some(window).filter(Watermarks.has(_))
      case Some(Alias(same: Attribute, _)) => timedBelow(same, plan, ctes)
      case _                               => timedBelow(column, plan, ctes)
    }

  private def timedBelow(
      column: Attribute,
      plan: LogicalPlan,
      ctes: Map[Long, LogicalPlan]): Option[Attribute] =
    plan.children
      .filter(_.outputSet.contains(column))
      .flatMap(timed(column, _, ctes))
      .headOption
}
