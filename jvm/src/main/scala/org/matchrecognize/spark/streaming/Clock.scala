package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.logical.MatchRecognize

/** The clock by which Spark calls for keys that get no rows, in milliseconds. */
sealed private[streaming] trait Clock extends Serializable

private[streaming] object Clock {

  case object Watermark extends Clock

  /** When the micro-batch began. Spark then runs micro-batches without end. */
  case object BatchTime extends Clock

  /** None: nothing waits. */
  case object Stopped extends Clock {
    val time: Long = 0L
  }

  def of(m: MatchRecognize): Clock =
    if (!m.clause.isByArrival) Watermark
    else if (m.clause.within.isDefined) BatchTime
    else Stopped
}

/** When rows are searched, by the clock of their operator ([[Clock]]), in milliseconds. */
private[streaming] trait SearchTime {

  /** Whether a row has no place in the order. */
  def isMissing(row: UnsafeRow): Boolean

  /** The first time of the clock at which a row is searched. */
  def due(row: UnsafeRow): Long

  /** The latest time, in microseconds, that no row to come can have. */
  def passed(clock: Long): Long

  /** The first time of the clock at which [[passed]] is at least a time in microseconds. */
  def firstClockAt(micros: Long): Long
}

private[streaming] object SearchTime {
  def of(plan: MatchPlan, input: Seq[Attribute]): SearchTime =
    if (plan.clause.isByArrival) AtArrival
    else new AtEventTime(input.indexWhere(_.semanticEquals(plan.order.head.child)))

  /** The first millisecond that is not before a time in microseconds. */
  private def millis(micros: Long): Long = -Math.floorDiv(-micros, 1000L)

  /** Once the watermark has reached their time: Spark drops rows at or before it. */
  final private class AtEventTime(ordinal: Int) extends SearchTime {
    override def isMissing(row: UnsafeRow): Boolean = row.isNullAt(ordinal)
    override def due(row: UnsafeRow): Long          = millis(row.getLong(ordinal))
    override def passed(clock: Long): Long          = Math.multiplyExact(clock, 1000L)
    override def firstClockAt(micros: Long): Long   = millis(micros)
  }

  /** At once. The next micro-batch can begin in the same millisecond. */
  private object AtArrival extends SearchTime {
    override def isMissing(row: UnsafeRow): Boolean = false
    override def due(row: UnsafeRow): Long          = Long.MinValue
    override def passed(clock: Long): Long          = Math.multiplyExact(clock, 1000L) - 1
    override def firstClockAt(micros: Long): Long   =
      millis(if (micros == Long.MaxValue) micros else micros + 1)
  }
}
