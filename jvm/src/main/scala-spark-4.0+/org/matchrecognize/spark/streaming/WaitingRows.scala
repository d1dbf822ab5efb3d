package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import org.matchrecognize.spark.execution.rows.{FewRows, RowEntries}
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
    limits: FewRows) {

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

/**
 * Rows of a key that wait for the watermark, as entries: a queue by the time at which they are due,
 * which reads none of the rows that are due much later (a radix heap).
 *
 * A row is in the box of the highest bit in which its time differs from the watermark. It is later,
 * so it has a 1 there and the watermark a 0. When the watermark moves, let `h` be the highest bit
 * that changes, from 0 to 1:
 *   - rows in boxes above `h` stay: they still differ from the watermark in the same bit;
 *   - rows in boxes below `h` are due: they have a 0 at `h`;
 *   - rows in box `h` are due, or move to a lower box.
 * A row is therefore read at most once for each bit of the time that it waits.
 */
final private[streaming] class WaitingEntries(entries: RowEntries) {
  import WaitingEntries._

  private var watermark = 0L

  /** By box, how many rows it has, and when the first of them is due. */
  private val counts = new Array[Int](boxCount)
  private val firsts = new Array[Long](boxCount)

  /** How many rows there are. */
  def size: Long    = total
  private var total = 0L

  /** When the first row is due. */
  def earliest: Option[Long] = counts.indices.find(counts(_) > 0).map(firsts(_))

  /** Adds a row that is first due at this time, which the watermark has not reached; copies it. */
  def add(row: UnsafeRow, time: Long): Unit = {
    val box = boxOf(time)
    entries.put(number(box, counts(box)), row)
    firsts(box) = if (counts(box) == 0) time else math.min(firsts(box), time)
    counts(box) += 1
    total += 1
  }

  /** The box of a time that differs from the watermark. */
  private def boxOf(time: Long): Int =
    boxCount - 1 - java.lang.Long.numberOfLeadingZeros(time ^ watermark)

  /**
   * Moves the watermark, and takes out, in no order, the rows that are due and those that must move
   * to a lower box. The caller may add the latter again while it takes them.
   */
  def advance(to: Long)(take: UnsafeRow => Unit): Unit = if (to > watermark) {
    val highest = boxOf(to)
    watermark = to
    // Upwards: rows of the highest box move to those below, which are empty by then.
    (0 to highest).foreach(open(_, take))
  }

  private def open(box: Int, take: UnsafeRow => Unit): Unit = {
    val count = counts(box)
    counts(box) = 0
    total -= count
    (0 until count).foreach { i =>
      val row = entries.get(number(box, i))
      entries.remove(number(box, i))
      take(row)
    }
  }

  /** Begins another key, without rows. */
  def clear(): Unit = {
    watermark = 0
    total = 0
    java.util.Arrays.fill(counts, 0)
  }

  /** Writes which entries there are; [[read]] of another task continues with them. */
  def write(out: StateOutput): Unit = {
    val used = counts.indices.filter(counts(_) > 0)
    out.writeNumber(watermark)
    out.writeNumber(used.size.toLong)
    used.foreach { box =>
      out.writeNumber(box.toLong)
      out.writeNumber(counts(box).toLong)
      out.writeNumber(firsts(box) - watermark)
    }
  }

  def read(in: StateInput): Unit = {
    clear()
    watermark = in.readNumber()
    var left = in.readNumber()
    while (left > 0) {
      val box = in.readInt()
      counts(box) = in.readInt()
      total += counts(box)
      firsts(box) = watermark + in.readNumber()
      left -= 1
    }
  }
}

private object WaitingEntries {

  /** Of the bits of a time. */
  val boxCount: Int = 64

  /** The number of an entry. */
  def number(box: Int, index: Int): Long = box.toLong << 32 | index.toLong
}
