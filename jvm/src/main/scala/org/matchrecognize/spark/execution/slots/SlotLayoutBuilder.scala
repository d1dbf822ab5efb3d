package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  Expression,
  GenericInternalRow,
  SortOrder
}
import org.apache.spark.sql.catalyst.expressions.aggregate.{
  AggregateFunction,
  Count,
  DeclarativeAggregate,
  ImperativeAggregate
}
import org.apache.spark.sql.catalyst.optimizer.EliminateDistinct
import org.apache.spark.sql.matchrecognize.DistinctValues
import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.expressions.{
  AddedRowLabel,
  AddedRowSequenceNumber,
  MappedEnd,
  MatchNumber,
  RowAggregate,
  RowAnchor,
  RowTarget,
  Semantics
}
import org.matchrecognize.spark.pattern.{AfterMatch, RowVariable}

/** Lays out the slots that an [[EvaluationUnit]] and the skip clause read together. */
private[execution] object SlotLayoutBuilder {

  /** How much of one variable is read. */
  final private case class Demand(
      first: Int = 0,
      last: Int = 0,
      list: Boolean = false,
      labels: Boolean = false) {
    def and(that: Demand): Demand =
      Demand(
        math.max(first, that.first),
        math.max(last, that.last),
        list || that.list,
        labels || that.labels)
  }

  /** Rows from an end that are entries, copied with each row mapped; beyond, a list is kept. */
  private val maxEntries = 16

  /**
   * @param passesOver
   *   whether rows of a match can be mapped to nothing
   */
  def build(
      unit: EvaluationUnit,
      skip: Option[AfterMatch],
      input: Seq[Attribute],
      added: AddedRowAttributes,
      variableCount: Int,
      passesOver: Boolean): SlotLayout = {
    val numbersRows = passesOver && unit.readsNumbers
    val frames      = unit.frames.zipWithIndex.flatMap { case (target, index) =>
      demand(target.anchor, unit.isLabelled(index) && target.physical == 0)
    }
    val skipped = skip.toSeq.flatMap {
      case AfterMatch.ToFirst(variable, _) => Some(variable.members -> Demand(first = 1))
      case AfterMatch.ToLast(variable, _)  => Some(variable.members -> Demand(last = 1))
      case AfterMatch.PastLastRow | AfterMatch.ToNextRow | AfterMatch.NoSkip => None
    }
    val demands = (frames ++ skipped)
      .groupBy(_._1)
      .toSeq
      .map { case (members, all) => members -> all.map(_._2).reduce(_ and _) }
      .sortBy(_._1.mkString(","))
    var base  = 0
    var lists = 0
    val slots = demands.map { case (members, demand) =>
      val list = if (demand.list) lists else -1
      val slot = RowSlot(
        members,
        base,
        demand.first,
        base + demand.first,
        demand.last,
        list,
        demand.labels)
      base += demand.first + demand.last
      if (demand.list) lists += 1
      slot
    }
    new SlotLayout(
      slots,
      unit.aggregates.map(aggregateSlot(_, input, added)).toArray,
      unit.labelledFrames.exists(unit.frame(_).physical != 0) || numbersRows,
      numbersRows,
      variableCount,
      None
    )
  }

  private def aggregateSlot(
      aggregate: RowAggregate,
      input: Seq[Attribute],
      added: AddedRowAttributes): AggregateSlot = {
    val schema   = input ++ added.attributes
    val resolved = added.resolve(aggregate).asInstanceOf[RowAggregate]
    val function = resolved.function match {
      // Spark takes DISTINCT off the others.
      case all: AggregateFunction
          if resolved.distinct && !EliminateDistinct.isDuplicateAgnostic(all) =>
        ofDistinct(all)
      case other => other
    }
    function match {
      case function: DeclarativeAggregate if resolved.distinct =>
        new DistinctSlot(resolved, function, schema)
      case function: DeclarativeAggregate =>
        def declarative = new DeclarativeSlot(resolved, function, input, added.attributes)
        function match {
          case count: Count => CountSlot.of(resolved, count, input, schema).getOrElse(declarative)
          case _            => declarative
        }
      case function: ImperativeAggregate => new CollectingSlot(resolved, function, schema)
      case other => throw new IllegalStateException(s"analysis lets no $other pass")
    }
  }

  private def ofDistinct(function: AggregateFunction): Expression = function.mapChildren {
    // Of WITHIN GROUP.
    case order: SortOrder => order.mapChildren(DistinctValues.kept)
    case argument         => DistinctValues.kept(argument)
  }

  /**
   * Rows of a variable that an anchor reads. Rows of any variable are known by counting: where
   * rows are passed over, analysis has named the variables.
   */
  private def demand(anchor: RowAnchor, labels: Boolean): Option[(Seq[Int], Demand)] =
    anchor match {
      case RowAnchor.Mapped(end, Some(variable), offset, _) =>
        val rows = end match {
          case _ if offset >= maxEntries => Demand(list = true, labels = labels)
          case MappedEnd.First           => Demand(first = offset + 1, labels = labels)
          case MappedEnd.Last            => Demand(last = offset + 1, labels = labels)
        }
        Some(variable.members -> rows)
      case RowAnchor.Mapped(_, None, _, _) | RowAnchor.Output => None
    }

  /**
   * Of a layout's slots those that are read with one semantics. Labels of the rows around are
   * those of the whole match.
   */
  def part(layout: SlotLayout, unit: EvaluationUnit, semantics: Semantics): SlotLayout = {
    val rowSlots = unit.frames.map(_.anchor).collect {
      case RowAnchor.Mapped(_, Some(variable), _, `semantics`) => slotOf(layout, variable)
    }
    val aggregates = unit.views.filter(_.semantics == semantics).map(_.aggregate)
    layout.only(
      SlotSubset(rowSlots.toSet, aggregates.toSet),
      layout.keepHistory && (semantics == Semantics.Final || layout.numbersRows))
  }

  /** The slot of a variable in a layout that was built for it. */
  def slotOf(layout: SlotLayout, variable: RowVariable): RowSlot =
    layout
      .rowSlotOf(variable.members)
      .getOrElse(throw new IllegalStateException(s"no slot for ${variable.name}"))

  /** The index in [[Slots.rows]] of the entry of a target's anchor, or -1 if it has none. */
  def entryOf(layout: SlotLayout, target: RowTarget): Int = target.anchor match {
    case RowAnchor.Mapped(end, Some(variable), offset, _) if offset < maxEntries =>
      slotOf(layout, variable).base(end) + offset
    case _: RowAnchor.Mapped | RowAnchor.Output => -1
  }

  /** The index in [[Slots.lists]] of the list that holds a target's anchor, or -1. */
  def listOf(layout: SlotLayout, target: RowTarget): Int = target.anchor match {
    case RowAnchor.Mapped(_, Some(variable), offset, _) if offset >= maxEntries =>
      slotOf(layout, variable).list
    case _: RowAnchor.Mapped | RowAnchor.Output => -1
  }
}

/** The columns that replace CLASSIFIER() and the like in an aggregate's arguments. */
final private[execution] class AddedRowAttributes {
  private val label    = AttributeReference("classifier", StringType, nullable = false)()
  private val number   = AttributeReference("match_number", LongType, nullable = false)()
  private val sequence = AttributeReference("match_sequence_number", LongType, nullable = false)()

  val attributes: Seq[Attribute] = Seq(label, number, sequence)

  def resolve(e: Expression): Expression = e.transform {
    case AddedRowLabel()          => label
    case MatchNumber()            => number
    case AddedRowSequenceNumber() => sequence
  }
}

private[execution] object AddedRowAttributes {

  /** The values of the attributes. */
  def row(label: UTF8String, matchNumber: Long, sequenceNumber: Long): InternalRow =
    new GenericInternalRow(Array[Any](label, matchNumber, sequenceNumber))
}
