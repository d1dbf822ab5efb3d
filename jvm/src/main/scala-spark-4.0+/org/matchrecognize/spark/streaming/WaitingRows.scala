package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import org.matchrecognize.spark.execution.rows.RowEntries
import org.matchrecognize.spark.execution.slots.StoredValues
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/**
 * The rows of a key that wait for the watermark. A few rows are part of the value that a
 * micro-batch reads and writes for the key in any case: most keys have no more, and each access to
 * an entry would cost more than those bytes.
 *
 * If there are more rows, all of them are entries ([[WaitingEntries]]). Those that a watermark makes
 * this read move back if they are few and no other is left.
 *
 * @param due
 *   the first watermark at which a row is due
 */
final private[streaming] class WaitingRows(
    entries: RowEntries,
    due: UnsafeRow => Long,
    limits: WaitingRows.Limits) {

  /** Empty unless `many` is. */
  private val few      = new ArrayBuffer[UnsafeRow]
  private var fewBytes = 0L
  private val many     = new WaitingEntries(entries)

  /** How many rows there are. */
  def size: Long = few.size + many.size

  /** When the first row is due. */
  def earliest: Option[Long] =
    if (few.isEmpty) many.earliest else Some(few.iterator.map(due).min)

  /** Adds a row that is first due at this time, which the watermark has not reached; copies it. */
  def add(row: UnsafeRow, time: Long): Unit =
    if (many.size == 0 && fits(row)) addToFew(row.copy())
    else {
      takeFew().foreach(moved => many.add(moved, due(moved)))
      many.add(row, time)
    }

  private def fits(row: UnsafeRow): Boolean =
    few.size < limits.rows && fewBytes + row.getSizeInBytes <= limits.bytes

  private def addToFew(row: UnsafeRow): Unit = {
    few += row
    fewBytes += row.getSizeInBytes
  }

  private def takeFew(): Seq[UnsafeRow] = {
    val rows = few.toList
    few.clear()
    fewBytes = 0
    rows
  }

  /** Moves the watermark, and takes out the rows that are due then, in no order. */
  def advance(to: Long)(take: UnsafeRow => Unit): Unit = {
    if (few.exists(due(_) <= to))
      takeFew().foreach(row => if (due(row) <= to) take(row) else addToFew(row))
    many.advance(to) { row =>
      val time = due(row)
      if (time <= to) take(row) else add(row, time)
    }
  }

  /** Begins another key, without rows. */
  def clear(): Unit = {
    takeFew()
    many.clear()
  }

  /** Writes the few rows, or which entries there are; [[read]] of another task continues. */
  def write(out: StateOutput): Unit = {
    out.writeNumber(few.size.toLong)
    few.foreach(StoredValues.writeRow(_, out))
    many.write(out)
  }

  /**
   * @param readRow
   *   reads one of the few rows; a copy
   */
  def read(in: StateInput, readRow: StateInput => UnsafeRow): Unit = {
    takeFew()
    (0 until in.readInt()).foreach(_ => addToFew(readRow(in)))
    many.read(in)
  }
}

private object WaitingRows {

  /** How many rows are few, and how many bytes they have at most. */
  final case class Limits(rows: Int, bytes: Int)
}
