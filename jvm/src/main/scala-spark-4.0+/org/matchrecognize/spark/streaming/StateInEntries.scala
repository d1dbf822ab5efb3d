package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import org.matchrecognize.spark.execution.{PartitionMatcher, StateSeal}
import org.matchrecognize.spark.pattern.matching.StateOutput

/**
 * The state of a key in entries of the state store, one for each row. What a micro-batch reads and
 * writes besides them is one small value:
 *
 * {{{
 *   header of StateSeal | timers | rows that wait, if few | which entries wait
 *     | state of the matcher, without rows
 * }}}
 *
 * One object serves all keys of a task, one after the other.
 */
final private[streaming] class StateInEntries(
    task: KeyedTask,
    limits: WaitingRows.Limits,
    entries: StateEntries)
    extends KeyState {
  private val waiting = new WaitingRows(entries.waiting, task.time.due, limits)

  private val timers = new KeyTimers(entries.handle.registerTimer, entries.handle.deleteTimer)

  private var watermark = 0L
  private var isTimer   = false

  /** Whether the key has a value. */
  private var exists = false

  /** Another key is called: by a timer, or with rows. */
  def begin(watermark: Long, isTimer: Boolean): Unit = {
    this.watermark = watermark
    this.isTimer = isTimer
    exists = false
    timers.clear()
    waiting.clear()
  }

  override def restore(matcher: PartitionMatcher): Unit =
    Option(entries.matcher.get()).foreach { bytes =>
      val (stored, in) = StateSeal.open(task.states, bytes, task.plan.clauseOrigin)
      exists = true
      timers.read(in)
      timers.begin(watermark, isTimer)
      waiting.read(in, stored.read)
      matcher.restoreState(in.readBlock(), stored)
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
    due.foreach(millis => timers.await(millis, isRow = earliest.contains(millis)))
    val out = new StateOutput
    timers.write(out)
    waiting.write(out)
    out.writeBlock(matcher.saveState())
    entries.matcher.update(StateSeal.close(task.shape, out))
  }

  override def remove(): Unit = {
    timers.remove()
    if (exists) entries.matcher.clear()
  }
}
