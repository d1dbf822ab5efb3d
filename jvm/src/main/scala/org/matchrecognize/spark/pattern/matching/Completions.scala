package org.matchrecognize.spark.pattern.matching

/** For the rows of a complete partition: from which positions a match can be completed. */
private[pattern] trait Completions {

  /**
   * Takes up a partition whose rows are classified.
   *
   * @return
   *   false if it is too long for this
   */
  def prepare(rows: Long): Boolean

  /**
   * Whether a match can be completed with `row` mapped at `position`.
   *
   * @param horizon
   *   the first row that is too far from the first of the match for a variable with a bound
   */
  def contain(row: Long, position: Int, horizon: Long): Boolean
}

/**
 * A bound on how far from the first row of a match some variables can be: `ts <= A.ts + INTERVAL 1
 * HOUR`, where A is mapped to the first row and ts is what the partition is ordered by. Rows of
 * such a variable lie before a *horizon* that depends on the first row alone.
 */
trait Horizons {

  /**
   * Takes up a partition.
   *
   * @param isAsked
   *   whether a search that starts at a row can read its bound
   * @return
   *   false if the bound of such a row failed with an error
   */
  def prepare(rows: Long, isAsked: Long => Boolean): Boolean

  /** The first row from `start` on that is beyond the bound of a match that starts there. */
  def of(start: Long): Long
}

/**
 * [[Horizons]] and the variables that have the bound.
 *
 * @param bounded
 *   by variable, whether it has the bound
 * @param askedFirst
 *   by variable, whether its condition can read the bound at a row that it then does not let in
 */
final case class BoundedVariables(
    horizons: Horizons,
    bounded: IndexedSeq[Boolean],
    askedFirst: IndexedSeq[Boolean])
