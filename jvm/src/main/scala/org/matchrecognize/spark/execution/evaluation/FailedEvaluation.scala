package org.matchrecognize.spark.execution.evaluation

import scala.util.control.NonFatal

import org.apache.spark.TaskKilledException

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
