package org.matchrecognize.spark.execution.statements

/** Absence: `[^B]`, and `{- X*? -} [^B]`; gaps. */
class AbsenceSuite extends ContiguityTest {

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
    // c1 is a B since the row after it is a d.
    val next = "B" -> "type = 'c' AND NEXT(type) = 'd'"
    assert(matches("a1 c1 d1 a2 c2 e1", "A [^B]")(next) == Seq("a2"))
    assert(matches("a1 c1", "A [^B]")(next) == Seq("a1"))
  }

  test("an error in B's condition surfaces where it is looked at only") {
    val fails = "B" -> "1 / (n - 7) > 0"
    assert(matches("c7 a1 c9", "A [^B]")(fails) == Nil)
    intercept[Exception](matches("c1 a1 c7", "A [^B]")(fails))
  }

  test("absence over a gap at the end: the row looked at follows the last that is mapped") {
    // If c3 were a B, it would be the second row of its match, after a1; c2 is not part of it.
    def found(b: String) = matches("a1 c2 c3", "A {- X*? -} [^B]")("B" -> s"n = 3 AND $b")
    assert(found("LAST(n, 1) = 1") == Nil && found("LAST(n, 1) = 2") == Seq("a1"))
    assert(found("FIRST(n, 1) = 3") == Nil && found("FIRST(n, 1) = 2") == Seq("a1"))
    assert(found("COUNT(*) = 2") == Nil && found("COUNT(*) = 3") == Seq("a1"))
    assert(
      found("MATCH_SEQUENCE_NUMBER() = 2") == Nil &&
        found("MATCH_SEQUENCE_NUMBER() = 3") == Seq("a1"))
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
    val sql =
      "COUNT(*) AS n, LAST(name) AS last, NEXT(name) AS next, MATCH_SEQUENCE_NUMBER() AS s"
    assert(measured("a1 c1 d1 e1", "A C {- X*? -} [^B]", sql)() == Seq(row(2L, "c1", "d1", 2L)))
  }

  test("absence over a gap alone is an empty match where no B follows") {
    val options = "ALL ROWS PER MATCH SHOW EMPTY MATCHES"
    val sql     = clause("a1 b1 c1 d1", "{- X*? -} [^B]", "MATCH_NUMBER() AS m", options, Nil)
    assert(rows(s"SELECT name, m FROM ($sql)") == Seq(row("c1", 1L), row("d1", 2L)))
  }

  test("absence over a gap in the middle: no row of the gap after it is a B") {
    val pattern = "A {- X*? -} [^B] {- Y*? -} C"
    assert(matches("a1 d1 c1 a2 b1 c2", pattern)() == Seq("a1 c1"))
    assert(matches("a1 c1", pattern)() == Seq("a1 c1"))
    // The row of the next element may be a B.
    assert(matches("a1 d1 c1", pattern)("B" -> "type = 'c'") == Seq("a1 c1"))
    // Gap rows are mapped: to Y, none to X.
    assert(
      measured(
        "a1 d1 e1 c1",
        pattern,
        "COUNT(*) AS n, COUNT(Y.*) AS y, LAST(name, 1) AS last")() ==
        Seq(row(4L, 2L, "e1")))
    assert(
      matches("a1 c1 c2 b1 c3", "A {- X*? -} [^B] {- Y* -} C", "PAST LAST ROW")() ==
        Seq("a1 c2"))
    assert(matches("a1 e1 c1 d1", "A ({- X*? -} [^B]) ({- Y*? -} C D)")() == Seq("a1 c1 d1"))
    assert(
      matches("e1 c1 b1 c2", "{- X*? -} [^B] {- Y*? -} C", "PAST LAST ROW")() ==
        Seq("c1", "c2"))
    val both = "A {- X*? -} [^B] {- Z*? -} [^D] {- Y*? -} C"
    assert(matches("a1 e1 c1 a2 b1 c2 a3 d1 c3", both)() == Seq("a1 c1"))
  }

  test("the absence after a loop applies to the gap, not to the loop") {
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
    // () ends the element: [^B] looks at the row after the loop.
    assert(matches("a1 d1 b1 c1", "A {- X*? -} () [^B] C")() == Seq("a1 c1"))
  }

  test("what cannot occur before [^B], or after it") {
    for (loop <- Seq("{- X* -}", "{- X+? -}", "{- B*? -}", "{- X{2} -}", "{- (X Y)*? -}"))
      assert(refused(s"A $loop [^B] {- Z*? -} C").contains("LOOP_BEFORE_ABSENCE"), loop)
    assert(refused("X {- X*? -} [^B] {- Z*? -} C").contains("LOOP_BEFORE_ABSENCE"))
    for (rest <- Seq("C", "C {- Z*? -}", "({- Z*? -} C)+", "({- Z*? -} C | D)", "{- Z+? -} C"))
      assert(refused(s"A {- X*? -} [^B] $rest").contains("NO_GAP_AFTER_ABSENCE"), rest)
    for (pattern <- Seq(
        "(A {- X*? -} [^B])+",
        "PERMUTE(A, {- X*? -} [^B])",
        "({- X*? -} [^B])? A"))
      assert(refused(pattern).contains("NO_GAP_AFTER_ABSENCE"), pattern)
  }

  test("a gap variable before [^B] occurs nowhere else") {
    val pattern                                         = "A {- X*? -} [^B] {- Y*? -} C"
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
}
