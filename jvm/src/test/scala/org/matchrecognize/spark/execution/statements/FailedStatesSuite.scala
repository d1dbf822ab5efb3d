package org.matchrecognize.spark.execution.statements

import org.matchrecognize.spark.SparkSuite

/**
 * What the threads of one start row learn from those before it: a way that came to nothing is not
 * gone again, unless a condition can tell the two start rows apart.
 */
class FailedStatesSuite extends SparkSuite {

  /** The matches of rows with these numbers as `x`, ordered by `o` from 0. */
  private def found(
      numbers: Seq[Int],
      pattern: String,
      define: String,
      options: String = ""): Seq[Seq[Any]] = {
    val table = numbers.zipWithIndex.map { case (x, o) => s"($o, $x)" }.mkString(", ")
    withSettings("spark.sql.matchRecognize.matcher" -> "threads")(
      rows(s"""SELECT * FROM (VALUES $table AS t(o, x)) MATCH_RECOGNIZE (
              |  ORDER BY o MEASURES FIRST(o) AS first, LAST(o) AS last
              |  $options PATTERN ($pattern) DEFINE $define)""".stripMargin))
  }

  /** From 0 on: one row of 100, then ones, a seven at row 5, and a fifty at row 20. */
  private val numbers = (0 to 20).map {
    case 0  => 100
    case 5  => 7
    case 20 => 50
    case _  => 1
  }

  test("a condition that looks at the match's first row") {
    val start0 = "B AS x < 50, C AS x > FIRST(x) + 10"
    assert(found(numbers, "A B* C", start0) == Seq(Seq(1, 20)))
    assert(found(numbers, "A B* C", "B AS x < 50, C AS FIRST(o, 2) = 5") == Seq(Seq(3, 20)))
    assert(
      found(numbers, "A B* C", "B AS x < 50, C AS x = 50 AND FIRST(A.o) = 9") ==
        Seq(Seq(9, 20)))
  }

  test("a condition that looks back a number of rows of the match") {
    // Row 14 is the sixth before row 20.
    val define = "B AS x < 50, C AS x = 50 AND LAST(o, 7) IS NULL"
    assert(found(numbers, "A B* C", define) == Seq(Seq(14, 20)))
  }

  test("a condition that looks at the number of the match") {
    // The first row's search fails at row 20; the second finds its own match, of the second row on.
    val define = "B AS x < 50, C AS x = 50 AND MATCH_NUMBER() = 2, D AS x = 7"
    assert(found(numbers, "A B* C | D", define) == Seq(Seq(5, 5), Seq(6, 20)))
  }

  test("a condition that looks at places in the match") {
    assert(
      found(numbers, "A B* C", "B AS x < 50, C AS x = 50 AND MATCH_SEQUENCE_NUMBER() = 10") ==
        Seq(Seq(11, 20)))
    val sum = "SUM(IF(x = 50, MATCH_SEQUENCE_NUMBER(), 0))"
    assert(found(numbers, "A B* C", s"B AS x < 50, C AS $sum = 10") == Seq(Seq(11, 20)))
    assert(
      found(numbers, "A B* C", "B AS x < 50, C AS x = 50 AND COUNT(*) = 10") ==
        Seq(Seq(11, 20)))
  }

  test("WITHIN: a search ends at a row of its own") {
    val within = "PATTERN (A B* C) WITHIN 11"
    val table  = numbers.zipWithIndex.map { case (x, o) => s"($o, $x)" }.mkString(", ")
    withSettings("spark.sql.matchRecognize.matcher" -> "threads") {
      val sql = s"""SELECT * FROM (VALUES $table AS t(o, x)) MATCH_RECOGNIZE (
                   |  ORDER BY o MEASURES FIRST(o) AS first, LAST(o) AS last
                   |  $within DEFINE B AS x < 50, C AS x = 50)""".stripMargin
      assert(rows(sql) == Seq(Seq(9, 20)))
    }
  }

  test("a way that was less preferred than a match is gone again from a later row") {
    // Of the first five rows each has a match up to the seven: ways to the fifty had begun, too.
    val define = "B AS x < 50, C AS x = 50, D AS x = 7"
    val to7    = (0 to 4).map(Seq(_, 5))
    val to50   = (5 to 19).map(Seq(_, 20))
    assert(
      found(numbers, "A B*? D | A B* C", define, "AFTER MATCH SKIP TO NEXT ROW") == to7 ++ to50)
  }

  private val count = 20000

  private def steps(pattern: String, define: String, count: Int = count): Long =
    withSettings(
      "spark.sql.matchRecognize.matcher" -> "threads",
      "spark.sql.adaptive.enabled"       -> "false") {
      val frame = spark.sql(s"""SELECT * FROM range(0, $count, 1, 1) MATCH_RECOGNIZE (
                               |  ORDER BY id MEASURES COUNT(*) AS n
                               |  PATTERN ($pattern) DEFINE $define)""".stripMargin)
      assert(frame.collect().isEmpty)
      searchOf(frame).metrics("numSteps").value
    }

  test("start rows learn again after a time in which they learnt nothing") {
    val rows    = 4000
    val useless = 400
    // Up to row 400 a condition tells the start rows apart, and each search goes to the end.
    val first = s"A AS id < $useless, C AS 2 * id > A.id + id + $rows"
    val alone = steps("A Z* C", first, rows)
    assert(alone > useless * rows / 2, alone)
    val taken = steps("A Z* C | B Y* D", s"$first, B AS id >= $useless, D AS id < 0", rows)
    assert(taken < 3 * alone + 15L * 12 * rows, s"$taken, $alone")
  }

  // 15 is the logarithm of the rows to the base of 2.
  for ((what, pattern, define) <- Seq(
      ("no look at rows mapped", "A Z* C", "C AS id < 0"),
      (
        "a look at a row mapped near the start",
        "A+ B Z* C",
        "A AS id % 5 > 0, B AS id > 1 + FIRST(A.id), C AS COUNT(B.id) > 1"),
      ("an absence", "A Z* [^B] C", "B AS id % 2 = 0, C AS id < 0"),
      ("a gap with an absence", "A {- X*? -} [^B] {- Y*? -} C", "B AS id < 0, C AS id < 0"),
      ("a loose loop", "A+?? C", "A AS id % 7 = 0, C AS id < 0"),
      ("a stop", "A+{B} C", "B AS id < 0, C AS id < 0")
    ))
    test(s"$what: steps grow with the rows, not with their square") {
      val taken = steps(pattern, define)
      assert(taken >= count && taken < 15L * 12 * count, taken)
    }
}
