package org.matchrecognize.spark.execution.rows

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/**
 * Consecutive rows in one piece of memory: a page of Spark's, or an array read back from disk.
 *
 * Rows lie one after the other from the front. A directory grows from the back: its entry i, four
 * bytes, is where row i begins (and row i - 1 ends), in words of eight bytes, since the size of an
 * UnsafeRow is a multiple of eight. Every row is thus found without a search, and the directory is
 * part of the accounted page.
 *
 * {{{
 *   | row 0 | row 1 | row 2 | free ...             | end 2 | end 1 | end 0 | 0 |
 * }}}
 */
final private[execution] class RowStoreImage(
    private var base: AnyRef,
    offset: Long,
    capacity: Long
) {
  import RowStoreImage._

  /** Index of the first row; changes when the image is emptied for further rows. */
  private var firstRow = 0L

  /** Rows held; grows with append, 0 once emptied or dropped. */
  private var rowCount = 0

  /** Bytes of rows held. */
  private var rowBytes = 0L

  /** After the last byte: entry i of the directory lies 4 * (i + 1) before. */
  private val directory = offset + capacity

  /** The moment (see RowStore.now) at which a reader without a cursor of its own pointed here. */
  var pinnedAt: Long = -1L

  def first: Long         = firstRow
  def end: Long           = firstRow + rowCount
  def rows: Int           = rowCount
  def usedBytes: Long     = rowBytes + DirectoryEntry * (rowCount + 1L)
  def capacityBytes: Long = capacity

  def contains(index: Long): Boolean = {
    val row = index - firstRow
    row >= 0 && row < rowCount
  }

  def fits(bytes: Int): Boolean =
    rowBytes + bytes + DirectoryEntry * (rowCount + 2L) <= capacity

  /** No rows; the next to be appended has index `first`. */
  def reset(first: Long): Unit = {
    firstRow = first
    rowCount = 0
    rowBytes = 0L
    setEntry(0, 0L)
  }

  /** The memory is about to be given back: holds no row and no reference any more. */
  def drop(): Unit = {
    rowCount = 0
    base = null
  }

  /** Copies the row; it must fit. */
  def append(row: UnsafeRow, bytes: Int): Unit = {
    copy(row.getBaseObject, row.getBaseOffset, offset + rowBytes, bytes)
    rowBytes += bytes
    rowCount += 1
    setEntry(rowCount, rowBytes)
  }

  private def copy(source: AnyRef, from: Long, to: Long, bytes: Int): Unit =
    if (bytes > FewBytes) Platform.copyMemory(source, from, base, to, bytes.toLong)
    else {
      var i = 0
      while (i < bytes) {
        Platform.putLong(base, to + i, Platform.getLong(source, from + i))
        i += 8
      }
    }

  /** Points `into` at the row of that index; it must be contained. */
  def point(index: Long, into: UnsafeRow): Unit = {
    val row   = (index - firstRow).toInt
    val start = entry(row)
    into.pointTo(base, offset + start, (entry(row + 1) - start).toInt)
  }

  /**
   * How far to go from row `from` on for an image of at most `limit` bytes: the index after its
   * last row. One row at least.
   */
  def cut(from: Long, limit: Long): Long = {
    val low   = (from - firstRow).toInt
    var high  = low + 1
    val start = entry(low)
    while (high < rowCount && entry(
        high + 1) - start + DirectoryEntry * (high + 2L - low) <= limit)
      high += 1
    firstRow + high
  }

  /**
   * Writes the image of the rows from `from` to before `until`: fills `buffer` again and again,
   * and passes to `sink` how many bytes of it to take.
   */
  def write(from: Long, until: Long, buffer: Array[Byte])(sink: Int => Unit): Unit = {
    val low   = (from - firstRow).toInt
    val high  = (until - firstRow).toInt
    val start = entry(low)
    val stop  = entry(high)
    var at    = start
    while (at < stop) {
      val piece = math.min(stop - at, buffer.length.toLong).toInt
      Platform.copyMemory(base, offset + at, buffer, Platform.BYTE_ARRAY_OFFSET.toLong, piece)
      sink(piece)
      at += piece
    }
    var row    = high
    var filled = 0
    while (row >= low) {
      if (filled + DirectoryEntry > buffer.length) {
        sink(filled)
        filled = 0
      }
      val words = ((entry(row) - start) >>> WordShift).toInt
      Platform.putInt(buffer, Platform.BYTE_ARRAY_OFFSET.toLong + filled, words)
      filled += DirectoryEntry
      row -= 1
    }
    sink(filled)
  }

  /** Bytes of `write`. */
  def writtenBytes(from: Long, until: Long): Long = {
    val low  = (from - firstRow).toInt
    val high = (until - firstRow).toInt
    entry(high) - entry(low) + DirectoryEntry * (high - low + 1L)
  }

  private def entry(row: Int): Long =
    Platform.getInt(base, directory - DirectoryEntry * (row + 1L)).toLong << WordShift

  private def setEntry(row: Int, bytes: Long): Unit =
    Platform.putInt(base, directory - DirectoryEntry * (row + 1L), (bytes >>> WordShift).toInt)
}

private[execution] object RowStoreImage {

  /** Bytes of a directory entry. */
  val DirectoryEntry: Int = 4

  /** A row of so many bytes is copied word by word: to call for it takes longer. */
  private val FewBytes = 128

  /** Sizes are counted in words of eight bytes: the largest page has 2^31 - 1 of them. */
  private val WordShift = 3

  /** Holds nothing, and nothing fits: used if there is no image. */
  val Nothing: RowStoreImage = new RowStoreImage(null, 0L, 0L)

  /** An empty one over memory of `capacity` bytes, for rows from `first` on. */
  def over(base: AnyRef, offset: Long, capacity: Long, first: Long): RowStoreImage = {
    val image = new RowStoreImage(base, offset, capacity)
    image.reset(first)
    image
  }

  /** Room that a page needs for one row. */
  def bytesFor(row: Int): Long = row + 2L * DirectoryEntry

  /** The image that `write` wrote, read back. */
  def of(written: Array[Byte], first: Long, rows: Int): RowStoreImage = {
    val image =
      new RowStoreImage(written, Platform.BYTE_ARRAY_OFFSET.toLong, written.length.toLong)
    image.firstRow = first
    image.rowCount = rows
    image.rowBytes = written.length - DirectoryEntry * (rows + 1L)
    image
  }
}
