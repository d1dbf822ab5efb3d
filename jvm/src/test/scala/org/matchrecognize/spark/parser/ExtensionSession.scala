package org.matchrecognize.spark.parser

import org.apache.spark.sql.SparkSession

/** A Spark session with our parser and nothing else of ours: plans are looked at, not run. */
trait ExtensionSession {

  lazy val session: SparkSession = SparkSession
    .builder()
    .master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .withExtensions(_.injectParser((_, delegate) => MatchRecognizeParser(delegate)))
    .getOrCreate()
    .newSession()
}
