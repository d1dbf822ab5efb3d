package org.matchrecognize.spark.execution.tracing

import scala.collection.mutable

import org.matchrecognize.spark.execution.tracing.TestedRows.Test

/**
 * The tests of one partition: which rows were tested for each variable, and the thread that mapped
 * most rows without becoming a match.
 *
 * @param onNull
 *   is called for the first row for which a condition is NULL, while its values can be read
 */
final private[tracing] class TestedRows(variables: Int, onNull: (Int, Long) => Unit)
    extends TestObserver {
  private val satisfied = Array.fill(variables)(new mutable.BitSet)
  private val failed    = Array.fill(variables)(new mutable.BitSet)
  private val unknown   = Array.fill(variables)(new mutable.BitSet)

  private var start        = -1L
  private var number       = 0L
  private var hasMatched   = false
  private var best: Traced = _
  private val notTrue      = mutable.ArrayBuffer.empty[Test]

  /** The thread that mapped most rows, its start, and the tests at which it ended. */
  var furthest: Option[TestedRows.Furthest] = None

  def clear(): Unit = {
    (satisfied ++ failed ++ unknown).foreach(_.clear())
    start = -1
    best = null
    furthest = None
  }

  override def begin(row: Long, matchNumber: Long): Unit = {
    end()
    start = row
    number = matchNumber
    hasMatched = false
    best = null
    notTrue.clear()
  }

  /** The start row under way has a match. */
  def matched(): Unit = hasMatched = true

  /** The search from the start row has ended. */
  def end(): Unit =
    if (best != null && !hasMatched && furthest.forall(_.thread.length < best.length)) {
      furthest = Some(TestedRows.Furthest(start, number, best, notTrue.toVector))
    }

  override def tested(variable: Int, row: Long, thread: Traced, verdict: Int): Unit = {
    counted(variable, row, verdict)
    if (best == null || thread.length > best.length) {
      best = thread
      notTrue.clear()
    }
    if (verdict != Verdict.True && thread.length == best.length &&
      !notTrue.exists(_.variable == variable)) {
      notTrue += Test(variable, row, thread, verdict == Verdict.Null)
    }
  }

  override def counted(variable: Int, row: Long, verdict: Int): Unit = {
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
      firstNull)
  }
}

private[tracing] object TestedRows {

  /** A test of `row` that was not true, for a thread that had come to the row before. */
  final case class Test(variable: Int, row: Long, thread: Traced, isNull: Boolean)

  /** A thread that went further than others, and the tests at which it ended. */
  final case class Furthest(start: Long, number: Long, thread: Traced, notTrue: Seq[Test])
}
