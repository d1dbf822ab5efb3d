package org.matchrecognize.spark.execution.evaluation

import org.matchrecognize.spark.execution.slots.{
  EvaluationUnit,
  SlotLayout,
  SlotLayoutBuilder,
  Slots,
  UnitExpression
}
import org.matchrecognize.spark.expressions.{
  AddedRowSequenceNumber,
  ContextMatchNumber,
  MappedEnd,
  MatchNumber,
  RowAnchor,
  RowTarget
}
import org.matchrecognize.spark.pattern.program.Mixing

/**
 * The parts of the slots that a set of conditions can still look at.
 *
 * @param entries
 *   indexes in [[Slots.rows]]
 * @param labels
 *   those of them whose variable matters, too
 * @param lists
 *   what matters of [[Slots.lists]]
 * @param buffers
 *   indexes in [[Slots.buffers]]
 * @param history
 *   whether the labels of all rows matter
 */
final private[execution] class SlotFuture(
    entries: Array[Int],
    labels: Array[Boolean],
    lists: Array[ListFuture],
    buffers: Array[Int],
    history: Boolean) {

  /** What [[hash]] and [[same]] cost, in steps of the budget: aggregates most. */
  val cost: Int =
    entries.length / 2 + 2 * lists.length + 12 * buffers.length + (if (history) 4 else 0)

  private def seen(slots: Slots, i: Int): Long = {
    val entry = slots.rows(entries(i))
    if (labels(i)) entry else Slots.row(entry)
  }

  def same(a: Slots, b: Slots): Boolean = {
    var i = 0
    while (i < entries.length && seen(a, i) == seen(b, i)) i += 1
    i == entries.length &&
    lists.forall(_.same(a, b)) &&
    buffers.forall(j => (a.buffers(j) eq b.buffers(j)) || a.buffers(j) == b.buffers(j)) &&
    (!history || a.history == b.history)
  }

  def hash(slots: Slots): Int = {
    var hash = 17
    var i    = 0
    while (i < entries.length) {
      hash = Mixing.mix(hash, java.lang.Long.hashCode(seen(slots, i)))
      i += 1
    }
    i = 0
    while (i < lists.length) {
      hash = Mixing.mix(hash, lists(i).hash(slots))
      i += 1
    }
    i = 0
    while (i < buffers.length) {
      hash = Mixing.mix(hash, slots.buffers(buffers(i)).hashCode)
      i += 1
    }
    if (history && slots.history != null) hash = Mixing.mix(hash, slots.history.hashCode)
    hash
  }
}

/**
 * The part of a list that a set of conditions can still look at.
 *
 * @param list
 *   index in [[Slots.lists]]
 * @param first
 *   how many first rows matter
 * @param last
 *   how many last rows matter
 */
final private[execution] case class ListFuture(list: Int, first: Int, last: Int) {

  def same(a: Slots, b: Slots): Boolean = {
    val (x, y) = (a.lists(list), b.lists(list))
    (x eq y) || (x != null && y != null &&
      x.endsAs(y, last) && x.prefix(first).endsAs(y.prefix(first), first))
  }

  /** Of the last row that matters: mostly the threads of one place differ in it. */
  def hash(slots: Slots): Int = {
    val rows = slots.lists(list)
    if (rows == null) 0
    else java.lang.Long.hashCode((if (last > 0) rows else rows.prefix(first)).entry)
  }
}

/**
 * The parts of the slots that one condition looks at.
 *
 * @param entries
 *   indexes in [[Slots.rows]], and whether the variable matters, too
 * @param buffers
 *   indexes in [[Slots.buffers]]
 * @param history
 *   whether the labels of all rows matter
 */
final private[execution] case class SlotLooks(
    entries: Seq[(Int, Boolean)],
    lists: Seq[ListFuture],
    buffers: Seq[Int],
    history: Boolean) {

  def isEmpty: Boolean = entries.isEmpty && lists.isEmpty && buffers.isEmpty && !history
}

private[execution] object SlotFuture {

  /** What conditions look at together, in time by what each looks at. */
  def of(all: Seq[SlotLooks], layout: SlotLayout): SlotFuture = {
    val entries = new java.util.BitSet(layout.entryCount)
    val labels  = new java.util.BitSet(layout.entryCount)
    val buffers = new java.util.BitSet(layout.aggregates.length)
    for (looks <- all) {
      looks.buffers.foreach(buffer => buffers.set(buffer))
      for ((entry, label) <- looks.entries) {
        entries.set(entry)
        if (label) labels.set(entry)
      }
    }
    val found = entries.stream.toArray
    val lists = all
      .flatMap(_.lists)
      .groupBy(_.list)
      .toSeq
      .sortBy(_._1)
      .map { case (list, parts) =>
        ListFuture(list, parts.map(_.first).max, parts.map(_.last).max)
      }
    new SlotFuture(
      found,
      found.map(entry => labels.get(entry)),
      lists.toArray,
      buffers.stream.toArray,
      all.exists(_.history))
  }
}

private[execution] object SlotLooks {

  val none: SlotLooks = SlotLooks(Nil, Nil, Nil, history = false)

  /** What a condition looks at. */
  def of(condition: UnitExpression, unit: EvaluationUnit, layout: SlotLayout): SlotLooks = {
    val targets = condition.frames.toSeq.map(frame => frame -> unit.frame(frame))
    SlotLooks(
      targets.flatMap { case (frame, target) =>
        val label = condition.labels.contains(frame)
        anchorEntries(target, layout).map(_ -> label)
      },
      targets.flatMap { case (_, target) =>
        listPart(SlotLayoutBuilder.listOf(layout, target), target.anchor)
      },
      condition.views.toSeq.map(unit.view(_).aggregate),
      condition.labels.exists(
        unit.frame(_).physical != 0) || layout.numbersRows && condition.numbers
    )
  }

  /**
   * Whether a condition finds rows by counting from where its match starts, or reads the match's
   * number; or whether an aggregate that it looks at will be given such.
   */
  def dependsOnStart(condition: UnitExpression, unit: EvaluationUnit): Boolean =
    condition.numbers || condition.expression.exists(_.isInstanceOf[ContextMatchNumber]) ||
      condition.frames.map(unit.frame(_).anchor).exists {
        case RowAnchor.Mapped(MappedEnd.First, None, _, _)         => true
        case RowAnchor.Mapped(MappedEnd.Last, None, offset, _)     => offset > 0
        case RowAnchor.Mapped(_, Some(_), _, _) | RowAnchor.Output => false
      } ||
      condition.views
        .map(view => unit.aggregate(unit.view(view).aggregate))
        .exists(_.exists {
          case _: AddedRowSequenceNumber | _: MatchNumber => true
          case _                                          => false
        })

  /** The n-th row from an end depends on all entries up to it: rows mapped later move them. */
  private def anchorEntries(target: RowTarget, layout: SlotLayout): Seq[Int] =
    target.anchor match {
      case _ if SlotLayoutBuilder.listOf(layout, target) >= 0 => Nil
      case RowAnchor.Mapped(end, Some(variable), offset, _)   =>
        val base = SlotLayoutBuilder.slotOf(layout, variable).base(end)
        (0 to offset).map(base + _)
      case RowAnchor.Mapped(_, None, _, _) | RowAnchor.Output => Nil
    }

  private def listPart(list: Int, anchor: RowAnchor): Option[ListFuture] = anchor match {
    case _ if list < 0                                   => None
    case RowAnchor.Mapped(MappedEnd.First, _, offset, _) => Some(ListFuture(list, offset + 1, 0))
    case RowAnchor.Mapped(MappedEnd.Last, _, offset, _)  => Some(ListFuture(list, 0, offset + 1))
    case RowAnchor.Output                                => None
  }
}
