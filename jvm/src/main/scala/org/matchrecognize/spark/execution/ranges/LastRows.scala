package org.matchrecognize.spark.execution.ranges

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The last rows of a range: at most so many, and together of at most so many bytes. */
final private[execution] class LastRows(mostRows: Int, mostBytes: Long) {

  /** By their number modulo the length, which is a power of two. */
  private var rows   = new Array[UnsafeRow](0)
  private var count  = 0L
  private var oldest = 0L
  private var bytes  = 0L

  private def at(number: Long): Int = number.toInt & rows.length - 1

  def add(row: UnsafeRow): Unit = {
    val size = row.getSizeInBytes
    if (count == 0) {
      val room = math.min(mostRows.toLong, math.max(1L, mostBytes / size))
      rows = new Array[UnsafeRow](java.lang.Long.highestOneBit(room).toInt)
    }
    if (count - oldest == rows.length) forget()
    val before = rows(at(count))
    // A place is used again if it is not much too large.
    if (before != null && before.getBaseObject
        .asInstanceOf[Array[Byte]]
        .length <= 2 * size.toLong)
      before.copyFrom(row)
    else rows(at(count)) = row.copy()
    count += 1
    bytes += size
    while (bytes > mostBytes) {
      val place = at(oldest)
      forget()
      rows(place) = null
    }
  }

  private def forget(): Unit = {
    bytes -= rows(at(oldest)).getSizeInBytes
    oldest += 1
  }

  /** The rows from a number on, if all of them are there. */
  def from(number: Long): Option[PackedRows] =
    if (number < oldest) None
    else {
      val packed = new PackedRows
      (number until count).foreach(i => packed.add(rows(at(i))))
      Some(packed.trimmed)
    }
}
