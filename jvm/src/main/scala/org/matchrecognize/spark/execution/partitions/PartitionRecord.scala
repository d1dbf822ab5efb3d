package org.matchrecognize.spark.execution.partitions

import org.apache.spark.unsafe.Platform

/** What a [[PartitionTable]] knows of a partition: a view of its value in the table's map. */
final private[partitions] class PartitionRecord {
  private var base: AnyRef = _
  private var offset       = 0L

  def point(toBase: AnyRef, toOffset: Long): Unit = {
    base = toBase
    offset = toOffset
  }

  private def get(field: Long): Long              = Platform.getLong(base, offset + field)
  private def set(field: Long, value: Long): Unit = Platform.putLong(base, offset + field, value)

  /** The addresses of the chunk with the first rows, and of the one that takes rows. */
  def firstChunk: Long                = get(0)
  def firstChunk_=(value: Long): Unit = set(0, value)
  def chunk: Long                     = get(8)
  def chunk_=(value: Long): Unit      = set(8, value)

  /** Offsets in the page of `chunk`: where the next row goes, and where the chunk ends. */
  def position: Long                = get(16)
  def position_=(value: Long): Unit = set(16, value)
  def limit: Long                   = get(24)
  def limit_=(value: Long): Unit    = set(24, value)

  /** How many rows there are. */
  def rows: Long                = get(32)
  def rows_=(value: Long): Unit = set(32, value)

  /** The prefix ([[RowOrder.prefix]]) and the address of the last row. */
  def lastPrefix: Long                = get(40)
  def lastPrefix_=(value: Long): Unit = set(40, value)
  def lastRow: Long                   = get(48)
  def lastRow_=(value: Long): Unit    = set(48, value)

  /** Whether a row came after one that it must precede. */
  def isOutOfOrder: Boolean = get(56) != 0L
  def setOutOfOrder(): Unit = set(56, 1L)
}

private[partitions] object PartitionRecord {

  /** A new one: no rows, no chunk. */
  val empty: Array[Byte] = new Array[Byte](64)
}
