package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

import org.matchrecognize.spark.execution.{MatchPlan, PartitionMatcher, StateSeal}
import org.matchrecognize.spark.pattern.matching.StateOutput

/**
 * The state of a key in entries of the state store, one for each row. What a micro-batch reads and
 * writes besides rows is one small value:
 *
 * {{{
 *   header of StateSeal | timer | which rows wait | state of the matcher, without rows
 * }}}
 *
 * A key has one timer at most. One object serves all keys of a task, one after the other.
 */
final private[streaming] class StateInEntries(
    plan: MatchPlan,
    input: Seq[Attribute],
    time: EventTime,
    entries: StateEntries)
    extends KeyState {
  import StateInEntries._

  private val shape   = KeyState.shape(plan, input)
  private val waiting = new WaitingRows(entries.waiting, time.due)

  /** Whether the key is called by its timer, which Spark deletes then. */
  private var isTimer = false

  /** Whether the key has a value. */
  private var exists = false

  /** The watermark at which Spark calls for the key; [[noTimer]] if there is none. */
  private var timer = noTimer

  /** Another key is called: by its timer, or with rows. */
  def begin(isTimer: Boolean): Unit = {
    this.isTimer = isTimer
    exists = false
    timer = noTimer
    waiting.clear()
  }

  override def restore(matcher: PartitionMatcher): Unit =
    Option(entries.matcher.get()).foreach { bytes =>
      val in = StateSeal.open(shape, bytes, plan.clauseOrigin)
      exists = true
      timer = in.readNumber()
      if (isTimer) timer = noTimer
      waiting.read(in)
      matcher.restoreState(in.readBlock())
    }

  override def takeDue(watermark: Long): Iterable[UnsafeRow] = {
    val due = new ArrayBuffer[UnsafeRow]
    waiting.advance(watermark)(due += _)
    due
  }

  override def add(row: UnsafeRow, due: Long): Unit = waiting.add(row, due)
  override def size: Long                           = waiting.size
  override def earliest: Option[Long]               = waiting.earliest

  override def save(matcher: PartitionMatcher, due: Option[Long]): Unit = {
    setTimer(due.getOrElse(noTimer))
    val out = new StateOutput
    out.writeNumber(timer)
    waiting.write(out)
    out.writeBlock(matcher.saveState())
    entries.matcher.update(StateSeal.close(shape, out))
  }

  override def remove(): Unit = {
    setTimer(noTimer)
    if (exists) entries.matcher.clear()
  }

  private def setTimer(due: Long): Unit = if (due != timer) {
    if (timer != noTimer) entries.handle.deleteTimer(timer)
    if (due != noTimer) entries.handle.registerTimer(due)
    timer = due
  }
}

private object StateInEntries {

  /** Timers are later than the watermark, which is not negative. */
  val noTimer: Long = 0L
}
