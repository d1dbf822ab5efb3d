package org.matchrecognize.spark

import java.util.Properties

import org.scalatest.funsuite.AnyFunSuite

class MatchRecognizeExtensionsSuite extends AnyFunSuite {

  private val supported = "3.5_2.12 4.0_2.13 4.1_2.13 4.2_2.13 4.3_2.13"

  /** What a jar built for this Spark and Scala says to who runs it on that Spark and Scala. */
  private def message(minor: String, binary: String)(spark: String, scala: String) = {
    val build = new Properties
    build.setProperty("version", "0.1.0")
    build.setProperty("spark.minor", minor)
    build.setProperty("scala.binary", binary)
    build.setProperty("supported", supported)
    val result = MatchRecognizeExtensions.wrongSpark(build, spark, scala)
    if (result.isPresent) Some(result.get) else None
  }

  test("the right jar: nothing to say, whatever the patch release or the vendor") {
    assert(message("4.3", "2.13")("4.3.0", "2.13.18").isEmpty)
    assert(message("4.3", "2.13")("4.3.2-SNAPSHOT", "2.13.20").isEmpty)
    assert(message("3.5", "2.12")("3.5.1-amzn-0", "2.12.18").isEmpty)
  }

  test("another supported Spark: names the jar that fits") {
    assert(
      message("3.5", "2.12")("4.3.0", "2.13.18") ===
        Some(
          "[MATCH_RECOGNIZE.WRONG_SPARK] This jar (spark-match-recognize-spark-3.5_2.12-0.1.0.jar) " +
            "is built for Spark 3.5 (Scala 2.12), but this is Spark 4.3.0 (Scala 2.13). Use " +
            "spark-match-recognize-spark-4.3_2.13-0.1.0.jar, which `python -m match_recognize jar` " +
            "prints. SQLSTATE: 0A000"
        )
    )
  }
}
