package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import org.matchrecognize.spark.execution.{PartitionMatcher, StateSeal}
import org.matchrecognize.spark.execution.rows.FewRows
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/**
 * The state of a key in entries of the state store, one for each row. What a micro-batch reads and
 * writes besides them is one small value:
 *
 * {{{
 *   header of StateSeal | timers | rows that wait, if few | which entries wait
 *     | state of the matcher, with the rows that are no entries
 * }}}
 *
 * One object serves all keys of a task, one after the other.
 */
final private[streaming] class StateInEntries(
    task: KeyedTask,
    few: FewRows,
    entries: StateEntries)
    extends KeyState {
  private val waiting = new WaitingRows(entries.waiting, task.time.due, few)

  private val timers = new KeyTimers(entries.handle.registerTimer, entries.handle.deleteTimer)

  private var clock   = 0L
  private var isTimer = false

  /** Whether the key has a value. */
  private var exists = false

  /** Another key is called: by a timer, or with rows. */
  def begin(clock: Long, isTimer: Boolean): Unit = {
    this.clock = clock
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
      timers.begin(clock, isTimer)
      waiting.read(in, stored.read)
      matcher.restoreState(in.readBlock(), stored)
    }

  override def takeDue(clock: Long): Iterable[UnsafeRow] = {
    val due = new ArrayBuffer[UnsafeRow]
    waiting.advance(clock)(due += _)
    due
  }

  override def add(row: UnsafeRow, due: Long): Unit = waiting.add(row, due)
  override def size: Long                           = waiting.size
  override def earliest: Option[Long]               = waiting.earliest

  override def save(matcher: PartitionMatcher, wakeAt: Option[Long]): Unit = {
    wakeAt.foreach(millis => timers.await(millis, isRow = earliest.contains(millis)))
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

/**
 * The timers of a key, times of the [[Clock]] at which Spark calls for it: one for a row that
 * waits, and one for the end of WITHIN, which mostly stays the same while rows before it come and go.
 *
 * A timer that has become too early stays. Spark then calls once too often, and the key registers
 * the timer that it needs by then. Registering a timer takes a read and two writes of the state
 * store, and so does deleting it: a timer moved with each row would cost more.
 */
final private[streaming] class KeyTimers(register: Long => Unit, delete: Long => Unit) {

  /** Timers are later than the clock, which is not negative. */
  final private val noTimer = 0L

  private var ofRow = noTimer
  private var ofEnd = noTimer

  /** Begins another key, without timers. */
  def clear(): Unit = {
    ofRow = noTimer
    ofEnd = noTimer
  }

  /**
   * Spark calls for the key at this time.
   *
   * @param isTimer
   *   whether by a timer. Spark then calls for each timer that the clock has reached, and deletes
   *   it. If it calls with rows, it calls for timers later, which would be in vain.
   */
  def begin(clock: Long, isTimer: Boolean): Unit = {
    def left(timer: Long): Long =
      if (timer > clock) timer
      else {
        if (timer != noTimer && !isTimer) delete(timer)
        noTimer
      }
    ofRow = left(ofRow)
    ofEnd = left(ofEnd)
  }

  /**
   * Ensures that Spark calls at this time or earlier.
   *
   * @param isRow
   *   whether a row waits for it, or the end of WITHIN
   */
  def await(due: Long, isRow: Boolean): Unit = {
    def isCovered(timer: Long) = timer != noTimer && timer <= due
    if (!isCovered(ofRow) && !isCovered(ofEnd)) {
      val old = if (isRow) ofRow else ofEnd
      if (old != noTimer) delete(old)
      register(due)
      if (isRow) ofRow = due else ofEnd = due
    }
  }

  /** Deletes all timers. */
  def remove(): Unit = {
    Seq(ofRow, ofEnd).filter(_ != noTimer).foreach(delete)
    clear()
  }

  def write(out: StateOutput): Unit = {
    out.writeNumber(ofRow)
    out.writeNumber(ofEnd)
  }

  def read(in: StateInput): Unit = {
    ofRow = in.readNumber()
    ofEnd = in.readNumber()
  }
}
