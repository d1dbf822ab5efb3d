package org.matchrecognize.spark.execution.fused

import scala.util.{Random, Try}

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.RandomSeed
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Conditions that read the match under way in the fused matcher: rows worked out by hand, and those
 * of the threads on random clauses.
 */
class FusedConditionsOnMatchSuite extends SparkSuite {
  import FusedConditionsOnMatchSuite._
  import spark.implicits._

  private def by(matcher: String)(sql: String): Seq[Seq[Any]] =
    withSettings("spark.sql.matchRecognize.matcher" -> matcher)(rows(sql))

  private def fused(sql: String): Seq[Seq[Any]] = {
    assert(rows(s"EXPLAIN $sql").head.head.toString.contains("matcher: fused"), sql)
    val found = rows(sql)
    assert(found == by("threads")(sql))
    for {
      (setting, value) <- Seq("wholeStage" -> "false", "methodSplitThreshold" -> "1")
    } withSettings(s"spark.sql.codegen.$setting" -> value)(assert(rows(sql) == found))
    found
  }

  private val loads =
    "(SELECT * FROM VALUES (1, 40), (2, 50), (3, 30), (4, 80), (5, 10), (6, 10), " +
      "(7, 120), (8, NULL), (9, 5) AS t(o, n))"

  test("rows are packed while their sum has room") {
    assert(
      fused(s"""SELECT * FROM $loads MATCH_RECOGNIZE (ORDER BY o
               |  MEASURES FIRST(o) AS a, LAST(o) AS z, SUM(n) AS total
               |  PATTERN (A+) DEFINE A AS SUM(A.n) <= 100)""".stripMargin) ==
        Seq(Seq(1, 2, 90), Seq(3, 3, 30), Seq(4, 6, 100), Seq(9, 9, 5)))
    // The NULL at 8 adds nothing, but alone its sum is NULL.
    assert(
      fused(s"""SELECT * FROM $loads MATCH_RECOGNIZE (ORDER BY o
               |  MEASURES FIRST(o) AS a, LAST(o) AS z, SUM(n) AS total
               |  PATTERN (A+) DEFINE A AS SUM(A.n) <= 120)""".stripMargin) ==
        Seq(Seq(1, 3, 120), Seq(4, 6, 100), Seq(7, 8, 120), Seq(9, 9, 5)))
  }

  test("the tasks of a JVM share a table, at the same time, too") {
    for (most <- 11 to 15) {
      // A table of its own: no other test has such a pattern.
      val found = fused(s"""SELECT * FROM (SELECT id % 16 AS k, id AS o, pmod(hash(id), 10) AS x
               |    FROM range(4000)) MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
               |  MEASURES FIRST(o) AS a, LAST(o) AS z, COUNT(*) AS n PATTERN (A B+ C{1,$most})
               |  DEFINE B AS x < PREV(x), C AS x > PREV(x)) ORDER BY k, a""".stripMargin)
      assert(found.size > 100)
    }
  }

  test("the JVM compiles all methods of a clause with many conditions and measures") {
    val variables = ('A' to 'J').map(_.toString)
    val measures  = variables
      .map(v => s"FIRST($v.o) AS f$v, SUM($v.n) AS s$v, COUNT($v.n) AS n$v, MAX($v.t) AS t$v")
    val conditions = variables.map(v => s"$v AS t = '$v' AND n > ${v.head - 'A'}")
    val sql        = s"""SELECT * FROM (SELECT id AS o, pmod(hash(id), 200) AS n,
                 |    chr(65 + id DIV 2 % 10) AS t FROM range(0, 400, 1, 1))
                 |  MATCH_RECOGNIZE (ORDER BY o MEASURES ${measures.mkString(", ")}
                 |  PATTERN (${variables.mkString("+ ")}) DEFINE ${conditions.mkString(
                  ", ")})""".stripMargin
    assert(fused(sql).nonEmpty)
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val sizes = "maxMethodCodeSize:(\\d+)".r
        .findAllMatchIn(rows(s"EXPLAIN CODEGEN $sql").head.head.toString)
        .map(_.group(1).toInt)
        .toSeq
      assert(sizes.max > 1000 && sizes.max <= 8000)
    }
  }

  test("windows of a length that begin with their first row") {
    assert(
      fused("""SELECT * FROM VALUES (0), (10), (29), (30), (31), (59), (60), (100) AS t(o)
              |  MATCH_RECOGNIZE (ORDER BY o MEASURES FIRST(o) AS a, LAST(o) AS z, COUNT(*) AS n
              |  PATTERN (A B*) DEFINE B AS o - A.o < 30)""".stripMargin) ==
        Seq(Seq(0, 29, 3), Seq(30, 59, 3), Seq(60, 60, 1), Seq(100, 100, 1)))
  }

  test("a loop until a sum is reached, with the row that reaches it") {
    // 40 + 50 < 100 <= 40 + 50 + 30; 80 + 10 + 10 is not below; from 7 on 120 is not.
    assert(
      fused(s"""SELECT * FROM $loads MATCH_RECOGNIZE (ORDER BY o
               |  MEASURES FIRST(o) AS a, B.o AS z, COUNT(A.*) AS n, SUM(n) AS total
               |  PATTERN (A* B) DEFINE A AS COALESCE(SUM(A.n), 0) < 100)""".stripMargin) ==
        Seq(Seq(1, 3, 2, 120), Seq(4, 6, 2, 100), Seq(7, 7, 0, 120), Seq(8, 9, 1, 5)))
  }

  test("a loop that the next row ends in any case") {
    // Averages 40, 45, 40, 50 of rows 1 to 4; 5 begins again: 10, 10, then 46.7 with 120.
    assert(
      fused(s"""SELECT * FROM $loads MATCH_RECOGNIZE (ORDER BY o
               |  MEASURES FIRST(o) AS a, B.o AS z, AVG(A.n) AS mean
               |  PATTERN (A+ B) DEFINE A AS AVG(A.n) < 46)""".stripMargin) ==
        Seq(Seq(1, 4, 40.0), Seq(5, 7, 10.0)))
  }

  test("aggregates of other variables, with FILTER, and values of the first and the last row") {
    val prices = "(SELECT * FROM VALUES (1, 5, 'u'), (2, 7, 'v'), (3, 9, 'u'), (4, 4, 'u'), " +
      "(5, 6, 'v'), (6, 3, 'u'), (7, 8, 'u') AS t(o, n, s))"
    // B adds nothing to A's sum: 7 and 9 are above 5, 4 is not; 6 is above 4, 3 is not.
    assert(
      fused(s"""SELECT * FROM $prices MATCH_RECOGNIZE (ORDER BY o
               |  MEASURES FIRST(o) AS a, LAST(o) AS z, MAX(B.n) AS top
               |  PATTERN (A B*) DEFINE B AS n > SUM(A.n))""".stripMargin) ==
        Seq(Seq(1, 3, 9), Seq(4, 5, 6), Seq(6, 7, 8)))
    // At most one u from 6 on upwards, and s of the first row at the end.
    assert(
      fused(s"""SELECT * FROM $prices MATCH_RECOGNIZE (ORDER BY o
               |  MEASURES FIRST(o) AS a, LAST(o) AS z
               |  PATTERN (A B*)
               |  DEFINE B AS COUNT(*) FILTER (WHERE s = 'u' AND n >= 6) <= 1)""".stripMargin) ==
        Seq(Seq(1, 6), Seq(7, 7)))
    assert(
      fused(s"""SELECT * FROM $prices MATCH_RECOGNIZE (ORDER BY o
               |  MEASURES FIRST(o) AS a, LAST(o) AS z
               |  PATTERN (A B* C?)
               |  DEFINE B AS s <> FIRST(s), C AS n < LAST(A.n))""".stripMargin) ==
        Seq(Seq(1, 2), Seq(3, 4), Seq(5, 7)))
  }

  test("a condition that fails with an error is raised where the search comes to it") {
    def sql(divisor: String) =
      s"""SELECT * FROM $loads MATCH_RECOGNIZE (ORDER BY o MEASURES FIRST(o) AS a, LAST(o) AS z
         |  PATTERN (A B*) DEFINE B AS 10 / ($divisor) < 100 AND SUM(n) < 130)""".stripMargin
    assert(fused(sql("o - COUNT(*) + 1")) == Seq(Seq(1, 3), Seq(4, 6), Seq(7, 9)))
    for (matcher <- Seq("fused", "threads")) {
      // The third row of a match; the fourth would be too many.
      val error = intercept[Exception](by(matcher)(sql("COUNT(*) - 3")))
      assert(error.toString.contains("DIVIDE_BY_ZERO"), matcher)
    }
  }

  test("what the row alone decides is tested first: where it is NULL, the rest cannot fail") {
    // To Spark's AND, NULL AND an error is an error.
    def sql(first: String) = s"""SELECT * FROM $loads MATCH_RECOGNIZE (ORDER BY o
      |  MEASURES FIRST(o) AS a, LAST(o) AS z PATTERN (A+)
      |  DEFINE A AS $first AND 100 / (o - 8) < COUNT(*))""".stripMargin
    assert(fused(sql("n > 0")) == Seq(Seq(1, 7)))
    for (matcher <- Seq("fused", "threads")) {
      val error = intercept[Exception](by(matcher)(sql("o > 0")))
      assert(error.toString.contains("DIVIDE_BY_ZERO"), matcher)
    }
  }

  test("where matches have to be searched side by side, the fused matcher is refused") {
    for ((pattern, define) <- Seq(
        // If a search fails, others start from rows that it has passed.
        "A+ B"   -> "A AS SUM(A.n) < 100, B AS n > 50",
        "A B+ C" -> "B AS n < A.n, C AS n >= A.n",
        // Not in registers: sums that can overflow, other rows than the first and the last.
        "A+"   -> "A AS SUM(CAST(A.n AS BIGINT)) < 100",
        "A B*" -> "B AS n > LAST(B.n, 1)",
        "A B*" -> "B AS COUNT(DISTINCT B.n) < 3",
        "A B*" -> "B AS MATCH_NUMBER() < 3 AND n > A.n",
        "A B*" -> "B AS MATCH_SEQUENCE_NUMBER() <= 3",
        "A B*" -> "B AS PREV(CLASSIFIER()) = 'A'",
        "A B*" -> "B AS CLASSIFIER(A) = 'A'"
      )) {
      val sql = s"""SELECT * FROM $loads MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS c
                   |  PATTERN ($pattern) DEFINE $define)""".stripMargin
      assert(!rows(s"EXPLAIN $sql").head.head.toString.contains("matcher: fused"), sql)
      assert(failure(by("fused")(sql)).contains("MATCHER_NOT_APPLICABLE"))
    }
  }

  test("random clauses: the rows, or the error, of the threads") {
    val (reports, seeds) = Fuzz.batches(inGate = 6, size = 20) { batch =>
      table(RandomSeed(batch.head, "table"))
        .toDF("k", "o", "n", "d", "s")
        .createOrReplaceTempView("drawn")
      batch.flatMap(seed => compare(seed, clause(RandomSeed(seed, "on match"))))
    }
    val all             = reports.flatten
    val (found, errors) = (all.flatten.sum, all.count(_.isEmpty))
    info(s"$seeds: ${all.size} clauses, $found rows, $errors errors")
    assert(Fuzz.isAsked || all.size > 40 && found > 400 && errors > 5)
  }

  /** How many rows a clause returns, or None if it fails; nothing if it is not fused. */
  private def compare(seed: Long, sql: String): Option[Option[Int]] = {
    val fused = Try(by("fused")(sql))
    if (fused.failed.toOption.exists(_.toString.contains("MATCHER_NOT_APPLICABLE"))) None
    else {
      val threads = Try(by("threads")(sql))
      assert(fused.isSuccess == threads.isSuccess, s"seed $seed: $sql\n$fused\n$threads")
      assert(fused.toOption == threads.toOption, s"seed $seed: $sql")
      Some(threads.toOption.map(_.size))
    }
  }
}

private object FusedConditionsOnMatchSuite {

  /** Keys, an order, numbers and letters, with NULLs. */
  private def table(
      random: Random): Seq[(Int, Int, Option[Int], Option[Double], Option[String])] = {
    def some[A](value: => A): Option[A] = if (random.nextInt(8) == 0) None else Some(value)
    for (k <- 0 until 4; o <- 0 until random.nextInt(60))
      yield (
        k,
        o,
        some(random.nextInt(20)),
        some(random.nextInt(40) / 4.0 - 2),
        some(('a' + random.nextInt(3)).toChar.toString))
  }

  private val patterns =
    Seq(
      "A+",
      "A B*",
      "A B* C?",
      "A B{0,3} C*",
      "(A | B)+",
      "A B?",
      "(A B?)+",
      "A B* C",
      "A* B",
      "A+ B")

  private def clause(random: Random): String = {
    def one[A](all: A*) = all(random.nextInt(all.size))
    val pattern         = one(patterns: _*)
    val used            = Seq("A", "B", "C").filter(pattern.contains(_))
    // True wherever there is a number: the sign of zero is that of the literal.
    def sign(number: String, zero: String) = s"STRING($number * ${zero}D) = '$zero.0'"
    def signOfMax(v: String, zero: String) = s"STRING(MAX($v.n * ${zero}D)) = '$zero.0'"
    // Two variables whose conditions differ in the sign alone do not exclude each other.
    val isSigned                       = random.nextInt(10) == 0
    def condition(own: String): String = {
      val v = one(used: _*)
      val n = random.nextInt(20)
      // Where the first part is NULL, the second would fail.
      val (column, local) = one("n" -> s"n < $n", "d" -> s"d < $n / 2", "s" -> "s < 'c'")
      val failing         = s"$local AND 100 / IF($column IS NULL, 0, ${n + 1}) < SUM(n)"
      val ofZero          = one("n", s"MAX($v.n)")
      if (isSigned)
        one(sign("n", one("0", "-0")), s"${signOfMax(own, "0")} AND ${signOfMax(own, "-0")}")
      else
        one(
          s"SUM($v.n) <= ${n * 3}",
          s"SUM($v.n) <= ${n * 3}",
          s"COUNT(*) <= ${n / 3 + 1}",
          s"COUNT($v.n) < ${n / 3 + 1}",
          s"o - FIRST(o) < $n",
          s"o < FIRST($v.o) + $n",
          s"n >= FIRST($v.n)",
          s"n <> LAST($v.n)",
          s"MAX($v.d) - MIN($v.d) <= ${n / 2.0}",
          s"AVG($v.d) > d - $n",
          s"AVG(CAST($v.n AS BIGINT)) < $n",
          s"MIN(s) >= 'b'",
          s"s = FIRST($v.s)",
          s"COUNT(*) FILTER (WHERE n > $n) <= 2",
          s"SUM($v.n) FILTER (WHERE s = 'a') <= $n",
          s"n > PREV(n)",
          s"n < $n",
          s"$own.n < $n OR COUNT($v.*) > 2",
          s"100 / (n - $n) < SUM(n)",
          failing,
          failing,
          s"${sign(ofZero, "0")} AND ${sign(ofZero, "-0")}",
          s"${signOfMax(v, "0")} AND ${signOfMax(v, "-0")}",
          s"COALESCE(LAST($v.s), 'c') <> s",
          s"NOT n <=> PREV($v.n)",
          s"NOT n <=> LAST($v.n, 1)",
          s"MATCH_SEQUENCE_NUMBER() < ${n / 2 + 1}",
          s"NOT PREV(CLASSIFIER()) <=> '$v'",
          s"LAST($v.n) = NEXT(n)"
        )
    }
    val define = used
      .filter(_ => random.nextInt(5) > 0)
      .map { v =>
        val parts = Seq.fill(1 + random.nextInt(2))(condition(v))
        s"$v AS ${parts.mkString(if (random.nextInt(3) == 0) " OR " else " AND ")}"
      }
    val measures = Seq(
      "FIRST(o) AS a",
      "LAST(o) AS z",
      "COUNT(*) AS c",
      "MATCH_NUMBER() AS m",
      s"MAX(${one(used: _*)}.d) AS d",
      s"SUM(${one(used: _*)}.n) AS t",
      s"LAST(${one(used: _*)}.s) AS s"
    )
    s"""SELECT * FROM drawn MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
       |  MEASURES ${random.shuffle(measures).take(1 + random.nextInt(5)).mkString(", ")}
       |  PATTERN ($pattern) ${if (define.isEmpty) "" else define.mkString("DEFINE ", ", ", "")})
       |  ORDER BY ALL""".stripMargin
  }
}
