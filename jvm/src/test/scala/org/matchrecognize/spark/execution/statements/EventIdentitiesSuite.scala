package org.matchrecognize.spark.execution.statements

import scala.collection.mutable

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.CutRuns
import org.matchrecognize.spark.robustness.Fuzz

/** What holds between clauses with extensions and others, in both dialects. */
class EventIdentitiesSuite extends SparkSuite {

  override protected def settings: Map[String, String] =
    Map("spark.sql.shuffle.partitions" -> "1", "spark.sql.ui.explainMode" -> "simple")

  private val input =
    "(SELECT id div 10 AS k, id AS o, hash(id) & 15 AS x FROM range(0, 160, 1, 1))"

  /** Variables that overlap, so that there are choices; C and D depend on rows mapped before. */
  private val definitions = Map(
    "A" -> "x < 9",
    "B" -> "x > 5",
    "C" -> "x > FIRST(A.x) AND x < 13",
    "D" -> "x > 11 OR COUNT(*) > 6",
    "E" -> "x = 3")

  private val patterns = Seq(
    "A B* C",
    "A {- Z* -} B",
    "A {- Z*? -} C D??",
    "A (B | C)*? D",
    "A+ B*? C?",
    "PERMUTE(A, B+, C)",
    "A B{1,3}?? [^E] D",
    "A B+??{E}",
    "A {- Z*? -} B*",
    "A {- Z*? -} [^E] {- Y*? -} D",
    "A (B | D) {- Z*? -} [^E]"
  )

  private val skips =
    Seq(
      "SKIP PAST LAST ROW",
      "SKIP TO NEXT ROW",
      "SKIP TO A",
      "SKIP TO LAST B",
      "SKIP TO FIRST C")

  /** Partition, start row, labels, sum, whether it timed out; in the order of the search. */
  private def found(
      pattern: String,
      after: String,
      within: String = "",
      rows: String = "ONE ROW PER MATCH",
      defined: Map[String, String] = definitions): Seq[Seq[Any]] = {
    val define = defined
      .filter(d => s"\\b${d._1}\\b".r.findFirstIn(pattern).nonEmpty)
      .map(d => s"${d._1} AS ${d._2}")
    val sql = s"""SELECT * FROM $input MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
      |  MEASURES FIRST(o) AS f, array_join(collect_list(CLASSIFIER()), '') AS labels, SUM(o) AS s,
      |    MATCH_TIMED_OUT() AS late
      |  $rows AFTER MATCH $after PATTERN ($pattern) $within
      |  DEFINE ${define.mkString(", ")})""".stripMargin
    answers.getOrElseUpdate((spark.conf.get(setting), sql), this.rows(sql))
  }

  /** By dialect and statement. */
  private val answers = mutable.Map.empty[(String, String), Seq[Seq[Any]]]

  private val setting = "spark.sql.matchRecognize.dialect"

  private def inPattern(after: String, pattern: String): Boolean =
    !after.matches("SKIP TO.* [A-E]") || pattern.contains(after.last)

  private def isLate(row: Seq[Any]): Boolean = row.last == true
  private def start(row: Seq[Any]): Any      = (row.head, row(1))

  private def inEach(name: String)(body: => Any): Unit =
    for ((dialect, i) <- Seq("standard", "flink").zipWithIndex if Fuzz.hasTurn(name, i, of = 2))
      test(s"$name ($dialect)") {
        withSettings(setting -> dialect, "spark.sql.matchRecognize.invalidSkip" -> "nextRow")(
          body)
        ()
      }

  inEach("the first of NO SKIP is SKIP TO NEXT ROW's, and all modes' are among them") {
    var matches = 0
    for (pattern <- patterns) {
      val all = found(pattern, "NO SKIP")
      matches += all.size
      assert(all.distinct == all, pattern)
      val first = all.groupBy(start).map(_._2.head).toSet
      assert(found(pattern, "SKIP TO NEXT ROW").toSet == first, pattern)
      for (after <- skips if inPattern(after, pattern))
        assert(found(pattern, after).forall(all.contains), s"$pattern $after")
    }
    assert(matches > 200)
  }

  inEach("time-outs with every mode change no match, and are those of rows that are searched") {
    val timeouts = "ONE ROW PER MATCH SHOW TIMEOUT MATCHES"
    var shown    = 0
    for (pattern <- patterns) {
      val everywhere = found(pattern, "SKIP TO NEXT ROW", "WITHIN 5", timeouts).filter(isLate)
      for (after <- skips :+ "NO SKIP" if inPattern(after, pattern)) {
        val (late, matches) = found(pattern, after, "WITHIN 5", timeouts).partition(isLate)
        assert(matches == found(pattern, after, "WITHIN 5"), s"$pattern $after")
        val hidden =
          if (after == "NO SKIP") late.filterNot(r => matches.map(start).contains(start(r)))
          else late
        if (after != "NO SKIP")
          assert(late.map(start).intersect(matches.map(start)).isEmpty, s"$pattern $after")
        assert(hidden.forall(everywhere.contains), s"$pattern $after")
        shown += late.size
      }
    }
    assert(shown > 100)
  }

  inEach("WITHIN longer than the partition is none") {
    for (pattern <- patterns; after <- skips :+ "NO SKIP" if inPattern(after, pattern))
      assert(found(pattern, after) == found(pattern, after, "WITHIN 1000"), s"$pattern $after")
  }

  inEach("a loose loop that nothing can interrupt is the strict one") {
    val always  = definitions + ("A" -> "true") + ("B" -> "true")
    val matches = for {
      pattern <- Seq("A+# C", "D A*# E", "A{2,3}# D", "A{2}# C", "A C B+#")
      after   <- Seq("SKIP TO NEXT ROW", "SKIP PAST LAST ROW")
    } yield {
      val strict = found(pattern.replace("#", ""), after, "WITHIN 7", defined = always)
      val loose  = found(pattern.replace("#", "??"), after, "WITHIN 7", defined = always)
      assert(loose == strict, pattern)
      strict.size
    }
    // In the flink dialect a greedy loop that nothing ends leaves nothing to what follows.
    assert(matches.count(_ > 0) >= 4)
  }

  test("a loose loop that stops at each row that is not of it is the strict one") {
    val stopping = definitions + ("V" -> "x >= 9")
    for (pattern <- Seq("A+# C", "D A*# E", "A{2,}# C")) {
      val strict = found(pattern.replace("#", ""), "SKIP TO NEXT ROW")
      val loose  = found(pattern.replace("#", "??{V}"), "SKIP TO NEXT ROW", defined = stopping)
      assert(strict.nonEmpty && loose == strict, pattern)
    }
  }

  test("in the flink dialect, cut at random rows, the same is found at the same rows") {
    var put = 0
    withSettings(setting -> "flink") {
      for {
        (pattern, i) <- patterns.zipWithIndex
        options      <- Seq(
          "AFTER MATCH NO SKIP",
          "ONE ROW PER MATCH SHOW TIMEOUT MATCHES",
          "ALL ROWS PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH NO SKIP")
      } {
        val define = definitions.filter(d => s"\\b${d._1}\\b".r.findFirstIn(pattern).nonEmpty)
        val sql    = s"""SELECT * FROM $input MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
          |  MEASURES COUNT(*) AS n, CLASSIFIER() AS c, SUM(MATCH_NUMBER()) AS m,
          |    NEXT(LAST(x), 2) AS later, MATCH_ROWTIME() AS t, MATCH_TIMED_OUT() AS late
          |  $options PATTERN ($pattern) WITHIN 5
          |  DEFINE ${define.map(d => s"${d._1} AS ${d._2}").mkString(", ")})""".stripMargin
        val runs = CutRuns.both(spark, CutRuns.prepare(spark, sql), i.toLong)
        assert(runs.forall(r => r._1.outcome == r._2.outcome), sql)
        assert(runs.map(_._2.stateBytes.size).sum > 20, sql)
        put += runs.map(_._1.found.size).sum
      }
    }
    assert(put > 500)
  }
}
