package org.matchrecognize.spark.execution.ranges

import scala.collection.mutable.ArrayBuffer

/**
 * What the search of a range has found, in order, and with it the start rows that it has visited:
 * all rows from a first one on, but those that a result skips. Two searches that visit the same start
 * row find the same from there on.
 *
 * @param from
 *   the first start row
 */
final private[execution] class FoundResults(from: Long) extends Serializable {
  private val starts = ArrayBuffer.empty[Long]

  /** By result, the first row that no result up to it skips. */
  private val untils = ArrayBuffer.empty[Long]

  /** By result, the output rows and the matches before it. */
  private val rowsBefore    = ArrayBuffer.empty[Long]
  private val matchesBefore = ArrayBuffer.empty[Long]

  /** The start row at which the search stopped: all before it are decided. */
  var reached: Long = 0L

  /** Output rows and matches in all. */
  var rows: Long    = 0L
  var matches: Long = 0L

  /**
   * Adds a result.
   *
   * @param until
   *   the next start row
   * @param before
   *   the output rows before
   */
  def add(start: Long, until: Long, before: Long): Unit = {
    starts += start
    untils += math.max(until, untils.lastOption.getOrElse(0L))
    rowsBefore += before
    matchesBefore += matches
  }

  /** Whether all results added start before a row. */
  def isBefore(row: Long): Boolean = starts.lastOption.forall(_ < row)

  /** How many results were added that start before a row. */
  private def before(row: Long): Int = {
    var (low, high) = (0, starts.size)
    while (low < high) {
      val middle = (low + high) >>> 1
      if (starts(middle) < row) low = middle + 1 else high = middle
    }
    low
  }

  /** Whether a match can begin at a row for all that the search has found. */
  def visits(row: Long): Boolean = row >= from && row <= reached && {
    val results = before(row)
    results == 0 || untils(results - 1) <= row
  }

  /** The output rows of the results that start before a row. */
  def rowsTo(row: Long): Long = {
    val results = before(row)
    if (results == starts.size) rows else rowsBefore(results)
  }

  def matchesTo(row: Long): Long = {
    val results = before(row)
    if (results == starts.size) matches else matchesBefore(results)
  }
}
