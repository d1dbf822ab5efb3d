package org.matchrecognize.spark.robustness

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.DataFrame

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.pattern.RowPattern
import org.matchrecognize.spark.reference.{Query, RandomPatterns, RandomSeed, RandomTables}

/**
 * An error in a condition or a measure surfaces if, and only if, it is used
 * (semantics.md: Conditions), on every path. For errors in constants (`1 / 0`) see `tests/sql/expressions.sql`.
 */
class ErrorsInConditionsSuite extends SparkSuite {

  private val ways: Seq[(String, Seq[(String, String)])] = Seq(
    "generated code"    -> Seq("spark.sql.codegen.wholeStage" -> "true"),
    "iterator"          -> Seq("spark.sql.codegen.wholeStage" -> "false"),
    "nothing generated" -> Seq(
      "spark.sql.codegen.wholeStage"  -> "false",
      "spark.sql.codegen.factoryMode" -> "NO_CODEGEN"),
    "spilled" -> Seq("spark.sql.matchRecognize.spillThreshold" -> "1")
  )

  private def over(values: String, clause: String): String =
    s"SELECT * FROM VALUES $values AS t(o, x) MATCH_RECOGNIZE (ORDER BY o $clause)"

  private val huge = Long.MaxValue

  /** What must not fail, and what it gives. */
  private val quiet: Seq[(String, String, Seq[Seq[Any]])] = Seq(
    (
      "a condition that fails on rows that the search never tests",
      over(
        "(1, 5), (2, 5), (3, 0)",
        "MEASURES A.o AS a PATTERN (A B) DEFINE A AS x > 0, B AS 10 / x > 1"),
      Seq(Seq(1))),
    (
      "an alternative that is less preferred than a match",
      over(
        "(1, 0), (2, 0)",
        "MEASURES CLASSIFIER() AS c PATTERN (A | B) DEFINE A AS x = 0, B AS 10 / x > 1"),
      Seq(Seq("A"), Seq("A"))),
    (
      "the second half of AND, the branch of CASE",
      over(
        "(1, 0), (2, 5)",
        """MEASURES CASE WHEN A.x <> 0 THEN 10 / A.x END AS a,
          |  CASE WHEN A.x <> 0 THEN 10 / A.x + 1 END AS b
          |PATTERN (A) DEFINE A AS o = 1 OR x <> 0 AND 10 / x > 1""".stripMargin
      ),
      Seq(Seq(null, null), Seq(2.0, 3.0))),
    (
      "the second half of AND, which occurs twice",
      over(
        "(1, 0), (2, 5)",
        """MEASURES A.x <> 0 AND 10 / A.x BETWEEN 1 AND 5 AS a,
          |  COUNT(*) FILTER (WHERE x <> 0 AND 10 / x BETWEEN 1 AND 5) AS b,
          |  SUM(INT(x <> 0 AND 10 / x BETWEEN 1 AND 5)) AS c,
          |  SUM(DISTINCT INT(x <> 0 AND 10 / x BETWEEN 1 AND 5)) AS d
          |PATTERN (A) DEFINE A AS o = 1 OR x <> 0 AND 10 / x BETWEEN 1 AND 5""".stripMargin
      ),
      Seq(Seq(false, 0L, 0L, 0L), Seq(true, 1L, 1L, 1L))),
    (
      "an aggregate in the second half of OR, which occurs twice",
      over(
        s"(1, $huge), (2, 1L), (3, 1L)",
        """MEASURES COUNT(*) = 3 OR SUM(x) BETWEEN 0.5D AND 10.5D AS m PATTERN (A A B)
          |DEFINE B AS o = 3 OR SUM(A.x) BETWEEN 0.5D AND 10.5D""".stripMargin
      ),
      Seq(Seq(true))),
    (
      "a row after the last match that is wanted",
      over(
        "(1, 1), (2, 0)",
        "MEASURES MATCH_NUMBER() AS n PATTERN (A B*) DEFINE A AS 10 / x > 0, B AS x > 5") +
        " WHERE n = 1",
      Seq(Seq(1L))),
    (
      "a row after the last match that LIMIT wants",
      over(
        "(1, 1), (2, 0)",
        "MEASURES MATCH_NUMBER() AS n PATTERN (A B*) DEFINE A AS 10 / x > 0, B AS x > 5") +
        " LIMIT 1",
      Seq(Seq(1L))),
    (
      "a row after the last match that LIMIT wants, below an aggregate",
      "SELECT SUM(n) AS s FROM (" + over(
        "(1, 1), (2, 7), (3, 0)",
        "MEASURES MATCH_NUMBER() AS n PATTERN (A B*) DEFINE A AS 10 / x > 0, B AS x > 5") +
        " LIMIT 1)",
      Seq(Seq(1L))),
    (
      "a measure on rows that match nothing",
      over(
        "(1, 5), (2, 0)",
        """MEASURES 10 / x AS m ALL ROWS PER MATCH WITH UNMATCHED ROWS
          |PATTERN (A) DEFINE A AS x > 0""".stripMargin),
      Seq(Seq(1, 2.0, 5), Seq(2, null, 0))),
    (
      "a measure on an excluded row",
      over(
        "(1, 0), (2, 5)",
        "MEASURES 10 / x AS m ALL ROWS PER MATCH PATTERN ({- A -} B) DEFINE B AS x > 0"),
      Seq(Seq(2, 2.0, 5))),
    (
      "a measure where there is no match",
      over("(1, 0)", "MEASURES 10 / A.x AS n PATTERN (A) DEFINE A AS x > 0"),
      Nil),
    (
      "an aggregate that overflows on rows of a losing thread",
      over(
        s"(1, $huge), (2, $huge), (3, 1L)",
        """MEASURES SUM(A.x) AS a, COUNT(C.x) AS c PATTERN (A+ B | C+)
          |DEFINE B AS x < 0""".stripMargin),
      Seq(Seq(null, 3L))),
    (
      "an aggregate whose argument, filter or distinct value fails on rows of a losing thread",
      over(
        "(1, 0), (2, 0), (3, 1)",
        """MEASURES SUM(10 / A.x) AS a, SUM(DISTINCT 10 / A.x) AS b,
          |  COUNT(*) FILTER (WHERE 10 / A.x > 1) AS c, collect_list(10 / A.x) AS d,
          |  collect_list(DISTINCT 10 / A.x) AS e, COUNT(C.x) AS f
          |PATTERN (A+ B | C+) DEFINE B AS x < 0""".stripMargin
      ),
      Seq(Seq(null, null, 0L, Seq(), Seq(), 3L))),
    (
      "an aggregate in a condition that is not tested",
      over(
        s"(1, $huge), (2, $huge), (3, 1L)",
        "MEASURES COUNT(*) AS n PATTERN (A+ (B | C)) DEFINE A AS o < 3, B AS x = 1L OR SUM(A.x) > 0"),
      Seq(Seq(3L)))
  )

  /** What must fail: the condition, and what is underlined. */
  private val loud: Seq[(String, String, String, String)] = Seq(
    (
      "a condition on a row that the search tests",
      over(
        "(1, 5), (2, 0)",
        "MEASURES A.o AS a PATTERN (A B) DEFINE A AS x > 0, B AS 10 / x > 1"),
      "DIVIDE_BY_ZERO",
      "10 / x"),
    (
      "a condition that is an error whatever the row",
      over("(1, 5), (2, 5)", "MEASURES A.o AS a PATTERN (A B) DEFINE B AS 1 / 0 > x"),
      "DIVIDE_BY_ZERO",
      "1 / 0"),
    (
      "a navigation",
      over("(1, 0), (2, 5)", "MEASURES A.o AS a PATTERN (A B) DEFINE B AS LAST(10 / A.x) > 1"),
      "DIVIDE_BY_ZERO",
      "10 / A.x"),
    (
      "a measure of a match",
      over("(1, 0)", "MEASURES 10 / A.x AS m PATTERN (A)"),
      "DIVIDE_BY_ZERO",
      "10 / A.x"),
    (
      "an aggregate that a condition reads",
      over("(1, 0), (2, 5)", "MEASURES A.o AS a PATTERN (A B) DEFINE B AS SUM(10 / A.x) > 1"),
      "DIVIDE_BY_ZERO",
      "10 / A.x"),
    (
      "an aggregate of a match",
      over("(1, 0), (2, 5)", "MEASURES SUM(10 / A.x) AS s PATTERN (A+)"),
      "DIVIDE_BY_ZERO",
      "10 / A.x"),
    (
      "an aggregate's filter",
      over("(1, 0)", "MEASURES COUNT(*) FILTER (WHERE 10 / A.x > 1) AS s PATTERN (A+)"),
      "DIVIDE_BY_ZERO",
      "10 / A.x"),
    (
      "a collecting aggregate",
      over("(1, 0)", "MEASURES collect_list(10 / A.x) AS s PATTERN (A+)"),
      "DIVIDE_BY_ZERO",
      "10 / A.x"),
    (
      "a sum that overflows",
      over(s"(1, $huge), (2, $huge)", "MEASURES SUM(A.x) AS s PATTERN (A+)"),
      "ARITHMETIC_OVERFLOW",
      // Spark's own sum does not report its place in the text.
      ""),
    (
      "a cast",
      over("(1, 'a')", "MEASURES A.o AS a PATTERN (A) DEFINE A AS CAST(x AS INT) > 0"),
      "CAST_INVALID_INPUT",
      "CAST(x AS INT)")
  )

  /** Runs a statement with each matcher that applies; returns their names. */
  private def byEachMatcher(sql: String)(body: DataFrame => Unit): Seq[String] =
    Seq("fused", "automaton", "threads").filter { matcher =>
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        val frame   = spark.sql(sql)
        val applies =
          try { frame.queryExecution.executedPlan; true }
          catch {
            case e: Exception if e.getMessage.contains("MATCHER_NOT_APPLICABLE") => false
          }
        if (applies) body(frame)
        applies
      }
    }

  private def conditionOf(error: Throwable): Option[String] =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).collectFirst {
      case e: SparkThrowable if String.valueOf(e.getMessage).startsWith("[") =>
        e.getMessage.drop(1).takeWhile(c => c.isUpper || c == '_')
    }

  test("by each matcher: an expression fails if and only if it is evaluated") {
    val quietBy = quiet.flatMap { case (what, sql, expected) =>
      byEachMatcher(sql)(frame => assert(values(frame) == expected, what))
    }
    val loudBy = loud.flatMap { case (what, sql, condition, _) =>
      byEachMatcher(sql)(frame =>
        assert(conditionOf(intercept[Exception](values(frame))).contains(condition), what))
    }
    for (by <- Seq(quietBy, loudBy))
      assert(Seq("fused", "automaton", "threads").forall(m => by.count(_ == m) > 1), by)
  }

  test(
    "random patterns whose conditions divide by zero here and there: all matchers fail alike") {
    val (reports, seeds) = Fuzz.batches(inGate = 8, size = 20)(_.flatMap { seed =>
      val random  = RandomSeed(seed, "errors")
      val names   = Vector("A", "B", "C").take(2 + random.nextInt(2))
      val pattern = Iterator
        .continually(new RandomPatterns(random, names.size).next(2 + random.nextInt(5)))
        .find(Query.variablesOf(_).nonEmpty)
        .get
      val letters = random.shuffle(List("a", "b", "c"))
      // Conditions of the same parts differ in the order of them, and so in the rows that fail.
      val isAlike = random.nextInt(3) == 0
      val zero    = random.nextInt(5)
      val define  = Query.variablesOf(pattern).toSeq.sorted.map { v =>
        val letter = letters(if (isAlike) 0 else v)
        val parts  = random.shuffle(
          List(
            s"s = '$letter'",
            s"7 / (x - ${if (isAlike) zero else random.nextInt(5)}) BETWEEN -9 AND 2"))
        s"${names(v)} AS ${parts.mkString(" AND ")}"
      }
      val input =
        RandomTables.values(RandomTables.random(seed, 1).map(_.updated("p", 1L)))
      val text = RowPattern.sql(pattern, names)
      val sql  =
        s"""SELECT * FROM $input MATCH_RECOGNIZE (PARTITION BY p ORDER BY o, x, y, s
           |  MEASURES COUNT(*) AS n, LAST(x) AS l, FIRST(o) AS f
           |  PATTERN ($text) DEFINE ${define.mkString(", ")})
           |""".stripMargin
      var found = Seq.empty[Either[Option[String], Seq[Seq[Any]]]]
      val by    = byEachMatcher(sql) { frame =>
        val outcome =
          try Right(values(frame))
          catch { case e: Exception => Left(conditionOf(e)) }
        found = found :+ outcome
      }
      assert(found.distinct.size == 1, s"seed $seed: ${by.zip(found)}\n$sql")
      assert(found.head.left.forall(_.contains("DIVIDE_BY_ZERO")), sql)
      by.map(_ -> found.head.isRight)
    })
    val outcomes = reports.flatten
    val counts   = outcomes.groupBy(identity).map { case (o, all) => s"$o: ${all.size}" }
    info(s"$seeds: ${counts.mkString(", ")}")
    if (!Fuzz.isAsked)
      for (matcher <- Seq("fused", "automaton", "threads"); isQuiet <- Seq(true, false))
        assert(outcomes.count(_ == (matcher -> isQuiet)) > 10, s"$matcher $isQuiet")
  }

  for ((way, settings) <- ways) {
    test(s"$way: an expression that is not evaluated does not fail") {
      for ((what, sql, expected) <- quiet)
        withSettings(settings: _*)(assert(rows(sql) == expected, what))
    }

    test(s"$way: an expression that is evaluated fails with Spark's error at the user's text") {
      for ((what, sql, condition, fragment) <- loud) withSettings(settings: _*) {
        val error  = intercept[Exception](rows(sql))
        val causes = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).toSeq
        // In Spark 3.5, the error of the job repeats the message, without the place.
        val spark = causes.collect {
          case e: SparkThrowable if String.valueOf(e.getMessage).contains(s"[$condition") => e
        }.lastOption
        assert(spark.nonEmpty, s"$what: $error")
        val fragments = spark.get.getQueryContext.map(_.fragment).toSeq
        assert(fragments == Seq(fragment), s"$what: ${error.getMessage}")
      }
    }
  }
}
