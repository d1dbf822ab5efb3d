package org.matchrecognize.spark.optimizer

import java.nio.file.Files

import org.apache.commons.io.FileUtils

import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.execution.FilterExec

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.MatchRecognizeExec
import org.matchrecognize.spark.logical.{MatchRecognize, Pushed}

/** What filters above a clause spare beneath it, and where they must not. */
class PushedFiltersSuite extends SparkSuite {

  private def node(sql: String): MatchRecognize =
    spark.sql(sql).queryExecution.optimizedPlan.collectFirst { case m: MatchRecognize => m }.get

  private def pushed(sql: String): Pushed = node(sql).pushed

  /** x is 5, 3, 8, 1, 9, 2 at o = 1 to 6. */
  private val six =
    "(SELECT * FROM VALUES (1, 5), (2, 3), (3, 8), (4, 1), (5, 9), (6, 2) AS t(o, x))"

  private def clause(
      measures: String,
      pattern: String = "A B",
      define: String = "",
      more: String = "AFTER MATCH SKIP TO NEXT ROW",
      order: String = "o",
      input: String = six): String =
    s"""SELECT * FROM $input MATCH_RECOGNIZE (
       |  ORDER BY $order MEASURES $measures $more PATTERN ($pattern)
       |  ${if (define.isEmpty) "" else s"DEFINE $define"})""".stripMargin

  private def where(sql: String, filter: String): String =
    s"SELECT * FROM ($sql) WHERE $filter"

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
    assert(pushed(where(ofFirst, "a > 4 AND l < 5")).starts.mkString.contains("a > 4"))
    assert(!pushed(where(ofFirst, "a > 4 AND l < 5")).starts.mkString.contains("l < 5"))
    // The whole filter is gone, and with it the measure that only the filter asked for.
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
    // A row that no match covers is put out, one that a match covers is not.
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

  test("rows before the first start row are left out") {
    val measures = "A.o AS a, LAST(x) AS l"
    for ((sql, filter, expected) <- Seq(
        (clause(measures), "a >= 4", Seq(4, 5)),
        (clause(measures), "4 < a", Seq(5)),
        (clause(measures, order = "o DESC"), "a <= 3", Seq(3, 2)),
        (clause(measures, define = "B AS x > PREV(x)"), "a >= 4", Seq(4)),
        (clause(measures, define = "B AS x > LAST(x, 1)"), "a >= 4", Seq(4))
      )) {
      val p = pushed(where(sql, filter))
      assert(p.rows.size == 1, sql)
      assert(rows(where(sql, filter)).map(_.head) == expected, sql)
    }
    // The clause says so itself, so under any AFTER MATCH, numbers asked for or not.
    val own = clause(
      "A.o AS a, MATCH_NUMBER() AS n",
      "A+ B",
      "A AS o >= 3 AND x > 2, B AS x < 5",
      more = "")
    assert(pushed(own).rows.mkString.contains(">= 3"))
    assert(rows(own) == Seq(Seq(3, 1L), Seq(5, 2L)))
  }

  test("rows before the first start row that somebody looks at stay") {
    val own = "A AS o >= 3"
    for ((sql, expected) <- Seq(
        clause("A.o AS a, PREV(A.x) AS p", define = own) -> Seq(3 -> 3, 4 -> 8, 5 -> 1),
        clause("A.o AS a, A.x AS p", "^ A", own)         -> Nil,
        clause("A.o AS a, A.x AS p", "A (^ B | C)", own + ", C AS x > 8") -> Seq(4 -> 1),
        clause("A.o AS a, A.x AS p", define = own + " AND x > PREV(x)")   -> Seq(3 -> 8, 5 -> 9),
        clause("A.o AS a, A.x AS p", define = own + ", B AS PREV(x, 2) = 3") -> Seq(3 -> 8),
        clause("A.o AS a, A.x AS p", define = own + ", B AS PREV(A.x) = 3")  -> Seq(3 -> 8),
        // A match may begin with another variable.
        clause("FIRST(o) AS a, FIRST(x) AS p", "A? B", own, "") ->
          Seq(1 -> 5, 2 -> 3, 3 -> 8, 5 -> 9),
        clause("FIRST(o) AS a, FIRST(x) AS p", "(A | B) C", own, "") ->
          Seq(1 -> 5, 3 -> 8, 5 -> 9)
      )) {
      assert(pushed(sql).rows.isEmpty, sql)
      assert(rows(sql) == expected.map { case (a, p) => Seq(a, p) }, sql)
    }
    val shown = clause("A.o AS a", define = own, more = "ALL ROWS PER MATCH WITH UNMATCHED ROWS")
    assert(rows(s"SELECT o FROM ($shown)").map(_.head) == (1 to 6))
    // The division fails at row 1.
    val failing = clause("A.o AS a", define = "A AS 10 / (x - 5) < 9 AND o >= 3")
    assert(intercept[Exception](rows(failing)).toString.contains("DIVIDE_BY_ZERO"))
    val later = clause("A.o AS a", define = "A AS o >= 3 AND 10 / (x - 5) < 9")
    assert(pushed(later).rows.size == 1 && rows(later) == Seq(Seq(3), Seq(4), Seq(5)))
  }

  test(
    "rows whose key is NULL are left out where they come first, and stay where they come last") {
    val input              = "(SELECT * FROM VALUES (1, 5), (2, 3), (3, 8), (NULL, 1) AS t(o, x))"
    def sql(order: String) =
      clause("A.x AS a, LAST(x) AS l", define = "A AS o >= 2", order = order, input = input)
    for ((order, expected) <- Seq(
        "o"                  -> Seq(Seq(3, 8)),
        "o NULLS LAST"       -> Seq(Seq(3, 8), Seq(8, 1)),
        "o DESC"             -> Seq(Seq(8, 3), Seq(3, 5)),
        "o DESC NULLS FIRST" -> Seq(Seq(8, 3), Seq(3, 5))
      )) {
      assert(pushed(sql(order)).rows.size == (if (order.contains("DESC")) 0 else 1))
      assert(rows(sql(order)) == expected, order)
    }
    val down =
      clause("A.x AS a, LAST(x) AS l", define = "A AS o <= 2", order = "o DESC", input = input)
    assert(pushed(down).rows.size == 1 && rows(down) == Seq(Seq(3, 5), Seq(5, 1)))
  }

  test("rows beyond the bound of every match are left out") {
    def sql(define: String, within: String, measures: String = "A.o AS a, LAST(o) AS l") =
      clause(measures, "A B*", define).replace("PATTERN (A B*)", s"PATTERN (A B*) WITHIN $within")
    val upTo = sql("A AS o <= 3", "1")
    assert(pushed(upTo).rows.mkString.contains("<= 4"))
    assert(rows(upTo) == Seq(Seq(1, 2), Seq(2, 3), Seq(3, 4)))
    val between = where(sql("B AS x < 9", "2"), "a BETWEEN 3 AND 4")
    assert(pushed(between).rows.mkString.contains(">= 3"))
    assert(pushed(between).rows.mkString.contains("<= 6"))
    assert(rows(between) == Seq(Seq(3, 4), Seq(4, 4)))
    // Beyond all keys there is no bound, without WITHIN neither; NEXT and $ look there.
    for (all <- Seq(
        sql("A AS o <= 3", "2147483647"),
        sql("A AS o <= 3", "1").replace("WITHIN 1", ""),
        sql("A AS o <= 3", "1", "A.o AS a, NEXT(LAST(o)) AS l"),
        sql("A AS o <= 3", "1").replace("B*)", "B* $ )"),
        sql("A AS o <= 3, B AS x < NEXT(x)", "1"),
        sql("A AS o <= 3 OR x = 2", "1")
      )) assert(pushed(all).rows.isEmpty, all)
    assert(
      rows(sql("A AS o <= 3", "1", "A.o AS a, NEXT(LAST(o)) AS l")) ==
        Seq(Seq(1, 3), Seq(2, 4), Seq(3, 5)))
    assert(rows(sql("A AS o <= 5", "1").replace("B*)", "B* $ )")) == Seq(Seq(5, 6)))
  }

  test("rows beyond the bound of every match, by time: days are as long as they may be") {
    // The last Sunday of October has 25 hours in Berlin, so a day after its beginning is 25 hours.
    val input = "(SELECT timestamp_micros(1761429600000000 + id * 1800000000) AS ts, id AS o " +
      "FROM range(0, 200, 1, 1)) AS t"
    val keys = Seq(
      "ts"                        -> "TIMESTAMP'2025-10-26 00:00:00'",
      "CAST(ts AS TIMESTAMP_NTZ)" -> "TIMESTAMP_NTZ'2025-10-26 00:00:00'",
      "CAST(ts AS DATE)"          -> "DATE'2025-10-26'"
    )
    withSettings("spark.sql.session.timeZone" -> "Europe/Berlin") {
      for {
        (key, last) <- keys
        within      <- Seq("INTERVAL '1' DAY", "INTERVAL '90' MINUTE", "INTERVAL '0' SECOND")
      } {
        val sql = s"""SELECT * FROM (SELECT $key AS k, o FROM $input) MATCH_RECOGNIZE (
          |  ORDER BY k, o MEASURES FIRST(o) AS f, LAST(o) AS l AFTER MATCH SKIP TO NEXT ROW
          |  PATTERN (A B*) WITHIN $within DEFINE A AS k <= $last)""".stripMargin
        assert(pushed(sql).rows.size == 1, sql)
        val rule  = LeaveOutRowsOutOfReach.ruleName
        val found = rows(sql)
        assert(withSettings("spark.sql.optimizer.excludedRules" -> rule)(rows(sql)) == found, sql)
        // A day later it is as late on the clock, 50 half hours on.
        if (key == "ts" && within.contains("DAY")) assert(found == Seq(Seq(0L, 50L)))
        assert(found.nonEmpty, sql)
      }
    }
  }

  test("the source takes the filter of early rows") {
    val directory = Files.createTempDirectory("early-rows")
    try {
      spark.sql(s"SELECT * FROM $six").write.parquet(s"$directory/t")
      val sql  = where(clause("A.o AS a", input = s"parquet.`$directory/t`"), "a >= 4")
      val plan = rows(s"EXPLAIN FORMATTED $sql").head.head.toString
      assert(plan.contains("GreaterThanOrEqual(o,4)]"), plan)
      assert(plan.contains("starts ") && plan.contains("rows "), plan)
      assert("\\) Filter".r.findAllIn(plan).size == 1, plan)
    } finally FileUtils.deleteDirectory(directory.toFile)
  }

  private val numbered = clause("MATCH_NUMBER() AS n, A.o AS a", more = "")

  test("a filter on MATCH_NUMBER ends the search of a partition") {
    for ((filter, last) <- Seq(
        "n = 1"             -> 1L,
        "n <= 2"            -> 2L,
        "n < 3"             -> 2L,
        "2 >= n"            -> 2L,
        "n IN (1, 3)"       -> 3L,
        "n = 2 AND a > 0"   -> 2L,
        "n BETWEEN 2 AND 2" -> 2L,
        "n < 1"             -> 0L,
        "n <= 3 AND n = 2"  -> 2L
      )) {
      assert(pushed(where(numbered, filter)).lastMatch.contains(last), filter)
      val all      = Seq(Seq(1L, 1), Seq(2L, 3), Seq(3L, 5))
      val expected =
        withSettings("spark.sql.optimizer.excludedRules" -> StopAfterMatch.ruleName) {
          assert(pushed(where(numbered, filter)).lastMatch.isEmpty)
          rows(where(numbered, filter))
        }
      assert(expected.forall(all.contains))
      for (matcher <- Seq("fused", "automaton", "threads"))
        withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
          assert(rows(where(numbered, filter)) == expected, s"$matcher $filter")
        }
    }
    for (filter <- Seq("n > 1", "n >= 2", "n <> 1", "n = 1 OR a = 5", "n < a", "n IS NOT NULL"))
      assert(pushed(where(numbered, filter)).lastMatch.isEmpty, filter)
    val more = clause("MATCH_NUMBER() + 1 AS n, A.o AS a", more = "")
    assert(pushed(where(more, "n = 2")).lastMatch.isEmpty)
    assert(rows(where(more, "n = 2")) == Seq(Seq(2L, 1)))
  }

  /** The operator of a query that has run. */
  private def operator(sql: String): MatchRecognizeExec =
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val frame = spark.sql(sql)
      frame.collect()
      frame.queryExecution.executedPlan.collectFirst { case m: MatchRecognizeExec => m }.get
    }

  /** Two partitions in order, 20000 rows each. */
  private val long =
    "(SELECT id div 20000 AS k, id AS o, hash(id) AS x FROM range(0, 40000, 1, 1))"

  private def both(sql: String, rule: String, metric: String): (Long, Long) = {
    def count() = operator(sql).metrics(metric).value
    (count(), withSettings("spark.sql.optimizer.excludedRules" -> rule)(count()))
  }

  test("steps that a filter spares") {
    val first = s"""SELECT * FROM $long MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
      |  MEASURES MATCH_NUMBER() AS n, A.o AS a, A.x AS ax AFTER MATCH SKIP TO NEXT ROW
      |  PATTERN (A B C) DEFINE B AS x > A.x, C AS x < A.x)""".stripMargin
    val (steps, all) = both(where(first, "n = 1"), StopAfterMatch.ruleName, "numSteps")
    assert(steps < 100 && all > 40000, (steps, all))
    val starts         = where(first.replace("MATCH_NUMBER() AS n,", ""), "ax > 2100000000")
    val (pruned, each) = both(starts, PushStartFilters.ruleName, "numSteps")
    assert(pruned < 3000 && each > 40000, (pruned, each))
  }

  test("rows that a filter spares the exchange and the sort") {
    val sql = s"""SELECT * FROM $long MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
      |  MEASURES A.o AS a, A.x AS ax AFTER MATCH SKIP TO NEXT ROW
      |  PATTERN (A B) DEFINE B AS x > A.x)""".stripMargin
    val late     = where(sql, "a >= 39990")
    def read()   = operator(late).child.collectFirst { case f: FilterExec => f }
    val expected =
      withSettings("spark.sql.optimizer.excludedRules" -> LeaveOutRowsOutOfReach.ruleName) {
        assert(read().isEmpty)
        rows(late)
      }
    assert(read().get.metrics("numOutputRows").value == 10)
    assert(rows(late) == expected && expected.nonEmpty)
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

  test(
    "measures of a match that a filter drops are not computed, nor those that nobody asks for") {
    val counter = spark.sparkContext.longAccumulator
    spark.udf.register("costly", (x: Int) => { counter.add(1); x })
    val sql = where(
      clause("COUNT(*) AS n, costly(LAST(x)) AS c, LAST(o) AS l", "A+ B", "A AS x > 2", ""),
      "n > 3")
    counter.reset()
    assert(rows(sql) == Seq(Seq(4L, 1, 4)))
    assert(counter.value == 1)
    assert(node(s"SELECT l FROM ($sql)").measureOutput.map(_.name) == Seq("n", "l"))
    counter.reset()
    assert(rows(s"SELECT l FROM ($sql)") == Seq(Seq(4)) && counter.value == 0)
  }
}
