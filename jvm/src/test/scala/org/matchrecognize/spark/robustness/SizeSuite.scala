package org.matchrecognize.spark.robustness

import org.apache.spark.metrics.source.CodegenMetrics

import org.matchrecognize.spark.SparkSuite

/** Clauses of any size run and are right, or are refused by name. */
class SizeSuite extends SparkSuite {

  private val million = 1000000

  /** A clause over one partition of the ids from 0 on. */
  private def over(rows: Int, content: String, select: String = "*"): String =
    s"SELECT $select FROM range(0, $rows, 1, 1) MATCH_RECOGNIZE (ORDER BY id $content)"

  private def counted(rows: Int, pattern: String, rest: String = ""): Seq[Seq[Any]] =
    this.rows(over(rows, s"MEASURES COUNT(*) AS n PATTERN ($pattern) $rest"))

  private val names = (0 until 200).map(i => s"V$i")

  /** What takes most of the suite's time: Janino compiles much code there. */
  private def nightly(name: String)(body: => Any): Unit =
    if (Fuzz.isNightly) test(name)(body)

  test("200 variables in a row, each with its condition and measures") {
    val defined  = names.zipWithIndex.map { case (v, i) => s"$v AS $v.id % 200 = $i" }
    val measures = names.map(v => s"LAST($v.id) AS of_$v")
    val found    = rows(
      over(
        400,
        s"MEASURES ${measures.mkString(", ")} PATTERN (${names.mkString(" ")}) " +
          s"DEFINE ${defined.mkString(", ")}"))
    assert(found == Seq((0L until 200L).toSeq, (200L until 400L).toSeq))
  }

  test("200 variables as alternatives, a SUBSET of all, and of every condition on another") {
    val defined = names.zipWithIndex.map { case (v, i) =>
      s"$v AS $v.id % 200 = ${199 - i} AND COUNT(${names((i + 1) % 200)}.*) < 3"
    }
    val found = rows(
      over(
        400,
        s"MEASURES COUNT(U.id) AS n, CLASSIFIER(U) AS v, SUM(V7.id) AS s ALL ROWS PER MATCH " +
          s"PATTERN ((${names.mkString(" | ")})+) SUBSET U = (${names.mkString(", ")}) " +
          s"DEFINE ${defined.mkString(", ")}",
        "id, n, v, s"
      ))
    assert(found.size == 400)
    assert(found(192) == Seq[Any](192L, 193L, "V7", 192L))
    assert(found(399) == Seq[Any](399L, 400L, "V0", 192L + 392L))
  }

  /** How many classes Spark compiles meanwhile. */
  private def compiled(body: => Any): Long = {
    val before = CodegenMetrics.METRIC_COMPILATION_TIME.getCount
    body
    CodegenMetrics.METRIC_COMPILATION_TIME.getCount - before
  }

  nightly("1,000 variables with a condition each, over four rows") {
    // What LAST(V0.x), LAST(V1.x) ... are, by the number of the variable; null for all others.
    def measures(last: (Int, Long)*): Seq[Any] = {
      val of = last.toMap[Int, Any]
      (0 until 1000).map(of.getOrElse(_, null))
    }
    def found(pattern: String, condition: String) =
      rows(ManyVariables.sql(1000, pattern, condition, measured = true))

    // Each of the thousand would take a row, and there are four.
    assert(found("row", "local") == Nil)
    // The row i has x = i, and is the only one that Vi takes.
    assert(found("alternatives", "local") == Seq(measures(0 -> 0, 1 -> 1, 2 -> 2, 3 -> 3)))
    assert(found("optional", "running") == Seq(measures(0 -> 0, 1 -> 1, 2 -> 2, 3 -> 3)))
    // V0 takes a row n. For V1, n + 1 would have to be more than n + 1: the match ends.
    assert(
      found("optional", "anchored") ==
        Seq(measures(0 -> 0), measures(0 -> 1), measures(0 -> 2), measures(0 -> 3)))
  }

  nightly("classes that conditions are compiled to do not grow in number with the variables") {
    def classes(n: Int): Long = compiled(
      rows(ManyVariables.sql(n, "alternatives", "anchored")) ++
        rows(ManyVariables.sql(n, "alternatives", "running")))
    val (fewer, more) = (classes(60), classes(960))
    assert(fewer <= 20 && more <= fewer, s"$fewer $more")
  }

  test("bounds of a million") {
    assert(counted(million, s"A{$million}") == Seq(Seq(million)))
    assert(counted(million + 5, s"A{1,$million}") == Seq(Seq(million), Seq(5)))
    assert(counted(million, s"(A B){${million / 2}}") == Seq(Seq(million)))
    assert(counted(1000, s"A{$million}") == Nil)
    assert(counted(1000, s"A{1,$million}? B", "DEFINE B AS id = 999") == Seq(Seq(1000)))
  }

  test("bounds of a million on what can be empty") {
    val bodies =
      Seq("A?", "A*", "A?B?", "A|B|()", "(A?){1000}", "{-A-}?", "(A|B)?", "A*B?", "((A?)*)?")
    for (body <- bodies) {
      assert(counted(500, s"($body){$million}") == Seq(Seq(500)), body)
      assert(
        counted(500, s"($body){100,$million} C", "DEFINE C AS id = 499") ==
          Seq(Seq(500)),
        body)
    }
    assert(counted(3, s"(A??){$million}") == Seq(Seq(0), Seq(0), Seq(0)))
    assert(counted(1000, s"(A??){$million} C", "DEFINE C AS id = 999") == Seq(Seq(1000)))
  }

  test("what only counting can decide ends with the budget's error") {
    withSettings("spark.sql.matchRecognize.maxSteps" -> "100000") {
      for (body <- Seq("PERMUTE(A?, B?)", "(A|())??", "A??B??"))
        assert(failure(counted(1000, s"($body){$million}")).contains("TOO_MANY_STEPS"), body)
    }
  }

  test("a bound beyond an Int is refused") {
    assert(counted(10, "A{2147483647}") == Nil)
    assert(failure(counted(10, "A{2147483648}")).contains("BOUND_TOO_LARGE"))
  }

  private def nested(depth: Int, open: String, close: String): String =
    open * depth + "A" + close * depth

  test("patterns nested 100 deep, and as deep as the parser lets pass") {
    val levels = Seq(
      ("(", ")", 1),
      ("(", ")+", 10),
      ("(", ")*", 10),
      ("(", ")?", 1),
      ("(", ")*?", 0),
      ("(", "|B)", 1),
      ("(C?", ")", 10),
      ("PERMUTE(", ")", 1),
      ("{-", "-}", 1))
    for ((open, close, rows) <- levels; depth <- Seq(100, 128)) {
      val found = counted(10, nested(depth, open, close))
      assert(found.map(_.head).head == rows.toLong, s"$depth $open$close")
    }
    // 2^100 rows, and all that fewer rows can be.
    assert(counted(10, nested(100, "(", "){2}")) == Nil)
    assert(counted(2, nested(100, "(", "){1,2}")) == Seq(Seq(2)))
    assert(counted(3, nested(100, "(", "){0,2}")) == Seq(Seq(3)))
    // Each level has two orders, and what remains of each is a state of its own.
    withSettings("spark.sql.matchRecognize.maxSteps" -> "100000") {
      assert(failure(counted(2, nested(100, "PERMUTE(B?,", ")"))).contains("TOO_MANY_STEPS"))
    }
  }

  test("patterns nested deeper are refused, however deep") {
    for (depth      <- Seq(129, 1000, 100000);
      (open, close) <- Seq("(" -> ")", "(" -> ")+", "{-" -> "-}"))
      assert(failure(counted(10, nested(depth, open, close))).contains("NESTED_TOO_DEEP"), depth)
    assert(failure(counted(10, "(" * 100000)).contains("NESTED_TOO_DEEP"))
  }

  test("a pattern of 5,000 elements") {
    assert(counted(5000, "A " * 5000) == Seq(Seq(5000)))
    assert(counted(5, ("A | " * 5000) + "B") == Seq.fill(5)(Seq(1)))
  }

  test("500 measures") {
    val measures = (0 until 500).map { i =>
      i % 5 match {
        case 0 => s"SUM(id + $i) AS m$i"
        case 1 => s"LAST(id, $i) AS m$i"
        case 2 => s"FIRST(A.id, $i) AS m$i"
        case 3 => s"COUNT(*) + $i AS m$i"
        case _ => s"PREV(A.id, $i) AS m$i"
      }
    }
    val n        = 300
    val expected = (0 until 500).map { i =>
      val value = i % 5 match {
        case 0 => n * (n - 1L) / 2 + i.toLong * n
        case 1 => n - 1L - i
        case 2 => if (i < n) i.toLong else -1L
        case 3 => n.toLong + i
        case _ => n - 1L - i
      }
      if (value < 0) null else value
    }
    val content = s"MEASURES ${measures.mkString(", ")}"
    assert(rows(over(n, s"$content PATTERN (A+)")) == Seq(expected))
    val all = rows(over(n, s"$content ALL ROWS PER MATCH PATTERN (A+)"))
    assert(all.size == n && all.last == (n - 1L) +: expected)
  }

  test("1,000 columns") {
    val columns = (1 until 1000).map(i => s"id + $i AS c$i").mkString(", ")
    val input   = s"(SELECT id, $columns FROM range(0, 50, 1, 1))"
    val clause  = s"""SELECT * FROM $input MATCH_RECOGNIZE (
      |  ORDER BY id MEASURES SUM(A.c999) AS s, LAST(B.c500) AS l
      |  ALL ROWS PER MATCH PATTERN (A+ B) DEFINE B AS c998 - PREV(c998) = 1 AND c997 = 1046)""".stripMargin
    for (wholeStage <- Seq("true", "false"))
      withSettings("spark.sql.codegen.wholeStage" -> wholeStage) {
        val found = rows(clause)
        assert(found.size == 50 && found.forall(_.size == 1002))
        val sum = (0 until 49).map(_ + 999L).sum
        assert(found.last == Seq(49L, sum, 549L) ++ (1 until 1000).map(_ + 49L))
      }
  }

  test("PERMUTE of ten, of eight that can match in several ways, and of too many") {
    val ten     = names.take(10)
    val defined = ten.zipWithIndex.map { case (v, i) => s"$v AS (id * 7) % 10 = $i" }
    val define  = s"DEFINE ${defined.mkString(", ")}"
    assert(counted(100, s"PERMUTE(${ten.mkString(", ")})", define) == Seq.fill(10)(Seq(10)))
    assert(counted(10, s"PERMUTE(${ten.mkString(", ")})") == Seq(Seq(10)))
    assert(
      counted(10, s"PERMUTE(${names.take(8).map(_ + "{1,2}").mkString(", ")})") == Seq(Seq(10)))
    assert(
      failure(counted(10, s"PERMUTE(${ten.map(_ + "+").mkString(", ")})"))
        .contains("PERMUTE_TOO_LARGE"))
    assert(
      failure(counted(10, s"PERMUTE(${names.take(31).mkString(", ")})"))
        .contains("PERMUTE_TOO_LARGE"))
  }

  test("PERMUTE of thirty finds its first order at once, from every row, and may be hopeless") {
    val thirty = names.take(30).mkString("PERMUTE(", ", ", ")")
    assert(counted(60, thirty) == Seq.fill(2)(Seq(30)))
    // Not from a row with fewer than thirty rows left.
    val orders = rows(
      over(
        75,
        "MEASURES FIRST(V0.id) AS f, LAST(V29.id) AS l AFTER MATCH SKIP TO NEXT ROW " +
          s"PATTERN ($thirty)"))
    assert(orders == (0L to 45L).map(start => Seq(start, start + 29)))
    withSettings("spark.sql.matchRecognize.maxSteps" -> "1000000") {
      assert(failure(counted(60, thirty, "DEFINE V29 AS id < 0")).contains("TOO_MANY_STEPS"))
    }
  }

  nightly("conditions and measures whose code is larger than a class may be") {
    val tests =
      (0 until 4000).map(i => s"(id * ${i + 3} + PREV(id, ${i % 50})) % 9973 <> ${i + 1}")
    val cases =
      (0 until 2000).map(i => s"WHEN id = $i THEN id * $i").mkString("CASE ", " ", " END")
    val found = rows(
      over(
        1000,
        s"MEASURES $cases AS m PATTERN (A B) DEFINE A AS ${tests.mkString(" AND ")}, " +
          s"B AS $cases = id * id"))
    val holds = (id: Long) =>
      !(0 until 4000).exists { i =>
        val before = id - i % 50
        before >= 0 && (id * (i + 3) + before) % 9973 == i + 1
      }
    // NULL for the first rows, where PREV leaves the partition.
    val unknown  = (id: Long) => id < 49
    var start    = 0L
    val expected = Seq.newBuilder[Seq[Any]]
    while (start < 999)
      if (!unknown(start) && holds(start)) {
        expected += Seq((start + 1) * (start + 1))
        start += 2
      } else {
        start += 1
      }
    assert(found == expected.result())
  }

  test("offsets of a million") {
    val n = million + 1
    assert(
      rows(
        over(
          n,
          s"""MEASURES LAST(A.id, $million) AS a, FIRST(A.id, $million) AS b,
             |  LAST(A.id, ${million + 1}) AS c, PREV(A.id, $million) AS d,
             |  NEXT(FIRST(A.id), $million) AS e, PREV(LAST(A.id, 10), ${million - 10}) AS f,
             |  LAST(id, $million) AS g, LAST(A.id, 2147483646) AS h
             |PATTERN (A+)""".stripMargin
        )) ==
        Seq(Seq[Any](0L, million, null, 0L, million, 0L, 0L, null)))
    assert(
      counted(n + 5, "A+", s"DEFINE A AS COALESCE(LAST(A.id, $million), -1) < 2") ==
        Seq(Seq(n + 1), Seq(4)))
    assert(
      counted(n + 5, "A+", s"DEFINE A AS COALESCE(FIRST(A.id, $million), -1) < 2") ==
        Seq(Seq(million), Seq(6)))
    assert(
      counted(n + 5, "A+", s"DEFINE A AS PREV(id, $million) IS NULL AND NEXT(id, $million) >= 0")
        == Seq(Seq(6)))
    assert(
      failure(counted(5, "A+", "DEFINE A AS LAST(A.id, 2147483647) > 0"))
        .contains("OFFSET_OUT_OF_RANGE"))
  }

  test("far navigations are right at every row, with labels, in both semantics") {
    val n     = 400
    val found = rows(
      over(
        n,
        """MEASURES LAST(A.id, 30) AS a, FIRST(A.id, 20) AS b, CLASSIFIER(U) AS u,
          |  LAST(CLASSIFIER(U), 40) AS l, FINAL LAST(B.id, 25) AS f, FINAL FIRST(B.id, 17) AS g,
          |  PREV(LAST(B.id, 16), 2) AS p
          |ALL ROWS PER MATCH PATTERN ((A | B | C)+) SUBSET U = (A, B)
          |DEFINE A AS id % 3 = 0 AND COALESCE(LAST(U.id, 50), 0) <= id,
          |  B AS id % 3 = 1 AND COALESCE(FIRST(A.id, 33), 99) = 99""".stripMargin,
        "id, a, b, u, l, f, g, p"
      ))
    val as    = (0 until n).filter(_ % 3 == 0).map(_.toLong)
    val bs    = (0 until n).filter(_ % 3 == 1).map(_.toLong)
    val u     = (as ++ bs).sorted
    val at    = (s: Seq[Long], i: Int) => if (i >= 0 && i < s.size) s(i) else null
    val label = (x: Any) =>
      x match {
        case id: Long => if (id % 3 == 0) "A" else "B"
        case _        => null
      }
    for (row <- 0 until n) {
      val (a, b, c) = (as.filter(_ <= row), bs.filter(_ <= row), u.filter(_ <= row))
      val before    = at(b, b.size - 17) match { case id: Long => id - 2; case _ => null }
      assert(
        found(row) == Seq(
          row.toLong,
          at(a, a.size - 31),
          at(a, 20),
          label(c.last),
          label(at(c, c.size - 41)),
          at(bs, bs.size - 26),
          at(bs, 17),
          if (before == null || before.asInstanceOf[Long] < 0) null else before
        ))
    }
  }
}
