package org.matchrecognize.spark.execution.partitions

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

  /** Whether a row belongs to the current partition; the first row of all begins it. */
  def isSame(row: UnsafeRow): Boolean = {
    if (current == null) set(row)
    // Equal bytes are equal keys; different bytes can be, too: -0.0 and 0.0, collations.
    hasEqualBytes(row) || ordering.compare(row, current) == 0
  }

  private def hasEqualBytes(row: UnsafeRow): Boolean = {
    var i = 0
    while (i < ordinals.length && hasEqualBytes(row, ordinals(i), isFixed(i))) i += 1
    i == ordinals.length
  }

  private def hasEqualBytes(row: UnsafeRow, i: Int, isFixed: Boolean): Boolean =
    if (row.isNullAt(i) || current.isNullAt(i)) row.isNullAt(i) && current.isNullAt(i)
    else if (isFixed) row.getLong(i) == current.getLong(i)
    else {
      // Where a value of any length lies, and in the lower half its length.
      val (here, there) = (row.getLong(i), current.getLong(i))
      here.toInt == there.toInt && ByteArrayMethods.arrayEquals(
        row.getBaseObject,
        row.getBaseOffset + (here >>> 32),
        current.getBaseObject,
        current.getBaseOffset + (there >>> 32),
        here.toInt.toLong)
    }

  /** A row begins the current partition. */
  def set(row: UnsafeRow): Unit = current = row.copy()

  def forget(): Unit = current = null
}
