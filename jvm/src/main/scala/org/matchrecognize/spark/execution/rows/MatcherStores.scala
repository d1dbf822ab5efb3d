package org.matchrecognize.spark.execution.rows

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.TaskContext

import org.matchrecognize.spark.pattern.matching.SmallNumbers

/**
 * The stores that one matcher opens in a task: of rows, and of numbers that it keeps a row. What
 * Spark's UI says of memory and disk is of all of them.
 *
 * @param rowsInMemory
 *   how many rows of a partition are held in memory
 */
final private[execution] class MatcherStores(
    task: TaskContext,
    rowsInMemory: Int,
    places: StorePlaces) {
  private val opened      = ArrayBuffer.empty[RowStore]
  private lazy val memory = new TaskMemory(task)

  /** Takes so many bytes of memory until the task ends; false if there are not so many. */
  def takeMemory(bytes: Long): Boolean = memory.take(bytes)

  /** Rows of so many columns. */
  def rows(columns: Int): PartitionRows = places.rows(open(columns, rowsInMemory))

  /** A number for each row of a partition. */
  def numbers(): SmallNumbers = new SmallNumbers(new StoredChunks(openChunks()))

  /** A number for each row of the match under way. */
  def labels(): SmallNumbers = new SmallNumbers(new StoredChunks(places.labels(openChunks())))

  /** A row of the store is a chunk of numbers. */
  private def openChunks(): RowStore =
    open(1, math.max(1, rowsInMemory >> SmallNumbers.chunkBits))

  private def open(columns: Int, rows: Int): RowStore = {
    val store = RowStore.of(task, columns, rows)
    opened += store
    store
  }

  /** Bytes of memory that were given back by writing to disk. */
  def spilledBytes: Long = opened.map(_.spilledBytes).sum

  /** The most bytes that each held, together: all hold most at the end of a partition. */
  def peakMemory: Long = opened.map(_.peakMemory).sum
}
