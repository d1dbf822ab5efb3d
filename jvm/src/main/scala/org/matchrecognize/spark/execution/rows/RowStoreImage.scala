package org.matchrecognize.spark.execution.rows

import org.apache.spark.memory.SparkOutOfMemoryError
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.memory.MemoryBlock

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

/**
 * Which rows the callers of RowStore.get look at, so that their memory is not taken away below
 * them. Values taken out of a row (a string, a nested row) point into the same memory: moving the
 * row elsewhere would not do, it has to stay where it is.
 *
 * Cursors of an earlier moment protect nothing, but are kept: their image is the first guess
 * where the next row of the same reader lies.
 */
final private[execution] class RowStoreCursors {
  import RowStoreCursors._

  /** One for each `into` seen, in the order of their first use; null from `count` on. */
  private val cursors = new Array[Cursor](MaxCursors)
  private var count   = 0

  /** The one asked for last, most often the next one, too. */
  private var recent = Cursor.None

  private var now = 0L

  /** Continues when all rows handed out so far have become invalid. */
  def moment: Long = now

  /** All rows handed out so far may go. */
  def invalidate(): Unit = now += 1

  /** As invalidate; and no image that a cursor knows of is worth a look (indexes start again). */
  def forget(): Unit = {
    now += 1
    var at = 0
    while (at < count) {
      cursors(at).image = RowStoreImage.Nothing
      at += 1
    }
  }

  /** Also lets go of the callers' rows. */
  def close(): Unit = {
    forget()
    java.util.Arrays.fill(cursors.asInstanceOf[Array[AnyRef]], null)
    count = 0
    recent = Cursor.None
  }

  /**
   * The cursor that belongs to `into`, valid from now on: the caller puts its image there. Null
   * if MaxCursors others are in use; the caller pins the image itself then.
   */
  def of(into: UnsafeRow): Cursor = {
    if (recent.into ne into) {
      var at = 0
      while (at < count && (cursors(at).into ne into)) at += 1
      if (at == count) at = adopt(into)
      recent = if (at < 0) Cursor.None else cursors(at)
    }
    if (recent eq Cursor.None) null
    else {
      recent.usedAt = now
      recent
    }
  }

  /** A place for an `into` not seen before, or -1. */
  private def adopt(into: UnsafeRow): Int =
    if (count < MaxCursors) {
      cursors(count) = new Cursor(into)
      count += 1
      count - 1
    } else {
      var at = MaxCursors - 1
      while (at >= 0 && cursors(at).usedAt == now) at -= 1
      if (at >= 0) cursors(at) = new Cursor(into)
      at
    }

  /** Protects the image until the next invalidate, for readers beyond MaxCursors. */
  def pin(image: RowStoreImage): Unit = image.pinnedAt = now

  def isPinned(image: RowStoreImage): Boolean = {
    var at = 0
    while (at < count && !(cursors(at).usedAt == now && (cursors(at).image eq image))) at += 1
    at < count || image.pinnedAt == now
  }
}

private[execution] object RowStoreCursors {

  /**
   * More than a matcher needs (one each for the current, a previous, a first and a last row).
   * With more, each row read protects its segment until the next append or trim.
   */
  private val MaxCursors = 16

  /** What one `into` points at. */
  final class Cursor(val into: UnsafeRow) {

    /** Where its row lies; changes with each get that leaves the image. */
    var image: RowStoreImage = RowStoreImage.Nothing

    /** The moment of its last get: protects the image while that lasts. */
    var usedAt: Long = -1L
  }

  object Cursor {

    /** Of no row that is passed to get. */
    val None = new Cursor(null)
  }
}

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
