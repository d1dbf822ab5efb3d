package org.matchrecognize.spark.optimizer

/** What ends a search before its partition does. */
class StopAfterMatchSuite extends FilterAboveTest {

  private val numbered = clause("MATCH_NUMBER() AS n, A.o AS a", more = "")

  test("a filter on MATCH_NUMBER ends the search of a partition") {
    val all = Seq(Seq(1L, 1), Seq(2L, 3), Seq(3L, 5))
    for ((filter, last, passed) <- Seq(
        ("n = 1", 1L, Seq(1)),
        ("n <= 2", 2L, Seq(1, 2)),
        ("n < 3", 2L, Seq(1, 2)),
        ("2 >= n", 2L, Seq(1, 2)),
        ("n IN (1, 3)", 3L, Seq(1, 3)),
        ("n = 2 AND a > 0", 2L, Seq(2)),
        ("n BETWEEN 2 AND 2", 2L, Seq(2)),
        ("n < 1", 0L, Nil),
        ("n <= 3 AND n = 2", 2L, Seq(2))
      )) {
      val sql = where(numbered, filter)
      assert(pushed(sql).lastMatch.contains(last), filter)
      for (matcher <- Seq("fused", "automaton", "threads"))
        withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
          assert(rows(sql) == passed.map(n => all(n - 1)), s"$matcher $filter")
        }
      withSettings("spark.sql.optimizer.excludedRules" -> StopAfterMatch.ruleName)(
        assert(pushed(sql).lastMatch.isEmpty))
    }
    for (filter <- Seq("n > 1", "n >= 2", "n <> 1", "n = 1 OR a = 5", "n < a", "n IS NOT NULL"))
      assert(pushed(where(numbered, filter)).lastMatch.isEmpty, filter)
    val more = clause("MATCH_NUMBER() + 1 AS n, A.o AS a", more = "")
    assert(pushed(where(more, "n = 2")).lastMatch.isEmpty)
    assert(rows(where(more, "n = 2")) == Seq(Seq(2L, 1)))
  }

  test("steps that it saves") {
    val sql = s"""SELECT * FROM $long MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
      |  MEASURES MATCH_NUMBER() AS n AFTER MATCH SKIP TO NEXT ROW
      |  PATTERN (A B C) DEFINE B AS x > A.x, C AS x < A.x)""".stripMargin
    val (few, all) = steps(where(sql, "n = 1"), StopAfterMatch.ruleName)
    assert(few < 100 && all > 40000, (few, all))
  }

  test(
    "LIMIT ends the search of the matchers that are incremental, and the reading of the input") {
    val counter = spark.sparkContext.longAccumulator
    spark.udf.register("counted", (id: Long) => { counter.add(1); id })
    val input = "(SELECT id, counted(id) AS x FROM range(0, 1000000, 1, 1))"
    for ((matcher, most) <- Seq("fused" -> 5000L, "threads" -> 5000L)) {
      val sql = s"""SELECT * FROM $input MATCH_RECOGNIZE (ORDER BY id MEASURES A.id AS a, B.x AS b
        |  PATTERN (A B) DEFINE A AS x % 2 = 0, B AS x % 2 = 1) LIMIT 5""".stripMargin
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        counter.reset()
        assert(rows(sql) == Seq(0L, 2L, 4L, 6L, 8L).map(a => Seq(a, a + 1)))
        assert(counter.value >= 10 && counter.value < most, matcher)
      }
    }
  }
}
