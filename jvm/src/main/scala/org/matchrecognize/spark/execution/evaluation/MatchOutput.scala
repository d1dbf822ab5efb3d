package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, If, Literal}

import org.matchrecognize.spark.execution.slots.{EvaluationUnit, SlotLayout, Slots}
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.{EmptyMatches, RowsPerMatch}
import org.matchrecognize.spark.pattern.program.Path

/**
 * Makes the output rows of each result of the search, one after another, for one output mode. Only
 * this class decides which rows are shown of empty matches, unmatched rows and excluded rows.
 */
abstract private[execution] class MatchOutput {

  /**
   * Takes up a match, or a partial one that ran out of time, given by its first row, the row after
   * its last, and what is kept of it.
   */
  def matched(start: Long, end: Long, number: Long, slots: Slots, labels: => Int => Int): Unit

  /** Takes up a row that no match covers. */
  def unmatched(row: Long): Unit

  /** Goes to the next row of what was taken up; false if there is none. */
  def next(): Boolean

  /** Where the columns of that row are evaluated, until [[next]] is called again. */
  def context: PartitionContext
}

private[execution] object MatchOutput {

  /** A column of the row that is emitted. */
  def column(attribute: Attribute): Expression =
    RowColumn(RowTarget(RowAnchor.Output), attribute)

  /** A measure where rows that no match covers are emitted, too: NULL there. */
  def measure(e: Expression): Expression =
    If(InMatch(), e, Literal.create(null, e.dataType))

  /** Whether the end of the match must be known before its first row can be emitted. */
  def looksAhead(unit: EvaluationUnit): Boolean =
    unit.views.exists(_.semantics == Semantics.Final) ||
      unit.labelledFrames.exists(unit.frame(_).physical != 0) ||
      unit.frames.map(_.anchor).exists {
        case anchor: RowAnchor.Mapped => anchor.variable.nonEmpty && anchor.isFinal
        case RowAnchor.Output         => false
      }
}

/** ONE ROW PER MATCH. */
abstract private[execution] class OneRowOutput extends MatchOutput {

  /** Whether the row of a match is still to be emitted. */
  protected var pending = false

  final override def unmatched(row: Long): Unit =
    throw new IllegalStateException("ONE ROW PER MATCH shows no unmatched rows")

  final override def next(): Boolean = {
    val found = pending
    pending = false
    found
  }
}

/** Measures are read off the slots with which the match ended. */
final private[execution] class SlotsOutput(override val context: PartitionContext)
    extends OneRowOutput {
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
}

/** Where those slots do not say it all ([[MatchPlan.needsRemap]]): maps the rows once more. */
final private[execution] class RemappedOutput(
    override val context: PartitionContext,
    layout: SlotLayout,
    added: StoredAddedRow)
    extends OneRowOutput {
  private val own = layout.own()

  override def matched(
      start: Long,
      end: Long,
      number: Long,
      slots: Slots,
      labels: => Int => Int): Unit = {
    val labelOf = labels
    context.begin(start, number)
    added.begin(start, number)
    layout.reset(own)
    var row = start
    while (row < end) {
      val label = labelOf((row - start).toInt)
      if (label != Path.passed) layout.extend(own, Path.variable(label), row, added)
      row += 1
    }
    context.at(end - 1, own)
    pending = true
  }
}

/**
 * ALL ROWS PER MATCH: maps the rows of the match once more, in order, to read off the measures at
 * each row.
 *
 * @param running
 *   the slots that RUNNING reads
 * @param whole
 *   those that FINAL reads, if the end of the match must be known before its first row can be
 *   emitted
 */
final private[execution] class AllRowsOutput(
    mode: RowsPerMatch.AllRows,
    override val context: PartitionContext,
    running: SlotLayout,
    whole: Option[SlotLayout],
    added: StoredAddedRow)
    extends MatchOutput {
  private var start              = 0L
  private var end                = 0L
  private var labels: Int => Int = _

  /** The row to be mapped next. */
  private var row        = 0L
  private val slots      = running.own()
  private val finalSlots = whole.fold(slots)(_.own())

  /** An empty match or an unmatched row is still to be emitted. */
  private var single = false

  override def matched(
      start: Long,
      end: Long,
      number: Long,
      slots: Slots,
      labels: => Int => Int): Unit = {
    this.start = start
    this.end = end
    row = start
    context.begin(start, number)
    if (end == start) {
      single = mode.emptyMatches != EmptyMatches.Omit
    } else {
      this.labels = labels
      added.begin(start, number)
      running.reset(this.slots)
      whole.foreach(mapAll)
    }
  }

  private def mapAll(layout: SlotLayout): Unit = {
    layout.reset(finalSlots)
    if (!layout.isUnchanging) {
      var r = start
      while (r < end) {
        if (label(r) != Path.passed) layout.extend(finalSlots, Path.variable(label(r)), r, added)
        r += 1
      }
    }
  }

  override def unmatched(row: Long): Unit = {
    start = row
    end = row
    this.row = row
    context.unmatched(row)
    single = true
  }

  override def next(): Boolean =
    if (single) {
      single = false
      true
    } else {
      nextMatched()
    }

  private def nextMatched(): Boolean = {
    var found = false
    while (!found && row < end) {
      val at = label(row)
      if (at != Path.passed) {
        running.extend(slots, Path.variable(at), row, added)
        if (!Path.excluded(at)) {
          context.within(row, slots, end - 1, finalSlots)
          found = true
        }
      }
      row += 1
    }
    found
  }

  private def label(row: Long): Int = labels((row - start).toInt)
}
