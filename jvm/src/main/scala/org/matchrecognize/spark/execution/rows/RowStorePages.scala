package org.matchrecognize.spark.execution.rows

import org.apache.spark.memory.SparkOutOfMemoryError
import org.apache.spark.unsafe.memory.MemoryBlock

/**
 * Pages of a store. One page that is given back is kept: a window that moves over a partition, or
 * one small partition after another, then requests no memory from Spark.
 *
 * @param largest
 *   bytes; a larger page was made for a single huge row and is not kept
 * @param allocate
 *   a page of at least so many bytes from Spark, or its SparkOutOfMemoryError
 * @param free
 *   back to Spark
 */
final private[execution] class RowStorePages(
    largest: Long,
    allocate: Long => MemoryBlock,
    free: MemoryBlock => Unit) {

  /** The page at hand, without rows; null if there is none. */
  private var spare: MemoryBlock = _

  /**
   * A page with room for `needed` bytes.
   *
   * @param wanted
   *   how large a new one should be, if memory allows
   */
  def acquire(needed: Long, wanted: => Long): MemoryBlock =
    if (spare != null && spare.size >= needed) {
      val page = spare
      spare = null
      page
    } else {
      freeSpare()
      val size = math.max(needed, math.min(largest, wanted))
      try allocate(size)
      catch {
        // All rows are on disk by now; what is left may do for a small page.
        case _: SparkOutOfMemoryError if size > needed => allocate(needed)
      }
    }

  /** The page holds no rows any more. The larger one of it and the spare stays. */
  def giveBack(page: MemoryBlock): Unit =
    if (page.size <= largest && (spare == null || page.size > spare.size)) {
      freeSpare()
      spare = page
    } else free(page)

  def freeSpare(): Unit = if (spare != null) {
    val page = spare
    spare = null
    free(page)
  }
}
