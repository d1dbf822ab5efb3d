package org.matchrecognize.spark.pattern.matching

/**
 * WITHIN, as a search reads it: how far from its first row a match can go. Rows within the bound
 * of a match lie before those beyond it.
 */
trait WithinBound {

  /**
   * A match is to begin at a row.
   *
   * @return
   *   false if none can, not even an empty one: the row has no key
   */
  def begin(row: Long): Boolean

  /** Whether a row, from the first of the match on, is within the bound. */
  def contains(row: Long): Boolean

  /** Whether no row that is still to come can be within the bound. */
  def hasPassed: Boolean = false
}
