package org.matchrecognize.spark.execution.rows

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * The rows of a partition that one task after the other continues: those appended in this task are
 * in memory, and an older one is fetched when it is read. A task touches the entries of the rows
 * that it reads, adds or trims, however many others there are.
 *
 * The newest rows become no entries while they are few. They are then part of the state, and most
 * are trimmed before they would be entries.
 *
 * @param appended
 *   for the rows of this task, and those of the state
 * @param entries
 *   of the rows that tasks before it have saved
 */
final private[spark] class SavedRows(appended: RowStore, entries: RowEntries, few: FewRows)
    extends PartitionRows {

  /** Rows are fetched anew beyond so many bytes, which are not accounted to the task. */
  final private val MaxFetchedBytes = 4L * 1024 * 1024

  private var oldest = 0L

  /** Rows below this index are entries. */
  private var savedEnd = 0L

  /** Rows fetched in this task, and how many bytes they have. */
  private val fetched      = mutable.LongMap.empty[UnsafeRow]
  private var fetchedBytes = 0L

  override def size: Long                   = appended.size
  override def firstIndex: Long             = oldest
  override def moment: Long                 = appended.moment
  override def newRow(): UnsafeRow          = appended.newRow()
  override def append(row: UnsafeRow): Unit = appended.append(row)

  override def get(index: Long, into: UnsafeRow): Unit =
    if (index >= savedEnd) appended.get(index, into)
    else {
      val row = fetch(index)
      into.pointTo(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)
    }

  private def fetch(index: Long): UnsafeRow =
    fetched.getOrElse(
      index, {
        val row = entries.get(index)
        if (row == null)
          throw new IndexOutOfBoundsException(s"row $index of those from $oldest to before $size")
        if (fetchedBytes > MaxFetchedBytes) forgetFetched()
        fetchedBytes += row.getSizeInBytes
        fetched(index) = row
        row
      }
    )

  override def trimBefore(index: Long): Unit = {
    val until = math.min(index, size)
    while (oldest < math.min(until, savedEnd)) {
      entries.remove(oldest)
      fetched.remove(oldest)
      oldest += 1
    }
    oldest = math.max(oldest, until)
    appended.trimBefore(until)
  }

  /** The entries stay: they may be those of another partition. */
  override def clear(first: Long = 0L): Unit = resume(first, first)

  override def close(): Unit = {
    appended.close()
    forgetFetched()
  }

  override def save(): Long = {
    val row                          = newRow()
    val first                        = math.max(oldest, savedEnd)
    def added                        = Iterator.iterate(first)(_ + 1).takeWhile(_ < size)
    def read(index: Long): UnsafeRow = {
      appended.get(index, row)
      row
    }
    if (size - first <= few.rows && added.map(read(_).getSizeInBytes).sum <= few.bytes) first
    else {
      added.foreach(index => entries.put(index, read(index)))
      savedEnd = size
      appended.trimBefore(savedEnd)
      savedEnd
    }
  }

  override def resume(first: Long, end: Long): Unit = {
    appended.clear(end)
    forgetFetched()
    oldest = first
    savedEnd = end
  }

  private def forgetFetched(): Unit = {
    fetched.clear()
    fetchedBytes = 0
  }
}

/** How many rows of a key are part of its value, and how many bytes they have at most. */
final private[spark] case class FewRows(rows: Int, bytes: Int) {
  def atMost(someRows: Int, someBytes: Int): FewRows =
    FewRows(math.min(rows, someRows), math.min(bytes, someBytes))
}

/** Rows by number, in a place that outlasts the task. */
private[spark] trait RowEntries {

  /** A row that is not changed later; null if there is none of that number. */
  def get(number: Long): UnsafeRow

  /** The row is not kept, but what it holds. */
  def put(number: Long, row: UnsafeRow): Unit
  def remove(number: Long): Unit
}
