package org.matchrecognize.spark.streaming

import org.apache.spark.sql.AnalysisException

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.parser.ParserTest

/** Which patterns are refused over a streaming table. */
class NeverFinalSuite extends SparkSuite {

  /** What is refused of a pattern over a stream, as underlined; None if it is accepted. */
  private def refused(pattern: String, flink: Boolean, within: String = ""): Option[String] = {
    spark.readStream
      .format("rate")
      .load()
      .withWatermark("timestamp", "1 second")
      .createOrReplaceTempView("ticks")
    val dialect = "spark.sql.matchRecognize.dialect"
    spark.conf.set(dialect, if (flink) "flink" else "standard")
    // A is a variable without a condition, B and C have one, and that of D is always true.
    val define = Seq("B AS value = 1", "C AS value = 2", "D AS 1 = 1")
      .filter(c => pattern.contains(c.take(1)))
    val sql = s"""SELECT * FROM ticks MATCH_RECOGNIZE (ORDER BY timestamp MEASURES COUNT(*) AS n
                 |  AFTER MATCH SKIP PAST LAST ROW PATTERN ($pattern) $within
                 |  ${if (define.isEmpty) ""
                else define.mkString("DEFINE ", ", ", "")})""".stripMargin
    try {
      spark.sql(sql)
      None
    } catch {
      case e: AnalysisException =>
        assert(ParserTest.condition(e) == "MATCH_RECOGNIZE.STREAM_NEVER_FINAL", sql)
        Some(e.getMessageParameters.get("part"))
    } finally spark.conf.unset(dialect)
  }

  private val within = "WITHIN INTERVAL 1 MINUTE"

  test("patterns that are refused over a stream") {
    for ((pattern, part) <- Seq(
        "A+"               -> "A+",
        "A+ B"             -> "A+",
        "B A* C"           -> "A*",
        "B A{2,}"          -> "A{2,}",
        "B D+"             -> "D+",
        "B (A | C)+"       -> "(A | C)+",
        "B (C? A?)*"       -> "(C? A?)*",
        "B+??"             -> "B+??",
        "B+?? C"           -> "B+??",
        "B {- X* -} C"     -> "X*",
        "B {- X*? -} [^C]" -> "{- X*? -} [^C]"
      )) {
      assert(refused(pattern, flink = false) == Some(part), pattern)
      assert(refused(pattern, flink = false, within).isEmpty, pattern)
    }
    for ((pattern, part) <- Seq(
        "B A+"             -> "A+",
        "C B+??"           -> "B+??",
        "B {- X*? -} [^C]" -> "{- X*? -} [^C]")) {
      assert(refused(pattern, flink = true) == Some(part), pattern)
      assert(refused(pattern, flink = true, within).isEmpty, pattern)
    }
    // The last row of a stream is never known.
    assert(refused("B $", flink = false) == Some("$"))
    assert(refused("B $", flink = false, within) == Some("$"))
  }

  test("patterns that a stream can decide") {
    for (pattern <- Seq(
        "A B",
        "A B+",
        "B+ C",
        "A+? B",
        "A{1,3}",
        "A B+??{C}",
        "B+???",
        "B {- X*? -} C",
        "(A B)+"))
      assert(refused(pattern, flink = false).isEmpty, pattern)
    for (pattern <- Seq("A+ B", "B+?? C", "B {- X* -} C", "B C+"))
      assert(refused(pattern, flink = true).isEmpty, pattern)
  }
}
