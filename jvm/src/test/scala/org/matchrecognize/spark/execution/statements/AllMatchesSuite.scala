package org.matchrecognize.spark.execution.statements

import org.matchrecognize.spark.SparkSuite

/** AFTER MATCH NO SKIP through Spark SQL: what holds between it and the other ways to go on. */
class AllMatchesSuite extends SparkSuite {

  private val input = "(SELECT id % 4 AS k, id AS o, hash(id) & 15 AS x FROM range(160))"

  private def clause(pattern: String, define: String, options: String): String =
    s"""SELECT * FROM $input MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
       |  MEASURES FIRST(o) AS f, array_join(collect_list(CLASSIFIER()), '') AS labels, SUM(x) AS s
       |  $options PATTERN ($pattern) DEFINE $define)""".stripMargin

  private val clauses = Seq(
    "A (B | C)* D"      -> "A AS x < 9, B AS x > 8, C AS x > A.x AND x < 10, D AS x > 9",
    "A {- Z* -} B"      -> "A AS x < 3, B AS x > 12",
    "A+ B*? C?"         -> "A AS x < 6, B AS x >= 6 AND x < 12, C AS x > 8",
    "(A | B)+"          -> "A AS x < 6 AND COUNT(*) < 7, B AS x > 3 AND COUNT(*) < 6",
    "PERMUTE(A, B+, C)" -> "A AS x < 8, B AS x > 3, C AS x > 1",
    "(A B?)??"          -> "A AS x < 8, B AS x > 3"
  )

  test("the first of each start row is SKIP TO NEXT ROW's, and all modes' are among them") {
    for ((pattern, define) <- clauses) {
      def found(after: String) = rows(clause(pattern, define, s"AFTER MATCH $after"))
      val all                  = found("NO SKIP")
      assert(all.size > 20 && all.distinct == all, pattern)
      // Empty matches are not among them.
      val isEmpty = (row: Seq[Any]) => row(2) == ""
      val byStart = all.groupBy(row => row(1)).map(_._2.head).toSet
      val next    = found("SKIP TO NEXT ROW")
      if (!next.exists(isEmpty)) assert(byStart == next.toSet, pattern)
      for (after <- Seq("SKIP PAST LAST ROW", "SKIP TO NEXT ROW", "SKIP TO LAST A"))
        withSettings("spark.sql.matchRecognize.invalidSkip" -> "nextRow") {
          assert(found(after).filterNot(isEmpty).forall(all.contains), s"$pattern $after")
        }
    }
  }

  test("ALL ROWS gives the rows of the matches of ONE ROW, numbered alike") {
    for ((pattern, define) <- clauses) {
      val one = rows(
        clause(pattern, define, "AFTER MATCH NO SKIP")
          .replace("SUM(x) AS s", "SUM(x) AS s, MATCH_NUMBER() AS n"))
      val each = rows(
        clause(pattern, define, "ALL ROWS PER MATCH AFTER MATCH NO SKIP")
          .replace("SUM(x) AS s", "CLASSIFIER() AS c, MATCH_NUMBER() AS n"))
      // k, o, f, labels, c, n, x; excluded rows are not returned.
      val lengths = each.groupBy(r => (r.head, r(5))).map { case (match_, r) => match_ -> r.size }
      if (!pattern.contains("{-"))
        assert(one.map(r => (r.head, r(4)) -> r(2).toString.length).toMap == lengths, pattern)
      else assert(lengths.values.forall(_ == 2))
      assert(one.groupBy(_.head).values.forall(p => p.map(_(4)) == (1L to p.size.toLong)))
    }
  }

  test("matches are returned as they are found") {
    // 2^40 matches start at the first row; LIMIT wants few of them.
    val sql = s"""SELECT * FROM (SELECT id AS o FROM range(0, 40, 1, 1)) MATCH_RECOGNIZE (
      |  ORDER BY o MEASURES COUNT(*) AS n AFTER MATCH NO SKIP PATTERN ((A | B)+)) LIMIT 1000
      |  """.stripMargin
    // 40 As, 39 As and a B, 39 As: a row more is preferred to none.
    assert(rows(sql).take(3) == Seq(Seq(40), Seq(40), Seq(39)) && rows(sql).size == 1000)
  }

  test("rows at which no match can start are passed over") {
    val sql =
      s"""SELECT COUNT(*) FROM (SELECT * FROM (SELECT 1 AS k, id AS o, id % 5000 AS x
         |  FROM range(0, 20000, 1, 1)) MATCH_RECOGNIZE (PARTITION BY k
         |  ORDER BY o MEASURES COUNT(*) AS n AFTER MATCH NO SKIP
         |  PATTERN (A Z* B Z* C) DEFINE B AS x = 4998, C AS x > 5000))""".stripMargin
    // No C: else each start row would be searched to the end of the partition.
    withSettings("spark.sql.matchRecognize.maxSteps" -> "100") {
      assert(rows(sql) == Seq(Seq(0)))
    }
  }
}
