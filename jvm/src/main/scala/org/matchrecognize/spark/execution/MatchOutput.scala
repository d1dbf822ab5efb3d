package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  Literal,
  UnsafeProjection,
  UnsafeRow
}

import org.matchrecognize.spark.expressions.{RowAnchor, RowColumn, RowTarget, Semantics}
import org.matchrecognize.spark.pattern.{EmptyMatches, Path, RowsPerMatch}

/**
 * Makes the output rows of what the search finds, one at a time, for one output mode. Nobody else
 * knows about empty matches, unmatched rows or exclusion.
 */
abstract private[execution] class MatchOutput {

  /** Takes up a match, given by its first row, the row behind its last, and what is kept of it. */
  def matched(start: Long, end: Long, number: Long, slots: Slots, labels: => Int => Int): Unit

  /** Takes up a row that no match covers. */
  def unmatched(row: Long): Unit

  /** The next row of what was taken up, or null. Valid until the next call. */
  def next(): UnsafeRow
}

private[execution] object MatchOutput {

  /** A column of the row that is put out. */
  def column(attribute: Attribute): Expression =
    RowColumn(RowTarget(RowAnchor.Output), attribute)

  /** Whether the end of the match must be known before its first row can be put out. */
  def looksAhead(unit: EvaluationUnit): Boolean =
    unit.views.exists(_.semantics == Semantics.Final) ||
      unit.labelledFrames.exists(unit.frames(_).physical != 0) ||
      unit.frames.map(_.anchor).exists {
        case RowAnchor.First(Some(_), _, semantics) => semantics == Semantics.Final
        case RowAnchor.Last(Some(_), _, semantics)  => semantics == Semantics.Final
        case _                                      => false
      }
}

/** ONE ROW PER MATCH: measures are read off the slots with which the match ended. */
final private[execution] class OneRowOutput(columns: Seq[Expression], context: PartitionContext)
    extends MatchOutput {
  private val projection = UnsafeProjection.create(columns)
  private var pending    = false

  override def matched(
      start: Long,
      end: Long,
      number: Long,
      slots: Slots,
      labels: => Int => Int): Unit = {
    context.begin(start, number)
    context.at(end - 1, slots)
    pending = true
  }

  override def unmatched(row: Long): Unit =
    throw new IllegalStateException("ONE ROW PER MATCH shows no unmatched rows")

  override def next(): UnsafeRow =
    if (pending) {
      pending = false
      projection(context)
    } else {
      null
    }
}

/**
 * ALL ROWS PER MATCH: maps the rows of the match once more, in order, to read off the measures at
 * each row.
 */
final private[execution] class AllRowsOutput(
    input: Seq[Expression],
    measures: Seq[Expression],
    mode: RowsPerMatch.AllRows,
    context: PartitionContext,
    layout: SlotLayout,
    added: StoredAddedRow,
    looksAhead: Boolean)
    extends MatchOutput {
  private val projection          = UnsafeProjection.create(input ++ measures)
  private val unmatchedProjection =
    UnsafeProjection.create(input ++ measures.map(m => Literal.create(null, m.dataType)))

  private var start              = 0L
  private var end                = 0L
  private var labels: Int => Int = _

  /** The row to be mapped next. */
  private var row          = 0L
  private val slots        = layout.own()
  private val finalSlots   = layout.own()
  private var emptyMatch   = false
  private var unmatchedRow = false

  override def matched(
      start: Long,
      end: Long,
      number: Long,
      slots: Slots,
      labels: => Int => Int): Unit = {
    this.start = start
    this.end = end
    row = start
    if (end == start) {
      emptyMatch = mode.emptyMatches != EmptyMatches.Omit
    } else {
      this.labels = labels
    }
    context.begin(start, number)
    added.begin(start, number)
    layout.reset(this.slots)
    layout.reset(finalSlots)
    if (looksAhead) {
      var r = start
      while (r < end) {
        extend(finalSlots, r)
        r += 1
      }
    }
  }

  override def unmatched(row: Long): Unit = {
    start = row
    end = row
    this.row = row
    unmatchedRow = true
  }

  override def next(): UnsafeRow =
    if (emptyMatch) {
      emptyMatch = false
      projection(context)
    } else if (unmatchedRow) {
      unmatchedRow = false
      context.unmatched(row)
      unmatchedProjection(context)
    } else {
      nextMatched()
    }

  private def nextMatched(): UnsafeRow = {
    var result: UnsafeRow = null
    while (result == null && row < end) {
      extend(slots, row)
      if (!Path.excluded(label(row))) {
        context.within(row, slots, end - 1, if (looksAhead) finalSlots else slots)
        result = projection(context)
      }
      row += 1
    }
    result
  }

  private def label(row: Long): Int = labels((row - start).toInt)

  private def extend(slots: Slots, row: Long): Unit =
    layout.extend(slots, Path.variable(label(row)), row, added)
}
