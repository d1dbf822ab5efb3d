package org.matchrecognize.spark.execution.rows

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** Rows by number, in a place that outlasts the task. */
private[spark] trait RowEntries {

  /** A row that is not changed later; null if there is none of that number. */
  def get(number: Long): UnsafeRow

  /** The row is not kept, but what it holds. */
  def put(number: Long, row: UnsafeRow): Unit
  def remove(number: Long): Unit
}
