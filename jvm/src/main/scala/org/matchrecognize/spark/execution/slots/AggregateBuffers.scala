package org.matchrecognize.spark.execution.slots

import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types._

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

/**
 * The buffer of an aggregate whose fields are all numbers or booleans: one array, so that it is
 * cheap to copy and to change. Two are equal if all bits are.
 *
 * @param bits
 *   the values, null ones as 0; and in the last element which of them are not null
 */
final private[execution] class NumberBuffer(bits: Array[Long])
    extends GenericInternalRow(NumberBuffer.noValues) {
  private val nulls = bits.length - 1

  def cloned: NumberBuffer = new NumberBuffer(bits.clone())

  /** Takes the values of another. */
  def set(that: NumberBuffer): Unit = that.copyTo(bits)

  private def copyTo(target: Array[Long]): Unit =
    System.arraycopy(bits, 0, target, 0, bits.length)

  private def put(i: Int, value: Long): Unit = {
    bits(i) = value
    bits(nulls) |= 1L << i
  }

  override def numFields: Int            = nulls
  override def isNullAt(i: Int): Boolean = (bits(nulls) & 1L << i) == 0
  override def setNullAt(i: Int): Unit   = {
    bits(i) = 0L
    bits(nulls) &= ~(1L << i)
  }

  override def getBoolean(i: Int): Boolean = bits(i) != 0L
  override def getByte(i: Int): Byte       = bits(i).toByte
  override def getShort(i: Int): Short     = bits(i).toShort
  override def getInt(i: Int): Int         = bits(i).toInt
  override def getLong(i: Int): Long       = bits(i)
  override def getFloat(i: Int): Float     = java.lang.Float.intBitsToFloat(bits(i).toInt)
  override def getDouble(i: Int): Double   = java.lang.Double.longBitsToDouble(bits(i))

  override def setBoolean(i: Int, value: Boolean): Unit = put(i, if (value) 1L else 0L)
  override def setByte(i: Int, value: Byte): Unit       = put(i, value.toLong)
  override def setShort(i: Int, value: Short): Unit     = put(i, value.toLong)
  override def setInt(i: Int, value: Int): Unit         = put(i, value.toLong)
  override def setLong(i: Int, value: Long): Unit       = put(i, value)
  override def setFloat(i: Int, value: Float): Unit     =
    put(i, java.lang.Float.floatToRawIntBits(value).toLong)
  override def setDouble(i: Int, value: Double): Unit =
    put(i, java.lang.Double.doubleToRawLongBits(value))

  override def update(i: Int, value: Any): Unit = value match {
    case null       => setNullAt(i)
    case b: Boolean => setBoolean(i, b)
    case n: Byte    => setByte(i, n)
    case n: Short   => setShort(i, n)
    case n: Int     => setInt(i, n)
    case n: Long    => setLong(i, n)
    case n: Float   => setFloat(i, n)
    case n: Double  => setDouble(i, n)
    case other      => throw new IllegalArgumentException(s"no number: $other")
  }

  // Only a caller that knows the type of a field can interpret its bits.
  override def genericGet(i: Int): Any                 = throw new UnsupportedOperationException
  override def get(i: Int, dataType: DataType): AnyRef =
    (if (isNullAt(i)) null else InternalRow.getAccessor(dataType, nullable = false)(this, i))
      .asInstanceOf[AnyRef]

  override def copy(): GenericInternalRow = cloned
  override def toString: String           = bits.mkString("[", ",", "]")
  override def hashCode: Int              = java.util.Arrays.hashCode(bits)

  override def equals(other: Any): Boolean = other match {
    case that: NumberBuffer => that.hasBits(bits)
    case _                  => false
  }

  private def hasBits(those: Array[Long]): Boolean = java.util.Arrays.equals(bits, those)
}

private[execution] object NumberBuffer {
  private val noValues = new Array[Any](0)

  /** Whether fields of these types fit. */
  def holds(types: Seq[DataType]): Boolean = types.size < 64 && types.forall {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | FloatType | DoubleType =>
      true
    case DateType | TimestampType | TimestampNTZType       => true
    case _: DayTimeIntervalType | _: YearMonthIntervalType => true
    case _                                                 => false
  }

  def of(values: Array[Any]): NumberBuffer = {
    val buffer = new NumberBuffer(new Array[Long](values.length + 1))
    values.indices.foreach(i => buffer.update(i, values(i)))
    buffer
  }
}
