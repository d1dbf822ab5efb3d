package org.matchrecognize.spark.optimizer

import java.nio.file.Files

import org.apache.commons.io.FileUtils

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  GreaterThanOrEqual,
  LessThanOrEqual,
  Literal
}
import org.apache.spark.sql.execution.FilterExec

import org.matchrecognize.spark.logical.Pushed

/** Rows that no match can reach are left out before the sort, unless somebody looks at them. */
class LeaveOutRowsSuite extends FilterAboveTest {

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
    // The clause itself limits the rows: under any AFTER MATCH, with or without match numbers.
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

  test("rows beyond the bound of every match: those without a key that lie in front stay") {
    val input              = "(SELECT * FROM VALUES (1, 5), (2, 3), (3, 8), (NULL, 7) AS t(o, x))"
    def sql(order: String) =
      clause("A.o AS a, PREV(A.x) AS p", "A B*", "A AS o <= 2", order = order, input = input)
        .replace("(A B*)", "(A B*) WITHIN 1")
    for ((query, expected) <- Seq(
        // The row before o = 1 is the one without a key.
        sql("o")            -> Seq(Seq[Any](1, 7), Seq(2, 5)),
        sql("o NULLS LAST") -> Seq(Seq[Any](1, null), Seq(2, 5))
      )) {
      assert(pushed(query).rows.mkString.contains("<= 3"), query)
      assert(rows(query) == expected, query)
    }
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

  test("a rule knows by the condition, not by its text, that it has filtered rows") {
    val sql  = clause("A.o AS a", define = "A AS o >= 3")
    val rule = LeaveOutRowsOutOfReach
    val m    = withSettings("spark.sql.optimizer.excludedRules" -> rule.ruleName)(node(sql))
    def pushes(known: Expression) = {
      val before = m.copy(pushed = Pushed(rows = Seq(known)))
      rule(before) != before
    }
    val key   = m.order.head.child
    val three = Literal(3)
    val own   = GreaterThanOrEqual(key, three)
    assert(pushed(sql).rows.map(_.sql) == Seq(own.sql))
    assert(!pushes(own))
    assert(!pushes(LessThanOrEqual(three, key)))
    val other = own.transform { case a: Attribute => a.newInstance() }
    assert(other.sql == own.sql && pushes(other))
    assert(rule(rule(m)) == rule(m))
  }

  test("what was filtered makes two plans of one statement no different") {
    val sql = clause("A.o AS a", define = "A AS o >= 3")
    assert(node(sql).pushed.rows.nonEmpty && node(sql).sameResult(node(sql)))
    def physical() = spark.sql(sql).queryExecution.sparkPlan
    assert(physical().sameResult(physical()))
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

  test("the exchange and the sort see no others") {
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
}
