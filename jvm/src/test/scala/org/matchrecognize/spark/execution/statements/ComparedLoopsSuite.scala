package org.matchrecognize.spark.execution.statements

import java.sql.{Date, Timestamp}

import scala.util.{Failure, Random, Success, Try}

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.RandomSeed

/**
 * Loops whose conditions compare rows with rows mapped before, in whole statements: the rows as
 * worked out by hand, and as with conditions in which no comparison is found.
 */
class ComparedLoopsSuite extends SparkSuite {
  import ComparedLoopsSuite._
  import spark.implicits._

  private val dip =
    """MEASURES PEAK.o AS a, MIN(BELOW.n) AS lowest, COUNT(BELOW.*) AS rows, BACK.o AS z
    |  PATTERN (PEAK BELOW+ BACK) DEFINE BELOW AS n < PEAK.n, BACK AS n >= PEAK.n""".stripMargin

  /** The dips of a series, one after another, by looking for their last rows. */
  private def dips(values: IndexedSeq[Option[Int]]): List[Seq[Any]] = {
    def from(start: Int): List[Seq[Any]] =
      if (start >= values.size) Nil
      else {
        val isBelow = (row: Int) => values(row).exists(n => values(start).exists(n < _))
        val end     = values.indices.drop(start + 1).find(!isBelow(_)).getOrElse(values.size)
        val isBack  = end < values.size && values(end).exists(n => values(start).exists(n >= _))
        if (end > start + 1 && isBack) {
          val below = (start + 1 until end).map(values(_).get)
          Seq[Any](start, below.min, below.size, end) :: from(end + 1)
        } else {
          from(start + 1)
        }
      }
    from(0)
  }

  test("dips and recoveries of random walks with NULLs, in partitions and in one") {
    var found = 0
    for (seed <- 1L to 3L) {
      val random = RandomSeed(seed, "dips")
      val series = (0 until 2).map(_ => walk(random, 500 + random.nextInt(1500)))
      series.zipWithIndex
        .flatMap { case (values, k) => values.zipWithIndex.map { case (n, o) => (k, o, n) } }
        .toDF("k", "o", "n")
        .createOrReplaceTempView("walks")
      val wanted = series.zipWithIndex.flatMap { case (values, k) => dips(values).map(k +: _) }
      val all    =
        rows(
          s"SELECT * FROM walks MATCH_RECOGNIZE (PARTITION BY k ORDER BY o $dip) ORDER BY k, a")
      assert(all == wanted, s"seed $seed")
      val first =
        rows(s"SELECT * FROM (SELECT * FROM walks WHERE k = 0) MATCH_RECOGNIZE (ORDER BY o $dip)")
      assert(first == dips(series.head), s"seed $seed")
      found += wanted.size
    }
    assert(found > 50, found)
  }

  test("a series that falls") {
    val (found, steps) =
      run(s"""SELECT * FROM (SELECT id AS o, -id AS n FROM range(0, 100000, 1, 1))
                                |  MATCH_RECOGNIZE (ORDER BY o $dip)""".stripMargin)
    assert(found == Nil && steps < 100000L * 20, steps)
    val (one, few) = run(
      s"""SELECT * FROM (SELECT id AS o, IF(id = 99999, 0, -id) AS n FROM range(0, 100000, 1, 1))
         |  MATCH_RECOGNIZE (ORDER BY o $dip)""".stripMargin)
    assert(one == Seq(Seq(0, -99998, 99998, 99999)) && few < 100, few)
  }

  test("arithmetic with a mapped row: the search jumps as with the row alone") {
    val source =
      """(SELECT id AS o, -id AS n, CAST(-id AS DOUBLE) AS x, CAST(-id AS DECIMAL(9, 0)) AS e,
                   |  timestamp_seconds(-id) AS t, date_add(DATE'2020-01-01', CAST(-id AS INT)) AS d
                   |  FROM range(0, 20000, 1, 1))""".stripMargin
    def steps(condition: String) = {
      val (found, steps) = run(s"""SELECT * FROM $source MATCH_RECOGNIZE (ORDER BY o
           |  MEASURES C.o AS z PATTERN (A B* C) DEFINE C AS $condition)""".stripMargin)
      assert(found == Nil)
      steps
    }
    for (condition <- Seq(
        "n > A.n + 5",
        "n - A.n > 5",
        "A.n - n < -5",
        "CAST(n AS INT) - CAST(A.n AS INT) = 5",
        "CAST(n + 1798761600 AS INT) - CAST(A.n + 1798761600 AS INT) = 5",
        "x - A.x > 5",
        "A.x - x < -5",
        "t - A.t > INTERVAL '2' HOUR",
        "INTERVAL '2' HOUR < t - A.t",
        "unix_timestamp(t) - unix_timestamp(A.t) > 5",
        "d - A.d > INTERVAL '5' DAY",
        "date_diff(d, A.d) > 5",
        "e - A.e > 5",
        "abs(n - A.n) > 50000",
        "x / (A.x - 1) < 0",
        "e / (A.e - 1) < 0.5 AND e > A.e",
        "CAST(e AS DECIMAL(38, 4)) > A.e",
        "lpad(CAST(20000 + n AS STRING), 8, '0') > lpad(CAST(20000 + A.n AS STRING), 8, '0')"
      )) assert(steps(condition) < 20000L * 20, condition)
    // The row is on both sides.
    assert(steps("2 * n > A.n + n + 50000") > 20000L * 1000)
  }

  test("a difference of DOUBLE that is NaN is larger than all numbers, whatever is subtracted") {
    val source =
      "(SELECT id AS o, IF(id = 60, double('nan'), 0D) AS x FROM range(0, 99, 1, 1))"
    for ((condition, row) <- Seq(
        "A.x - x > 5"             -> Some(60),
        "A.x - x >= 5"            -> Some(60),
        "5 < A.x - x"             -> Some(60),
        "A.x - x <> 0"            -> Some(60),
        "A.x - x = double('nan')" -> Some(60),
        "A.x - x < -5"            -> None,
        "A.x - x <= -5"           -> None,
        "A.x - x = 5"             -> None,
        "A.x - x >= 0"            -> Some(1),
        "x - A.x > 5"             -> Some(60),
        "x - A.x >= 5"            -> Some(60),
        "x - A.x <> 0"            -> Some(60),
        "x - A.x < -5"            -> None,
        "x - A.x = 5"             -> None,
        "x - A.x <= 0"            -> Some(1)
      )) {
      val (found, _) = run(s"""SELECT * FROM $source MATCH_RECOGNIZE (ORDER BY o
           |  MEASURES C.o AS z PATTERN (A B*? C) DEFINE A AS o = 0, C AS $condition)""".stripMargin)
      assert(found == row.map(Seq(_)).toSeq, condition)
    }
  }

  test("random clauses: the same rows by comparisons, by tests alone, and by steps alone") {
    var (found, fewer, tested) = (0, 0, 0)
    for (seed <- 1L to 40L) {
      val random = RandomSeed(seed, "clauses")
      table(random)
      val clause = drawn(random)
      // A comparison is not found in it; what it counts differs from row to row.
      def untold(condition: String) = s"coalesce($condition, false)"
      val stepped = clause(condition => s"${untold(condition)} AND COUNT(*) > 0")
      Try(run(stepped, maxSteps = 20000000L)) match {
        case Failure(tooMany) =>
          assert(tooMany.toString.contains("TOO_MANY_STEPS"), s"seed $seed")
        case Success((wanted, every)) =>
          val (rows, steps) = run(clause(identity))
          val (same, tests) = run(clause(untold))
          assert(rows == wanted, s"seed $seed: ${clause(identity)}")
          assert(same == wanted, s"seed $seed: ${clause(untold)}")
          found += rows.size
          if (steps < every / 2) fewer += 1
          if (tests < every) tested += 1
      }
    }
    info(s"$found rows; of $fewer clauses, less than half of the steps; $tested with tests alone")
    assert(found > 2000 && fewer >= 4 && tested >= 10, s"$found, $fewer, $tested")
  }

  for ((how, condition) <- Seq("comparisons" -> "n < A.n", "tests" -> "coalesce(n < A.n, false)"))
    test(s"an error is raised where a search comes to it, and nowhere else; by $how") {
      def clause(fails: Int) =
        s"""SELECT * FROM (SELECT id AS o, IF(id % 1000 = 0, 1000, id % 1000) AS n FROM range(0, 5000, 1, 1))
         |  MATCH_RECOGNIZE (ORDER BY o MEASURES A.o AS a, C.o AS c PATTERN (A B+ C)
         |  DEFINE A AS n = 1000, B AS 10 DIV (o - $fails) < A.n AND $condition, C AS n = A.n)""".stripMargin
      val wanted = Seq(Seq(0, 1000), Seq(2000, 3000))
      // The last search ends with the partition; row 1001 is before an A.
      assert(rows(clause(1001)) == wanted)
      assert(rows(clause(-1)) == wanted)
      for (row <- Seq(500, 999, 2001, 4999)) {
        val failure = intercept[Exception](rows(clause(row)))
        assert(
          Iterator
            .iterate[Throwable](failure)(_.getCause)
            .takeWhile(_ != null)
            .exists(_.isInstanceOf[ArithmeticException]))
      }
    }

  test("an aggregate to which the tested row is added, most often without another value") {
    val source =
      "(SELECT id AS o, CASE id WHEN 1 THEN 10 WHEN 57 THEN 50 ELSE 0 END AS n FROM range(0, 99, 1, 1))"
    val (found, _) = run(s"""SELECT * FROM $source MATCH_RECOGNIZE (ORDER BY o
         |  MEASURES A.o AS a, LAST(o) AS z, MAX(U.n) AS m PATTERN (A D B*? E) SUBSET U = (D, E)
         |  DEFINE D AS n = 10, E AS MAX(U.n) = n)""".stripMargin)
    assert(found == Seq(Seq(0, 57, 50)))
  }

  test("an aggregate to which most tested rows add nothing") {
    val source =
      "(SELECT id AS o, IF(id = 57, 7, NULL) AS n, IF(id = 58, 1, 0) AS m FROM range(0, 99, 1, 1))"
    for ((condition, row) <- Seq(
        "COUNT(E.n) > 0"                                     -> 57,
        "COUNT(U.n) = 1"                                     -> 57,
        "SUM(E.m) FILTER (WHERE E.m > 0) > 0"                -> 58,
        "COUNT(E.*) FILTER (WHERE E.n IS NOT NULL) = 1"      -> 57,
        "COUNT(DISTINCT U.m) = 2"                            -> 58,
        "array_contains(collect_list(U.n), 7)"               -> 57,
        "array_max(collect_set(U.m)) = 1"                    -> 58,
        "MAX(E.n) = 7"                                       -> 57,
        "COUNT(DISTINCT E.n) FILTER (WHERE E.n > 5) + 1 = 2" -> 57
      )) {
      val (found, _) = run(s"""SELECT * FROM $source MATCH_RECOGNIZE (ORDER BY o
         |  MEASURES A.o AS a, LAST(o) AS z PATTERN (A B* E) SUBSET U = (A, E)
         |  DEFINE A AS o = 0, E AS $condition)""".stripMargin)
      assert(found == Seq(Seq(0, row)), condition)
    }
  }

  test("LIMIT, all rows, labels of long runs") {
    val source = "(SELECT id AS o, IF(id % 20000 = 0, 1, 0) AS n FROM range(0, 100000, 1, 1))"
    assert(
      rows(s"SELECT * FROM $source MATCH_RECOGNIZE (ORDER BY o $dip) LIMIT 1") ==
        Seq(Seq(0, 0, 19999, 20000)))
    val all = rows(s"""SELECT o, c, s FROM $source MATCH_RECOGNIZE (ORDER BY o
         |  MEASURES CLASSIFIER() AS c, COUNT(BELOW.*) AS s ALL ROWS PER MATCH
         |  PATTERN (PEAK BELOW+ BACK) DEFINE BELOW AS n < PEAK.n, BACK AS n >= PEAK.n)""".stripMargin)
    val wanted = for (first <- Seq(0, 40000); row <- 0 to 20000) yield {
      val label = if (row == 0) "PEAK" else if (row == 20000) "BACK" else "BELOW"
      Seq[Any](first + row, label, math.min(row, 19999))
    }
    assert(all == wanted)
  }

  /** The rows of a statement, sorted, and the steps of its search. */
  private def run(sql: String, maxSteps: Long = 1000000000L): (Seq[Seq[Any]], Long) =
    withSettings(
      "spark.sql.adaptive.enabled"        -> "false",
      "spark.sql.matchRecognize.maxSteps" -> maxSteps.toString,
      "spark.sql.matchRecognize.matcher"  -> "threads") {
      val frame = spark.sql(sql)
      // NaN is not equal to NaN in Scala.
      val found = values(frame).map(_.map {
        case x: Double if x.isNaN => "NaN"
        case x: Float if x.isNaN  => "NaN"
        case other                => other
      })
      (found.sortBy(_.mkString("|")), searchOf(frame).metrics("numSteps").value)
    }

  /** The same walk in columns of many types. */
  private def table(random: Random): Unit = {
    val rows =
      for (k <- 0 until 2; (n, o) <- walk(random, 100 + random.nextInt(500)).zipWithIndex)
        yield {
          val x = n.map {
            case 0 if o % 2 == 0 => -0.0
            case 3     => Double.NaN
            case other => other.toDouble
          }
          Row(
            k,
            o,
            n,
            x,
            x.map(_.toFloat),
            n.map(i => BigDecimal(i) / 100),
            n.map(i => new Date(i * 86400000L)),
            n.map(i => new Timestamp(i * 1000L)),
            n.map(i => i.toString),
            n.map(_ % 2 == 0),
            n.map(_.toLong * 4611686018427387L)
          )
        }
    spark
      .createDataFrame(rows)
      .selectExpr(
        "*",
        "CAST(d AS DECIMAL(9, 2)) AS e",
        "CAST(n AS TINYINT) AS i8",
        "CAST(n AS SMALLINT) AS i16",
        "CAST(t AS TIMESTAMP_NTZ) AS u",
        "t - TIMESTAMP'1970-01-01 00:00:00' AS iv"
      )
      .createOrReplaceTempView("compared")
  }
}

private object ComparedLoopsSuite {

  final case class Row(
      k: Int,
      o: Int,
      n: Option[Int],
      x: Option[Double],
      f: Option[Float],
      d: Option[BigDecimal],
      dt: Option[Date],
      t: Option[Timestamp],
      s: Option[String],
      b: Option[Boolean],
      l: Option[Long])

  /** A walk of small steps, with runs, ties and NULLs. */
  def walk(random: Random, size: Int): IndexedSeq[Option[Int]] = {
    val nulls = if (random.nextBoolean()) 20 + random.nextInt(200) else 0
    val down  = random.nextInt(3)
    var value = 0
    IndexedSeq.fill(size) {
      value =
        if (random.nextInt(60) == 0) random.nextInt(40)
        else math.max(-100, math.min(100, value + random.nextInt(3) - down))
      if (nulls > 0 && random.nextInt(nulls) == 0) None else Some(value)
    }
  }

  private val columns =
    Seq("n", "x", "f", "d", "dt", "t", "s", "b", "l", "e", "i8", "i16", "u", "iv")

  private val patterns = Seq(
    "A B+ C",
    "A B* C",
    "A B+? C",
    "A B+",
    "A B{3,} C",
    "A B{1,29} C",
    "A B{1,29} C",
    "A B{7,} C",
    "A B{0,50}? C",
    "A (B | D){3,60} C",
    "A (B{2,40} | D{1,50}) C",
    "A B{2,20} D{1,20} C",
    "A (B{1,9} D)+ C",
    "A {- B{1,90} -} C",
    "A B* D+ C",
    "A (B | D)+ C",
    "A+ B+ C",
    "(A B+)+ C",
    "A {- B+ -} C",
    "A D B*? D",
    "A (D B*)+ C",
    "A B+ C?"
  )

  /** Of variables, what they can be defined as; `q` and `r` are columns. */
  private val definitions = Seq(
    "A" -> Seq("true", "true", "o % 3 = 0", "q IS NOT NULL"),
    "B" -> Seq(
      "q < A.q",
      "q <= A.q",
      "A.q > q",
      "q <> A.q",
      "q <= FIRST(B.q)",
      "q >= FIRST(q) OR r < A.r",
      "q < A.q AND r >= A.r",
      "q < A.q AND r IS NOT NULL",
      "q < PREV(A.q, 1) AND o > PREV(o)",
      "NOT (q < A.q)",
      "q BETWEEN LEAST(A.q, FIRST(q)) AND A.q",
      "n < 0.9 * A.n",
      "2 * n < A.n + 3 AND q < A.q",
      "q < A.q AND (r > A.r OR o < A.o + 30)",
      "q < A.q AND COUNT(A.*) < 5",
      "abs(n - A.n) < 9",
      "n - A.n < 3",
      "A.x - x <= 2",
      "x - A.x = 1 OR x - A.x < 0",
      "x - A.x <> -1",
      "t - A.t < INTERVAL '3' SECOND",
      "A.u - u > INTERVAL '-2' SECOND",
      "dt - A.dt < INTERVAL '4' DAY",
      "date_diff(A.dt, dt) >= -3",
      "l - A.l < 4611686018427387 OR iv - A.iv < INTERVAL '2' SECOND",
      "i16 - FIRST(B.i16) < 4",
      "pmod(n, 5) <= pmod(A.n, 7) AND q IS NOT NULL",
      "n - LAST(n, 1) < pmod(FIRST(n), 3)",
      "PREV(n, 2) + A.n > n + NEXT(A.n) - 8",
      "n - FIRST(n, 1) < 6",
      "n - FIRST(B.n, 2) < 6 OR FIRST(B.n, 2) IS NULL",
      "n - MAX(A.n) < pmod(n, 4)"
    ),
    "C" -> Seq(
      "q >= A.q",
      "q > A.q AND n % 2 = 0",
      "q = A.q",
      "q > A.q OR r = A.r",
      "n > 10 + FIRST(n)",
      "n - A.n >= 3 OR A.x - x < -2",
      "t - A.t >= INTERVAL '3' SECOND",
      "n - MAX(B.n) > abs(A.n - 5)",
      "n - LAST(B.n) + A.n > 3",
      "LAST(A.o) + 20 < o",
      "true"
    ),
    "D" -> Seq(
      "q > A.q",
      "q = A.q",
      "r < LAST(B.r)",
      "o % 2 = 0",
      "n - MIN(B.n) + pmod(n, 3) > 4",
      "MAX(D.n) = n",
      "MIN(D.n) = n AND o > A.o + 3",
      "MAX(D.n) + MIN(D.n) > 2 * n"
    )
  )

  private val measures = Seq(
    "MIN(B.n) AS m",
    "COUNT(*) AS c",
    "LAST(B.o) AS lb",
    "FIRST(B.o) AS fb",
    "LAST(CLASSIFIER()) AS cl",
    "array_join(collect_list(CLASSIFIER()), '') AS labels",
    "SUM(o) AS total",
    "A.o AS a",
    "C.o AS z",
    "AVG(A.n) AS av"
  )

  /** A clause over the table, as a function of what is made of its conditions. */
  def drawn(random: Random): (String => String) => String = {
    def one[A](of: Seq[A]) = of(random.nextInt(of.size))
    val pattern            = one(patterns)
    val (q, r)             = (one(columns), one(columns))
    def named(e: String)   = e.replaceAll("\\bq\\b", q).replaceAll("\\br\\b", r)
    val has = (e: String) => Seq("C", "D").forall(v => !e.contains(s"$v.") || pattern.contains(v))
    val define = definitions
      .filter { case (variable, _) => pattern.contains(variable) }
      .map { case (variable, all) => variable -> named(one(all)) }
    val shown = random.shuffle(measures.filter(has)).take(1 + random.nextInt(3))
    val after = one(Seq("PAST LAST ROW", "TO NEXT ROW", "TO LAST B"))
    val skip  = if (after == "TO LAST B" && pattern != "A B+ C") "PAST LAST ROW" else after
    val mode  = one(
      Seq(
        "ONE ROW PER MATCH",
        "ONE ROW PER MATCH",
        "ALL ROWS PER MATCH",
        "ALL ROWS PER MATCH WITH UNMATCHED ROWS"))
    val rows  = if (pattern.contains("{-")) mode.replace(" WITH UNMATCHED ROWS", "") else mode
    val bound = if (random.nextInt(3) == 0) s" WITHIN ${20 + random.nextInt(100)}" else ""
    val by    = if (random.nextBoolean()) "PARTITION BY k ORDER BY o" else "ORDER BY k, o"
    val order = if (bound.isEmpty) by else "PARTITION BY k ORDER BY o"
    wrap =>
      s"""SELECT * FROM compared MATCH_RECOGNIZE ($order
               |  MEASURES MATCH_NUMBER() AS mn, FIRST(o) AS first, LAST(o) AS last,
               |    ${shown.mkString(", ")}
               |  $rows AFTER MATCH SKIP $skip PATTERN ($pattern)$bound
               |  DEFINE ${define
          .map { case (v, c) => s"$v AS ${wrap(c)}" }
          .mkString(", ")})""".stripMargin
  }
}
