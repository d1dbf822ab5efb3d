package org.matchrecognize.spark.execution.statements

import org.matchrecognize.spark.execution.CutRuns

/** Absence, loose loops and stop conditions together: EXPLAIN, and states in the middle of a partition. */
class ContiguitySuite extends ContiguityTest {

  test("in the middle of a partition: cut at random rows, the same is found at the same rows") {
    val input = "(SELECT id % 3 AS k, id AS o, chr(97 + (hash(id) & 3)) AS type, " +
      "hash(-id) & 15 AS n FROM range(0, 150, 1, 1))"
    val patterns = Seq(
      "A [^B] X",
      "A {- X*? -} [^E]",
      "A {- X*? -} [^B] {- Y*? -} C",
      "A{2,4}?? C",
      "(A B)+??{D} [^C]",
      "(A+??? [^B] | C)+{D} B"
    )
    for {
      (pattern, i) <- patterns.zipWithIndex
      options      <- Seq("", "ALL ROWS PER MATCH", "AFTER MATCH SKIP TO NEXT ROW")
      condition    <- Seq("true", "LAST(n, 2) IS NULL OR MATCH_SEQUENCE_NUMBER() < 6")
    } {
      val sql = s"""SELECT * FROM $input MATCH_RECOGNIZE (
                   |  PARTITION BY k ORDER BY o
                   |  MEASURES COUNT(*) AS m, CLASSIFIER() AS c, MATCH_SEQUENCE_NUMBER() AS s,
                   |    PREV(CLASSIFIER()) AS p
                   |  $options PATTERN ($pattern) DEFINE
                   |  ${definitions(
                    pattern,
                    Seq(
                      "A" -> s"type = 'a' AND ($condition)",
                      "B" -> "type = 'b' AND n > 4"))})""".stripMargin
      for (seed <- 1L to 3L) {
        val runs = CutRuns.both(spark, CutRuns.prepare(spark, sql), i * 100L + seed)
        assert(runs.forall(r => r._1.outcome == r._2.outcome), sql)
        assert(runs.map(_._2.stateBytes.size).sum > 20 && runs.exists(_._1.found.nonEmpty), sql)
      }
    }
  }

  test("EXPLAIN says why neither automaton nor generated code takes a pattern") {
    def explained(pattern: String) =
      spark
        .sql(clause("a1 b1", pattern, "o AS o", "ONE ROW PER MATCH", Nil))
        .queryExecution
        .executedPlan
        .toString
    assert(explained("A+ [^B]").contains("[^ ] looks at the next row"))
    assert(explained("A+??").contains("a loose loop passes over rows"))
    assert(explained("A+{B}").contains("barred"))
    assert(explained("A {- X*? -} [^B]").contains("PATTERN (A {- X*? -} [^B])"))
  }
}
