package org.matchrecognize.spark.execution.slots

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow

import org.matchrecognize.spark.expressions.{AddedRow, MappedEnd}

/**
 * Where the first and last rows mapped to one variable are kept.
 *
 * @param members
 *   ids of the primary variables
 * @param firstBase
 *   index in [[Slots.rows]] of the entry of the first row; those of the next rows follow
 * @param firstDepth
 *   how many first rows are kept
 * @param lastBase
 *   index of the entry of the last row; those of the rows before it follow
 * @param lastDepth
 *   how many last rows are kept
 * @param list
 *   index in [[Slots.lists]] of the list of all rows, or -1: a navigation goes far
 * @param labels
 *   whether entries hold the variable too
 */
final private[execution] case class RowSlot(
    members: Seq[Int],
    firstBase: Int,
    firstDepth: Int,
    lastBase: Int,
    lastDepth: Int,
    list: Int,
    labels: Boolean) {

  /** The index of the entry of the first or of the last row. */
  def base(end: MappedEnd): Int = end match {
    case MappedEnd.First => firstBase
    case MappedEnd.Last  => lastBase
  }

  def entry(row: Long, variable: Int): Long = Slots.entry(row, if (labels) variable else 0)
}

/** Some of a layout's row slots and aggregates. */
final private[execution] case class SlotSubset(rowSlots: Set[RowSlot], aggregates: Set[Int])

/**
 * The slots of one matcher: what all its conditions and measures together read. See
 * [[SlotLayoutBuilder]].
 *
 * @param keepHistory
 *   whether the labels of all rows are kept
 * @param numbersRows
 *   whether the ordinal of a row in its match is read, and rows can be passed over: then the
 *   history knows it
 * @param maintained
 *   the row slots and the aggregates that are kept up to date: all, unless two layouts share them
 */
final private[execution] class SlotLayout(
    val rowSlots: Seq[RowSlot],
    val aggregates: Array[AggregateSlot],
    val keepHistory: Boolean,
    val numbersRows: Boolean,
    variableCount: Int,
    maintained: Option[SlotSubset]) {

  /** How many entries and lists the slots hold. */
  val entryCount: Int = rowSlots.map(s => s.firstDepth + s.lastDepth).sum
  val listCount: Int  = rowSlots.count(_.list >= 0)

  private val maintainedRowSlots = rowSlots.filter(s => maintained.forall(_.rowSlots.contains(s)))
  private val maintainedAggregates =
    aggregates.indices.filter(i => maintained.forall(_.aggregates.contains(i)))

  /** The same slots, of which others or fewer are kept up to date. */
  def only(slots: SlotSubset, history: Boolean): SlotLayout =
    new SlotLayout(rowSlots, aggregates, history, numbersRows, variableCount, Some(slots))

  /** Whether no row changes anything. */
  def isUnchanging: Boolean =
    maintainedRowSlots.isEmpty && maintainedAggregates.isEmpty && !keepHistory

  /** By variable, the row slots that a row mapped to it changes. */
  private val rowSlotsOf: Array[Array[RowSlot]] =
    byVariable(maintainedRowSlots)(_.members).map(_.toArray)

  /** Those of them that keep a list. */
  private val listSlotsOf: Array[Array[RowSlot]] = rowSlotsOf.map(_.filter(_.list >= 0))

  /** By variable, the aggregates that a row mapped to it is added to. */
  private val aggregatesOf: Array[Array[Int]] =
    byVariable(maintainedAggregates)(aggregates(_).variables.getOrElse(0 until variableCount))
      .map(_.toArray)

  /** What changes with rows of a variable, by variable. */
  private def byVariable[T](parts: Seq[T])(variables: T => Seq[Int]): Array[ArrayBuffer[T]] = {
    val found = Array.fill(variableCount)(ArrayBuffer[T]())
    for (part <- parts; variable <- variables(part).distinct) found(variable) += part
    found
  }

  private val byMembers = rowSlots.map(slot => slot.members -> slot).toMap

  /** The slot of a variable, given by the primary variables that are it. */
  def rowSlotOf(members: Seq[Int]): Option[RowSlot] = byMembers.get(members)

  /** Whether rows of a variable are added to an aggregate. */
  def isAddedTo(aggregate: Int, variable: Int): Boolean =
    aggregatesOf(variable).contains(aggregate)

  /** Whether a row mapped to a variable changes nothing. */
  private def isUnchangedBy(variable: Int): Boolean =
    !keepHistory && rowSlotsOf(variable).isEmpty && aggregatesOf(variable).isEmpty

  /** What [[map]] costs, in steps of the pattern's budget: it copies, and adds to aggregates. */
  def mapCost(variable: Int): Int =
    if (isUnchangedBy(variable)) 0
    else {
      2 + (entryCount + listCount + aggregates.size) / 8 +
        2 * listSlotsOf(variable).length + 20 * aggregatesOf(variable).length
    }

  private val empty = new Slots(
    Array.fill(entryCount)(-1L),
    new Array[MappedRows](listCount),
    aggregates.map(_.initial).toArray,
    null)

  /** No row mapped yet. */
  def begin: Slots = empty

  /** The slots after a row is mapped to a variable. */
  def map(slots: Slots, variable: Int, row: Long, source: AddedRow): Slots = {
    val rows    = mapRows(slots.rows, variable, row)
    val lists   = addToLists(slots.lists, variable, row)
    val buffers = addRow(slots, variable, row, source)
    if (!keepHistory && (rows eq slots.rows) && (lists eq slots.lists) &&
      (buffers eq slots.buffers)) {
      slots
    } else {
      val history = if (keepHistory) new LabelHistory(slots.history, row, variable) else null
      new Slots(rows, lists, buffers, history)
    }
  }

  /** Slots that are changed in place: for the only thread, or for a match that is found. */
  def own(): Slots =
    new Slots(empty.rows.clone(), empty.lists.clone(), aggregates.map(_.own()).toArray, null)

  /** No row mapped, for slots of [[own]]. */
  def reset(slots: Slots): Unit = {
    System.arraycopy(empty.rows, 0, slots.rows, 0, empty.rows.length)
    java.util.Arrays.fill(slots.lists.asInstanceOf[Array[AnyRef]], null)
    var i = 0
    while (i < aggregates.length) {
      slots.buffers(i) = aggregates(i).reset(slots.buffers(i))
      i += 1
    }
    slots.history = null
  }

  /** Maps a row, for slots of [[own]]. */
  def extend(slots: Slots, variable: Int, row: Long, source: AddedRow): Unit = {
    val changed = rowSlotsOf(variable)
    var i       = 0
    while (i < changed.length) {
      val slot = changed(i)
      enter(slots.rows, slot, slot.entry(row, variable))
      if (slot.list >= 0) {
        slots.lists(slot.list) = new MappedRows(slots.lists(slot.list), slot.entry(row, variable))
      }
      i += 1
    }
    val added = aggregatesOf(variable)
    if (added.length > 0) {
      source.designate(variable, row, mapped(slots))
      i = 0
      while (i < added.length) {
        slots.buffers(added(i)) = aggregates(added(i)).addInPlace(slots.buffers(added(i)), source)
        i += 1
      }
    }
    if (keepHistory) slots.history = new LabelHistory(slots.history, row, variable)
  }

  /** Enters a row into the entries of a slot. */
  private def enter(rows: Array[Long], slot: RowSlot, entry: Long): Unit = {
    val first = firstFree(rows, slot)
    if (first >= 0) rows(first) = entry
    if (slot.lastDepth > 0) {
      if (slot.lastDepth > 1) {
        System.arraycopy(rows, slot.lastBase, rows, slot.lastBase + 1, slot.lastDepth - 1)
      }
      rows(slot.lastBase) = entry
    }
  }

  private def mapRows(old: Array[Long], variable: Int, row: Long): Array[Long] = {
    val changed = rowSlotsOf(variable)
    var rows    = old
    var i       = 0
    while (i < changed.length) {
      val slot = changed(i)
      if (slot.lastDepth > 0 || firstFree(old, slot) >= 0) {
        if (rows eq old) rows = old.clone()
        enter(rows, slot, slot.entry(row, variable))
      }
      i += 1
    }
    rows
  }

  private def addToLists(old: Array[MappedRows], variable: Int, row: Long): Array[MappedRows] = {
    val changed = listSlotsOf(variable)
    var lists   = old
    var i       = 0
    while (i < changed.length) {
      val slot = changed(i)
      if (lists eq old) lists = old.clone()
      lists(slot.list) = new MappedRows(old(slot.list), slot.entry(row, variable))
      i += 1
    }
    lists
  }

  /** The index of the next first row to be kept, or -1 if all are. */
  private def firstFree(rows: Array[Long], slot: RowSlot): Int = {
    var i   = slot.firstBase
    val end = slot.firstBase + slot.firstDepth
    while (i < end && rows(i) >= 0) i += 1
    if (i < end) i else -1
  }

  /** The number of rows mapped, where it is not that of the rows from the match's first. */
  private def mapped(slots: Slots): Long =
    if (!numbersRows) -1 else if (slots.history == null) 0 else slots.history.size

  private def addRow(
      slots: Slots,
      variable: Int,
      row: Long,
      source: AddedRow): Array[GenericInternalRow] = {
    val indexes = aggregatesOf(variable)
    val old     = slots.buffers
    if (indexes.length == 0) old
    else {
      source.designate(variable, row, mapped(slots))
      val buffers = old.clone()
      var i       = 0
      while (i < indexes.length) {
        buffers(indexes(i)) = aggregates(indexes(i)).add(old(indexes(i)), source)
        i += 1
      }
      buffers
    }
  }
}
