package org.apache.spark.sql.matchrecognize

import org.apache.spark.sql.execution.datasources.v2.LowLatencyClock
import org.apache.spark.util.{Clock, SystemClock}

/** The clock of real-time mode. Here since Spark's interface of clocks is `private[spark]`. */
object RealTimeClock {

  /** Has Spark read the time, in milliseconds, from a test. */
  def set(now: () => Long): Unit = LowLatencyClock.setClock(new Clock {
    override def getTimeMillis(): Long = now()
    override def nanoTime(): Long      = System.nanoTime()

    override def waitTillTime(target: Long): Long = {
      while (now() < target) Thread.sleep(5)
      now()
    }
  })

  def reset(): Unit = LowLatencyClock.setClock(new SystemClock)

  def millis: Long = LowLatencyClock.getTimeMillis()
}
