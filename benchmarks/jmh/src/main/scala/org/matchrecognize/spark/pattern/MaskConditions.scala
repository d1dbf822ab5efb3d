package org.matchrecognize.spark.pattern

/**
 * Conditions on the row alone, known beforehand: what a matcher takes with these is its own work.
 *
 * @param masks
 *   for each row the variables that it satisfies
 */
final class MaskConditions(masks: Array[Int]) extends RowConditions[String] {

  /** Where in `masks` the partition begins. */
  var first = 0

  override def begin(row: Long, matchNumber: Long): String = ""

  override def map(variable: Int, row: Long, slots: String): String =
    if ((masks(first + row.toInt) & 1 << variable) != 0) slots else null

  override def sameFuture(reachable: Int, a: String, b: String): Boolean = true
  override def futureHash(reachable: Int, slots: String): Int            = 0
  override def hasFuture(reachable: Int): Boolean                        = false
  override def skipTarget(slots: String): Long                           = -1
}
