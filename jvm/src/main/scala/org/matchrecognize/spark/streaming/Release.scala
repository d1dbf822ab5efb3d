package org.matchrecognize.spark.streaming

import java.util.Properties

import org.matchrecognize.spark.MatchRecognizeExtensions

/** The release of the library. */
private[streaming] object Release {

  /** As the jar says, such as `0.1.0`. */
  lazy val version: String = {
    val build = new Properties
    val in    = classOf[MatchRecognizeExtensions].getResourceAsStream("build.properties")
    try build.load(in)
    finally in.close()
    build.getProperty("version")
  }
}
