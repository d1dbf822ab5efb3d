package org.matchrecognize.spark.pattern.matching

/**
 * Finds the rows at which the verdict of a condition changes, for slots that stay the same. A search
 * whose threads wait passes over the rows before.
 *
 * @tparam S
 *   the slots of one thread
 */
trait VerdictChanges[S <: AnyRef] {

  /** Another partition begins. */
  def beginPartition(): Unit

  /** A search begins at a start row: no row before it is asked about again. */
  def begin(start: Long): Unit

  /**
   * Returns a row such that all rows before it, from `from` on, have the same verdict. It is the
   * first that has the other one, or an earlier row where that cannot be found out in little time.
   * Returns [[VerdictChanges.unknown]] if nothing but a test says what the verdict of a row is.
   *
   * @param variable
   *   whose condition is tested
   * @param slots
   *   those of the thread, which a row mapped to the variable leaves as they are
   * @param satisfied
   *   the verdict of the row before `from`, which was tested
   * @param until
   *   the row after the last that can be read; returned if no row before it has the other verdict
   */
  def firstChange(variable: Int, slots: S, satisfied: Boolean, from: Long, until: Long): Long
}

object VerdictChanges {
  val unknown: Long = -1L
}
