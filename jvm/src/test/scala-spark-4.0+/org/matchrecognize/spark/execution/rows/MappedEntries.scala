package org.matchrecognize.spark.execution.rows

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** Entries in memory, which counts how often they are read and written. */
final private[spark] class MappedEntries extends RowEntries {
  private val rows = mutable.LongMap.empty[UnsafeRow]
  var reads        = 0L
  var writes       = 0L

  def size: Int = rows.size

  override def get(number: Long): UnsafeRow = {
    reads += 1
    rows.getOrNull(number)
  }

  override def put(number: Long, row: UnsafeRow): Unit = {
    writes += 1
    rows(number) = row.copy()
  }

  override def remove(number: Long): Unit = rows -= number
}
