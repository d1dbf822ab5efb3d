package org.matchrecognize.spark.execution.partitions

import org.apache.spark.memory.TaskMemoryManager
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** Walks the rows of one partition in memory, in the order of arrival. */
final private[partitions] class PartitionCursor(memory: TaskMemoryManager) {
  import RowChunks._

  private var partition: PartitionRecord = _
  private var chunk                      = 0L
  private var base: AnyRef               = _
  private var chunkOffset                = 0L
  private var offset                     = 0L
  private var end                        = 0L
  private var size                       = 0L

  /** The first call of [[advance]] goes to the first row. */
  def begin(of: PartitionRecord): Unit = {
    partition = of
    enter(of.firstChunk)
  }

  private def enter(address: Long): Unit = {
    chunk = address
    base = memory.getPage(address)
    chunkOffset = memory.getOffsetInPage(address)
    offset = chunkOffset + headerBytes
    size = 0L
    end =
      if (address == partition.chunk) partition.position
      else Platform.getLong(base, chunkOffset + endOffset)
  }

  /** Goes on to the next row. There must be one. */
  def advance(): Unit = {
    offset += size
    if (offset == end) enter(Platform.getLong(base, chunkOffset))
    size = sizeBytes + Platform.getLong(base, offset)
  }

  def address: Long = chunk + (offset - chunkOffset)

  def point(row: UnsafeRow): Unit =
    row.pointTo(base, offset + sizeBytes, (size - sizeBytes).toInt)
}
