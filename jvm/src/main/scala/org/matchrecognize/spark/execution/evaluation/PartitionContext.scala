package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, JoinedRow, UnsafeRow}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.execution.slots.{
  AddedRowAttributes,
  AggregateView,
  CollectingSlot,
  EvaluationUnit,
  FailedBuffer,
  SlotLayout,
  SlotLayoutBuilder,
  Slots
}
import org.matchrecognize.spark.expressions.{
  AddedRow,
  MappedEnd,
  MatchContext,
  RowAnchor,
  Semantics
}

/**
 * The state of a match at one row of the partition: finds the rows that the frames of an
 * [[EvaluationUnit]] designate.
 */
final private[execution] class PartitionContext(
    store: PartitionRows,
    unit: EvaluationUnit,
    layout: SlotLayout,
    names: Array[UTF8String])
    extends MatchContext {

  private val targets = unit.frames.map(new Frame(_)).toArray
  private val views   = unit.views.toArray

  /** First row of the match. */
  private var start = 0L

  def startRow: Long = start

  /** The row up to which RUNNING looks, and the last row of the match as far as it is known. */
  private var current = -1L
  private var last    = -1L

  /** The row that is emitted, and whether it is of a match. */
  private var outputIndex       = 0L
  private var isInMatch         = true
  private var isTimedOut        = false
  private var slots: Slots      = _
  private var finalSlots: Slots = _
  private var number            = 0L

  /** Counts changes: a frame found before the last change is found anew. */
  private var version = 0L

  /**
   * Counts changes of what FINAL reads: the first and the last row of the match, and the slots at
   * its end. All rows of a match that are emitted share them.
   */
  private var finalVersion = 0L

  def begin(row: Long, matchNumber: Long): Unit = {
    start = row
    outputIndex = row
    isInMatch = true
    isTimedOut = false
    number = matchNumber
    at(row - 1, layout.begin)
  }

  /** The match has reached a row, the last known so far. */
  def at(row: Long, slots: Slots): Unit = {
    current = row
    last = row
    this.slots = slots
    finalSlots = slots
    version += 1
    finalVersion += 1
  }

  /** The match, whose end is known, has reached a row, which is emitted. */
  def within(row: Long, slots: Slots, lastRow: Long, finalSlots: Slots): Unit = {
    // If both are the same slots, the row was added to those of FINAL, too.
    if (lastRow != last || (finalSlots ne this.finalSlots) || (finalSlots eq slots))
      finalVersion += 1
    current = row
    outputIndex = row
    last = lastRow
    this.slots = slots
    this.finalSlots = finalSlots
    version += 1
  }

  /** A row that no match covers is emitted. */
  def unmatched(row: Long): Unit = {
    outputIndex = row
    isInMatch = false
    version += 1
    finalVersion += 1
  }

  /** A view of rows that reads these frames; what is not near the row is found here. */
  def window(frames: Seq[Int]): RowWindow = new RowWindow(store, unit, frames, this)

  private val outputRow: UnsafeRow = store.newRow()

  /** The version in which [[outputRow]] was read. */
  private var outputIn = -1L

  override def output: InternalRow = {
    if (outputIn != version) {
      store.get(outputIndex, outputRow)
      outputIn = version
    }
    outputRow
  }

  override def inMatch: Boolean = isInMatch

  override def timedOut: Boolean = isTimedOut

  /** What is emitted is a partial match that ran out of time; until the next [[begin]]. */
  def timedOut_=(value: Boolean): Unit = isTimedOut = value

  override def frame(index: Int): InternalRow = targets(index).row()

  override def isArrived(index: Int): Boolean = targets(index).isArrived

  /** How many rows of the partition have come. */
  def available: Long = store.size

  override def label(index: Int): UTF8String = {
    val variable = targets(index).variable()
    if (variable < 0) null else names(variable)
  }

  override def buffer(index: Int): InternalRow = bufferOf(views(index))

  override def aggregate(index: Int): Any = layout.aggregates(views(index).aggregate) match {
    case slot: CollectingSlot => slot.evaluate(bufferOf(views(index)))
    case slot => throw new IllegalStateException(s"an expression evaluates ${slot.stored}")
  }

  private def bufferOf(view: AggregateView): GenericInternalRow = {
    val from = if (view.semantics == Semantics.Final) finalSlots else slots
    from.buffers(view.aggregate) match {
      case failed: FailedBuffer => throw failed.error
      case buffer               => buffer
    }
  }

  override def matchNumber: Long = number

  override def sequenceNumber(index: Int): Long = {
    val row = targets(index).index()
    if (row < start || row > last) -1
    else if (layout.numbersRows) finalSlots.history.numberOf(row)
    else row - start + 1
  }

  /** One of the unit's frames. */
  final private class Frame(target: org.matchrecognize.spark.expressions.RowTarget) {
    private val entry           = SlotLayoutBuilder.entryOf(layout, target)
    private val list            = SlotLayoutBuilder.listOf(layout, target)
    private val isFinal         = target.anchor.isFinal
    private val into: UnsafeRow = store.newRow()

    /** The version in which [[found]] and [[foundRow]] were found; of a FINAL frame, that one. */
    private var foundIn = -1L

    /** The moment of the store up to which [[foundRow]] is readable. */
    private var foundAt               = -1L
    private var found                 = -1L
    private var foundRow: InternalRow = _

    /** The index of the row, or -1. */
    def index(): Long = {
      if (isOutdated) find()
      found
    }

    def row(): InternalRow = {
      if (isOutdated) find()
      if (foundRow == null && found >= 0) {
        store.get(found, into)
        foundRow = into
      }
      foundRow
    }

    /** The variable that the row is mapped to, or -1. */
    def variable(): Int =
      if (target.physical == 0 && isInSlots) {
        val packed = slotRow()
        if (packed < 0) -1 else Slots.variable(packed)
      } else {
        val history = finalSlots.history
        if (history == null || index() < 0) -1 else history.variableOf(index())
      }

    /** Whether the anchor is found in the slots. */
    private def isInSlots: Boolean = entry >= 0 || list >= 0

    /** The entry of the anchor, or -1. */
    private def slotRow(): Long = {
      val from = if (isFinal) finalSlots else slots
      if (entry >= 0) from.rows(entry)
      else if (from.lists(list) == null) -1
      else
        target.anchor match {
          case RowAnchor.Mapped(MappedEnd.First, _, offset, _) => from.lists(list).first(offset)
          case RowAnchor.Mapped(MappedEnd.Last, _, offset, _)  => from.lists(list).last(offset)
          case RowAnchor.Output                                => -1
        }
    }

    private def isOutdated: Boolean =
      if (isFinal) foundIn != finalVersion || foundAt != store.moment
      else foundIn != version

    private def find(): Unit = {
      foundIn = if (isFinal) finalVersion else version
      val row   = anchorRow()
      val there = if (row < 0) -1 else row + target.physical
      val index = if (there < 0 || there >= store.size) -1 else there
      // Many rows are tested with the same rows of a match.
      if (index != found || foundAt != store.moment) foundRow = null
      found = index
      foundAt = store.moment
    }

    def isArrived: Boolean = {
      val row = anchorRow()
      row < 0 || row + target.physical < store.size
    }

    private def anchorRow(): Long = {
      val limit = if (isFinal) last else current
      target.anchor match {
        case RowAnchor.Output => outputIndex
        case _ if isInSlots   => Slots.row(slotRow())
        // All rows from the first to the last are mapped: the n-th is found by counting.
        case RowAnchor.Mapped(MappedEnd.First, _, offset, _) =>
          if (start + offset <= limit) start + offset else -1
        case RowAnchor.Mapped(MappedEnd.Last, _, offset, _) =>
          if (limit - offset >= start) limit - offset else -1
      }
    }
  }
}

/** The row that is added to aggregates, read from the store when one reads it. */
final private[execution] class StoredAddedRow(store: PartitionRows, names: Array[UTF8String])
    extends AddedRow {
  private val into   = store.newRow()
  private val joined = new JoinedRow

  private var start    = 0L
  private var number   = 0L
  private var row      = 0L
  private var variable = 0

  /** Rows mapped before it; -1 if all from the match's first are. */
  private var before = -1L

  /** Whether [[into]] points at the row. */
  private var isRead = false

  def begin(row: Long, matchNumber: Long): Unit = {
    start = row
    number = matchNumber
  }

  override def designate(variable: Int, row: Long, before: Long): Unit = {
    this.variable = variable
    this.row = row
    this.before = before
    isRead = false
  }

  override def input: UnsafeRow = {
    if (!isRead) {
      store.get(row, into)
      isRead = true
    }
    into
  }

  override def known: InternalRow =
    AddedRowAttributes.row(names(variable), number, (if (before < 0) row - start else before) + 1)

  override def columns: InternalRow = joined(input, known)
}
