package org.matchrecognize.spark.logical

import java.math.BigDecimal
import java.time.ZoneId

/**
 * WITHIN: how far, by the first key of ORDER BY, the last row of a match can be from its first.
 * The row at the bound itself is within it.
 */
sealed trait Within {

  /** The bound, for EXPLAIN. */
  def sql: String
}

object Within {

  /**
   * For a timestamp or a date.
   *
   * @param micros
   *   microseconds; whole days of them are days of the calendar, as where Spark adds an interval
   * @param zone
   *   the calendar's time zone: the session's, or UTC for a timestamp without one
   */
  final case class Time(micros: Long, zone: ZoneId, override val sql: String) extends Within

  /** For a whole number. */
  final case class Whole(most: Long, override val sql: String) extends Within

  /** For FLOAT and DOUBLE. */
  final case class Floating(most: Double, override val sql: String) extends Within

  /** For DECIMAL. */
  final case class Decimals(most: BigDecimal, override val sql: String) extends Within
}
