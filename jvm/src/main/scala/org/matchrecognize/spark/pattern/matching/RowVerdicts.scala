package org.matchrecognize.spark.pattern.matching

/**
 * Conditions that the row alone decides, tested on the rows of a complete partition. Rows that
 * satisfy the same variables are of one *class*.
 */
trait RowVerdicts {

  /**
   * Tests the rows of a partition that has arrived as a whole.
   *
   * @return
   *   false if a condition failed with an error at some row: then only a search that tests nothing
   *   ahead can say whether the row is ever tested for it
   */
  def classify(rows: Long): Boolean

  /** The class of a row, from 0; classes are numbered as they are met, for all partitions. */
  def classOf(row: Long): Int

  /** Whether rows of a class satisfy a variable. */
  def satisfies(rowClass: Int, variable: Int): Boolean
}
