package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.execution.slots.{AddedRowAttributes, RowSlot}
import org.matchrecognize.spark.expressions.{MappedEnd, MatchNumber, RowAnchor, RowValue}
import org.matchrecognize.spark.logical.Described
import org.matchrecognize.spark.pattern.RowPattern

/**
 * What the state of a key holds because of MEASURES and DEFINE.
 *
 * @param plan
 *   of a clause over a stream
 */
final private[spark] class StateDescription(plan: MatchPlan, input: Seq[Attribute]) {
  private val layout = new ExpressionBinding(plan, input)
    .layout(plan.clause.program, new AddedRowAttributes)

  /** By aggregate, the types of what is kept for it. */
  def types: Seq[Seq[DataType]] = layout.aggregates.toSeq.map(_.storedTypes)

  /** The buffers of aggregates, in their order, the number of matches, the rows before a match. */
  def values: Seq[Described] = {
    val aggregates = plan.clause.meaning.toSeq.flatMap(meaning =>
      // Rows are mapped once more for the measures, which keep nothing.
      meaning.ofConditions ++ (if (plan.needsRemap) Nil else meaning.ofMeasures.flatten))
    val numbers = MatchNumber.isIn(plan.conditions ++ plan.measures)
    val rows    = LookBack.of(plan)
    aggregates.distinct ++
      (if (numbers) Seq(Described("MATCH_NUMBER()")) else Nil) ++
      (if (rows > 0) Seq(Described(s"rows before a match: $rows")) else Nil)
  }

  /** The rows of a match that are known by their variables. */
  def rows: Seq[Described] =
    layout.rowSlots.map { slot =>
      def of(names: Int => String) =
        s"${places(slot).mkString(" and ")} of ${slot.members.map(names).mkString(", ")}"
      Described(of(plan.clause.variables(_).name), of(_.toString))
    } ++ (if (layout.keepHistory) Seq(Described("the variable of each row")) else Nil)

  private def places(slot: RowSlot): Seq[String] = {
    def some(place: String, count: Int) = if (count == 0) None else Some(s"$place $count")
    val all                             = if (slot.list >= 0) Some("all") else None
    val labels                          = if (slot.labels) Some("variables") else None
    Seq(some("the first", slot.firstDepth), some("the last", slot.lastDepth), all, labels).flatten
  }
}

/**
 * How many rows before its first row a match can look at. Streams keep these rows of each key for
 * the next match, however long the key is silent.
 *
 * Of a variable that other rows precede, PREV reads rows of the match first: none is kept for
 * `PATTERN (A DOWN+) DEFINE DOWN AS x < PREV(x)`.
 */
private[execution] object LookBack {

  def of(plan: MatchPlan): Long = {
    val before                     = RowPattern.rowsBefore(plan.clause.pattern)
    def least(variable: Int): Long = before.getOrElse(variable, 0L)
    def reach(e: Expression, current: Long): Seq[Long] =
      RowValue
        .targets(e)
        .map(target => -target.physical - rowsBefore(target.anchor, current, least))
    val conditions = plan.conditions.zipWithIndex.flatMap { case (c, v) => reach(c, least(v)) }
    (0L +: (conditions ++ plan.measures.flatMap(reach(_, 0L)))).max
  }

  /** How many rows of the match are before a row, at least. */
  private def rowsBefore(anchor: RowAnchor, current: Long, least: Int => Long): Long =
    anchor match {
      case RowAnchor.current                             => current
      case RowAnchor.Mapped(_, Some(variable), _, _)     => variable.members.map(least).min
      case RowAnchor.Mapped(MappedEnd.First, None, n, _) => n.toLong
      case RowAnchor.Mapped(MappedEnd.Last, None, _, _)  => 0L
      case RowAnchor.Output                              => 0L
    }
}

/** The rows after those of a match that NEXT can read: a stream may have to wait for them. */
private[spark] object LookAhead {

  /** In words, by what reads them. */
  def of(plan: MatchPlan): Seq[String] = {
    def rows(n: Long) = if (n == 1) "1 row" else s"$n rows"
    val ofConditions  = plan.conditions.zip(plan.clause.variables).collect {
      case (condition, variable) if RowValue.rowsAhead(condition) > 0 =>
        s"${rows(RowValue.rowsAhead(condition))} after ${variable.name} (DEFINE)"
    }
    val ofMeasures = plan.measures.map(RowValue.rowsAhead).foldLeft(0L)(_ max _)
    ofConditions ++
      (if (ofMeasures > 0) Seq(s"${rows(ofMeasures)} after the match (MEASURES)") else Nil)
  }
}
