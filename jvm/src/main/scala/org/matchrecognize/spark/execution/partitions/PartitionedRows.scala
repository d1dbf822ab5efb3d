package org.matchrecognize.spark.execution.partitions

import java.util.{Comparator, PriorityQueue}

import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  RowOrdering,
  SortOrder,
  UnsafeRow
}

/** Rows of one partition after the other, each in order. Generated code calls it, too. */
trait PartitionedRows {

  /** Goes on to the next row; false if there is none. */
  def next(): Boolean

  /** The row at hand. It is valid until the next call of [[next]]. */
  def row: UnsafeRow

  /** Whether the row at hand is the first one of its partition. */
  def beginsPartition: Boolean
}

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
    row = rows.next()
    beginsPartition = keys.begins(row)
    true
  }
}

/**
 * Merges rows that are each sorted by partition and order. Equal rows come in the order of the
 * sources.
 */
final private[partitions] class MergedRows(
    sources: Seq[PartitionedRows],
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    input: Seq[Attribute])
    extends PartitionedRows {

  final private class Source(val rows: PartitionedRows, val index: Int)

  private val ordering =
    RowOrdering.create(partition.map(SortOrder(_, Ascending)) ++ order, input)
  private val keys = new PartitionKeys(partition, input)

  /** The sources that have a row, except the one whose row is at hand. */
  private val heads = new PriorityQueue[Source](
    math.max(1, sources.size),
    new Comparator[Source] {
      override def compare(a: Source, b: Source): Int = {
        val byRow = ordering.compare(a.rows.row, b.rows.row)
        if (byRow != 0) byRow else Integer.compare(a.index, b.index)
      }
    }
  )

  private var at: Source = _

  var beginsPartition: Boolean = false
  override def row: UnsafeRow  = at.rows.row

  for ((rows, index) <- sources.zipWithIndex if rows.next()) heads.add(new Source(rows, index))

  override def next(): Boolean = {
    if (at != null && at.rows.next()) heads.add(at)
    at = heads.poll()
    if (at != null) beginsPartition = keys.begins(row)
    at != null
  }
}
