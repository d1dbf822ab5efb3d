package org.matchrecognize.spark.analysis

import org.apache.spark.sql.SparkSessionExtensions

/** Spark 3.5 takes no rule before it looks functions up, and says itself that there is no such. */
private[spark] object EarlyRules {
  def injectInto(extensions: SparkSessionExtensions): Unit = ()
}
