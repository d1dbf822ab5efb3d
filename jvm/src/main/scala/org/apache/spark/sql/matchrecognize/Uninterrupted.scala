package org.apache.spark.sql.matchrecognize

import org.apache.spark.util.UninterruptibleThread

/**
 * Keeps an interrupt for later. Here since the thread of a streaming query, which can do that, is of
 * a class that is `private[spark]`.
 */
object Uninterrupted {

  /** Runs it, and has an interrupt that comes meanwhile take effect afterwards. */
  def apply[T](body: => T): T = Thread.currentThread match {
    case thread: UninterruptibleThread => thread.runUninterruptibly(body)
    case _                             => body
  }
}
