package org.matchrecognize.spark.execution.ranges

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** Rows in one array of bytes, each after its length: so they are sent as one object. */
final private[execution] class PackedRows extends Serializable {
  import PackedRows._

  private var bytes  = new Array[Byte](1 << 10)
  private var end    = 0
  private var fields = 0
  private var count  = 0

  def size: Int        = count
  def sizeInBytes: Int = end

  def add(row: UnsafeRow): Unit = {
    val length = row.getSizeInBytes
    val needed = end + lengthBytes + length
    if (needed > bytes.length)
      bytes = java.util.Arrays.copyOf(bytes, math.max(needed, bytes.length / 2 * 3))
    val at = Platform.BYTE_ARRAY_OFFSET + end.toLong
    Platform.putLong(bytes, at, length.toLong)
    Platform.copyMemory(
      row.getBaseObject,
      row.getBaseOffset,
      bytes,
      at + lengthBytes,
      length.toLong)
    fields = row.numFields
    end = needed
    count += 1
  }

  /** Frees the bytes that are not used. No row may be added any more. */
  def trimmed: PackedRows = {
    bytes = java.util.Arrays.copyOf(bytes, end)
    this
  }

  /** The rows; each is valid until the next one. */
  def iterator: Iterator[UnsafeRow] = {
    val row  = new UnsafeRow(fields)
    var next = 0
    Iterator.fill(count) {
      val at     = Platform.BYTE_ARRAY_OFFSET + next.toLong
      val length = Platform.getLong(bytes, at).toInt
      row.pointTo(bytes, at + lengthBytes, length)
      next += lengthBytes + length
      row
    }
  }
}

private object PackedRows {

  /** Rows stay aligned. */
  private val lengthBytes = 8
}
