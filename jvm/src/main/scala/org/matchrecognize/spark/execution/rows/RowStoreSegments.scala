package org.matchrecognize.spark.execution.rows

import org.apache.spark.unsafe.memory.MemoryBlock

/**
 * Consecutive rows that came into one page. They lie there, or, once spilled, in blocks on disk.
 *
 * @param page
 *   of Spark's; freed by the store when the segment is spilled or released
 */
final private[execution] class RowStoreSegment(val page: MemoryBlock, firstRow: Long) {

  /** The rows in memory; null once spilled. */
  private var inPage: RowStoreImage =
    RowStoreImage.over(page.getBaseObject, page.getBaseOffset, page.size() & -8L, firstRow)

  /** Where the rows are on disk, by index; null before. */
  private var onDisk: Array[RowStoreBlock] = _

  def isInMemory: Boolean          = inPage != null
  def image: RowStoreImage         = inPage
  def blocks: Array[RowStoreBlock] = onDisk

  def first: Long = if (inPage != null) inPage.first else onDisk(0).first

  def end: Long =
    if (inPage != null) inPage.end else onDisk(onDisk.length - 1).first + onDisk.last.rows

  /** From now on the rows are in these blocks. */
  def spilledTo(written: Array[RowStoreBlock]): Unit = {
    inPage.drop()
    inPage = null
    onDisk = written
  }

  /** The block of a spilled row. */
  def block(index: Long): RowStoreBlock = {
    var low  = 0
    var high = onDisk.length - 1
    while (low < high) {
      val middle = (low + high + 1) >>> 1
      if (onDisk(middle).first <= index) low = middle else high = middle - 1
    }
    onDisk(low)
  }
}

/** Segments by index: added at the end, taken away at either end. */
final private[execution] class RowStoreSegments {

  /** The segments, from `head` to before `tail`; null elsewhere. */
  private var array = new Array[RowStoreSegment](8)

  private var head = 0
  private var tail = 0

  def size: Int                             = tail - head
  def isEmpty: Boolean                      = tail == head
  def apply(position: Int): RowStoreSegment = array(head + position)

  def add(segment: RowStoreSegment): Unit = {
    if (tail == array.length) {
      // Moved to the front of an array with room for as many again: amortized constant.
      val roomy = if (size > array.length / 2) new Array[RowStoreSegment](size * 2) else array
      val held  = size
      System.arraycopy(array, head, roomy, 0, held)
      if (roomy eq array)
        java.util.Arrays.fill(array.asInstanceOf[Array[AnyRef]], held, array.length, null)
      array = roomy
      head = 0
      tail = held
    }
    array(tail) = segment
    tail += 1
  }

  def removeFirst(): RowStoreSegment = {
    val segment = array(head)
    array(head) = null
    head += 1
    segment
  }

  def removeLast(): RowStoreSegment = {
    tail -= 1
    val segment = array(tail)
    array(tail) = null
    segment
  }

  /** The position of the last segment that begins at `index` or before; 0 if there is none. */
  def positionOf(index: Long): Int = {
    var low  = head
    var high = tail - 1
    while (low < high) {
      val middle = (low + high + 1) >>> 1
      if (array(middle).first <= index) low = middle else high = middle - 1
    }
    low - head
  }
}
