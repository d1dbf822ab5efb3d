package org.matchrecognize.spark.execution.tracing

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.execution.evaluation.{
  PartitionContext,
  StoredAddedRow,
  ThreadConditions
}
import org.matchrecognize.spark.execution.slots.{SlotLayout, Slots}
import org.matchrecognize.spark.pattern.matching.RowConditions

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
    extends RowConditions[Traced] {

  override def beginPartition(): Unit = conditions.beginPartition()

  override def begin(row: Long, matchNumber: Long): Traced = {
    val start = new TracedStart(row)
    observer.begin(start, matchNumber)
    new Traced(start, conditions.begin(row, matchNumber), 0, -1, row - 1, null)
  }

  override def map(variable: Int, row: Long, slots: Traced): Traced = {
    val mapped = conditions.map(variable, row, slots.slots)
    if (mapped != null) {
      observer.tested(variable, row, slots, Verdict.True)
      new Traced(slots.start, mapped, slots.length + 1, variable, row, slots)
    } else {
      observer.tested(variable, row, slots, verdict(variable, row, slots.slots))
      null
    }
  }

  override def mapped(slots: Traced): Unit         = observer.mapped(slots)
  override def waits(at: Int, slots: Traced): Unit = observer.waits(at, slots)
  override def passes(slots: Traced): Unit         = observer.passes(slots)
  override def completes(slots: Traced): Unit      = observer.completes(slots)

  override def dropped(at: Int, slots: Traced, fails: Boolean): Unit =
    observer.dropped(at, slots, fails)

  /** A test that maps nothing: of a stop condition, or of a variable that must not occur. */
  override def satisfies(variable: Int, row: Long, slots: Traced): Boolean = {
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

  override def beginAlone(row: Long, matchNumber: Long): Traced = begin(row, matchNumber)

  override def extend(variable: Int, row: Long, slots: Traced): Traced =
    new Traced(
      slots.start,
      layout.map(slots.slots, variable, row, added),
      slots.length + 1,
      variable,
      row,
      slots)

  override def sameFuture(reachable: Int, a: Traced, b: Traced): Boolean =
    isFollowed(a, b) &&
      (!conditions.hasFuture(reachable) || conditions.sameFuture(reachable, a.slots, b.slots))

  /**
   * Whether the thread of the later start row need not be followed if both are in the same state:
   * the earlier one has come as far, and is reported as a partial match.
   */
  private def isFollowed(a: Traced, b: Traced): Boolean = {
    val (earlier, later) = if (a.start.row <= b.start.row) (a, b) else (b, a)
    (earlier.start eq later.start) ||
    !earlier.start.hasMatched && earlier.length >= later.length
  }

  override def futureHash(reachable: Int, slots: Traced): Int =
    if (conditions.hasFuture(reachable)) conditions.futureHash(reachable, slots.slots) else 0

  // Threads of different start rows differ by their start rows, too.
  override def hasFuture(reachable: Int): Boolean      = true
  override def dependsOnStart(reachable: Int): Boolean = conditions.dependsOnStart(reachable)
  override def leavesNoTrace(variable: Int): Boolean   = false
  override def mapCost(variable: Int): Int             = conditions.mapCost(variable)
  override def futureCost(reachable: Int): Int         = conditions.futureCost(reachable)
  override def skipTarget(slots: Traced): Long         = conditions.skipTarget(slots.slots)
}

/** Is told of each test of a condition. */
private[tracing] trait TestObserver {

  /** A search begins at a row, or goes on there after a match. */
  def begin(start: TracedStart, matchNumber: Long): Unit

  /**
   * A row was tested.
   *
   * @param thread
   *   the thread before the row
   */
  def tested(variable: Int, row: Long, thread: Traced, verdict: Int): Unit

  /** The row that was tested last is mapped, and the thread is this now. */
  def mapped(thread: Traced): Unit

  /**
   * A row was tested for a variable that it would not have been mapped to.
   *
   * @param thread
   *   the thread before the row
   */
  def counted(variable: Int, row: Long, thread: Traced, verdict: Int): Unit

  // What becomes of a thread, as RowConditions are told.

  def waits(at: Int, thread: Traced): Unit                   = ()
  def dropped(at: Int, thread: Traced, fails: Boolean): Unit = ()
  def passes(thread: Traced): Unit                           = ()
  def completes(thread: Traced): Unit                        = ()
}
