package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.expressions.{BinaryExpression, Expression, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{DataType, DoubleType, LongType}

/**
 * A whole number, a date as days, or an interval as microseconds. It fails beyond a range: of two
 * numbers within it, the difference is exact.
 */
case class ExactLong(child: Expression, lowest: Long, highest: Long)
    extends UnaryExpression
    with CodegenFallback {
  override def dataType: DataType = LongType

  override protected def nullSafeEval(value: Any): Any = {
    val number = value.asInstanceOf[Number].longValue
    if (number < lowest || number > highest)
      throw new ArithmeticException(s"a difference to $number")
    number
  }

  override protected def withNewChildInternal(newChild: Expression): ExactLong =
    copy(child = newChild)
}

object ExactLong {

  /**
   * Whole numbers whose differences have some bits, 32 or fewer. The range is as wide as can be, and
   * has more positive numbers than negative ones: times in seconds, and numbers around 0.
   */
  def of(child: Expression, bits: Int): ExactLong = {
    val below = 1L << (bits - 5)
    ExactLong(child, -below, (1L << (bits - 1)) - 1 - below)
  }

  /** Whole numbers of which three can be added or subtracted as `Long`. */
  def ofLong(child: Expression): ExactLong = ExactLong(child, -(1L << 61), 1L << 61)
}

/**
 * The smallest double whose difference to `left`, as doubles are subtracted, is more than `right`.
 * Differences grow with what is subtracted from, but not strictly: that `x - a > b` is not that
 * `x > a + b`. It fails where they do not grow, or none is more.
 *
 * @param orEqual
 *   whether the difference may also be equal
 */
case class SmallestMinuend(left: Expression, right: Expression, orEqual: Boolean)
    extends BinaryExpression
    with CodegenFallback {
  override def dataType: DataType = DoubleType

  override protected def nullSafeEval(left: Any, right: Any): Any =
    SmallestMinuend.find(left.asInstanceOf[Double], right.asInstanceOf[Double], orEqual)

  override protected def withNewChildrenInternal(
      newLeft: Expression,
      newRight: Expression): SmallestMinuend = copy(left = newLeft, right = newRight)
}

object SmallestMinuend {

  private[spark] def find(subtrahend: Double, bound: Double, orEqual: Boolean): Double = {
    if (subtrahend.isNaN || subtrahend.isInfinite || bound.isNaN) {
      throw new ArithmeticException(s"differences to $subtrahend, and $bound")
    }
    def isBeyond(key: Long): Boolean = {
      val difference = OrderedDoubles.value(key) - subtrahend
      difference > bound || difference.isNaN || orEqual && difference == bound
    }
    // That of low is not, unless it is the smallest; that of high is.
    var low  = OrderedDoubles.key(Double.NegativeInfinity)
    var high = OrderedDoubles.key(Double.NaN)
    if (isBeyond(low)) high = low
    while (high - low != 1L && high != low) {
      val middle = (low & high) + ((low ^ high) >> 1)
      if (isBeyond(middle)) high = middle else low = middle
    }
    OrderedDoubles.value(high)
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
