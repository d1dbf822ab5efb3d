package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{EqualTo, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.execution.SortExec
import org.apache.spark.sql.execution.aggregate.SortAggregateExec
import org.apache.spark.sql.types.LongType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.expressions.{RowColumn, RowTarget}
import org.matchrecognize.spark.logical.MatchRecognize
import org.matchrecognize.spark.pattern.program.Positions

/** Which matcher is chosen, what is pushed down and pruned, and that no row changes. */
class MatcherSelectionSuite extends SparkSuite {

  private val input = "(SELECT id % 10 AS k, id AS o, (id * 7919) % 101 AS x, " +
    "CAST(id AS STRING) AS s FROM range(3000)) AS t"

  private def clause(
      pattern: String,
      define: String,
      measures: String = "COUNT(*) AS n",
      rows: String = "",
      after: String = ""): String =
    s"""SELECT * FROM $input MATCH_RECOGNIZE (
       |  PARTITION BY k ORDER BY o MEASURES $measures $rows $after
       |  PATTERN ($pattern) ${if (define.isEmpty) "" else s"DEFINE $define"})""".stripMargin

  private def planned(sql: String): MatchRecognizeExec = searchOf(spark.sql(sql))

  private def matcher(sql: String): String = planned(sql).plan.matcher.kind.name

  private def optimized(sql: String): LogicalPlan = spark.sql(sql).queryExecution.optimizedPlan

  test("conditions that exclude each other need no choice: fused") {
    assert(matcher(clause("A B+ C+", "B AS x < PREV(x), C AS x > PREV(x)")) == "fused")
    assert(matcher(clause("A+ B", "A AS x <= 80, B AS x > 80")) == "fused")
    assert(matcher(clause("A+ B+", "A AS s = 'a' OR s = 'c', B AS s IN ('b', 'd')")) == "fused")
    assert(matcher(clause("A+ B+", "A AS x = 1, B AS 1 < x")) == "fused")
  }

  test("conditions that a row can satisfy together may need a choice: automaton") {
    assert(matcher(clause("A+ B+ C D", "A AS x <= 80, B AS x >= 80, D AS x < 3")) == "automaton")
    assert(matcher(clause("A (B* C)?", "C AS x = 1")) == "automaton")
    assert(matcher(clause("A B+ C+", "B AS x < PREV(x), C AS x >= NEXT(x)")) == "automaton")
  }

  /** A constant that counts how often it is evaluated. */
  private class CountedLiteral(number: Long) extends Literal(number, LongType) {
    var asked                                  = 0
    override def eval(input: InternalRow): Any = {
      asked += 1
      super.eval(input)
    }
  }

  test("conditions of many variables are not compared with each other") {
    def asked(n: Int): Int = {
      val names   = (0 until n).map(i => s"V$i")
      val define  = names.map(v => s"$v AS x = 1").mkString(", ")
      val exec    = planned(clause(names.mkString(" "), define))
      val column  = exec.child.output.find(_.name == "x").get
      val values  = names.indices.map(i => new CountedLiteral(i.toLong))
      val tests   = values.map(EqualTo(RowColumn(RowTarget.tested, column), _))
      val plan    = exec.plan
      val program = plan.clause.program
      new MatcherSelection(plan.partition, plan.order, tests, plan.measures, plan.clause)
        .choose(program, Positions.of(program))
      values.map(_.asked).sum
    }
    // Of ten or fewer it matters which exclude each other.
    assert(asked(4) > 0)
    assert(asked(40) <= 40 && asked(80) <= 80)
  }

  test("what the one pass cannot do") {
    val v = "B AS x < PREV(x), C AS x > PREV(x)"
    assert(matcher(clause("A B+ C+", v, after = "AFTER MATCH SKIP TO NEXT ROW")) == "automaton")
    assert(matcher(clause("A B+ C+", v, rows = "ALL ROWS PER MATCH")) == "automaton")
    assert(matcher(clause("A B+ C+", v, measures = "LAST(B.x, 1) AS n")) == "automaton")
    assert(matcher(clause("A B+ C+ $", v)) == "automaton")
    assert(matcher(clause("A* B*", v.replace("C AS", "A AS"))) == "automaton")
  }

  test("conditions on the rows mapped before: threads") {
    assert(matcher(clause("A B+ C", "B AS x > A.x")) == "threads")
    assert(matcher(clause("A+", "A AS SUM(A.x) < 100")) == "threads")
    assert(matcher(clause("A+ B", "B AS MATCH_NUMBER() = 2")) == "threads")
  }

  test("short matches go to the threads, which need not wait") {
    assert(matcher(clause("A B", "B AS x < NEXT(x)")) == "threads")
  }

  test("LAST of the variable that must come before is PREV") {
    assert(matcher(clause("A B+ C", "B AS x < PREV(x), C AS x > LAST(B.x)")) == "fused")
    // The row before a B can be the A.
    assert(matcher(clause("A B+", "B AS x < LAST(B.x, 1)")) == "threads")
    assert(matcher(clause("A B+", "B AS x < LAST(x, 1)")) == "fused")
  }

  test("a bound on the distance from the first row: automaton") {
    assert(matcher(clause("A B* C", "A AS x = 1, B AS o <= A.o + 90, C AS x = 2")) == "automaton")
    assert(
      matcher(clause("A+ C", "A AS x > 1 AND FIRST(A.o) + 90 > o, C AS x = 2")) == "automaton")
    val several = "B AS o <= A.o + 90, C AS o <= FIRST(o) + 90 AND x = 2"
    assert(matcher(clause("A B* C", several)) == "automaton")
    val between = "B AS o BETWEEN A.o AND A.o + 90, C AS o <= A.o + 90 AND A.o <= o AND x = 2"
    assert(matcher(clause("A B* C", between)) == "automaton")
    val formatted = rows("EXPLAIN FORMATTED " + clause("A B* C", several)).head.head.toString
    assert(formatted.contains("(bounded by the first row)"))
  }

  test("EXPLAIN FORMATTED says which loops jump, and which condition keeps others from it") {
    def loops(define: String, pattern: String = "A B* C", after: String = ""): String =
      rows("EXPLAIN FORMATTED " + clause(pattern, define, after = after)).head.head.toString
        .split('\n')
        .filter(_.startsWith("Loops"))
        .mkString
    assert(loops("B AS x / A.x < 0.9, C AS x >= A.x").endsWith("[B jumps]"))
    val other = loops("B AS x < A.x, C AS (x - A.x) / x > 0.1")
    assert(other.contains("B tests each row: C AS (x - A.x) / x > 0.1 jumps if"), other)
    assert(loops("B AS x < A.x, C AS x >= A.x", "A B* C $").contains("all test each row"))
    assert(
      loops("B AS x < A.x, C AS x >= A.x", after = "AFTER MATCH NO SKIP").contains("NO SKIP"))
    assert(loops("B AS x < PREV(x)") == "")
    if (spark.version >= "4") {
      def collated(name: String) = s"CONCAT('K', x) COLLATE $name"
      def compared(name: String) =
        loops(s"B AS ${collated(name)} < CONCAT('k', A.x), C AS x >= A.x")
      for (name <- Seq("UTF8_BINARY", "UTF8_LCASE"))
        assert(compared(name).endsWith("[B jumps]"), name)
      for (name <- Seq("UNICODE", "UNICODE_CI", "de_AI"))
        assert(compared(name).contains("B tests each row"), name)
    }
  }

  test("a bound that is not one on the distance from the first row: threads") {
    // Another bound for C; on what rows are not ordered by; from a row that is not the first; below.
    for (define <- Seq(
        "B AS o <= A.o + 90, C AS o <= A.o + 80 AND x = 2",
        "B AS x <= A.x + 90, C AS x = 2",
        "B AS x > 1, C AS o <= LAST(B.o) + 90",
        // Not the order's own direction; not said by the order for NULL keys.
        "B AS o <= A.o AND o <= A.o + 90, C AS x = 2",
        "B AS o >= A.o AND o <= COALESCE(A.o, 5) + 90, C AS x = 2",
        "B AS o >= A.o + 90, C AS x = 2"
      ))
      assert(matcher(clause("A B* C", define)) == "threads", define)
  }

  test("a bound that subqueries say, in two conditions") {
    def sql(bound: String) =
      clause("A B* C", s"A AS x = 1, B AS o <= A.o + $bound, C AS x = 2 AND o <= A.o + $bound")
    val written = sql("(SELECT MAX(id) FROM range(91))")
    assert(matcher(written) == "automaton")
    assert(rows(written).toSet == rows(sql("90")).toSet)
  }

  test("without ORDER BY there is no bound") {
    def sql(define: String) = s"""SELECT * FROM (SELECT 1 AS x, 2 AS y) AS t MATCH_RECOGNIZE (
      |  PARTITION BY x MEASURES SUM(A.y) AS n PATTERN (A+) DEFINE A AS $define)""".stripMargin
    assert(rows(sql("SUM(A.y) < 5")) == Seq(Seq(1, 2)))
    assert(rows(sql("y <= FIRST(A.y) + 5")) == Seq(Seq(1, 2)))
    assert(rows(sql("TRUE")) == Seq(Seq(1, 2)))
  }

  test("a bound in ascending and descending order, over NULL keys and ties: the threads' rows") {
    val data = "(SELECT id % 3 AS k, IF(id % 17 = 0, NULL, id div 2) AS o, " +
      "(id * 7919) % 11 AS x FROM range(600)) AS t"
    for {
      (order, define) <- Seq(
        "o"                  -> "B AS o <= A.o + 4, C AS x > 8 AND o <= A.o + 4",
        "o NULLS LAST"       -> "B AS o < A.o + 4, C AS x > 8 AND o < A.o + 4",
        "o"                  -> "B AS o BETWEEN A.o AND A.o + 4, C AS x > 8",
        "o NULLS LAST"       -> "B AS o <= A.o + 4 AND o >= A.o, C AS x > 8",
        "o DESC"             -> "B AS o BETWEEN A.o - 4 AND A.o, C AS x > 8",
        "o DESC"             -> "B AS o >= A.o - 4, C AS x > 8",
        "o DESC NULLS FIRST" -> "B AS A.o - 4 < o, C AS x > 8 AND A.o - 4 < o"
      )
      after <- Seq("PAST LAST ROW", "TO NEXT ROW")
    } {
      // Of equal keys any comes first, so x breaks ties.
      val sql = s"""SELECT * FROM $data MATCH_RECOGNIZE (PARTITION BY k ORDER BY $order, x
        |  MEASURES A.o AS a, A.x AS ax, C.o AS c, C.x AS cx, COUNT(*) AS n AFTER MATCH SKIP $after
        |  PATTERN (A B*? C) DEFINE A AS x < 6, $define)""".stripMargin
      val found = Seq("automaton", "threads").map { matcher =>
        withSettings("spark.sql.matchRecognize.matcher" -> matcher)(rows(sql))
      }
      assert(found.head == found(1) && found.head.size > 20, order)
    }
  }

  test("a bound that fails with an error fails where the search evaluates it, and only there") {
    // From o = 8 on the bound is beyond the largest BIGINT.
    val t               = "(SELECT id AS o, id % 10 AS x FROM range(20)) AS t"
    def sql(first: Int) = s"""SELECT * FROM $t MATCH_RECOGNIZE (
      |  ORDER BY o MEASURES A.o AS f, C.o AS l PATTERN (A B* C)
      |  DEFINE A AS x = $first AND o < 10, C AS x = 9, B AS o <= A.o + 9223372036854775800)
      |  """.stripMargin
    for (matcher <- Seq("automaton", "threads"))
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        assert(rows(sql(7)) == Seq(Seq(7, 19)))
        assert(
          intercept[Exception](rows(sql(8))).toString.contains("ARITHMETIC_OVERFLOW"),
          matcher)
      }
  }

  test("the matcher that is named is taken, or the query is refused with the reason") {
    withSettings("spark.sql.matchRecognize.matcher" -> "threads") {
      assert(matcher(clause("A B+", "B AS x < PREV(x)")) == "threads")
    }
    withSettings("spark.sql.matchRecognize.matcher" -> "fused") {
      val message = failure(spark.sql(clause("A B+ C", "B AS x > A.x")).collect())
      assert(message.contains("MATCHER_NOT_APPLICABLE"))
      assert(message.contains("different partial matches can wait"))
    }
  }

  test("EXPLAIN says the matcher, why not another, and each condition's class") {
    val simple = rows("EXPLAIN " + clause("A B+ C", "B AS x > A.x")).head.head.toString
    assert(simple.contains(
      "matcher: threads (not fused: the condition of B is anchored (it depends on the match), and "))
    val formatted =
      rows(
        "EXPLAIN FORMATTED " + clause(
          "A+ B C",
          "B AS x > PREV(x), C AS COUNT(C.x) > 3")).head.head
    Seq("(constant)", "(row-local)", "(running)", "Retained: the partition").foreach(part =>
      assert(formatted.toString.contains(part)))
  }

  test("EXPLAIN simple, extended and formatted say all of it") {
    val sql = "SELECT n FROM (" + clause(
      "A B+ C",
      "B AS x > PREV(x), C AS COUNT(C.x) > 3",
      "COUNT(*) AS n, A.x AS a, MATCH_NUMBER() AS m",
      after = "AFTER MATCH SKIP TO NEXT ROW") + ") WHERE k > 3 AND m <= 2"
    def explained(mode: String) = rows(s"EXPLAIN $mode $sql").head.head.toString
    val both                    = Seq(
      "PATTERN (A B+ C)",
      "dialect: standard",
      "threads (not fused: the condition of C is running",
      "partitions (k > 3",
      "matches up to number 2")
    for (mode <- Seq("", "EXTENDED"); text = explained(mode))
      (both ++ Seq(
        "conditions: [A constant, B row-local, C running]",
        "retained: the partition",
        "pushed: [partitions")).foreach(part => assert(text.contains(part), text))
    val formatted = explained("FORMATTED")
    (both ++ Seq(
      "A AS true (constant)",
      "(row-local)",
      "(running)",
      "Retained: the partition",
      "Pushed [2]: [")).foreach(part => assert(formatted.contains(part), formatted))
  }

  private def sorts(sql: String): Seq[SortExec] = planned(sql).collect { case s: SortExec => s }

  test("rows are sorted once, by partition and order") {
    val sql    = clause("A B+", "B AS x < PREV(x)")
    val sorted = sql.replace(input, s"(SELECT * FROM $input DISTRIBUTE BY k SORT BY k, o)")
    for {
      matcher   <- Seq("fused", "automaton", "threads")
      statement <- Seq(sql, sorted)
    }
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        assert(
          sorts(statement).map(_.sortOrder.flatMap(_.references.map(_.name))) ==
            Seq(Seq("k", "o")))
      }
  }

  test("an aggregation by the keys above needs no sort") {
    val sql = s"SELECT k, collect_list(n) FROM (${clause("A B+", "B AS x < PREV(x)")}) GROUP BY k"
    withSettings(
      "spark.sql.adaptive.enabled"                     -> "false",
      "spark.sql.execution.useObjectHashAggregateExec" -> "false") {
      val plan = spark.sql(sql).queryExecution.executedPlan
      assert(plan.exists(_.isInstanceOf[SortAggregateExec]))
      assert(plan.collect { case s: SortExec => s }.size == 1)
    }
  }

  test("filters on partition keys are pushed below the clause, others are not") {
    val sql = s"SELECT * FROM (${clause("A B+", "B AS x < PREV(x)")}) WHERE k > 3 AND n > 2"
    val m   = optimized(sql).collectFirst { case m: MatchRecognize => m }.get
    assert(m.exists { case f: Filter => f.condition.sql.contains("3"); case _ => false })
    assert(!m.exists { case f: Filter => f.condition.sql.contains("> 2"); case _ => false })
    val all = rows(clause("A B+", "B AS x < PREV(x)"))
    assert(
      rows(sql).toSet == all
        .filter(r => r(0).asInstanceOf[Long] > 3 && r(1).asInstanceOf[Long] > 2)
        .toSet)
  }

  test("a filter that can fail is not tested on partitions without a match") {
    val sql = s"SELECT * FROM (${clause("A B", "A AS k <> 0, B AS x >= 0")}) WHERE 10 / k > 3"
    assert(rows(sql).map(_.head).toSet == Set(1L, 2L, 3L))
  }

  test("measures that nothing uses are not computed") {
    val sql = clause("A B+", "B AS x < PREV(x)", "COUNT(*) AS n, LAST(s) AS unused")
    val m = optimized(s"SELECT k, n FROM ($sql)").collectFirst { case m: MatchRecognize => m }.get
    assert(m.measureOutput.map(_.name) == Seq("n"))
    assert(!m.child.output.exists(_.name == "s"))
  }

  test("errors in conditions that are tested ahead surface only where the search tests the row") {
    // The division fails at x = 7, where a match from an earlier row is under way.
    val t = "(SELECT * FROM VALUES (1, 1), (2, 2), (3, 7), (4, 9), (5, 1) AS t(o, x))"
    def sql(division: String) = s"""SELECT * FROM $t MATCH_RECOGNIZE (
      |  ORDER BY o MEASURES FIRST(o) AS f, LAST(o) AS l PATTERN (A B+ C)
      |  DEFINE A AS $division < 100, B AS x > 1 AND x < 9, C AS x = 9)""".stripMargin
    for (matcher <- Seq("fused", "automaton", "threads"))
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        assert(rows(sql("1 / (x - 7)")) == Seq(Seq(1, 4)))
        assert(intercept[Exception](rows(sql("1 / (x - 1)"))).toString.contains("DIVIDE_BY_ZERO"))
      }
  }
}
