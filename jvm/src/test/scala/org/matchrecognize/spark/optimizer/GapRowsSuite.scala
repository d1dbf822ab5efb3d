package org.matchrecognize.spark.optimizer

import java.nio.file.Files

import org.apache.commons.io.FileUtils

import org.apache.spark.sql.catalyst.plans.logical.Filter

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.logical.MatchRecognize

/** Rows that can only be gaps are left out before the sort, and no answer changes. */
class GapRowsSuite extends SparkSuite {

  /** Events a to f, some NULL, at times with ties. */
  private def data(seed: Int): String =
    s"(SELECT id, pmod(hash(id, $seed), 3) AS k, IF(id < 10, NULL, id div 2) AS o, " +
      s"IF(pmod(hash(id, $seed + 1), 9) > 5, NULL, " +
      s"substr('abcdef', 1 + pmod(hash(id, $seed + 1), 9), 1)) AS e, " +
      s"pmod(hash(id, $seed + 2), 7) AS x FROM range(240)) AS t"

  /** The conditions of the events that a pattern has. */
  private def events(pattern: String): String =
    Seq("A AS e = 'a'", "B AS e = 'b'", "C AS e IN ('c', 'a')", "D AS e = 'd'")
      .filter(condition => pattern.contains(condition.head))
      .mkString(", ")

  private def clause(
      pattern: String,
      define: String = "",
      measures: String = "A.id AS a, LAST(B.id) AS b, LAST(id) AS l, COUNT(B.x) AS n",
      after: String = "AFTER MATCH SKIP PAST LAST ROW",
      rows: String = "ONE ROW PER MATCH",
      seed: Int = 1): String =
    s"""SELECT * FROM ${data(seed)} MATCH_RECOGNIZE (
       |  PARTITION BY k ORDER BY o, id MEASURES $measures $rows $after
       |  PATTERN ($pattern) DEFINE ${if (define.isEmpty) events(pattern)
      else define})""".stripMargin

  private def isFiltered(sql: String): Boolean =
    spark.sql(sql).queryExecution.optimizedPlan.exists {
      case m: MatchRecognize => m.child.exists(_.isInstanceOf[Filter])
      case _                 => false
    }

  private val bounded =
    "A AS e = 'a', Z AS o <= A.o + 9, B AS e = 'b' AND o <= A.o + 9, C AS e = 'c' AND o <= A.o + 9"

  private val leftOut = Seq(
    clause("A Z* B Z* C"),
    clause("A Z*? B Z*? C"),
    clause("A Z* B Y*? C"),
    clause("A Z*? (B | C) Z*? D"),
    clause("A Z*? B", after = "AFTER MATCH SKIP TO NEXT ROW"),
    clause("A Z*? B Z*? C", after = "AFTER MATCH SKIP TO LAST B"),
    clause("A Z* B Z* C", bounded, after = "AFTER MATCH SKIP TO NEXT ROW"),
    clause("A Z*? B Z*? C", bounded),
    clause("A Z* B Z*? C", measures = "FIRST(id) AS f, LAST(id) AS l, CLASSIFIER() AS v"),
    clause("A Z* B Z* C", "A AS e = 'a', B AS e = 'b' AND x > A.x, C AS e = 'c' AND x < B.x")
  )

  test("rows that can only be gaps are left out") {
    leftOut.foreach(sql => assert(isFiltered(sql), sql))
  }

  test("with and without them, by each matcher: the same rows") {
    var matches = 0
    for {
      sql  <- leftOut
      seed <- 1 to 2
    } {
      val drawn = sql.replace(data(1), data(seed))
      val all   = withSettings("spark.sql.optimizer.excludedRules" -> LeaveOutGapRows.ruleName) {
        assert(!isFiltered(drawn))
        sorted(rows(drawn))
      }
      for (matcher <- Seq("auto", "threads"))
        withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
          assert(sorted(rows(drawn)) == all, s"$matcher\n$drawn")
        }
      matches += all.size
    }
    assert(matches > 150)
  }

  test("a gap row in the way: nothing is left out") {
    Seq(
      // No gap is allowed there, or not as long a one, or it is of another kind.
      clause("A B"),
      clause("A Z? B"),
      clause("A Z{2,} B"),
      clause("A Z* B C"),
      clause("A+ Z* B"),
      clause("A Z* B+ Z* C"),
      // The gap rows begin or end the match.
      clause("Z* A Z* B"),
      clause("A Z* B Z*"),
      clause("A Z* (B | ())"),
      // The end of the partition.
      clause("A Z* B $"),
      clause("^ A Z* B"),
      // Somebody looks.
      clause("A Z* B", measures = "COUNT(*) AS n"),
      clause("A Z* B", measures = "LAST(Z.id) AS z"),
      clause("A Z* B", measures = "LAST(id, 1) AS l"),
      clause("A Z* B", measures = "PREV(B.id) AS p"),
      clause("A Z* B", measures = "NEXT(id) AS p"),
      clause("A Z* B", "A AS e = 'a', B AS e = 'b' AND x > PREV(x)"),
      clause("A Z* B", "A AS e = 'a', B AS e = 'b' AND COUNT(*) < 9"),
      clause("A Z* B", after = "AFTER MATCH SKIP TO LAST Z"),
      clause("A Z* B", rows = "ALL ROWS PER MATCH"),
      // Beyond the bound only the row left out would end the match.
      clause("A Z* B", "A AS e = 'a', Z AS o <= A.o + 9, B AS e = 'b'"),
      // A row without a key is beyond the bound, and rows after it are not.
      clause("A Z* B", "A AS e = 'a', Z AS o <= A.x, B AS e = 'b' AND o <= A.x"),
      // A row is a gap by its own value, or can be anything, or its test can fail.
      clause("A Z* B", "A AS e = 'a', B AS e = 'b', Z AS x > 1"),
      clause("A Z* B", "A AS e = 'a', B AS x > A.x"),
      clause("A Z* B", "A AS e = 'a', B AS 1 / x > 0")
    ).foreach(sql => assert(!isFiltered(sql), sql))
  }

  test("the filter is put in once, and reaches the source") {
    val directory = Files.createTempDirectory("gap-rows")
    try {
      spark.sql(s"SELECT * FROM ${data(1)}").write.parquet(s"$directory/t")
      val sql  = clause("A Z* B").replace(data(1), s"parquet.`$directory/t`")
      val plan = rows(s"EXPLAIN FORMATTED $sql").head.head.toString
      assert(plan.contains("PushedFilters: [Or(EqualTo(e,a),EqualTo(e,b))"), plan)
      assert("\\) Filter".r.findAllIn(plan).size == 1, plan)
    } finally FileUtils.deleteDirectory(directory.toFile)
  }

  private def sorted(found: Seq[Seq[Any]]): Seq[String] = found.map(_.mkString("|")).sorted
}
