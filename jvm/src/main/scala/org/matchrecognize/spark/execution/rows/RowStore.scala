package org.matchrecognize.spark.execution.rows

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, TaskMemoryManager}
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.matchrecognize.RowStoreDisk

/**
 * The rows of one partition in the memory of a task, or on its disk. A partition need not fit in
 * memory.
 *
 * Rows lie in segments, one page of Spark's memory each, accounted to the task. Pages begin small
 * and double with what is held, so a partition of five rows costs no more than its rows, and
 * `clear` keeps a page for the next partition. When Spark wants memory, or more than
 * `spillThresholdRows` rows are held, the oldest segments are written to disk in blocks, and a
 * block is read back as a whole when one of its rows is requested: a reader that goes forward, or
 * several, read each block once. Not accounted are at most four blocks read last, and one more
 * for each `into` in use (a block has at most 128 KB, unless it is a single larger row).
 *
 * '''What stays readable''' is said in [[PartitionRows]]. Until then, any other consumer of the
 * task may make this store spill. Several `into` are independent of each other. More than sixteen at
 * once work too, but then what they read cannot be spilled before the next append or trim: use the
 * same few again and again.
 *
 * '''Threads.''' One at a time. Spark may request a spill within any allocation of the thread
 * that appends; a request of another thread of the task (some Python runners have two) is refused,
 * because it could take the memory away between two instructions of the first.
 *
 * @param memory
 *   of the task
 * @param schemaSize
 *   number of fields of the rows
 * @param spillThresholdRows
 *   how many rows to hold in memory, at least 1
 * @param pageSize
 *   bytes that a page grows to; a larger row has a page of its own
 * @param disk
 *   where to spill, evaluated at the first spill
 */
final class RowStore(
    memory: TaskMemoryManager,
    schemaSize: Int,
    spillThresholdRows: Int,
    pageSize: Long,
    disk: => RowStoreDisk
) extends MemoryConsumer(
      memory,
      math.min(pageSize, RowStore.FirstPageBytes),
      memory.getTungstenMemoryMode
    )
    with PartitionRows {
  import RowStore._

  def this(memory: TaskMemoryManager, schemaSize: Int, spillThresholdRows: Int) =
    this(memory, schemaSize, spillThresholdRows, memory.pageSizeBytes, RowStoreDisk.ofExecutor)

  require(spillThresholdRows > 0, "at least one row must be held")

  /**
   * At this many rows a segment is full: the threshold shall spill old rows, not the last ones.
   */
  private val rowsPerSegment = math.max(1, spillThresholdRows / 4)

  /** The segments of the rows from `oldest` on, by index; only the last one grows. */
  private val segments = new RowStoreSegments

  /**
   * The image of the last segment while it is in memory, else Nothing: where append tries first.
   */
  private var growing = RowStoreImage.Nothing

  /** Index of the oldest row that can be read; trimBefore raises it. */
  private var oldest = 0L

  /** Index of the next row to be appended. */
  private var next = 0L

  /** Rows in segments in memory, trimmed ones among them as long as their segment stays. */
  private var rowsInMemory = 0L

  private var segmentsInMemory = 0

  /** Rows below this index are on disk: where the search for something to spill begins. */
  private var spilledBefore = 0L

  /** Takes and frees the segments' pages; all that this store holds of Spark's memory. */
  private val pages = new RowStorePages(pageSize, allocatePage(_), freePage(_))

  /** Which segments must stay because a valid `into` points there. */
  private val cursors = new RowStoreCursors

  /** The files, and the blocks read back last; empty until the first spill. */
  private val spilled = new RowStoreSpill(disk, math.min(pageSize, BlockBytes).toInt)

  /** The thread that appends: set before a page is taken, so before Spark may request it back. */
  @volatile private var owner: Thread = _

  /** Set by close, for good. */
  private var closed = false

  /** The metrics; they only grow, and outlive clear and close. */
  private var spilledBytesCount = 0L
  private var spilledRowsCount  = 0L
  private var peak              = 0L

  override def size: Long       = next
  override def firstIndex: Long = oldest
  override def moment: Long     = cursors.moment

  /** Memory given back by writing its rows to disk, in bytes, since the store was made. */
  def spilledBytes: Long = spilledBytesCount

  /** Rows written to disk since the store was made. */
  def spilledRows: Long = spilledRowsCount

  /** The most memory that was held at once, in bytes. */
  def peakMemory: Long = peak

  /** Blocks read back from disk since the store was made. */
  def blockReads: Long = spilled.reads

  override def newRow(): UnsafeRow = new UnsafeRow(schemaSize)

  /**
   * Copies the row. It must not be one that `get` of this store points at: the call ends the time
   * for which that is readable.
   */
  override def append(row: UnsafeRow): Unit = {
    assert(row.numFields == schemaSize, s"a row of ${row.numFields} fields, not $schemaSize")
    cursors.invalidate()
    if (rowsInMemory >= spillThresholdRows) spillOldest()
    val bytes = row.getSizeInBytes
    if (growing.rows >= rowsPerSegment || !growing.fits(bytes)) addSegment(bytes)
    growing.append(row, bytes)
    rowsInMemory += 1
    next += 1
  }

  override def get(index: Long, into: UnsafeRow): Unit = {
    if (index < oldest || index >= next)
      throw new IndexOutOfBoundsException(s"row $index of those from $oldest to before $next")
    assert(into.numFields == schemaSize, s"a row of ${into.numFields} fields, not $schemaSize")
    val cursor = cursors.of(into)
    if (cursor == null) {
      val image = imageOf(index)
      cursors.pin(image)
      image.point(index, into)
    } else {
      if (!cursor.image.contains(index)) cursor.image = imageOf(index)
      cursor.image.point(index, into)
    }
  }

  private def imageOf(index: Long): RowStoreImage = {
    val segment = segments(segments.positionOf(index))
    if (segment.isInMemory) segment.image else spilled.read(segment.block(index))
  }

  /**
   * Rows below `index` are not wanted any more: their memory and files go, segment by segment.
   */
  override def trimBefore(index: Long): Unit = {
    if (index > oldest) {
      cursors.invalidate()
      oldest = math.min(index, next)
      while (segments.size > 1 && segments(0).end <= oldest) release(segments.removeFirst())
      if (oldest == next) empty()
    }
  }

  /** All rows go; a page stays. */
  override def clear(first: Long = 0L): Unit = {
    cursors.forget()
    oldest = first
    next = first
    spilledBefore = first
    empty()
    spilled.clear()
  }

  /** Gives everything back and deletes the files; the store cannot be used any more. */
  override def close(): Unit = if (!closed) {
    closed = true
    oldest = next
    releaseAll()
    pages.freeSpare()
    spilled.clear()
    cursors.close()
  }

  /** Nothing: the rows go with the task. */
  override def save(): Long = oldest

  override def resume(first: Long, end: Long): Unit = clear(first)

  /**
   * No row is wanted any more. A single page, the case of small partitions, takes the next rows.
   */
  private def empty(): Unit = {
    val bytes = growing.capacityBytes
    if (segments.size == 1 && bytes > 0 && bytes <= pageSize) {
      rowsInMemory -= growing.rows
      growing.reset(next)
    } else releaseAll()
  }

  private def releaseAll(): Unit = {
    growing = RowStoreImage.Nothing
    while (!segments.isEmpty) release(segments.removeFirst())
  }

  /** Gives back what a segment that is in the list no longer holds. */
  private def release(segment: RowStoreSegment): Unit =
    if (segment.isInMemory) {
      leaveMemory(segment)
      segment.image.drop()
      pages.giveBack(segment.page)
    } else spilled.release(segment.blocks)

  private def leaveMemory(segment: RowStoreSegment): Unit = {
    rowsInMemory -= segment.image.rows
    segmentsInMemory -= 1
  }

  /** Begins a segment that has room for a row of so many bytes. */
  private def addSegment(rowBytes: Int): Unit = {
    if (closed) throw new IllegalStateException("the row store is closed")
    owner = Thread.currentThread
    // A page emptied for further rows, but too small for this one: only rows make a segment.
    if (growing.capacityBytes > 0 && growing.rows == 0) {
      growing = RowStoreImage.Nothing
      release(segments.removeLast())
    }
    if (segmentsInMemory >= MaxPages) spillOldest()
    // May spill any segment, and so change everything here but `next`.
    val page    = pages.acquire(RowStoreImage.bytesFor(rowBytes), nextPageBytes)
    val segment = new RowStoreSegment(page, next)
    segments.add(segment)
    segmentsInMemory += 1
    growing = segment.image
    peak = math.max(peak, getUsed)
  }

  /**
   * As much again as is held, so that pages double; but no more than a segment of this store
   * fills.
   */
  private def nextPageBytes: Long = {
    val held = math.max(getUsed, FirstPageBytes)
    if (growing.rows < rowsPerSegment) held
    else math.min(held, growing.usedBytes + growing.usedBytes / 4)
  } + 7L & -8L

  /**
   * Writes the oldest segment in memory to disk. No row that was handed out is readable any more.
   */
  private def spillOldest(): Unit = {
    val freed = spillSegments(1L)
    if (freed > 0) RowStoreDisk.countSpilledMemory(freed)
  }

  /**
   * Called by Spark when the task needs memory, for this store or for another consumer. Gives the
   * spare page and the oldest segments, but none that a valid `into` points at.
   */
  override def spill(size: Long, trigger: MemoryConsumer): Long =
    if (Thread.currentThread ne owner) 0L
    else {
      val before = getUsed
      pages.freeSpare()
      val fromSpare = before - getUsed
      val fromRows  = if (fromSpare < size) spillSegments(size - fromSpare) else 0L
      if (fromRows > 0) RowStoreDisk.countSpilledMemory(fromRows)
      fromSpare + fromRows
    }

  /** Spills segments, the oldest first, until `wanted` bytes are free; returns how many are. */
  private def spillSegments(wanted: Long): Long = {
    var freed    = 0L
    var position = segments.positionOf(spilledBefore)
    var gapless  = true
    while (freed < wanted && position < segments.size) {
      val segment = segments(position)
      if (segment.isInMemory && !cursors.isPinned(segment.image)) freed += spillSegment(segment)
      gapless = gapless && !segment.isInMemory
      if (gapless) spilledBefore = segment.end
      position += 1
    }
    freed
  }

  /** Writes the segment and frees its page; if writing fails nothing has changed. */
  private def spillSegment(segment: RowStoreSegment): Long = {
    val image = segment.image
    val page  = segment.page
    val bytes = page.size
    if (image.end <= oldest) {
      // Only the last segment can be without rows to keep.
      segments.removeLast()
      leaveMemory(segment)
      image.drop()
    } else {
      val from   = math.max(image.first, oldest)
      val blocks = spilled.write(image, from)
      leaveMemory(segment)
      segment.spilledTo(blocks)
      spilledRowsCount += segment.end - from
      spilledBytesCount += bytes
    }
    if (image eq growing) growing = RowStoreImage.Nothing
    freePage(page)
    bytes
  }
}

object RowStore {

  /**
   * The first page of a store: holds a small partition, and costs next to nothing if it is all.
   */
  private val FirstPageBytes = 4096L

  /** A spilled block, so what is read to get at a single row. */
  private val BlockBytes = 128L * 1024

  /** Of the 8192 pages that Spark lets the consumers of a task have together. */
  private val MaxPages = 1024

  /** A store that lives as long as the task. */
  def of(context: TaskContext, schemaSize: Int, spillThresholdRows: Int): RowStore = {
    val store =
      new RowStore(RowStoreDisk.memoryOf(context), schemaSize, spillThresholdRows)
    context.addTaskCompletionListener[Unit](_ => store.close())
    store
  }
}
