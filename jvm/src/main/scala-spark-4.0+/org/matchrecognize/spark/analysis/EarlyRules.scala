package org.matchrecognize.spark.analysis

import org.apache.spark.sql.SparkSessionExtensions

/** Rules that run before Spark looks functions and tables up: those for hints, from 4.0 on. */
private[spark] object EarlyRules {
  def injectInto(extensions: SparkSessionExtensions): Unit = {
    extensions.injectHintResolutionRule(new FunctionsOutside(_))
    extensions.injectHintResolutionRule(_ => TablesOfStreams)
  }
}
