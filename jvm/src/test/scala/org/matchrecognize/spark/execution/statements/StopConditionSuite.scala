package org.matchrecognize.spark.execution.statements

/** Stop conditions `q{V}`. */
class StopConditionSuite extends ContiguityTest {

  test("a stop condition bars rows from a loop") {
    val sequence = "a1 d1 a2 b1 a3 c1"
    val defined  = "A" -> "type IN ('a', 'b')"
    assert(matches(sequence, "A+ C")(defined) == Seq("a2 b1 a3 c1", "b1 a3 c1", "a3 c1"))
    assert(matches(sequence, "A+{B} C")(defined) == Seq("a3 c1"))
    assert(matches(sequence, "A+{B} {- X*? -} C")(defined) == Seq("a1 c1", "a2 c1", "a3 c1"))
    assert(matches(sequence, "A+??{B} {- X*? -} C")(defined) == Seq("a1 a2 c1", "a2 c1", "a3 c1"))
    assert(matches(sequence, "A+???{B} {- X*? -} C")(defined) == Seq("a1 c1", "a2 c1", "a3 c1"))
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
    assert(matches("a1 d1 b1 c1", "(A+{D} B)+{E} C", "PAST LAST ROW")(defined: _*) == Nil)
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
}
