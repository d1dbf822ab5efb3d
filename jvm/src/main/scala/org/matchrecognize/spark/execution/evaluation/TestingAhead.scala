package org.matchrecognize.spark.execution.evaluation

import scala.util.control.NonFatal

import org.apache.spark.TaskKilledException

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
  def apply(rows: Long)(test: Long => Unit): Boolean = FailedEvaluation.isNone {
    var row = 0L
    while (row < rows) {
      if ((row & TestingAhead.pollMask) == 0) poll()
      test(row)
      row += 1
    }
  }
}

private object TestingAhead {

  /** Often enough for conditions that take milliseconds. */
  val pollMask = 0xffL
}

/**
 * What an evaluation throws if it fails for what it is given. Where rows are tested that the search
 * may never test, such an error is none: it is raised if the search comes to it. That a task is to
 * end is not for the search to decide.
 */
private[execution] object FailedEvaluation {

  def unapply(thrown: Throwable): Boolean = thrown match {
    case _: TaskKilledException => false
    case other                  => NonFatal(other)
  }

  /** Whether an evaluation succeeds. */
  def isNone(evaluation: => Unit): Boolean =
    try {
      evaluation
      true
    } catch { case FailedEvaluation() => false }
}
