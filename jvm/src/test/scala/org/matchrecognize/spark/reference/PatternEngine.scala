package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.RowPattern

/** What finds the match of a row pattern at a start row; a matcher of ours behind an adapter. */
trait PatternEngine {

  /**
   * The preferred match at a start row.
   *
   * @param variableCount
   *   primary variables are numbered below it
   * @param rowCount
   *   rows of the partition, numbered from 0
   * @param satisfies
   *   (variable, row, variables of the rows before it from the start row on) => may the row be
   *   mapped to the variable
   * @return
   *   variable and exclusion of each row from the start row on; no row for an empty match
   */
  def firstMatch(
      pattern: RowPattern,
      variableCount: Int,
      rowCount: Int,
      start: Int,
      satisfies: (Int, Int, IndexedSeq[Int]) => Boolean
  ): Option[Seq[(Int, Boolean)]]
}

/** Enumeration itself as an engine: the answer that others are held against. */
object EnumerationEngine extends PatternEngine {
  override def firstMatch(
      pattern: RowPattern,
      variableCount: Int,
      rowCount: Int,
      start: Int,
      satisfies: (Int, Int, IndexedSeq[Int]) => Boolean
  ): Option[Seq[(Int, Boolean)]] =
    new PatternEnumeration(rowCount, satisfies)
      .firstMatch(pattern, start)
      .map(_.map(mapping => (mapping.variable, mapping.excluded)))
}
