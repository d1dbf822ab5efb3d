package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  RowOrdering,
  SortOrder,
  UnsafeRow
}
import org.apache.spark.unsafe.array.ByteArrayMethods

/** Tells partitions apart, as GROUP BY does. */
final private[spark] class PartitionKeys(partition: Seq[Attribute], input: Seq[Attribute]) {
  private val ordinals: Array[Int] =
    partition.map(key => input.indexWhere(_.exprId == key.exprId)).toArray
  private val isFixed: Array[Boolean] =
    partition.map(key => UnsafeRow.isFixedLength(key.dataType)).toArray

  private val ordering =
    RowOrdering.create(partition.map(SortOrder(_, Ascending)), input)

  /** The first row of the current partition, or null before it. */
  private var current: UnsafeRow = _

  /**
   * By key, whether it is NULL in that row; and its word: a value of fixed length, or where a value
   * of any length lies, with its length in the lower half.
   */
  private val areNull = new Array[Boolean](ordinals.length)
  private val words   = new Array[Long](ordinals.length)

  /** Whether a row belongs to the current partition; the first row of all begins it. */
  def isSame(row: UnsafeRow): Boolean = {
    if (current == null) set(row)
    // Equal bytes are equal keys; different bytes can be, too: -0.0 and 0.0, collations.
    hasEqualBytes(row) || ordering.compare(row, current) == 0
  }

  /** Whether a row begins another partition, which is then the current one. */
  def begins(row: UnsafeRow): Boolean = {
    val begins = current == null || !isSame(row)
    if (begins) set(row)
    begins
  }

  private def hasEqualBytes(row: UnsafeRow): Boolean = {
    var i = 0
    while (i < ordinals.length && hasEqualBytes(row, i)) i += 1
    i == ordinals.length
  }

  private def hasEqualBytes(row: UnsafeRow, i: Int): Boolean = {
    val ordinal = ordinals(i)
    if (areNull(i) || row.isNullAt(ordinal)) areNull(i) && row.isNullAt(ordinal)
    else if (isFixed(i)) row.getLong(ordinal) == words(i)
    else {
      val here  = row.getLong(ordinal)
      val there = words(i)
      here.toInt == there.toInt && ByteArrayMethods.arrayEquals(
        row.getBaseObject,
        row.getBaseOffset + (here >>> 32),
        current.getBaseObject,
        current.getBaseOffset + (there >>> 32),
        here.toInt.toLong)
    }
  }

  /** A row begins the current partition. */
  def set(row: UnsafeRow): Unit = {
    current = row.copy()
    var i = 0
    while (i < ordinals.length) {
      areNull(i) = current.isNullAt(ordinals(i))
      words(i) = current.getLong(ordinals(i))
      i += 1
    }
  }

  def forget(): Unit = current = null
}
