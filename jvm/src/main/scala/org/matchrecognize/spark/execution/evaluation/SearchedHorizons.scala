package org.matchrecognize.spark.execution.evaluation

import org.matchrecognize.spark.pattern.matching.Horizons

/** [[Horizons]] that are searched for among the rows, near the one found last. */
abstract private[execution] class SearchedHorizons extends Horizons {
  protected var rows    = 0L
  private var lastFound = 0L

  /** Whether no bound fails that a search reads. */
  protected def prepare(isAsked: Long => Boolean): Boolean

  /** Takes the bound of a match that starts at a row; false if no row is within it. */
  protected def begin(start: Long): Boolean

  /** Whether a row, from the first row of the match on, is within the bound taken. */
  protected def contains(index: Long): Boolean

  final override def prepare(rows: Long, isAsked: Long => Boolean): Boolean = {
    this.rows = rows
    lastFound = 0
    prepare(isAsked)
  }

  final override def of(start: Long): Long =
    if (begin(start)) {
      lastFound = search(start, math.max(start, lastFound))
      lastFound
    } else {
      start
    }

  private def isWithin(index: Long): Boolean = index < rows && contains(index)

  /** Rows within the bound come first: looks for the end of them, ever farther from a guess. */
  private def search(start: Long, guess: Long): Long = {
    var within = start
    var beyond = rows
    var step   = 1L
    if (isWithin(guess)) {
      within = guess + 1
      while (within < beyond && within + step - 1 < beyond && isWithin(within + step - 1)) {
        within += step
        step *= 2
      }
      beyond = math.min(beyond, within + step - 1)
    } else {
      beyond = guess
      while (beyond - step >= within && !isWithin(beyond - step)) {
        beyond -= step
        step *= 2
      }
      within = math.max(within, beyond - step + 1)
    }
    // Every row before `within` is within the bound, none from `beyond` on.
    while (within < beyond) {
      val middle = (within + beyond) >>> 1
      if (isWithin(middle)) within = middle + 1 else beyond = middle
    }
    beyond
  }
}
