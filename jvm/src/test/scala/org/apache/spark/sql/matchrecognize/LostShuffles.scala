package org.apache.spark.sql.matchrecognize

import org.apache.spark.{MapOutputTrackerMaster, SparkEnv}

/** Shuffles of which tests lose the rows, as with an executor: only Spark's own code may do so. */
object LostShuffles {

  /** Loses the rows of all shuffles so far. Spark computes again what it needs of them. */
  def all(): Unit = SparkEnv.get.mapOutputTracker match {
    case tracker: MapOutputTrackerMaster =>
      tracker.shuffleStatuses.keys.foreach(tracker.unregisterAllMapAndMergeOutput)
    case other => throw new IllegalStateException(s"not on the driver: $other")
  }
}
