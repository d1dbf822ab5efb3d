package org.matchrecognize.spark.execution.slots

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.util.GenericArrayData

/**
 * The buffer of an aggregate of any types. Two are equal if nothing can tell their values apart:
 * 0.0 and -0.0 are not, as they differ as text.
 */
private[execution] class ValueBuffer(values: Array[Any]) extends GenericInternalRow(values) {

  override def equals(other: Any): Boolean = other match {
    case that: ValueBuffer => ValueBuffer.same(values, that.values)
    case _                 => false
  }

  // Values that are the same have one hash.
  override def hashCode: Int = super.hashCode
}

private object ValueBuffer {

  private def same(a: Array[Any], b: Array[Any]): Boolean = {
    var i = 0
    while (i < a.length && i < b.length && same(a(i), b(i))) i += 1
    i == a.length && i == b.length
  }

  /** Values in different forms may count as different: threads that do not merge are exact. */
  private def same(a: Any, b: Any): Boolean = (a, b) match {
    case (x: Double, y: Double) =>
      java.lang.Double.doubleToRawLongBits(x) == java.lang.Double.doubleToRawLongBits(y)
    case (x: Float, y: Float) =>
      java.lang.Float.floatToRawIntBits(x) == java.lang.Float.floatToRawIntBits(y)
    case (x: Array[Byte], y: Array[Byte])               => Arrays.equals(x, y)
    case (x: GenericInternalRow, y: GenericInternalRow) => same(x.values, y.values)
    case (x: GenericArrayData, y: GenericArrayData)     => same(x.array, y.array)
    case _                                              => a == b
  }
}
