package org.matchrecognize.spark.execution.tracing

import scala.collection.mutable

import org.matchrecognize.spark.execution.tracing.TestedRows.Test

/**
 * The tests of one partition: which rows were tested for each variable, and the thread that came
 * furthest without becoming a match.
 *
 * @param onNull
 *   is called for the first row for which a condition is NULL, while its values can be read
 */
final private[tracing] class TestedRows(variables: Int, onNull: (Int, Long) => Unit)
    extends TestObserver {
  private val satisfied = Array.fill(variables)(new mutable.BitSet)
  private val failed    = Array.fill(variables)(new mutable.BitSet)
  private val unknown   = Array.fill(variables)(new mutable.BitSet)

  private var start             = TestedRows.noStart
  private var number            = 0L
  private var best: TracedSlots = _
  private var ending            = Seq.empty[Test]

  /** The row that the last test found true of its variable, until it is mapped or barred; or -1. */
  private var pending = -1L

  /** The thread that came furthest from its start, and the tests at which it ended. */
  var furthest: Option[TestedRows.Furthest] = None

  def clear(): Unit = {
    (satisfied ++ failed ++ unknown).foreach(_.clear())
    start = TestedRows.noStart
    best = null
    pending = -1
    furthest = None
  }

  /** Where a start row has several matches, the search begins there more than once. */
  override def begin(begun: TracedStart, matchNumber: Long): Unit =
    if (begun.row != start.row) {
      end()
      start = begun
      number = matchNumber
      best = null
      ending = Nil
      pending = -1
    }

  /** The current start row has a match. */
  def matched(): Unit = start.hasMatched = true

  /** The search from the start row has ended. */
  def end(): Unit =
    if (best != null && !start.hasMatched && furthest.forall(_.thread.reach < best.reach)) {
      furthest = Some(TestedRows.Furthest(start.row, number, best, ending))
    }

  override def tested(variable: Int, row: Long, thread: TracedSlots, verdict: Int): Unit = {
    count(variable, row, verdict)
    consider(thread)
    pending = if (verdict == Verdict.True) row else -1
    if (verdict == Verdict.Null) note(Test(variable, row, thread, TestOutcome.Null))
    else if (verdict == Verdict.False) note(Test(variable, row, thread, TestOutcome.False))
  }

  override def mapped(thread: TracedSlots): Unit = {
    pending = -1
    consider(thread)
  }

  /** What is tested here bars the row if it is true: a row to be mapped, or one to be passed. */
  override def counted(variable: Int, row: Long, thread: TracedSlots, verdict: Int): Unit = {
    count(variable, row, verdict)
    if (verdict == Verdict.True) {
      note(Test(variable, row, thread, TestOutcome.Bars))
      if (pending == row) pending = -1
    }
  }

  /**
   * A thread that merged with another maps no more rows. The other goes on from the same row, even if
   * it mapped fewer before: so the last row decides, not their number.
   */
  private def consider(thread: TracedSlots): Unit =
    if (best == null || thread.reach > best.reach ||
      thread.reach == best.reach && thread.length > best.length) {
      best = thread
      ending = Nil
    }

  /** Keeps what was tested at the last row of the best thread, once for each variable. */
  private def note(test: Test): Unit =
    if (test.thread eq best) {
      if (ending.headOption.exists(_.row < test.row)) ending = Nil
      if (ending.forall(_.row == test.row) && !ending.exists(_.variable == test.variable)) {
        ending = ending :+ test
      }
    }

  private def count(variable: Int, row: Long, verdict: Int): Unit = {
    val index = row.toInt
    verdict match {
      case Verdict.True  => satisfied(variable) += index
      case Verdict.False => failed(variable) += index
      case _             =>
        if (unknown(variable).isEmpty) onNull(variable, row)
        unknown(variable) += index
    }
  }

  /** The counts of a variable, each row once. */
  def counts(variable: Int, mapped: Long, firstNull: Option[NullTest]): VariableTrace = {
    val onlyFailed  = failed(variable) &~ satisfied(variable)
    val onlyUnknown = (unknown(variable) &~ satisfied(variable)) &~ failed(variable)
    VariableTrace(
      satisfied(variable).size.toLong,
      onlyFailed.size.toLong,
      onlyUnknown.size.toLong,
      mapped,
      if (onlyUnknown(0)) 1 else 0,
      firstNull.filter(test => onlyUnknown((test.row.number - 1).toInt))
    )
  }
}

private[tracing] object TestedRows {
  private def noStart = new TracedStart(-1)

  /** A test of `row`, which the thread did not map. */
  final case class Test(variable: Int, row: Long, thread: TracedSlots, outcome: TestOutcome)

  /** A thread that came further than others, and the tests at which it ended. */
  final case class Furthest(start: Long, number: Long, thread: TracedSlots, ending: Seq[Test])
}
