package org.matchrecognize.spark.logical

/**
 * What the optimizer has taken from the filters above a clause, and from its own conditions, to
 * save work below. Texts are SQL: EXPLAIN shows them, and a rule knows by them what it did.
 *
 * @param keys
 *   filters on partition keys below the clause
 * @param starts
 *   filters on the first row of a match that are part of its variable's condition
 * @param rows
 *   filters below the clause that drop rows which no match can show
 * @param lastMatch
 *   the last MATCH_NUMBER that is needed
 */
final case class Pushed(
    keys: Seq[String] = Nil,
    starts: Seq[String] = Nil,
    rows: Seq[String] = Nil,
    lastMatch: Option[Long] = None) {

  def upTo(matchNumber: Long): Pushed =
    copy(lastMatch = Some(lastMatch.fold(matchNumber)(math.min(_, matchNumber))))

  /** By kind, for EXPLAIN. */
  def texts: Seq[String] =
    keys.map("partitions " + _) ++ starts.map("starts " + _) ++ rows.map("rows " + _) ++
      lastMatch.map(n => s"matches up to number $n")
}
