package org.matchrecognize.spark.expressions

import java.time.ZoneId

import org.apache.spark.sql.catalyst.expressions.{Expression, TimestampAddInterval}

/** Spark's sum of a timestamp and an interval, with the time zone in which it is computed. */
private[expressions] object TimestampSum {
  def unapply(e: Expression): Option[(Expression, Expression, ZoneId)] = e match {
    case sum: TimestampAddInterval => Some((sum.start, sum.interval, sum.zoneId))
    case _                         => None
  }
}
