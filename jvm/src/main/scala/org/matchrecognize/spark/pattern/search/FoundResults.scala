package org.matchrecognize.spark.pattern.search

import scala.collection.mutable.ArrayBuffer

/**
 * What the search of a part of a partition has found, in order, and with it the start rows that it
 * has visited: all rows from a first one on, but those that a result skips. Two searches that visit
 * the same start row find the same from there on.
 *
 * @param from
 *   the first start row
 */
final class FoundResults(from: Long) extends Serializable {

  /** The start rows with results. */
  private val starts = ArrayBuffer.empty[Long]

  /** By start row, the first row that no result up to its last one skips. */
  private val untils = ArrayBuffer.empty[Long]

  /** By start row, the output rows and the matches before its first result. */
  private val rowsBefore    = ArrayBuffer.empty[Long]
  private val matchesBefore = ArrayBuffer.empty[Long]

  /** The start row of the last result, and what was found before its first result. */
  private var lastStart     = -1L
  private var rowsToLast    = 0L
  private var matchesToLast = 0L

  /** The start row at which the search is: all before it are decided. */
  private var reached = 0L

  private var allRows    = 0L
  private var allMatches = 0L

  /**
   * Adds a result.
   *
   * @param until
   *   the next start row
   * @param before
   *   the output rows before
   * @param within
   *   how many rows another search can come to: results of later start rows are only counted
   */
  def add(
      start: Long,
      until: Long,
      before: Long,
      isMatch: Boolean,
      within: Long = Long.MaxValue): Unit = {
    if (start != lastStart) {
      lastStart = start
      rowsToLast = before
      matchesToLast = allMatches
      // With one that is beyond those rows, there is a count for each of them.
      if (starts.lastOption.forall(_ < within)) {
        starts += start
        untils += untils.lastOption.getOrElse(0L)
        rowsBefore += before
        matchesBefore += allMatches
      }
    }
    if (starts.last == start) untils(untils.size - 1) = math.max(until, untils.last)
    if (isMatch) allMatches += 1
  }

  /** Says at which start row the search is, and how many output rows there are. */
  def reach(start: Long, outputRows: Long): Unit = {
    reached = start
    allRows = outputRows
  }

  /** Output rows and matches. Of a start row with several matches, none counts until all are found. */
  def rows: Long    = if (lastStart == reached) rowsToLast else allRows
  def matches: Long = if (lastStart == reached) matchesToLast else allMatches

  /** How many start rows before a row have results. */
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
    val number = before(row)
    number == 0 || untils(number - 1) <= row
  }

  /** The output rows of the results that start before a row. */
  def rowsTo(row: Long): Long = {
    val number = before(row)
    if (number == starts.size) rows else rowsBefore(number)
  }

  def matchesTo(row: Long): Long = {
    val number = before(row)
    if (number == starts.size) matches else matchesBefore(number)
  }
}
