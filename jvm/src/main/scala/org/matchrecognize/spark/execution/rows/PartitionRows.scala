package org.matchrecognize.spark.execution.rows

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * The rows of one partition (in the sense of PARTITION BY) by index: appended at the end, read
 * anywhere, given back at the front.
 *
 * '''What stays readable.''' `get(index, into)` copies nothing. `into`, and all that was taken out
 * of it (strings, nested rows, arrays), stays readable until the next `get` with the same `into`,
 * or the next `append`, `trimBefore`, `clear` or `close`, whichever comes first.
 */
private[spark] trait PartitionRows {

  /** Index after the last row appended; trimmed rows count. */
  def size: Long

  /** Index of the oldest row that can be read; equals `size` when there is none. */
  def firstIndex: Long

  /** A row to be passed to `get`. */
  def newRow(): UnsafeRow

  /** Copies the row; its index is `size` before the call. */
  def append(row: UnsafeRow): Unit

  /** Points `into` at the row; see the trait for how long. */
  def get(index: Long, into: UnsafeRow): Unit

  /** Another number once rows that `get` has pointed at may not be readable any more. */
  def moment: Long

  /** Rows below `index` are not wanted any more. */
  def trimBefore(index: Long): Unit

  /**
   * All rows go, for another partition.
   *
   * @param first
   *   the index of the row that is appended next: not 0 where a partition continues
   */
  def clear(first: Long = 0L): Unit

  /** Gives everything back; no row can be appended any more. */
  def close(): Unit

  /**
   * Keeps rows beyond the task, where the implementation has a place for them: [[resume]] finds
   * them there.
   *
   * @return
   *   the index of the first row that is not saved: a state must hold the rows from there on
   */
  def save(): Long

  /**
   * Continues a partition instead of the current one.
   *
   * @param first
   *   index of the oldest row that can be read
   * @param end
   *   the index of the row that is appended next; the rows before it are saved ([[save]])
   */
  def resume(first: Long, end: Long): Unit
}
