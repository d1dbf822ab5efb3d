package org.matchrecognize.spark.execution.tracing

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.execution.evaluation.{
  PartitionContext,
  StoredAddedRow,
  ThreadConditions
}
import org.matchrecognize.spark.execution.slots.{SlotLayout, Slots}
import org.matchrecognize.spark.pattern.matching.{RowConditions, SearchObserver}

/**
 * The conditions of a search, which tells a [[TestObserver]] of each test.
 *
 * @param whole
 *   by variable, the condition, to tell NULL from false
 */
final private[tracing] class TracedConditions(
    conditions: ThreadConditions,
    whole: IndexedSeq[Expression],
    layout: SlotLayout,
    context: PartitionContext,
    added: StoredAddedRow,
    observer: TestObserver)
    extends RowConditions[TracedSlots] {

  override def beginPartition(): Unit = conditions.beginPartition()

  override def begin(row: Long, matchNumber: Long): TracedSlots = {
    val start = new TracedStart(row)
    observer.begin(start, matchNumber)
    new TracedSlots(start, conditions.begin(row, matchNumber), 0, -1, row - 1, null)
  }

  override def map(variable: Int, row: Long, slots: TracedSlots): TracedSlots = {
    val mapped = conditions.map(variable, row, slots.slots)
    if (mapped != null) {
      observer.tested(variable, row, slots, Verdict.True)
      new TracedSlots(slots.start, mapped, slots.length + 1, variable, row, slots)
    } else {
      observer.tested(variable, row, slots, verdict(variable, row, slots.slots))
      null
    }
  }

  /** A test that maps nothing: of a stop condition, or of a variable that must not occur. */
  override def satisfies(variable: Int, row: Long, slots: TracedSlots): Boolean = {
    val satisfied = conditions.satisfies(variable, row, slots.slots)
    observer.counted(
      variable,
      row,
      slots,
      if (satisfied) Verdict.True else verdict(variable, row, slots.slots))
    satisfied
  }

  /** The verdict on a row that does not satisfy the variable. */
  private def verdict(variable: Int, row: Long, slots: Slots): Int = {
    context.at(row, layout.map(slots, variable, row, added))
    // A search stops at the first part that is not true: what the rest fails with is no failure.
    try if (whole(variable).eval(context) == null) Verdict.Null else Verdict.False
    catch { case NonFatal(_) => Verdict.False }
  }

  override def beginAlone(row: Long, matchNumber: Long): TracedSlots = begin(row, matchNumber)

  override def extend(variable: Int, row: Long, slots: TracedSlots): TracedSlots =
    new TracedSlots(
      slots.start,
      layout.map(slots.slots, variable, row, added),
      slots.length + 1,
      variable,
      row,
      slots)

  override def sameFuture(reachable: Int, a: TracedSlots, b: TracedSlots): Boolean =
    isFollowed(a, b) &&
      (!conditions.hasFuture(reachable) || conditions.sameFuture(reachable, a.slots, b.slots))

  /**
   * Whether the thread of the later start row need not be followed if both are in the same state:
   * the earlier one has come as far, and is reported as a partial match.
   */
  private def isFollowed(a: TracedSlots, b: TracedSlots): Boolean = {
    val (earlier, later) = if (a.start.row <= b.start.row) (a, b) else (b, a)
    (earlier.start eq later.start) ||
    !earlier.start.hasMatched && earlier.length >= later.length
  }

  override def futureHash(reachable: Int, slots: TracedSlots): Int =
    if (conditions.hasFuture(reachable)) conditions.futureHash(reachable, slots.slots) else 0

  // Threads of different start rows differ by their start rows, too.
  override def hasFuture(reachable: Int): Boolean      = true
  override def dependsOnStart(reachable: Int): Boolean = conditions.dependsOnStart(reachable)
  override def mapCost(variable: Int): Int             = conditions.mapCost(variable)
  override def futureCost(reachable: Int): Int         = conditions.futureCost(reachable)
  override def skipTarget(slots: TracedSlots): Long    = conditions.skipTarget(slots.slots)
}

/** Is also told of each test of a condition. */
private[tracing] class TestObserver extends SearchObserver[TracedSlots] {

  /** A search begins at a row, or goes on there after a match. */
  def begin(start: TracedStart, matchNumber: Long): Unit = ()

  /**
   * A row was tested.
   *
   * @param thread
   *   the thread before the row
   */
  def tested(variable: Int, row: Long, thread: TracedSlots, verdict: Int): Unit = ()

  /**
   * A row was tested for a variable that it would not have been mapped to.
   *
   * @param thread
   *   the thread before the row
   */
  def counted(variable: Int, row: Long, thread: TracedSlots, verdict: Int): Unit = ()
}
