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

  private val pages             = ArrayBuffer.empty[MemoryBlock]
  private var page              = null.asInstanceOf[MemoryBlock]
  private var used              = 0L
  private var nextPage          = math.min(firstPageBytes, largest)
  private var acquiredChunkSize = 0L

  /** The bytes of the chunk that was taken last. */
  def chunkSize: Long = acquiredChunkSize

  /**
   * The address of a new chunk.
   *
   * @param needed
   *   bytes that it must have
   * @param wanted
   *   bytes that it has if the page has them
   */
  def acquire(needed: Long, wanted: Long): Long = {
    if (page != null && page.size - used >= needed) cut(needed, wanted)
    else if (needed > largest / 4) {
      // A page for a large row alone, beside the one that others are cut from.
      acquiredChunkSize = needed
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
    acquiredChunkSize = math.min(math.max(needed, wanted), page.size - used)
    val address = memory.encodePageNumberAndOffset(page, page.getBaseOffset + used)
    used += acquiredChunkSize
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

/** What a [[PartitionTable]] knows of a partition: a view of its value in the table's map. */
final private[partitions] class PartitionRecord {
  private var base: AnyRef = _
  private var offset       = 0L

  def point(toBase: AnyRef, toOffset: Long): Unit = {
    base = toBase
    offset = toOffset
  }

  private def get(field: Long): Long              = Platform.getLong(base, offset + field)
  private def set(field: Long, value: Long): Unit = Platform.putLong(base, offset + field, value)

  /** The addresses of the chunk with the first rows, and of the one that takes rows. */
  def firstChunk: Long                = get(0)
  def firstChunk_=(value: Long): Unit = set(0, value)
  def chunk: Long                     = get(8)
  def chunk_=(value: Long): Unit      = set(8, value)

  /** Offsets in the page of `chunk`: where the next row goes, and where the chunk ends. */
  def position: Long                = get(16)
  def position_=(value: Long): Unit = set(16, value)
  def limit: Long                   = get(24)
  def limit_=(value: Long): Unit    = set(24, value)

  /** How many rows there are. */
  def rows: Long                = get(32)
  def rows_=(value: Long): Unit = set(32, value)

  /** The prefix ([[RowOrder.prefix]]) and the address of the last row. */
  def lastPrefix: Long                = get(40)
  def lastPrefix_=(value: Long): Unit = set(40, value)
  def lastRow: Long                   = get(48)
  def lastRow_=(value: Long): Unit    = set(48, value)

  /** Whether a row came after one that it must precede. */
  def isOutOfOrder: Boolean = get(56) != 0L
  def setOutOfOrder(): Unit = set(56, 1L)
}

private[partitions] object PartitionRecord {

  /** A new one: no rows, no chunk. */
  val empty: Array[Byte] = new Array[Byte](64)
}

/** Walks the rows of one partition in memory, in the order of arrival. */
final private[partitions] class PartitionCursor(memory: TaskMemoryManager) {
  import RowChunks._

  private var partition: PartitionRecord = _
  private var chunk                      = 0L
  private var base: AnyRef               = _
  private var chunkOffset                = 0L
  private var offset                     = 0L
  private var end                        = 0L
  private var size                       = 0L

  /** The first call of [[advance]] goes to the first row. */
  def begin(of: PartitionRecord): Unit = {
    partition = of
    enter(of.firstChunk)
  }

  private def enter(address: Long): Unit = {
    chunk = address
    base = memory.getPage(address)
    chunkOffset = memory.getOffsetInPage(address)
    offset = chunkOffset + headerBytes
    size = 0L
    end =
      if (address == partition.chunk) partition.position
      else Platform.getLong(base, chunkOffset + endOffset)
  }

  /** Goes on to the next row. There must be one. */
  def advance(): Unit = {
    offset += size
    if (offset == end) enter(Platform.getLong(base, chunkOffset))
    size = sizeBytes + Platform.getLong(base, offset)
  }

  def address: Long = chunk + (offset - chunkOffset)

  def point(row: UnsafeRow): Unit =
    row.pointTo(base, offset + sizeBytes, (size - sizeBytes).toInt)
}
