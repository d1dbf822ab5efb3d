package org.matchrecognize.spark.logical

import java.math.BigDecimal
import java.time.ZoneId

import scala.collection.JavaConverters._

import org.apache.spark.sql.catalyst.util.DateTimeConstants.{MICROS_PER_DAY, MICROS_PER_SECOND}

/**
 * WITHIN: how far, by the first key of ORDER BY, the last row of a match can be from its first.
 * The row at the bound itself is within it.
 */
sealed trait Within {

  /** The bound, for EXPLAIN. */
  def sql: String

  /** The same, as checkpoints have it: Spark may write an interval as another text. */
  def meaning: String
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
  final case class Time(micros: Long, zone: ZoneId, override val sql: String) extends Within {
    override def meaning: String = s"$micros $zone"

    /** The longest that the bound can be, in microseconds: days of the calendar differ in length. */
    def longest: Long =
      if (micros < MICROS_PER_DAY) micros else Math.addExact(micros, MICROS_PER_SECOND * shift)

    /** By how many seconds the zone's clocks have been moved at most, or will be. */
    private def shift: Int = {
      val rules   = zone.getRules
      val changes =
        rules.getTransitions.asScala.map(c => Seq(c.getOffsetBefore, c.getOffsetAfter)) ++
          rules.getTransitionRules.asScala.map(c => Seq(c.getOffsetBefore, c.getOffsetAfter))
      val offsets = changes.flatten.map(_.getTotalSeconds)
      if (offsets.isEmpty) 0 else offsets.max - offsets.min
    }
  }

  /** For a whole number. */
  final case class Whole(most: Long, override val sql: String) extends Within {
    override def meaning: String = most.toString
  }

  /** For FLOAT and DOUBLE. */
  final case class Floating(most: Double, override val sql: String) extends Within {
    override def meaning: String = most.toString
  }

  /** For DECIMAL. */
  final case class Decimals(most: BigDecimal, override val sql: String) extends Within {
    override def meaning: String = most.toPlainString
  }
}
