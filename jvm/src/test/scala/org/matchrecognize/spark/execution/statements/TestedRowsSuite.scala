package org.matchrecognize.spark.execution.statements

import scala.util.{Random, Try}

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.RandomSeed
import org.matchrecognize.spark.robustness.Fuzz

/**
 * A thread waits for a row whose condition reads the match in some way, while rows of a loop change
 * nothing: the same rows, or an error alike, whether many rows are tested at once or each row is a
 * step.
 */
class TestedRowsSuite extends SparkSuite {
  import TestedRowsSuite._
  import spark.implicits._

  // For collations with RTRIM, which Spark 4.0 has, but does not offer by itself.
  override protected def settings: Map[String, String] =
    Map("spark.sql.collation.trim.enabled" -> "true")

  test("random conditions: the same rows, or an error, by tests alone and by steps alone") {
    val (reports, seeds) = Fuzz.batches(inGate = 24, size = 10, share = 1.0 / 2, first = 5300) {
      batch =>
        val random = RandomSeed(batch.head, "tested rows")
        ComparedLoopsSuite
          .walk(random, 150 + random.nextInt(250))
          .zipWithIndex
          .map { case (n, o) => (o, n) }
          .toDF("o", "n")
          .selectExpr("*", "IF(pmod(xxhash64(o), 20) = 0, n, NULL) AS m")
          .createOrReplaceTempView("tested")
        batch.map(seed => compare(seed, drawn(RandomSeed(seed, "tested"))))
    }
    val all                    = reports.flatten
    val (found, errors, fewer) =
      (all.flatMap(_.rows).sum, all.count(_.rows.isEmpty), all.count(_.fewerSteps))
    info(s"$seeds: $found rows, $errors errors, $fewer clauses with fewer steps")
    if (!Fuzz.isAsked) assert(found > 1500 && errors >= 5 && fewer > 30)
  }

  test(
    "random differences of extreme values: the same rows, or an error, with and without ANSI") {
    val (reports, seeds) = Fuzz.batches(inGate = 24, size = 10, share = 1.0 / 2) { batch =>
      val random = RandomSeed(batch.head, "extremes")
      Seq
        .tabulate(60 + random.nextInt(100))(o =>
          (
            o,
            extreme(random, 8).map(_.toByte),
            extreme(random, 16).map(_.toShort),
            extreme(random, 32).map(_.toInt),
            extreme(random, 64),
            extremeDouble(random)))
        .toDF("o", "i8", "i16", "i32", "i64", "x")
        .selectExpr(
          "*",
          "timestamp_micros(i64) AS t",
          "CAST(timestamp_micros(i64 DIV 16) AS TIMESTAMP_NTZ) AS u",
          "date_from_unix_date(i32 DIV 2) AS d",
          "CAST(i32 AS DECIMAL(12, 2)) / 128 AS e",
          "CAST(CAST(i64 AS DECIMAL(20, 0)) * 1000 + i8 AS DECIMAL(38, 6)) / 8 AS g",
          "IF(i8 > 0, CONCAT('prefix of ', i32), CAST(i64 AS STRING)) AS s",
          "ELT(1 + pmod(i16, 11), 'a', 'A', 'a ', 'ä', 'Ä', 'b', 'ss', 'ß', 'PREFIX OF A', " +
            "'prefix of a', 'Prefix of B ') AS w"
        )
        .selectExpr(("*" +: collated): _*)
        .createOrReplaceTempView("tested")
      batch.map { seed =>
        val random = RandomSeed(seed, "differences")
        withSettings(
          "spark.sql.ansi.enabled"     -> random.nextBoolean().toString,
          "spark.sql.session.timeZone" -> one(random, Seq("UTC", "America/Los_Angeles"))) {
          compare(seed, differing(random, collated.nonEmpty))
        }
      }
    }
    val all             = reports.flatten
    val (found, errors) = (all.flatMap(_.rows).sum, all.count(_.rows.isEmpty))
    val fewer           = all.count(_.fewerSteps)
    info(s"$seeds: $found rows, $errors errors, $fewer clauses with fewer steps")
    if (!Fuzz.isAsked) assert(found > 500 && errors >= 5 && fewer > 30)
  }

  /** The texts under collations. */
  private def collated: Seq[String] =
    if (spark.version < "4") Nil
    else
      Seq(
        "w COLLATE UTF8_LCASE AS w_lower",
        "s COLLATE UTF8_LCASE AS s_lower",
        "w COLLATE UTF8_LCASE_RTRIM AS w_trimmed",
        "w COLLATE UTF8_BINARY_RTRIM AS w_exact",
        "w COLLATE UNICODE_CI AS w_icu"
      )

  private def compare(seed: Long, clause: (String => String) => String): Report = {
    val tested = run(clause(identity))
    // What it counts differs from row to row, so no step repeats itself.
    val stepped = run(clause(condition => s"($condition) AND COUNT(*) > 0"))
    if (stepped.failed.toOption.exists(_.toString.contains("TOO_MANY"))) Report(Some(0), false)
    else {
      assert(tested.isSuccess == stepped.isSuccess, s"seed $seed: ${clause(identity)}\n$tested")
      assert(
        tested.map(_._1).toOption == stepped.map(_._1).toOption,
        s"$seed: ${clause(identity)}")
      Report(
        stepped.toOption.map(_._1.size),
        tested.toOption.zip(stepped.toOption).exists { case (a, b) => a._2 < b._2 })
    }
  }

  /** The rows of a statement, and the steps of its search. */
  private def run(sql: String): Try[(Seq[Seq[Any]], Long)] = Try(
    withSettings(
      "spark.sql.adaptive.enabled"        -> "false",
      "spark.sql.matchRecognize.maxSteps" -> "5000000",
      "spark.sql.matchRecognize.matcher"  -> "threads") {
      val frame = spark.sql(sql)
      val found = values(frame)
      (found, searchOf(frame).metrics("numSteps").value)
    })
}

private object TestedRowsSuite {

  /** Rows that were found, None if the statement fails. */
  final case class Report(rows: Option[Int], fewerSteps: Boolean)

  /** E waits while rows are mapped to B. */
  private val patterns = Seq(
    "A D B* E",
    "A D B*? E",
    "A D? B* E",
    "A D+? B*? E",
    "A B* E",
    "A (D B{9,})+ E",
    "A D (B | E)+ D",
    "A D B{0,70} E",
    "A D B{3,40}? E",
    "A D (B | E){2,30} E",
    "A D B* {- E -} D?"
  )

  /** Aggregates to which most rows add nothing. */
  private val rarelyChanging = Seq(
    "COUNT(E.m)",
    "COUNT(U.m)",
    "COUNT(DISTINCT V.n)",
    "COUNT(DISTINCT U.n)",
    "SUM(U.n) FILTER (WHERE U.m > 0)",
    "COUNT(E.*) FILTER (WHERE E.n < 0)",
    "size(collect_list(V.m))"
  )

  /** What the row alone decides, what the match keeps, and what E itself changes. */
  private val operands = rarelyChanging ++ rarelyChanging ++ Seq(
    "n",
    "PREV(n, 1)",
    "NEXT(n, 2)",
    "FIRST(n)",
    "FIRST(n, 2)",
    "LAST(n, 1)",
    "A.n",
    "NEXT(A.n)",
    "FIRST(D.n)",
    "LAST(D.n, 1)",
    "PREV(LAST(D.n), 2)",
    "FIRST(U.n, 1)",
    "LAST(U.n, 1)",
    "LAST(E.n, 1)",
    "FIRST(B.n)",
    "FIRST(B.n, 14)",
    "MAX(A.n)",
    "SUM(D.n)",
    "MAX(U.n)",
    "MIN(U.n)",
    "MAX(E.n)",
    "COUNT(U.*)",
    "AVG(U.n)",
    "array_max(collect_set(U.n))",
    "MATCH_NUMBER()"
  )

  /** What each row of the loop changes. */
  private val changing = Seq("LAST(B.n)", "LAST(V.n, 15)", "MIN(B.n)", "COUNT(B.*)")

  private val labels = Seq(
    "CLASSIFIER(U) = 'E'",
    "LAST(CLASSIFIER(U), 1) = 'D'",
    "LAST(CLASSIFIER(), 2) = 'B'",
    "FIRST(CLASSIFIER(U)) = 'D'")

  /** A number of so many bits, most often small or near an end of the range; None is NULL. */
  def extreme(random: Random, bits: Int): Option[Long] = {
    def near = random.nextInt(3) - 1L
    random.nextInt(12) match {
      case 0 => None
      case 1 => Some((1L << bits - 1) - 1 - random.nextInt(3))
      case 2 => Some(-(1L << bits - 1) + random.nextInt(3))
      case 3 => Some(one(random, Seq(1L << bits - 2, (1L << bits - 1) - (1L << bits - 5))) + near)
      case 4 => Some(-one(random, Seq(1L << bits - 2, 1L << bits - 5)) + near)
      case _ => Some(random.nextInt(17) - 8L)
    }
  }

  private val doubles = Seq(
    0.0,
    -0.0,
    0.1,
    0.3,
    1e16,
    -1e16,
    Double.MaxValue,
    -Double.MaxValue,
    Double.PositiveInfinity,
    Double.NegativeInfinity,
    Double.NaN,
    Double.MinPositiveValue)

  def extremeDouble(random: Random): Option[Double] = random.nextInt(12) match {
    case 0     => None
    case 1     => Some(Double.NaN)
    case 2 | 3 => Some(one(random, doubles))
    case _     => Some((random.nextInt(41) - 20) / 10.0)
  }

  /** Differences by kind, each with what it can be compared with. */
  private val differences = Seq(
    Seq(
      "i8 - A.i8"   -> Seq("CAST(3 AS TINYINT)", "A.i8"),
      "A.i16 - i16" -> Seq("CAST(-2 AS SMALLINT)", "D.i16"),
      "i32 - A.i32" -> Seq("5", "A.i32", "D.i32 - 2"),
      "A.i32 - i32" -> Seq("-5", "FIRST(i32)"),
      "i64 - A.i64" -> Seq("5L", "A.i64", "9223372036854775807"),
      "D.i64 - i64" -> Seq("0L", "A.i64")
    ),
    Seq(
      "x - A.x" -> Seq("0.2D", "-0.1D", "D.x", "double('infinity')"),
      "D.x - x" -> Seq("0D", "0.1D", "A.x", "double('nan')")),
    Seq(
      "t - A.t"           -> Seq("INTERVAL '5' SECOND", "INTERVAL '0' DAY"),
      "A.u - u"           -> Seq("INTERVAL '1' HOUR", "D.u - A.u"),
      "d - A.d"           -> Seq("INTERVAL '3' DAY", "INTERVAL '-100000' DAY"),
      "date_diff(d, A.d)" -> Seq("3", "A.i32"),
      "date_diff(D.d, d)" -> Seq("-3", "0")
    ),
    Seq(
      "x / A.x"             -> Seq("0.95D", "-1.5D", "D.x"),
      "A.x / x"             -> Seq("1.05D", "D.x"),
      "(x - A.x) / A.x"     -> Seq("-0.05D", "0.5D"),
      "x / NULLIF(A.x, 0D)" -> Seq("0.95D", "0D"),
      "abs(x - A.x)"        -> Seq("0.1D * A.x", "0.3D"),
      "ln(x) - ln(A.x)"     -> Seq("0.1D", "0D"),
      "-(x * A.x)"          -> Seq("0.1D", "A.x"),
      "3 - i32 * A.x"       -> Seq("0.5D", "D.x")
    ),
    Seq(
      "e / A.e"          -> Seq("0.95", "-1.5", "D.e / A.e"),
      "A.e / e"          -> Seq("1.05", "2"),
      "(e - A.e) / A.e"  -> Seq("-0.05", "0.000001"),
      "abs(e - A.e)"     -> Seq("0.1 * A.e", "0.01"),
      "e * D.e"          -> Seq("A.e", "100"),
      "i32 / A.i32"      -> Seq("0.95D", "-2D"),
      "i64 * A.i8"       -> Seq("100L", "D.i64"),
      "abs(i32 - A.i32)" -> Seq("5", "D.i32"),
      "abs(i64)"         -> Seq("5L", "abs(A.i64)")
    ),
    Seq(
      "g"            -> Seq("A.g", "A.g * 0.95", "D.g"),
      "A.g - g"      -> Seq("0.1", "D.g"),
      "g / A.g"      -> Seq("0.95", "1"),
      "abs(g - A.g)" -> Seq("0.5", "A.g / 10"),
      "s"            -> Seq("A.s", "D.s", "CONCAT('prefix', D.s)")
    )
  )

  /** Likewise, of texts under collations. */
  private val collatedTexts = Seq(
    "w_lower"   -> Seq("A.w_lower", "D.w_lower", "UPPER(A.w_lower)", "'PREFIX of b'"),
    "s_lower"   -> Seq("A.s_lower", "D.s_lower", "CONCAT('PREFIX', D.s_lower)"),
    "w_trimmed" -> Seq("A.w_trimmed", "CONCAT(D.w_trimmed, ' ')", "'Ä  '"),
    "w_exact"   -> Seq("A.w_exact", "CONCAT(D.w_exact, ' ')", "'ss '"),
    "w_icu"     -> Seq("A.w_icu", "UPPER(D.w_icu)", "'SS'")
  )

  /** A clause with a difference that is tested while rows are mapped to B. */
  def differing(random: Random, hasCollations: Boolean): (String => String) => String = {
    val kinds    = if (hasCollations) differences :+ collatedTexts else differences
    def compared = {
      val (difference, others) = one(random, one(random, kinds))
      val sign                 = one(random, Seq("<", "<=", "=", "<>", ">=", ">"))
      s"$difference $sign ${one(random, others)}"
    }
    val rarely = s"o % ${1 + random.nextInt(40)} = 0"
    val e      = one(random, Seq(s"$compared AND $rarely", compared, s"$compared AND $compared"))
    val b      = one(random, Seq("true", "true", compared))
    wrap => s"""SELECT * FROM tested MATCH_RECOGNIZE (ORDER BY o
         |  MEASURES FIRST(o) AS a, LAST(o) AS z AFTER MATCH SKIP TO NEXT ROW PATTERN (A D B* E)
         |  DEFINE B AS ${wrap(b)}, E AS ${wrap(e)})""".stripMargin
  }

  private def one[A](random: Random, of: Seq[A]): A = of(random.nextInt(of.size))

  private def condition(random: Random, depth: Int): String =
    if (depth > 0 && random.nextInt(3) == 0) {
      val parts = Seq.fill(2)(condition(random, depth - 1))
      parts.mkString("(", one(random, Seq(" AND ", " OR ")), ")")
    } else {
      def operand = one(random, if (random.nextInt(12) == 0) changing else operands)
      random.nextInt(12) match {
        case 0     => one(random, labels)
        case 1     => s"10 DIV (o - ${random.nextInt(300)}) < 1 + coalesce($operand, 0)"
        case 2 | 3 => s"$operand + $operand > 2 * $operand"
        case 4 | 5 => s"$operand - $operand ${one(random, Seq("<", "=", ">"))} n"
        case _     => s"$operand ${one(random, Seq("<", "=", ">", "<>"))} $operand"
      }
    }

  /** A clause, as a function of what is made of its conditions. */
  def drawn(random: Random): (String => String) => String = {
    val define = Seq(
      "A" -> one(random, Seq("true", "o % 7 = 0", "n > 0")),
      "B" -> one(random, Seq("true", "n IS NOT NULL", "o % 50 <> 0", "pmod(n + A.n, 9) <> 0")),
      "D" -> one(random, Seq("true", "true", "n > A.n", condition(random, 0))),
      "E" -> {
        val rarely =
          one(random, Seq("true", "n <> A.n", s"pmod(o - A.o, ${2 + random.nextInt(60)}) = 1"))
        s"${condition(random, 2)} AND $rarely"
      }
    )
    val pattern = one(random, patterns)
    val after   = one(random, Seq("PAST LAST ROW", "TO NEXT ROW"))
    val shown   = one(random, Seq("LAST(E.o)", "LAST(E.o)", "SUM(D.n)", "MAX(U.n)", "COUNT(B.*)"))
    wrap =>
      s"""SELECT * FROM tested MATCH_RECOGNIZE (ORDER BY o
         |  MEASURES FIRST(o) AS a, LAST(o) AS z, $shown AS m
         |  AFTER MATCH SKIP $after PATTERN ($pattern) SUBSET U = (D, E), V = (A, E)
         |  DEFINE ${define
          .filter { case (v, _) => pattern.contains(v) }
          .map { case (v, c) => s"$v AS ${wrap(c)}" }
          .mkString(", ")})""".stripMargin
  }
}
