package org.matchrecognize.spark.expressions

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * Numbers in the order in which Spark compares values of a type. Different decimals of more than 18
 * digits, and different strings, can have the same number.
 */
private[spark] object ValueKeys {

  def key(value: Any, dataType: DataType): Long = value match {
    case b: Boolean    => key(b)
    case n: Byte       => n.toLong
    case n: Short      => n.toLong
    case n: Int        => n.toLong
    case n: Long       => n
    case x: Float      => key(x.toDouble)
    case x: Double     => key(x)
    case d: Decimal    => key(d, dataType.asInstanceOf[DecimalType])
    case s: UTF8String => StringKeys.key(s, dataType.asInstanceOf[StringType])
    case other         => throw new IllegalStateException(s"no key for a ${other.getClass}")
  }

  def key(value: Boolean): Long = if (value) 1L else 0L

  def key(x: Double): Long = OrderedDoubles.key(x)

  private def key(d: Decimal, dataType: DecimalType): Long =
    if (isLong(dataType) && d.scale == dataType.scale) d.toUnscaledLong
    else {
      val unscaled = d.toJavaBigDecimal.setScale(dataType.scale).unscaledValue
      if (isLong(dataType)) unscaled.longValueExact else key(unscaled.doubleValue)
    }

  /** Whether different values have different keys. */
  def areExact(dataType: DataType): Boolean = dataType match {
    case decimal: DecimalType => isLong(decimal)
    case _: StringType        => false
    case _                    => true
  }

  private def isLong(decimal: DecimalType): Boolean =
    decimal.precision <= Decimal.MAX_LONG_DIGITS

  /** A value with a key, or one near it in order, if its type has no value with that key. */
  def value(key: Long, dataType: DataType): Any = dataType match {
    case ByteType                                => key.toByte
    case ShortType                               => key.toShort
    case IntegerType | DateType                  => key.toInt
    case _: YearMonthIntervalType                => key.toInt
    case FloatType                               => OrderedDoubles.value(key).toFloat
    case DoubleType                              => OrderedDoubles.value(key)
    case decimal: DecimalType if isLong(decimal) =>
      Decimal(key, decimal.precision, decimal.scale)
    case decimal: DecimalType =>
      val unscaled = new java.math.BigDecimal(OrderedDoubles.value(key)).toBigInteger
      Decimal(
        BigDecimal(new java.math.BigDecimal(unscaled, decimal.scale)),
        decimal.precision,
        decimal.scale)
    case _ => key
  }

  /**
   * Ranges around a key in which a function may be monotone and have a value at both ends, wider
   * ones first.
   */
  def ranges(dataType: DataType, near: Long): IndexedSeq[(Long, Long)] =
    rangesOf(dataType, near).filter { case (from, to) => from <= near && near <= to }

  private def rangesOf(dataType: DataType, near: Long): IndexedSeq[(Long, Long)] =
    dataType match {
      case FloatType | DoubleType => ofDoubles(maxDouble(dataType), near)
      case decimal: DecimalType   =>
        val digits = math.min(decimal.precision, 300)
        if (isLong(decimal)) ofWhole(math.pow(10, digits.toDouble).toLong - 1, near)
        else ofDoubles(math.pow(10, digits.toDouble) * (1 - 1e-9), near)
      case ByteType  => ofWhole(Byte.MaxValue.toLong, near)
      case ShortType => ofWhole(Short.MaxValue.toLong, near)
      case IntegerType | DateType | _: YearMonthIntervalType => ofWhole(Int.MaxValue.toLong, near)
      case _                                                 => ofWhole(Long.MaxValue, near)
    }

  private def maxDouble(dataType: DataType): Double =
    if (dataType == FloatType) Float.MaxValue.toDouble else Double.MaxValue

  private def ofWhole(most: Long, near: Long): IndexedSeq[(Long, Long)] = {
    val around   = Seq(most, most / 2, most >> 16).map(m => (-m, m))
    val distance = math.abs(near) / 2
    val oneSided =
      if (near > 0)
        Seq((1L, most), (1L, most / 2), (near - distance, near + math.min(distance, most - near)))
      else if (near < 0)
        Seq(
          (-most, -1L),
          (-most / 2, -1L),
          (near - math.min(distance, near + most), near + distance))
      else Nil
    (around ++ oneSided).toIndexedSeq
  }

  private def ofDoubles(most: Double, near: Long): IndexedSeq[(Long, Long)] = {
    val value                         = OrderedDoubles.value(near)
    val sign                          = math.signum(value)
    def between(a: Double, b: Double) =
      if (a < b) (key(a), key(b)) else (key(b), key(a))
    val around   = Seq(most, 1e100, 1e18).filter(_ <= most).map(m => between(-m, m))
    val oneSided =
      if (sign == 0 || sign.isNaN) Nil
      else
        Seq(1e-100 -> most, 1e-9 -> 1e18)
          .filter(_._2 <= most)
          .map { case (a, b) => between(sign * a, sign * b) } :+ between(value / 2, value * 2)
    (around ++ oneSided).toIndexedSeq
  }
}

/** Doubles as whole numbers, in the order in which Spark compares them. */
private[spark] object OrderedDoubles {

  /** -0.0 is equal to 0.0; NaN is equal to itself and larger than all numbers. */
  def key(x: Double): Long = ofBits(java.lang.Double.doubleToLongBits(if (x == 0.0) 0.0 else x))

  /** The number with a key; each whole number between two keys is one. */
  def value(key: Long): Double = java.lang.Double.longBitsToDouble(ofBits(key))

  /** Its own inverse. */
  private def ofBits(bits: Long): Long = if (bits < 0) bits ^ Long.MaxValue else bits
}
