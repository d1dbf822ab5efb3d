package org.matchrecognize.spark.execution.evaluation

/**
 * Tests rows before the search reads them.
 *
 * @param poll
 *   called now and then: throws if the task is to end
 */
final private[execution] class TestingAhead(poll: () => Unit) {

  /**
   * Applies `test` to all rows of a partition; false if it fails at one: whether the search ever
   * tests that row, only the search can say.
   */
  def apply(rows: Long)(test: Long => Unit): Boolean =
    try {
      var row = 0L
      while (row < rows) {
        if ((row & TestingAhead.pollMask) == 0) poll()
        test(row)
        row += 1
      }
      true
    } catch { case FailedEvaluation() => false }
}

private object TestingAhead {

  /** Often enough for conditions that take milliseconds. */
  val pollMask = 0xffL
}
