package org.matchrecognize.spark.streaming

import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/**
 * The timers of a key, which are watermarks at which Spark calls for it: one for a row that waits,
 * and one for the end of WITHIN, which mostly stays the same while rows before it come and go.
 *
 * A timer that has become too early stays. Spark then calls once too often, and the key registers
 * the timer that it needs by then. Registering a timer takes a read and two writes of the state
 * store, and so does deleting it: a timer moved with each row would cost more.
 */
final private[streaming] class KeyTimers(register: Long => Unit, delete: Long => Unit) {
  import KeyTimers._

  private var ofRow = noTimer
  private var ofEnd = noTimer

  /** Begins another key, without timers. */
  def clear(): Unit = {
    ofRow = noTimer
    ofEnd = noTimer
  }

  /**
   * Spark calls for the key at this watermark.
   *
   * @param isTimer
   *   whether by a timer. Spark then calls for each timer that the watermark has reached, and
   *   deletes it. If it calls with rows, it calls for timers later, which would be in vain.
   */
  def begin(watermark: Long, isTimer: Boolean): Unit = {
    def left(timer: Long): Long =
      if (timer > watermark) timer
      else {
        if (timer != noTimer && !isTimer) delete(timer)
        noTimer
      }
    ofRow = left(ofRow)
    ofEnd = left(ofEnd)
  }

  /**
   * Ensures that Spark calls at this watermark or earlier.
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

private object KeyTimers {

  /** Timers are later than the watermark, which is not negative. */
  val noTimer: Long = 0L
}
