package org.matchrecognize.spark.execution.partitions

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** Rows of one partition after the other, each in order. Generated code calls it, too. */
trait PartitionedRows {

  /** Goes on to the next row; false if there is none. */
  def next(): Boolean

  /** The row at hand. It is valid until the next call of [[next]]. */
  def row: UnsafeRow

  /** Whether the row at hand is the first one of its partition. */
  def beginsPartition: Boolean
}
