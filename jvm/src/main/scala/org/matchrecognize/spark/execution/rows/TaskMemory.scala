package org.matchrecognize.spark.execution.rows

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, MemoryMode}
import org.apache.spark.sql.matchrecognize.RowStoreDisk

/** Accounts to a task what lies on the heap until the task ends. */
final private[execution] class TaskMemory(task: TaskContext)
    extends MemoryConsumer(RowStoreDisk.memoryOf(task), MemoryMode.ON_HEAP) {

  task.addTaskCompletionListener[Unit](_ => freeMemory(getUsed))

  /** Takes so many bytes; false if there are not so many. */
  def take(bytes: Long): Boolean = {
    val got    = acquireMemory(bytes)
    val enough = got >= bytes
    if (!enough) freeMemory(got)
    enough
  }

  /** Nothing can be written to disk. */
  override def spill(size: Long, trigger: MemoryConsumer): Long = 0L
}
