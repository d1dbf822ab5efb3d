package org.matchrecognize.spark.execution.partitions

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

/** Tells where partitions begin, of rows that come one partition after the other, each in order. */
final private[execution] class SortedRows(
    rows: Iterator[UnsafeRow],
    partition: Seq[Attribute],
    input: Seq[Attribute])
    extends PartitionedRows {
  private val keys = new PartitionKeys(partition, input)

  var row: UnsafeRow           = _
  var beginsPartition: Boolean = false

  override def next(): Boolean = rows.hasNext && {
    val isFirst = row == null
    row = rows.next()
    beginsPartition = isFirst || !keys.isSame(row)
    if (beginsPartition) keys.set(row)
    true
  }
}
