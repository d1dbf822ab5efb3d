package org.matchrecognize.spark.execution.rows

/** Rows by number, as bytes, in a place that outlasts the task. */
private[spark] trait RowEntries {

  /** The bytes of a row; null if there is none of that number. They are not changed. */
  def get(number: Long): Array[Byte]
  def put(number: Long, row: Array[Byte]): Unit
  def remove(number: Long): Unit
}
