package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.Platform

import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/** Values of some types in a matcher's state: as an UnsafeRow, the same in every JVM. */
final private[spark] class StoredValues(types: Seq[DataType]) {
  private val project = UnsafeProjection.create(types.toArray)

  def write(values: InternalRow, out: StateOutput): Unit =
    StoredValues.writeRow(project(values), out)

  def read(in: StateInput): Array[Any] = values(StoredValues.readRow(types.size, in))

  /** The values of a row that stays as it is. */
  def values(row: UnsafeRow): Array[Any] =
    types.indices.map(i => if (row.isNullAt(i)) null else row.get(i, types(i))).toArray[Any]
}

private[spark] object StoredValues {

  def writeRow(row: UnsafeRow, out: StateOutput): Unit = {
    val bytes = row.getSizeInBytes
    val at    = out.beginBlock(bytes)
    Platform.copyMemory(
      row.getBaseObject,
      row.getBaseOffset,
      out.buffer,
      Platform.BYTE_ARRAY_OFFSET.toLong + at,
      bytes.toLong)
  }

  /** A row that is a copy: what is taken out of it stays. */
  def readRow(fields: Int, in: StateInput): UnsafeRow = {
    val bytes = in.readBlock()
    val row   = new UnsafeRow(fields)
    row.pointTo(bytes, bytes.length)
    row
  }
}
