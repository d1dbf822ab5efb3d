package org.matchrecognize.spark.execution.evaluation

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.RandomSeed
import org.matchrecognize.spark.robustness.Fuzz

/** Conditions that the row alone decides, tested once all rows have come, against `LAG` and `LEAD`. */
class ClassifiedRowsSuite extends SparkSuite {

  /** Partitions of 1 to 7 rows, and one of 400, with NULLs. */
  private val data =
    """(SELECT k, o, h,
      |    NULLIF(h % 5, 4) AS n,
      |    CASE h % 4 WHEN 0 THEN DOUBLE('NaN') WHEN 1 THEN -0.0D WHEN 2 THEN 0.0D END AS d,
      |    NULLIF(CONCAT('s', h % 3), 's0') AS s,
      |    h % 2 = 0 AS b,
      |    CAST(h % 3 AS BYTE) AS y,
      |    CAST(h % 3 AS DECIMAL(30, 2)) AS e,
      |    NAMED_STRUCT('i', h % 2, 's', CONCAT('s', h % 3)) AS st,
      |    ARRAY(NULLIF(h % 2, 1)) AS a
      |  FROM (SELECT k, o, CAST(pmod(xxhash64(k, o), 1000) AS INT) AS h
      |    FROM (SELECT explode(sequence(1, IF(k < 40, k % 7 + 1, 400))) AS o, k
      |      FROM (SELECT explode(sequence(0, 40)) AS k))))""".stripMargin

  /** The condition with PREV and NEXT, as the same over windows. */
  private def windowed(condition: String): String =
    condition
      .replaceAll("""PREV\(([^()]*)\)""", "LAG($1) OVER w")
      .replaceAll("""NEXT\(([^()]*)\)""", "LEAD($1) OVER w")

  /** Which rows satisfy a condition: each match is of one row. */
  private def clause(condition: String): String =
    s"""SELECT k, o, c FROM $data MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
       |  MEASURES CLASSIFIER() AS c ALL ROWS PER MATCH
       |  PATTERN (A | B) DEFINE A AS $condition, B AS h % 2 = 0 AND ($condition))""".stripMargin

  private val ways = Seq(
    "generated"   -> Seq("spark.sql.codegen.factoryMode" -> "CODEGEN_ONLY"),
    "interpreted" -> Seq("spark.sql.codegen.factoryMode" -> "NO_CODEGEN"),
    "spilled"     -> Seq("spark.sql.matchRecognize.spillThreshold" -> "5")
  )

  for (condition <- Seq(
      "n > 1",
      "n > PREV(n)",
      "n < NEXT(n)",
      "n >= PREV(n) AND n <= NEXT(n)",
      "PREV(n, 3) = n OR NEXT(n, 2) = n",
      "PREV(n) IS NULL",
      "NEXT(n, 2) IS NULL",
      "PREV(n, 3) IS NULL AND NEXT(n, 3) IS NULL",
      "n > 1 AND NEXT(n, 3) IS NULL",
      "h % 3 = 0 AND COALESCE(NEXT(n, 11), PREV(n), n) < 2",
      "PREV(n, 16) > n",
      "PREV(n, 17) > n",
      "NEXT(n, 16) > n",
      "PREV(n, 10) > NEXT(n, 10)",
      "d = PREV(d)",
      "s > PREV(s) OR s = NEXT(s, 2)",
      "COALESCE(PREV(s), s, NEXT(s), 'none') = 's1'",
      "b <> PREV(b)",
      "PREV(y) = y AND NEXT(y) < y",
      "e > PREV(e, 2)",
      "st = PREV(st) OR st = NEXT(st)",
      "a = PREV(a)",
      "EXISTS(a, x -> x = 0) AND n = PREV(n)",
      "PREV(n * 2 + h) > h"
    ))
    test(condition) {
      val expected = rows(
        s"""SELECT k, o, 'A' FROM (SELECT k, o, ${windowed(condition)} AS satisfied FROM $data
           |  WINDOW w AS (PARTITION BY k ORDER BY o)) WHERE satisfied""".stripMargin).toSet
      assert(expected.nonEmpty)
      for ((way, settings) <- ways)
        withSettings(settings :+ "spark.sql.matchRecognize.matcher" -> "automaton": _*) {
          val found = rows(clause(condition))
          assert(found.size == expected.size, way)
          assert(found.toSet == expected, way)
        }
    }

  test("a condition that fails at a row that no search tests, in one partition of several") {
    // B is tested after an A only, and no A comes before a row whose n is 0.
    val fails =
      """SELECT k, x, y FROM VALUES (1, 1, 5), (1, 2, 0), (1, 3, 5), (1, 4, 2), (2, 1, 5),
        |  (2, 2, 1), (3, 1, 0), (4, 1, 5), (4, 2, 2) AS t(k, o, n) MATCH_RECOGNIZE (
        |  PARTITION BY k ORDER BY o MEASURES A.o AS x, LAST(B.o) AS y
        |  PATTERN ((A | C) B+) DEFINE A AS n = 5 AND NEXT(n) <> 0, C AS n = 7,
        |    B AS 10 / n > 3)""".stripMargin
    for ((way, settings) <- ways)
      withSettings(settings :+ "spark.sql.matchRecognize.matcher" -> "automaton": _*) {
        assert(rows(fails).toSet == Set(Seq(1, 3, 4), Seq(2, 1, 2), Seq(4, 1, 2)), way)
      }
  }

  test("conditions that differ in the order of their parts fail at different rows") {
    val sql =
      """SELECT * FROM VALUES (1, 5), (2, 0) AS t(o, n) MATCH_RECOGNIZE (ORDER BY o
        |  MEASURES CLASSIFIER() AS c PATTERN (A | B)
        |  DEFINE A AS n <> 0 AND 10 / n > 3, B AS 10 / n > 3 AND n <> 0)""".stripMargin
    for ((way, settings) <- ways)
      withSettings(settings :+ "spark.sql.matchRecognize.matcher" -> "automaton": _*) {
        val error = intercept[Exception](rows(sql))
        assert(
          Iterator
            .iterate[Throwable](error)(_.getCause)
            .takeWhile(_ != null)
            .exists(_.isInstanceOf[ArithmeticException]),
          way)
      }
  }

  test("partitions of fewer rows than a condition looks ahead") {
    val clause =
      """SELECT * FROM VALUES (1, 1, 1), (1, 2, 2), (2, 1, 5), (3, 1, 4), (3, 2, 1), (3, 3, 1),
        |  (3, 4, 1) AS t(k, o, n) MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
        |  MEASURES A.o AS o, A.n AS n PATTERN (A) DEFINE A AS n <> 2 AND NEXT(n, 3) IS NULL)""".stripMargin
    val wanted = Seq(Seq(1, 1, 1), Seq(2, 1, 5), Seq(3, 2, 1), Seq(3, 3, 1), Seq(3, 4, 1))
    for ((way, settings) <- ways; matcher <- Seq("automaton", "threads"))
      withSettings(settings :+ "spark.sql.matchRecognize.matcher" -> matcher: _*) {
        assert(rows(s"$clause ORDER BY k, o") == wanted, s"$way, $matcher")
      }
  }

  test("rows of very many classes, by a string that only conditions read") {
    val matches = oneOfManyClasses((0 until 16).map(letterOf).mkString("(", " | ", ")+"), 16, 1)
    for (matcher <- Seq("automaton", "threads"))
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        assert(rows(matches) == Seq(Seq(1, 39999, 39999)), matcher)
      }
  }

  test("random patterns over rows of very many classes") {
    val (_, seeds) = Fuzz.batches(inGate = 4, size = 1, nightly = 20)(_.foreach { seed =>
      val random    = RandomSeed(seed, "many classes")
      val variables = 14 + random.nextInt(4)
      val names     = random.shuffle((0 until variables).toVector).map(letterOf)
      // All of them, as a rule: then the sets of positions are many, too.
      val some    = if (random.nextInt(3) > 0) names else names.take(2 + random.nextInt(12))
      val loops   = Vector("+", "*?", "{2,9}", "+?", "{3,}")
      val loop    = some.mkString("(", " | ", ")") + loops(random.nextInt(loops.size))
      val pattern = s"$loop ${names.last}"
      val factor  = Vector(1, 7919, 104729)(random.nextInt(3))
      val sql     = oneOfManyClasses(pattern, variables, factor)
      val found   = Seq("automaton", "threads").map { matcher =>
        withSettings("spark.sql.matchRecognize.matcher" -> matcher)(rows(sql))
      }
      assert(found(0) == found(1), sql)
    })
    info(seeds)
  }

  private def letterOf(variable: Int): String = s"V$variable"

  /** A clause over rows that satisfy the variables whose bits are in a multiple of their number. */
  private def oneOfManyClasses(pattern: String, variables: Int, factor: Int): String =
    s"""SELECT * FROM (SELECT id, array_join(transform(filter(sequence(0, ${variables - 1}),
       |    i -> getbit(id * $factor, i) = 1), i -> char(97 + i)), '') AS s
       |  FROM range(0, 40000, 1, 1)) MATCH_RECOGNIZE (ORDER BY id
       |  MEASURES FIRST(id) AS a, LAST(id) AS z, COUNT(*) AS n PATTERN ($pattern)
       |  DEFINE ${(0 until variables)
        .filter(i => s"${letterOf(i)}\\b".r.findFirstIn(pattern).nonEmpty)
        .map(i => s"${letterOf(i)} AS CONTAINS(s, '${('a' + i).toChar}')")
        .mkString(", ")})""".stripMargin
}
