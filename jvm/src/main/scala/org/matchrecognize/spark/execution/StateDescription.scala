package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.execution.slots.{AddedRowAttributes, RowSlot}
import org.matchrecognize.spark.expressions.MatchNumber
import org.matchrecognize.spark.logical.Described

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
