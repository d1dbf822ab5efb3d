package org.matchrecognize.spark.pattern

import org.matchrecognize.spark.pattern.matching.{RowConditions, RowVerdicts}

/**
 * Conditions on the row alone, known beforehand: what a matcher takes with these is its own work.
 *
 * @param masks
 *   for each row the variables that it satisfies
 */
final class MaskConditions(masks: Array[Int]) extends RowConditions[String] with RowVerdicts {

  /** Where in `masks` the partition begins. */
  var first = 0

  override def beginPartition(): Unit = ()

  override def begin(row: Long, matchNumber: Long): String      = ""
  override def beginAlone(row: Long, matchNumber: Long): String = ""

  override def map(variable: Int, row: Long, slots: String): String =
    if ((masks(first + row.toInt) & 1 << variable) != 0) slots else null

  override def extend(variable: Int, row: Long, slots: String): String = slots

  /** A mask is its own class. */
  override def classify(rows: Long): Boolean = true
  override def classOf(row: Long): Int       = masks(first + row.toInt)

  override def satisfies(rowClass: Int, variable: Int): Boolean =
    (rowClass & 1 << variable) != 0

  override def sameFuture(reachable: Int, a: String, b: String): Boolean = true
  override def futureHash(reachable: Int, slots: String): Int            = 0
  override def hasFuture(reachable: Int): Boolean                        = false
  override def dependsOnStart(reachable: Int): Boolean                   = false
  override def skipTarget(slots: String): Long                           = -1
}
