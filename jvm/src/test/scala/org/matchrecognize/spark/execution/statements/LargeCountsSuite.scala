package org.matchrecognize.spark.execution.statements

import org.matchrecognize.spark.SparkSuite

/** Loops with large counts in statements: the rows, worked out by hand, and the steps. */
class LargeCountsSuite extends SparkSuite {

  private val count = 10000

  private def clause(define: String, pattern: String, options: String = "") =
    s"""SELECT * FROM range(0, $count, 1, 1) MATCH_RECOGNIZE (
       |  ORDER BY id MEASURES FIRST(id) AS a, LAST(id) AS z
       |  $options PATTERN ($pattern) DEFINE $define)""".stripMargin

  private def found(define: String, pattern: String, options: String = ""): Seq[Seq[Any]] =
    withSettings("spark.sql.matchRecognize.matcher" -> "threads")(
      rows(clause(define, pattern, options)))

  private val thousandth = "B AS id % 1000 = 999"

  test("a start row has a match if a B follows 100 to 200 rows later") {
    assert(
      found(thousandth, "A{100,200} B") == (0 to 9).map(k => Seq(1000 * k + 799, 1000 * k + 999)))
    val starts = (0 to 9).flatMap(k => (799 to 899).map(1000 * k + _))
    assert(
      found(thousandth, "A{100,200} B", "AFTER MATCH SKIP TO NEXT ROW") ==
        starts.map(s => Seq(s, s / 1000 * 1000 + 999)))
  }

  test("a condition on neighbours in the partition") {
    assert(
      found("B AS PREV(id, 2) % 1000 = 997 AND NEXT(id) % 1000 = 0", "A{100,200} B") ==
        (0 to 8).map(k => Seq(1000 * k + 799, 1000 * k + 999)))
  }

  test("a condition on the match: start rows are not searched together") {
    // 150 rows before B, and no other number.
    assert(
      found("B AS id % 1000 = 999 AND COUNT(A.*) = 150", "A{100,200} B") ==
        (0 to 9).map(k => Seq(1000 * k + 849, 1000 * k + 999)))
    assert(
      found("B AS id % 1000 = 999 AND FIRST(id) % 1000 >= 850", "A{100,200} B") ==
        (0 to 9).map(k => Seq(1000 * k + 850, 1000 * k + 999)))
  }

  test("the number of a match in a condition") {
    // The second match must end at another row than the first.
    assert(
      found(
        "B AS id % 1000 = 999 AND MATCH_NUMBER() = 1 OR id = 7999 AND MATCH_NUMBER() = 2",
        "A{100,200} B") == Seq(Seq(799, 999), Seq(7799, 7999)))
  }

  test("all rows, unmatched rows, anchors") {
    val all = found(thousandth, "A{100,200} B", "ALL ROWS PER MATCH WITH UNMATCHED ROWS")
    assert(all.map(_.head) == (0 until count))
    assert(all.count(_(1) == null) == 10 * 799)
    assert(found(thousandth, "^ A{100,200} B") == Nil)
    assert(found("B AS id = 150", "^ A{100,200} B") == Seq(Seq(0, 150)))
    assert(found(thousandth, "A{100,200} B $") == Seq(Seq(9799, 9999)))
  }

  test("an error is raised where a search comes to it, and nowhere else") {
    val failure = intercept[Exception](
      found("B AS id % 1000 = 999 OR 1 / (id - 5000) > 2", "A{1000,1200} B").size)
    assert(
      Iterator
        .iterate[Throwable](failure)(_.getCause)
        .takeWhile(_ != null)
        .exists(_.isInstanceOf[ArithmeticException]))
    // After row 4999 a match ends, and 100 rows precede the next row that is tested for B.
    assert(
      found("B AS id % 1000 = 999 OR 1 / (id - 5000) > 2", "A{100,200} B") ==
        (0 to 9).map(k => Seq(1000 * k + 799, 1000 * k + 999)))
  }

  test("LIMIT and several partitions") {
    val query = s"""SELECT * FROM (SELECT id, id % 3 AS p FROM range(0, ${3 * count}, 1, 1))
                   |  MATCH_RECOGNIZE (PARTITION BY p ORDER BY id
                   |    MEASURES FIRST(id) AS a, LAST(id) AS z
                   |    PATTERN (A{100,200} B) DEFINE B AS id DIV 3 % 1000 = 999)""".stripMargin
    val wanted =
      for (p <- 0 to 2; k <- 0 to 9)
        yield Seq(p, 3 * (1000 * k + 799) + p, 3 * (1000 * k + 999) + p)
    withSettings("spark.sql.matchRecognize.matcher" -> "threads") {
      assert(rows(s"$query ORDER BY p, a") == wanted)
      assert(rows(s"${clause(thousandth, "A{100,200} B")} LIMIT 2").size == 2)
    }
  }

  private def steps(rows: Int, pattern: String, define: String): Long =
    withSettings(
      "spark.sql.matchRecognize.matcher" -> "threads",
      "spark.sql.adaptive.enabled"       -> "false") {
      val frame = spark.sql(s"""SELECT * FROM range(0, $rows, 1, 1) MATCH_RECOGNIZE (
                               |  ORDER BY id MEASURES COUNT(*) AS n
                               |  PATTERN ($pattern) DEFINE $define)""".stripMargin)
      assert(frame.collect().isEmpty)
      searchOf(frame).metrics("numSteps").value
    }

  for (pattern <- Seq("A{1000,5000} B", "A{2147483647} B", "(A | B){1000,} C"))
    test(s"$pattern: steps grow with the rows") {
      val define = if (pattern.contains("C")) "C AS id < 0" else "B AS id < 0"
      val few    = steps(20000, pattern, define)
      val many   = steps(40000, pattern, define)
      assert(many < 2.6 * few && many < 100L * 40000, s"$few, $many")
    }
}
