package org.matchrecognize.spark.streaming

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
