package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.Attribute

import org.matchrecognize.spark.expressions.{RowAnchor, RowTarget}
import org.matchrecognize.spark.pattern.{AfterMatch, RowVariable}

/** Lays out the slots that an [[EvaluationUnit]] and the skip clause ask for together. */
private[execution] object SlotLayoutBuilder {

  /** How much of one variable is asked for. */
  final private case class Demand(first: Int = 0, last: Int = 0, labels: Boolean = false) {
    def and(that: Demand): Demand =
      Demand(math.max(first, that.first), math.max(last, that.last), labels || that.labels)
  }

  def build(
      unit: EvaluationUnit,
      skip: Option[AfterMatch],
      input: Seq[Attribute],
      added: AddedRowAttributes,
      variableCount: Int): SlotLayout = {
    val frames = unit.frames.zipWithIndex.flatMap { case (target, index) =>
      demand(target.anchor, unit.labelledFrames.contains(index) && target.physical == 0)
    }
    val skipped = skip.toSeq.collect {
      case AfterMatch.ToFirst(variable, _) => variable.members -> Demand(first = 1)
      case AfterMatch.ToLast(variable, _)  => variable.members -> Demand(last = 1)
    }
    val demands = (frames ++ skipped)
      .groupBy(_._1)
      .toSeq
      .map { case (members, all) => members -> all.map(_._2).reduce(_ and _) }
      .sortBy(_._1.mkString(","))
    var base  = 0
    val slots = demands.map { case (members, demand) =>
      val slot =
        RowSlot(members, base, demand.first, base + demand.first, demand.last, demand.labels)
      base += demand.first + demand.last
      slot
    }
    new SlotLayout(
      slots,
      unit.aggregates.map(AggregateSlot.create(_, input, added)),
      unit.labelledFrames.exists(unit.frames(_).physical != 0),
      variableCount)
  }

  /** Rows of a variable that an anchor asks for; rows of any variable are known by counting. */
  private def demand(anchor: RowAnchor, labels: Boolean): Option[(Seq[Int], Demand)] =
    anchor match {
      case RowAnchor.First(Some(variable), offset, _) =>
        Some(variable.members -> Demand(first = offset + 1, labels = labels))
      case RowAnchor.Last(Some(variable), offset, _) =>
        Some(variable.members -> Demand(last = offset + 1, labels = labels))
      case _ => None
    }

  /** The slot of a variable in a layout that was built for it. */
  def slotOf(layout: SlotLayout, variable: RowVariable): RowSlot =
    layout.rowSlots
      .find(_.members == variable.members)
      .getOrElse(throw new IllegalStateException(s"no slot for ${variable.name}"))

  /** The index in [[Slots.rows]] of the entry of a target's anchor, or -1 if it has none. */
  def entryOf(layout: SlotLayout, target: RowTarget): Int = target.anchor match {
    case RowAnchor.First(Some(variable), offset, _) =>
      slotOf(layout, variable).firstBase + offset
    case RowAnchor.Last(Some(variable), offset, _) =>
      slotOf(layout, variable).lastBase + offset
    case _ => -1
  }
}
