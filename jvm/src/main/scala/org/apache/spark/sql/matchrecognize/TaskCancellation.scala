package org.apache.spark.sql.matchrecognize

import org.apache.spark.{TaskContext, TaskKilledException}
import org.apache.spark.shuffle.FetchFailedException

/**
 * Lets a task that works on one long match for a while be cancelled. Here since a task is asked to
 * end itself through a method that is `private[spark]`, and a lost shuffle is a class of that kind.
 */
object TaskCancellation {

  /** To be called now and then: throws if the task has been killed. */
  def poll(task: TaskContext): () => Unit = () => task.killTaskIfInterrupted()

  /** Whether Spark ends the task, or runs it again, with an error. */
  def isOfTask(task: TaskContext, error: Throwable): Boolean = error match {
    case _: FetchFailedException | _: TaskKilledException => true
    case _                                                => task.isInterrupted()
  }
}
