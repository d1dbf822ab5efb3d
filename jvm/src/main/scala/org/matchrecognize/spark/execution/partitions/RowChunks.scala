package org.matchrecognize.spark.execution.partitions

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.memory.TaskMemoryManager
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.matchrecognize.RowStoreDisk
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.memory.MemoryBlock

/**
 * Allocates chunks from pages of Spark's memory. A chunk begins with the address of the chunk after
 * it and the offset at which its rows end; a row is its size, 8 bytes, and its bytes.
 *
 * Addresses are Spark's encoded ones: the number of a page, and an offset in it.
 *
 * @param allocate
 *   a page of so many bytes, or Spark's SparkOutOfMemoryError
 * @param largest
 *   bytes that pages grow to
 */
final private[partitions] class RowChunks(
    memory: TaskMemoryManager,
    allocate: Long => MemoryBlock,
    free: MemoryBlock => Unit,
    largest: Long) {
  import RowChunks._

  private val pages          = ArrayBuffer.empty[MemoryBlock]
  private var page           = null.asInstanceOf[MemoryBlock]
  private var used           = 0L
  private var nextPage       = math.min(firstPageBytes, largest)
  private var takenChunkSize = 0L

  /** The bytes of the chunk that was taken last. */
  def chunkSize: Long = takenChunkSize

  /**
   * The address of a new chunk.
   *
   * @param needed
   *   bytes that it must have
   * @param wanted
   *   bytes that it has if the page has them
   */
  def take(needed: Long, wanted: Long): Long = {
    if (page != null && page.size - used >= needed) cut(needed, wanted)
    else if (needed > largest / 4) {
      // A page for a large row alone, beside the one that others are cut from.
      takenChunkSize = needed
      val alone = addPage(needed)
      memory.encodePageNumberAndOffset(alone, alone.getBaseOffset)
    } else {
      page = addPage(math.max(nextPage, needed))
      used = 0L
      nextPage = math.min(largest, nextPage * 2)
      cut(needed, wanted)
    }
  }

  private def addPage(bytes: Long): MemoryBlock = {
    if (pages.size >= mostPages) throw RowStoreDisk.outOfMemory(bytes)
    val added = allocate(bytes)
    pages += added
    added
  }

  private def cut(needed: Long, wanted: Long): Long = {
    takenChunkSize = math.min(math.max(needed, wanted), page.size - used)
    val address = memory.encodePageNumberAndOffset(page, page.getBaseOffset + used)
    used += takenChunkSize
    address
  }

  /** Frees all pages except the one that holds the row at an address. */
  def freeAllBut(address: Long): Unit = {
    val kept          = TaskMemoryManager.decodePageNumber(address)
    val (stays, goes) = pages.partition(_.pageNumber == kept)
    goes.foreach(free)
    forget()
    pages ++= stays
  }

  def freeAll(): Unit = {
    pages.foreach(free)
    forget()
  }

  private def forget(): Unit = {
    pages.clear()
    page = null
    nextPage = math.min(firstPageBytes, largest)
  }

  /** Points `row` at the row of an address. */
  def point(address: Long, row: UnsafeRow): Unit = {
    val base   = memory.getPage(address)
    val offset = memory.getOffsetInPage(address)
    row.pointTo(base, offset + sizeBytes, Platform.getLong(base, offset).toInt)
  }
}

private[partitions] object RowChunks {
  private val firstPageBytes = 64L * 1024

  /** Of the 8192 pages that Spark lets the consumers of a task have together. */
  private val mostPages = 3000

  /** Before the rows of a chunk. */
  val headerBytes = 16L

  /** In the header: where the rows end. */
  val endOffset = 8L

  /** Before the bytes of a row. */
  val sizeBytes = 8L

  /** What chunks grow to; a larger row has one of its own. */
  val largestChunk: Long = 64L * 1024
}
