package org.matchrecognize.spark.execution.evaluation

import java.time.{DateTimeException, ZoneId}
import java.util.concurrent.TimeUnit.{DAYS, MICROSECONDS}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.types._

import org.matchrecognize.spark.expressions.TimeArithmetic
import org.matchrecognize.spark.logical.Within

/** How far rows are from the first of a match by a key, held against WITHIN. */
abstract private[execution] class WithinDistance(ordinal: Int) {

  def isNull(row: UnsafeRow): Boolean = row.isNullAt(ordinal)

  /** Takes the bound of a match that starts at a row whose key is not NULL. */
  def begin(start: UnsafeRow): Unit

  /** Whether a row that follows, whose key is not NULL, is within that bound. */
  def contains(row: UnsafeRow): Boolean

  /** The last time within that bound, in microseconds, if keys are timestamps. */
  def lastTime: Option[Long] = None
}

private[execution] object WithinDistance {

  def of(within: Within, ordinal: Int, keyType: DataType): WithinDistance = within match {
    case Within.Time(micros, zone, _) if keyType == DateType => new OfDates(ordinal, micros, zone)
    case Within.Time(micros, zone, _) => new OfTimes(ordinal, keyType, micros, zone)
    case Within.Whole(most, _)        => new OfWholeNumbers(ordinal, keyType, most)
    case Within.Floating(most, _)     => new OfFloats(ordinal, keyType, most)
    case Within.Decimals(most, _)     => new OfDecimals(ordinal, keyType, most)
  }

  /** The sum, or the largest number where it is none: then no row is beyond the bound. */
  private def added(number: Long, distance: Long): Long = {
    val sum = number + distance
    if (sum < number) Long.MaxValue else sum
  }

  final private class OfWholeNumbers(ordinal: Int, keyType: DataType, most: Long)
      extends WithinDistance(ordinal) {
    private val size  = keyType.defaultSize
    private var bound = 0L

    override def begin(start: UnsafeRow): Unit     = bound = added(number(start), most)
    override def contains(row: UnsafeRow): Boolean = number(row) <= bound
    private def number(row: UnsafeRow): Long       = WholeNumber.at(row, ordinal, size)
  }

  /** The bound of a match that starts at a time. */
  final private class TimeBound(keyType: DataType, micros: Long, zone: ZoneId) {

    /** Whether days of the calendar can have another length than 24 hours. */
    private val byCalendar = !TimeArithmetic.movesAlike(micros, keyType, zone)

    def from(start: Long): Long = if (byCalendar) later(start) else added(start, micros)

    /** As Spark adds an interval. */
    private def later(start: Long): Long =
      try DateTimeUtils.timestampAddDayTime(start, micros, zone)
      catch { case _: ArithmeticException | _: DateTimeException => Long.MaxValue }
  }

  final private class OfTimes(ordinal: Int, keyType: DataType, micros: Long, zone: ZoneId)
      extends WithinDistance(ordinal) {
    private val distance = new TimeBound(keyType, micros, zone)
    private var bound    = 0L

    override def begin(start: UnsafeRow): Unit     = bound = distance.from(start.getLong(ordinal))
    override def contains(row: UnsafeRow): Boolean = row.getLong(ordinal) <= bound
    override def lastTime: Option[Long]            = Some(bound)
  }

  /** Dates, as the timestamps at which they begin; beyond all timestamps days have 24 hours. */
  final private class OfDates(ordinal: Int, micros: Long, zone: ZoneId)
      extends WithinDistance(ordinal) {
    private val distance = new TimeBound(DateType, micros, zone)
    private val days     = micros / DAYS.toMicros(1)
    private var first    = 0
    private var bound    = 0L

    override def begin(start: UnsafeRow): Unit = {
      first = start.getInt(ordinal)
      if (hasTime(first)) bound = distance.from(time(first))
    }

    override def contains(row: UnsafeRow): Boolean = {
      val day = row.getInt(ordinal)
      if (hasTime(first) && hasTime(day)) time(day) <= bound else day.toLong - first <= days
    }

    /** With a day to spare for the offset of the time zone. */
    private def hasTime(day: Int): Boolean =
      math.abs(day.toLong) < MICROSECONDS.toDays(Long.MaxValue)

    private def time(day: Int): Long = DateTimeUtils.daysToMicros(day, zone)
  }

  /** As Spark orders them: NaN is larger than all numbers, and equal to itself. */
  final private class OfFloats(ordinal: Int, keyType: DataType, most: Double)
      extends WithinDistance(ordinal) {
    private val isFloat = keyType == FloatType
    private var bound   = 0.0

    override def begin(start: UnsafeRow): Unit = bound = number(start) + most

    override def contains(row: UnsafeRow): Boolean = {
      val there = number(row)
      there <= bound || bound.isNaN
    }

    private def number(row: UnsafeRow): Double =
      if (isFloat) row.getFloat(ordinal).toDouble else row.getDouble(ordinal)
  }

  final private class OfDecimals(ordinal: Int, keyType: DataType, most: java.math.BigDecimal)
      extends WithinDistance(ordinal) {
    private val (precision, scale) = keyType match {
      case decimal: DecimalType => (decimal.precision, decimal.scale)
      case other                => throw new IllegalStateException(s"$other is no decimal")
    }
    private var bound = java.math.BigDecimal.ZERO

    override def begin(start: UnsafeRow): Unit     = bound = number(start).add(most)
    override def contains(row: UnsafeRow): Boolean = number(row).compareTo(bound) <= 0

    private def number(row: UnsafeRow): java.math.BigDecimal =
      row.getDecimal(ordinal, precision, scale).toJavaBigDecimal
  }
}

/** A whole number of any type, by the bytes that it has. */
private[evaluation] object WholeNumber {
  def at(row: UnsafeRow, ordinal: Int, size: Int): Long = size match {
    case 1 => row.getByte(ordinal).toLong
    case 2 => row.getShort(ordinal).toLong
    case 4 => row.getInt(ordinal).toLong
    case _ => row.getLong(ordinal)
  }
}
