package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.plans.logical.Filter

import org.matchrecognize.spark.logical.MatchRecognize

/** A filter on the first row of a match becomes part of its variable's condition. */
class PushStartFiltersSuite extends FilterAboveTest {

  private val ofFirst = clause("A.x AS a, A.o AS f, LAST(o) AS l, FIRST(x) AS g")

  test("a filter on the first row becomes part of its variable's condition") {
    for ((filter, expected) <- Seq(
        "a > 4"           -> Seq(1, 3, 5),
        "g = 8 OR g < 2"  -> Seq(3, 4),
        "f < 3 AND l < 3" -> Seq(1),
        "a + 0L < 3L"     -> Seq(4)
      )) {
      val sql = where(ofFirst, filter)
      assert(rows(s"SELECT f FROM ($sql)").map(_.head) == expected, filter)
    }
    assert(pushed(where(ofFirst, "a > 4 AND l < 5")).texts == Seq("starts (a > 4)"))
    // The whole filter is gone, and with it the measure that only the filter used.
    val kept =
      spark.sql(s"SELECT l FROM (${where(ofFirst, "a > 4")})").queryExecution.optimizedPlan
    assert(!kept.exists { case Filter(_, _: MatchRecognize) => true; case _ => false })
    assert(
      node(s"SELECT l FROM (${where(ofFirst, "a > 4")})").measureOutput.map(_.name) == Seq("l"))
  }

  test("a filter on the first row: ALL ROWS, NO SKIP, time-outs, rows beside the first") {
    val all = clause("A.x AS a", more = "ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW")
    assert(pushed(where(all, "a = 8")).starts.size == 1)
    assert(rows(where(all, "a = 8")) == Seq(Seq(3, 8, 8), Seq(4, 8, 1)))
    val every = clause("A.x AS a, LAST(o) AS l", "A B+", more = "AFTER MATCH NO SKIP")
    assert(pushed(where(every, "a = 1")).starts.size == 1)
    assert(rows(where(every, "a = 1")) == Seq(Seq(1, 6), Seq(1, 5)))
    val late = clause(
      "A.x AS a, MATCH_TIMED_OUT() AS t",
      define = "B AS x > 8",
      more = "ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH SKIP TO NEXT ROW")
      .replace("PATTERN (A B)", "PATTERN (A B) WITHIN 1")
    assert(pushed(where(late, "a < 3")).starts.size == 1)
    assert(
      rows(where(late, "a < 3")).map(_.mkString(" ")) ==
        Seq("1 false", "2 true"))
    val beside = clause("PREV(A.x) AS p, NEXT(FIRST(x), 2) AS n, A.o AS f")
    assert(pushed(where(beside, "p > 4")).starts.size == 1)
    assert(rows(s"SELECT f FROM (${where(beside, "p > 4")})") == Seq(Seq(2), Seq(4)))
    assert(rows(s"SELECT f FROM (${where(beside, "n = 1")})") == Seq(Seq(2)))
  }

  test("a filter that drops a match another match depends on stays above") {
    def stays(sql: String, filter: String, expected: Seq[Seq[Any]]): Unit = {
      val filtered = where(sql, filter)
      assert(pushed(filtered).starts.isEmpty, filtered)
      assert(rows(filtered) == expected, filtered)
    }
    // The match at 1 hides the one at 2.
    for (skip <- Seq("", "AFTER MATCH SKIP PAST LAST ROW"))
      stays(clause("A.o AS a, B.o AS b", more = skip), "a >= 2", Seq(Seq(3, 4), Seq(5, 6)))
    stays(
      clause("A.o AS a, C.o AS c", "A B C", more = "AFTER MATCH SKIP TO C"),
      "a >= 2",
      Seq(Seq(3, 5)))
    // The match at 2 is the second.
    stays(clause("A.o AS a, MATCH_NUMBER() AS n"), "a = 2", Seq(Seq(2, 2L)))
    stays(
      clause("A.o AS a, COUNT(*) FILTER (WHERE MATCH_NUMBER() > 3) AS n"),
      "a >= 3",
      Seq(Seq(3, 0L), Seq(4, 2L), Seq(5, 2L)))
    stays(clause("A.o AS a", define = "B AS MATCH_NUMBER() < 3"), "a >= 2", Seq(Seq(2)))
    // A row that no match covers is returned; a row that a match covers is not.
    stays(
      clause(
        "COALESCE(A.x, 0) AS a",
        define = "A AS x > 4",
        more = "ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO NEXT ROW"),
      "a > 8",
      Seq(Seq(5, 9, 9), Seq(6, 9, 2))
    )
  }

  test("a filter on what the first row alone does not say stays above") {
    for ((sql, filter, expected) <- Seq(
        // The last A, which is not the first row.
        (clause("A.x AS a, FIRST(o) AS f", "A B A"), "a = 8", Seq(1)),
        (clause("A.x AS a, FIRST(o) AS f", "A+ B{1}", "B AS x = 9"), "a = 8", Nil),
        // A match may begin otherwise.
        (clause("A.x AS a, FIRST(o) AS f", "(A | B) C", "A AS x > 4"), "a = 8", Seq(3)),
        (clause("B.x AS a, FIRST(o) AS f", "A B"), "a = 8", Seq(2)),
        (clause("x AS a, FIRST(o) AS f", "A B"), "a = 8", Seq(2)),
        (clause("FIRST(x, 1) AS a, FIRST(o) AS f", "A B"), "a = 8", Seq(2)),
        (clause("COUNT(A.x) AS a, FIRST(o) AS f", "A B", "B AS x > 8"), "a = 1", Seq(4)),
        (clause("CLASSIFIER(A) AS a, FIRST(o) AS f", "A B", "B AS x > 8"), "a = 'A'", Seq(4)),
        (clause("A.x AS a, FIRST(o) AS f", "A?", "A AS x > 8"), "a = 9", Seq(5))
      )) {
      assert(pushed(where(sql, filter)).starts.isEmpty, sql)
      assert(rows(s"SELECT f FROM (${where(sql, filter)})").map(_.head) == expected, sql)
    }
  }

  test("a filter that can fail is not tested where no match starts") {
    // 10 / (8 - 8) at o = 3, where no match starts.
    val sql = where(clause("A.x AS a, A.o AS f", define = "B AS x > 7"), "10 / (a - 8) > 0")
    assert(pushed(sql).starts.isEmpty && rows(sql) == Nil)
  }

  test("steps that it saves") {
    val sql = s"""SELECT * FROM $long MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
      |  MEASURES A.o AS a, A.x AS ax AFTER MATCH SKIP TO NEXT ROW
      |  PATTERN (A B C) DEFINE B AS x > A.x, C AS x < A.x)""".stripMargin
    val (pruned, all) = steps(where(sql, "ax > 2100000000"), PushStartFilters.ruleName)
    assert(pruned < 3000 && all > 40000, (pruned, all))
  }
}
