package org.apache.spark.sql.matchrecognize

import org.apache.spark.TaskContext

/**
 * Lets a task that works on one long match for a while be cancelled. Here since a task is asked to
 * end itself through a method that is `private[spark]`.
 */
object TaskCancellation {

  /** To be called now and then: throws if the task has been killed. */
  def poll(task: TaskContext): () => Unit = () => task.killTaskIfInterrupted()
}
