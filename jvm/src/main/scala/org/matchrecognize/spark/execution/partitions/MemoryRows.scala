package org.matchrecognize.spark.execution.partitions

import org.apache.spark.memory.TaskMemoryManager
import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * The rows of partitions in memory. A partition whose rows did not come in order is sorted when it
 * is reached, by addresses.
 *
 * @param partitions
 *   one record, which each step points at the next partition
 * @param sorting
 *   has room for the largest partition that is not in order
 */
final private[partitions] class MemoryRows(
    memory: TaskMemoryManager,
    partitions: Iterator[PartitionRecord],
    order: RowOrder,
    sorting: AddressSort,
    chunks: RowChunks,
    fields: Int)
    extends PartitionedRows {
  private val cursor = new PartitionCursor(memory)

  /** Rows of the partition that were not read yet. */
  private var left     = 0L
  private var isSorted = false

  override val row             = new UnsafeRow(fields)
  var beginsPartition: Boolean = false

  /** The address of the row at hand. */
  def address: Long = if (isSorted) sorting((sorting.size - 1 - left).toInt) else cursor.address

  override def next(): Boolean = {
    beginsPartition = left == 0L
    if (left == 0L && !nextPartition()) false
    else {
      left -= 1
      if (isSorted) chunks.point(address, row)
      else {
        cursor.advance()
        cursor.point(row)
      }
      true
    }
  }

  private def nextPartition(): Boolean = partitions.hasNext && {
    val partition = partitions.next()
    left = partition.rows
    isSorted = partition.isOutOfOrder
    cursor.begin(partition)
    if (isSorted) sort()
    true
  }

  private def sort(): Unit = {
    sorting.begin()
    var i = 0L
    while (i < left) {
      cursor.advance()
      cursor.point(row)
      sorting.add(cursor.address, order.prefix(row))
      i += 1
    }
    sorting.sort()
  }
}
