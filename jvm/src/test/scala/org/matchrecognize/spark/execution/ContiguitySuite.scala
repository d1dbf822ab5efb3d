package org.matchrecognize.spark.execution

import org.matchrecognize.spark.SparkSuite

/**
 * Absence, gaps, loose loops and stop conditions (semantics.md, "Extensions", standard dialect): a
 * sequence of rows in, the rows of each match out. A row `a2` has the type `a` and the number 2. A
 * variable stands for the rows of its type (`A` for `a`) unless a definition says otherwise; X, Y
 * and Z are undefined.
 */
class ContiguitySuite extends SparkSuite {

  private val types = Seq("A", "B", "C", "D", "E")

  private def table(sequence: String): String =
    sequence
      .split(" ")
      .zipWithIndex
      .map { case (name, i) => s"(${i + 1}, '$name', '${name.head}', ${name.tail})" }
      .mkString("(SELECT * FROM VALUES ", ", ", " AS t(o, name, type, n))")

  /** DEFINE's entries: those defined, and the types of the other letters in the pattern. */
  private def definitions(pattern: String, defined: Seq[(String, String)]): String = {
    def stands(variable: String) = s"\\b$variable\\b".r.findFirstIn(pattern).nonEmpty
    val plain                    = types
      .filterNot(v => defined.exists(_._1 == v))
      .map(v => v -> s"type = '${v.toLowerCase(java.util.Locale.ROOT)}'")
    (plain ++ defined).filter(d => stands(d._1)).map { case (v, condition) => s"$v AS $condition" }.mkString(", ")
  }

  private def clause(
      sequence: String,
      pattern: String,
      measures: String,
      options: String,
      defined: Seq[(String, String)]): String = {
    val all = definitions(pattern, defined)
    s"""SELECT * FROM ${table(sequence)} MATCH_RECOGNIZE (
       |  ORDER BY o MEASURES $measures $options PATTERN ($pattern)
       |  ${if (all.isEmpty) "" else "DEFINE " + all})""".stripMargin
  }

  /** The names of each match's rows, from every start row unless `after` says otherwise. */
  private def matches(sequence: String, pattern: String, after: String = "TO NEXT ROW")(
      defined: (String, String)*): Seq[String] = {
    val options = s"ALL ROWS PER MATCH OMIT EMPTY MATCHES AFTER MATCH SKIP $after"
    val found   = rows(
      s"SELECT m, name FROM (${clause(sequence, pattern, "MATCH_NUMBER() AS m", options, defined)})")
    found.map(_.head).distinct.map(m => found.filter(_.head == m).map(_(1)).mkString(" "))
  }

  /** One row a match. */
  private def measured(sequence: String, pattern: String, measures: String)(
      defined: (String, String)*): Seq[Seq[Any]] =
    rows(clause(sequence, pattern, measures, "ONE ROW PER MATCH", defined))

  private def row(values: Any*): Seq[Any] = values

  private val tutorial = "a1 b1 a2 a3 b2 b3"

  test("[^B] looks at the next row, and holds where there is none") {
    assert(matches(tutorial, "A [^B]")() == Seq("a2"))
    assert(matches("a1 b1 a2", "A [^B]")() == Seq("a2"))
    assert(matches("a1 c1 a2 b1", "A [^B] X")() == Seq("a1 c1"))
    assert(matches("b1 a1 b2", "[^B] X")() == Seq("a1"))
    assert(matches("a1 a2", "A [^B] X [^B]")() == Seq("a1 a2"))
    assert(matches("a1 c1", "A [^B] $")() == Nil)
    assert(matches("c1 a1", "A [^B] $")() == Seq("a1"))
  }

  test("[^B] in loops, alternations, PERMUTE and exclusion") {
    assert(matches("a1 a2 b1 a3", "(A [^B])+", "PAST LAST ROW")() == Seq("a1", "a3"))
    assert(matches("a1 b1 c1 a2", "A ([^B] | B C)")() == Seq("a1 b1 c1", "a2"))
    assert(matches("a1 b1 a2 c1", "A ([^B] C)?")() == Seq("a1", "a2 c1"))
    assert(matches("a1 c1 b1", "PERMUTE(A, [^B], C)")() == Seq("a1 c1"))
    assert(matches("c1 a1 b1", "PERMUTE(A, [^B], C)")() == Seq("c1 a1"))
    assert(matches("a1 b1 a2 c1 d1", "A {- [^B] C -} D")() == Seq("a2 d1"))
    // An iteration that takes no row ends its loop, and may be looked for only once.
    assert(matches("a1 c1 b1", "A ([^B] ())* C")() == Seq("a1 c1"))
    assert(matches("a1 b1", "A ([^B] | B){2} $")() == Seq("a1 b1"))
    assert(matches("a1 b1 c1", "A ([^B] | B){2} C")() == Seq("a1 b1 c1"))
    assert(matches("a1 b1 b2", "A ([^B] | B){2} B")() == Nil)
  }

  test("[^B] alone is an empty match where the start row is no B") {
    val options = "ALL ROWS PER MATCH SHOW EMPTY MATCHES"
    val sql     = clause("b1 c1 b2", "[^B]", "MATCH_NUMBER() AS m, COUNT(*) AS k", options, Nil)
    assert(rows(s"SELECT name, m, k FROM ($sql)") == Seq(row("c1", 1L, 0L)))
  }

  test("the row counts as mapped to B for the test alone") {
    // With one row mapped the next would be the second: a B. With two it would be the third.
    assert(
      measured("a1 a2 a3 a4 a5", "A+? [^B] C", "COUNT(*) AS n, LAST(A.n) AS last")(
        "A" -> "true",
        "B" -> "COUNT(*) = 2",
        "C" -> "true") == Seq(row(3L, 2)))
    assert(
      matches("a1 c3 a2 c5", "A [^B] C")("B" -> "B.n >= 2 * A.n AND LAST(B.n, 1) IS NULL") == Nil)
    assert(matches("a2 c3 a2 c5", "A [^B] C")("B" -> "B.n >= 2 * A.n") == Seq("a2 c3"))
  }

  test("[^B] looks as far ahead as B's condition does") {
    // c1 is a B since the row behind it is a d.
    val next = "B" -> "type = 'c' AND NEXT(type) = 'd'"
    assert(matches("a1 c1 d1 a2 c2 e1", "A [^B]")(next) == Seq("a2"))
    assert(matches("a1 c1", "A [^B]")(next) == Seq("a1"))
  }

  test("an error in B's condition surfaces where it is looked at only") {
    val fails = "B" -> "1 / (n - 7) > 0"
    assert(matches("c7 a1 c9", "A [^B]")(fails) == Nil)
    intercept[Exception](matches("c1 a1 c7", "A [^B]")(fails))
  }

  test("absence over a gap at the end: none up to the end of the partition") {
    assert(matches(tutorial, "A {- X*? -} [^B]")() == Nil)
    assert(matches("a1 c1 b1 a2 c2", "A {- X*? -} [^B]")() == Seq("a2"))
    assert(matches("a1 a2", "A {- X*? -} [^B]", "PAST LAST ROW")() == Seq("a1", "a2"))
    assert(matches("a1 c1", "A (C | {- X*? -} [^B])")() == Seq("a1 c1"))
    assert(matches("a1 d1 c1", "A (C | {- X*? -} [^B])")() == Seq("a1"))
    assert(matches("a1 d1 b1", "A (C | {- X*? -} [^B])")() == Nil)
    assert(matches("a1 c1", "A (C {- X*? -} [^B])")() == Seq("a1 c1"))
    assert(matches("a1 c1 d1 b1", "A (C {- X*? -} [^B])")() == Nil)
    assert(matches("a1 c1 d1", "A {- C {- X*? -} [^B] -}")() == Seq("a1"))
    // The match ends with its last mapped row, wherever the absence was found.
    val sql = "COUNT(*) AS n, LAST(name) AS last, NEXT(name) AS next, MATCH_SEQUENCE_NUMBER() AS s"
    assert(
      measured("a1 c1 d1 e1", "A C {- X*? -} [^B]", sql)() == Seq(row(2L, "c1", "d1", 2L)))
  }

  test("absence over a gap alone is an empty match where no B follows") {
    val options = "ALL ROWS PER MATCH SHOW EMPTY MATCHES"
    val sql     = clause("a1 b1 c1 d1", "{- X*? -} [^B]", "MATCH_NUMBER() AS m", options, Nil)
    assert(rows(s"SELECT name, m FROM ($sql)") == Seq(row("c1", 1L), row("d1", 2L)))
  }

  test("absence over a gap in the middle: no row of the gap behind it is a B") {
    val pattern = "A {- X*? -} [^B] {- Y*? -} C"
    assert(matches("a1 d1 c1 a2 b1 c2", pattern)() == Seq("a1 c1"))
    assert(matches("a1 c1", pattern)() == Seq("a1 c1"))
    // The row of the next element may be a B.
    assert(matches("a1 d1 c1", pattern)("B" -> "type = 'c'") == Seq("a1 c1"))
    // Gap rows are mapped: to Y, none to X.
    assert(
      measured("a1 d1 e1 c1", pattern, "COUNT(*) AS n, COUNT(Y.*) AS y, LAST(name, 1) AS last")() ==
        Seq(row(4L, 2L, "e1")))
    assert(
      matches("a1 c1 c2 b1 c3", "A {- X*? -} [^B] {- Y* -} C", "PAST LAST ROW")() ==
        Seq("a1 c2"))
    assert(matches("a1 e1 c1 d1", "A ({- X*? -} [^B]) ({- Y*? -} C D)")() == Seq("a1 c1 d1"))
    assert(matches("e1 c1 b1 c2", "{- X*? -} [^B] {- Y*? -} C", "PAST LAST ROW")() ==
        Seq("c1", "c2"))
    val both = "A {- X*? -} [^B] {- Z*? -} [^D] {- Y*? -} C"
    assert(matches("a1 e1 c1 a2 b1 c2 a3 d1 c3", both)() == Seq("a1 c1"))
  }

  test("the absence behind a loop holds for the gap, not for the loop") {
    val pattern = "A+ {- X*? -} [^B] {- Y*? -} C"
    // Every a is a B, too: the loop takes them, the gap must not.
    assert(matches("a1 a2 d1 c1", pattern)("B" -> "type = 'a'") == Seq("a1 a2 c1", "a2 c1"))
    assert(matches("a1 d1 a2 c1", pattern)("B" -> "type = 'a'") == Seq("a2 c1"))
  }

  test("gap variables in other places than before [^B] are nothing special") {
    assert(matches("a1 d1 c1", "A {- X*? -} C")() == Seq("a1 c1"))
    assert(
      measured("a1 d1 c1", "A {- X*? -} C", "X.name AS x, COUNT(*) AS n")() ==
        Seq(row("d1", 3L)))
    // () ends the element: [^B] looks at the row behind the loop.
    assert(matches("a1 d1 b1 c1", "A {- X*? -} () [^B] C")() == Seq("a1 c1"))
  }

  test("a loose loop passes over rows between iterations") {
    val defined = "C" -> "type IN ('a', 'c')"
    assert(matches("a1 b1 a2 a3 c1", "A+?? C")(defined) == Seq("a1 a2 a3 c1", "a2 a3 c1", "a3 c1"))
    assert(matches("a1 b1 a2 a3 c1", "A+??? C")(defined) == Seq("a1 a2 a3", "a2 a3", "a3 c1"))
    // Greedy: it prefers to pass over c1 and to take a2. Reluctant: it does not.
    assert(matches("a1 c1 a2 c2", "A+?? C", "PAST LAST ROW")() == Seq("a1 a2 c2"))
    assert(matches("a1 c1 a2 c2", "A+??? C", "PAST LAST ROW")() == Seq("a1 c1", "a2 c2"))
    // Strict before the first iteration, and behind the last.
    assert(matches("a1 b1 a2 c1", "D? A+?? C", "PAST LAST ROW")() == Seq("a1 a2 c1"))
    assert(matches("d1 b1 a1 c1", "D A+?? C")() == Nil)
    assert(matches("a1 a2 b1 c1", "A+?? C")() == Nil)
    assert(matches("a1 b1 a2 b1 c1", "A+?? {- X*? -} C", "PAST LAST ROW")() == Seq("a1 a2 c1"))
  }

  test("loose loops with every quantifier") {
    assert(matches("a1 b1 a2 b2 a3 c1", "A{2}?? C")() == Seq("a2 a3 c1"))
    assert(matches("a1 b1 a2 a3 c1", "A{2,}?? C")() == Seq("a1 a2 a3 c1", "a2 a3 c1"))
    assert(matches("a1 b1 a2 b2 a3", "A{,2}??", "PAST LAST ROW")() == Seq("a1 a2", "a3"))
    assert(matches("a1 b1 a2 b2 a3", "A{1,2}???", "PAST LAST ROW")() == Seq("a1", "a2", "a3"))
    assert(matches("d1 c1 d2 a1 b1 a2 c2", "D A*?? C")() == Seq("d1 c1", "d2 a1 a2 c2"))
    assert(matches("d1 a1 b1 a2 c2", "D A*??? C")() == Seq("d1 a1 a2 c2"))
    assert(matches("a1 c1", "A{1}?? C")() == Seq("a1 c1"))
    assert(matches("a1 b1 a2", "A{,}??", "PAST LAST ROW")() == Seq("a1 a2"))
  }

  test("the first row at which the body's first variable holds is taken") {
    assert(matches("a1 b1 c1 a2 b2 d1", "(A B)+?? D", "PAST LAST ROW")() == Seq("a1 b1 a2 b2 d1"))
    // a2 is taken, and no b follows it: the loop may not wait for a3.
    assert(matches("a1 b1 a2 c1 a3 b3 d1", "(A B)+?? D")() == Seq("a3 b3 d1"))
    // Between a and b nothing is passed over, unless a gap says so.
    assert(matches("a1 b1 a2 c1 b2 d1", "(A B)+?? D")() == Nil)
    assert(
      matches("a1 c1 b1 e1 a2 c2 b2 d1", "(A {- X*? -} B)+?? D", "PAST LAST ROW")() ==
        Seq("a1 b1 a2 b2 d1"))
  }

  test("loose loops in loops, alternations, PERMUTE and exclusion") {
    val nested = "a1 b1 c1 b2 d1 a2 b3"
    assert(matches(nested, "(A B+???)+??", "PAST LAST ROW")() == Seq("a1 b1 a2 b3"))
    // The inner loop prefers to pass over a2.
    assert(matches(nested, "(A B+??)+??", "PAST LAST ROW")() == Seq("a1 b1 b2 b3"))
    assert(matches("a1 d1 a2 b1 c1", "(A+?? B | D)+ C", "PAST LAST ROW")() == Seq("a1 a2 b1 c1"))
    assert(matches("b1 a1 d1 a2", "PERMUTE(A{2}??, B)")() == Seq("b1 a1 a2"))
    assert(matches("a1 d1 a2 b1", "{- A+?? -} B", "PAST LAST ROW")() == Seq("b1"))
    assert(matches("a1 b1 a2 d1 a3", "(A [^B])+??", "PAST LAST ROW")() == Seq("a2 a3"))
  }

  test("passed-over rows are mapped to nothing") {
    val sequence = "a1 b5 b6 a2 b7 a3 c1"
    val measures = "COUNT(*) AS k, SUM(n) AS sum, FIRST(name, 1) AS second, LAST(name, 1) AS third, " +
      "LAST(name, 3) AS fourth, FIRST(name, 4) AS none, PREV(LAST(name, 1)) AS before, " +
      "MATCH_SEQUENCE_NUMBER() AS seq, SUM(MATCH_SEQUENCE_NUMBER()) AS seqs"
    assert(
      measured(sequence, "A+?? C", measures)() ==
        Seq(row(4L, 7L, "a2", "a3", "a1", null, "b7", 4L, 10L)))
    val running = "COUNT(*) AS k, SUM(n) AS sum, LAST(name, 1) AS earlier, PREV(name) AS before, " +
      "PREV(CLASSIFIER()) AS label, MATCH_SEQUENCE_NUMBER() AS seq, " +
      "SUM(MATCH_SEQUENCE_NUMBER()) AS seqs, FINAL LAST(name, 2) AS third"
    val shown = clause(sequence, "A+?? C", running, "ALL ROWS PER MATCH", Nil)
    assert(
      rows(s"SELECT name, k, sum, earlier, before, label, seq, seqs, third FROM ($shown)") == Seq(
        row("a1", 1L, 1L, null, null, null, 1L, 1L, "a2"),
        row("a2", 2L, 3L, "a1", "b6", null, 2L, 3L, "a2"),
        row("a3", 3L, 6L, "a2", "b7", null, 3L, 6L, "a2"),
        row("c1", 4L, 7L, "a3", "a3", "A", 4L, 10L, "a2")
      ))
  }

  test("conditions do not see passed-over rows, but for PREV and NEXT") {
    // Each a above the one taken before it: others are passed over.
    val rising = "A" -> "type = 'a' AND (LAST(A.n, 1) IS NULL OR A.n > LAST(A.n, 1))"
    assert(
      matches("a1 a3 a2 b9 a4 c1", "A+?? C", "PAST LAST ROW")(rising) == Seq("a1 a3 a4 c1"))
    val second = "A" -> "type = 'a' AND (MATCH_SEQUENCE_NUMBER() < 3 OR LAST(n, 1) = 2)"
    assert(matches("a1 b9 a2 b9 a3 c1", "A+?? C", "PAST LAST ROW")(second) == Seq("a1 a2 a3 c1"))
    val behind = "A" -> "type = 'a' AND COALESCE(PREV(type), 'b') = 'b'"
    assert(matches("a1 b1 a2 a3 b2 a4", "A+??", "PAST LAST ROW")(behind) == Seq("a1 a2 a4"))
  }

  test("passed-over rows are covered by their match, and no other output") {
    val options = "ALL ROWS PER MATCH WITH UNMATCHED ROWS"
    val sql     = clause("d1 a1 b1 a2 b2", "A{2}??", "MATCH_NUMBER() AS m", options, Nil)
    assert(
      rows(s"SELECT name, m FROM ($sql)") ==
        Seq(row("d1", null), row("a1", 1L), row("a2", 1L), row("b2", null)))
  }

  test("SKIP TO finds its rows among the mapped") {
    assert(matches("a1 b1 a2 b2 a3", "A{2}??", "TO LAST A")() == Seq("a1 a2", "a2 a3"))
  }

  test("a stop condition bars rows from a loop") {
    val sequence = "a1 d1 a2 b1 a3 c1"
    val defined    = "A" -> "type IN ('a', 'b')"
    assert(matches(sequence, "A+ C")(defined) == Seq("a2 b1 a3 c1", "b1 a3 c1", "a3 c1"))
    assert(matches(sequence, "A+{B} C")(defined) == Seq("a3 c1"))
    assert(
      matches(sequence, "A+{B} {- X*? -} C")(defined) == Seq("a1 c1", "a2 c1", "a3 c1"))
    assert(
      matches(sequence, "A+??{B} {- X*? -} C")(defined) == Seq("a1 a2 c1", "a2 c1", "a3 c1"))
    assert(
      matches(sequence, "A+???{B} {- X*? -} C")(defined) == Seq("a1 c1", "a2 c1", "a3 c1"))
    assert(matches("d1 b1 a1 c1", "D A*{B} B")(defined) == Seq("d1 b1"))
    assert(matches("a1 a2 b1", "A{2,}{B} B")(defined) == Seq("a1 a2 b1"))
    assert(matches("a1 b1 a2", "A+?{B} $")(defined) == Seq("a2"))
  }

  test("a stop in a loose loop bars what is passed over, too") {
    assert(matches("a1 d1 a2 e1 a3 c1", "A+??{E} C", "PAST LAST ROW")() == Seq("a3 c1"))
    assert(matches("a1 e1 a2", "A{2,}??{E}")() == Nil)
    assert(matches("a1 d1 a2", "A{2,}??{E}")() == Seq("a1 a2"))
  }

  test("a stop of a group bars its rows, those of gaps inside among them") {
    assert(matches("a1 d1 b1 a2 e1 b2 c1", "(A {- X*? -} B)+{E} C")() == Nil)
    assert(
      matches("a1 d1 b1 a2 d2 b2 c1", "(A {- X*? -} B)+{E} C", "PAST LAST ROW")() ==
        Seq("a1 b1 a2 b2 c1"))
    // The inner loop's stop is its own, the outer one's is for both.
    val defined = Seq("A" -> "type IN ('a', 'd', 'e')", "B" -> "type IN ('b', 'd')")
    assert(
      matches("a1 d1 b1 c1", "(A+{D} B)+{E} C", "PAST LAST ROW")(defined: _*) == Nil)
    assert(
      matches("a1 d1 a2 b1 c1", "(A+{D} B)+{E} C", "PAST LAST ROW")(defined: _*) ==
        Seq("a1 d1 a2 b1 c1"))
    assert(matches("a1 e1 b1 c1", "(A+{D} B)+{E} C")(defined: _*) == Nil)
    assert(matches("a1 b1 c1", "(A | B)+{E} C")("E" -> "type = 'b'") == Nil)
  }

  test("the row counts as mapped to the stop's variable for the test alone") {
    assert(
      measured("a1 a2 a3 a4 a5", "A+{B}", "COUNT(*) AS n, FIRST(name) AS first")(
        "B" -> "COUNT(*) > 2") == Seq(row(2L, "a1"), row(2L, "a3"), row(1L, "a5")))
    assert(
      measured("a1 a2 a9 a1", "A+{B}", "COUNT(*) AS n")(
        "B" -> "B.n > 3 * FIRST(A.n) AND CLASSIFIER() = 'B'") == Seq(row(2L), row(2L)))
  }

  test("a loose loop that nothing interrupts is the strict one") {
    for (pattern <- Seq("A+# C", "A*#? B", "(A B)+# C", "A{2,3}# A", "(A | B)? A{2,}# (B | C)")) {
      val sequence = "a1 a2 b1 a3 b2 c1 a4 a5 a6 b3 a7 a8 c2"
      val defined    = Seq("A" -> "true", "B" -> "n <= 3", "C" -> "n > 1")
      val strict   = matches(sequence, pattern.replace("#", ""))(defined: _*)
      assert(strict.nonEmpty && matches(sequence, pattern.replace("#", "??"))(defined: _*) == strict)
    }
  }

  test("in the middle of a partition: cut at random rows, the same is found at the same rows") {
    val input = "(SELECT id % 3 AS k, id AS o, chr(97 + (hash(id) & 3)) AS type, " +
      "hash(-id) & 15 AS n FROM range(0, 150, 1, 1))"
    val patterns = Seq(
      "A [^B] X",
      "A {- X*? -} [^E]",
      "A {- X*? -} [^B] {- Y*? -} C",
      "A{2,4}?? C",
      "(A B)+??{D} [^C]",
      "(A+??? [^B] | C)+{D} B"
    )
    for {
      (pattern, i) <- patterns.zipWithIndex
      options      <- Seq("", "ALL ROWS PER MATCH", "AFTER MATCH SKIP TO NEXT ROW")
      condition    <- Seq("true", "LAST(n, 2) IS NULL OR MATCH_SEQUENCE_NUMBER() < 6")
    } {
      val sql = s"""SELECT * FROM $input MATCH_RECOGNIZE (
                   |  PARTITION BY k ORDER BY o
                   |  MEASURES COUNT(*) AS m, CLASSIFIER() AS c, MATCH_SEQUENCE_NUMBER() AS s,
                   |    PREV(CLASSIFIER()) AS p
                   |  $options PATTERN ($pattern) DEFINE
                   |  ${definitions(
          pattern,
          Seq("A" -> s"type = 'a' AND ($condition)", "B" -> "type = 'b' AND n > 4"))})""".stripMargin
      for (seed <- 1L to 3L) {
        val runs = CutRuns.both(spark, CutRuns.prepare(spark, sql), i * 100L + seed)
        assert(runs.forall(r => r._1.outcome == r._2.outcome), sql)
        assert(runs.map(_._2.stateBytes.size).sum > 20 && runs.exists(_._1.found.nonEmpty), sql)
      }
    }
  }

  private def refused(pattern: String, more: String = "", measures: String = "o AS o"): String =
    failure(
      rows(s"SELECT * FROM ${table("a1 b1")} MATCH_RECOGNIZE " +
        s"(ORDER BY o MEASURES $measures $more PATTERN ($pattern) DEFINE B AS type = 'b')"))

  test("what cannot stand before [^B], or behind it") {
    for (loop <- Seq("{- X* -}", "{- X+? -}", "{- B*? -}", "{- X{2} -}", "{- (X Y)*? -}"))
      assert(refused(s"A $loop [^B] {- Z*? -} C").contains("LOOP_BEFORE_ABSENCE"), loop)
    assert(refused("X {- X*? -} [^B] {- Z*? -} C").contains("LOOP_BEFORE_ABSENCE"))
    for (behind <- Seq("C", "C {- Z*? -}", "({- Z*? -} C)+", "({- Z*? -} C | D)", "{- Z+? -} C"))
      assert(refused(s"A {- X*? -} [^B] $behind").contains("NO_GAP_BEHIND_ABSENCE"), behind)
    for (pattern <- Seq("(A {- X*? -} [^B])+", "PERMUTE(A, {- X*? -} [^B])", "({- X*? -} [^B])? A"))
      assert(refused(pattern).contains("NO_GAP_BEHIND_ABSENCE"), pattern)
  }

  test("a gap variable before [^B] stands nowhere else") {
    val pattern = "A {- X*? -} [^B] {- Y*? -} C"
    def used(more: String, measures: String = "o AS o") =
      refused(pattern, more, measures).contains("GAP_VARIABLE_USED")
    assert(used("", "X.n AS n"))
    assert(used("", "CLASSIFIER(X) AS n"))
    assert(used("", "COUNT(X.*) AS n"))
    assert(used("AFTER MATCH SKIP TO X"))
    assert(refused(s"$pattern) SUBSET U = (A, X").contains("GAP_VARIABLE_USED"))
    val inDefine = failure(
      rows(s"SELECT * FROM ${table("a1 b1")} MATCH_RECOGNIZE " +
        s"(ORDER BY o MEASURES o AS o PATTERN ($pattern) DEFINE B AS X.n = 1)"))
    assert(inDefine.contains("GAP_VARIABLE_USED"))
  }

  test("the body of a loose loop begins with a plain variable") {
    for (loop <- Seq("(A | B)+??", "(A? B)*???", "({- A -} B)+??", "PERMUTE(A, B)+??", "($ A)+??"))
      assert(refused(loop + " B").contains("LOOSE_LOOP_BODY"), loop)
  }

  test("EXPLAIN says why neither automaton nor generated code takes a pattern") {
    def explained(pattern: String) =
      spark
        .sql(clause("a1 b1", pattern, "o AS o", "ONE ROW PER MATCH", Nil))
        .queryExecution
        .executedPlan
        .toString
    assert(explained("A+ [^B]").contains("[^ ] looks at the next row"))
    assert(explained("A+??").contains("a loose loop passes over rows"))
    assert(explained("A+{B}").contains("barred"))
    assert(explained("A {- X*? -} [^B]").contains("PATTERN (A {- X*? -} [^B])"))
  }
}
