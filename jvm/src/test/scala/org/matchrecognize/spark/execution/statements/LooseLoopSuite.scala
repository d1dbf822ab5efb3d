package org.matchrecognize.spark.execution.statements

/** Loose loops: rows are passed over between iterations. */
class LooseLoopSuite extends ContiguityTest {

  test("a loose loop passes over rows between iterations") {
    val defined = "C" -> "type IN ('a', 'c')"
    assert(
      matches("a1 b1 a2 a3 c1", "A+?? C")(defined) == Seq("a1 a2 a3 c1", "a2 a3 c1", "a3 c1"))
    assert(matches("a1 b1 a2 a3 c1", "A+??? C")(defined) == Seq("a1 a2 a3", "a2 a3", "a3 c1"))
    // Greedy: it prefers to pass over c1 and to take a2. Reluctant: it does not.
    assert(matches("a1 c1 a2 c2", "A+?? C", "PAST LAST ROW")() == Seq("a1 a2 c2"))
    assert(matches("a1 c1 a2 c2", "A+??? C", "PAST LAST ROW")() == Seq("a1 c1", "a2 c2"))
    // Strict before the first iteration, and after the last.
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
    val measures =
      "COUNT(*) AS k, SUM(n) AS sum, FIRST(name, 1) AS second, LAST(name, 1) AS third, " +
        "LAST(name, 3) AS fourth, FIRST(name, 4) AS none, PREV(LAST(name, 1)) AS before, " +
        "MATCH_SEQUENCE_NUMBER() AS seq, SUM(MATCH_SEQUENCE_NUMBER()) AS seqs"
    assert(
      measured(sequence, "A+?? C", measures)() ==
        Seq(row(4L, 7L, "a2", "a3", "a1", null, "b7", 4L, 10L)))
    val running =
      "COUNT(*) AS k, SUM(n) AS sum, LAST(name, 1) AS earlier, PREV(name) AS before, " +
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
    assert(matches("a1 a3 a2 b9 a4 c1", "A+?? C", "PAST LAST ROW")(rising) == Seq("a1 a3 a4 c1"))
    val second = "A" -> "type = 'a' AND (MATCH_SEQUENCE_NUMBER() < 3 OR LAST(n, 1) = 2)"
    assert(matches("a1 b9 a2 b9 a3 c1", "A+?? C", "PAST LAST ROW")(second) == Seq("a1 a2 a3 c1"))
    val afterB = "A" -> "type = 'a' AND COALESCE(PREV(type), 'b') = 'b'"
    assert(matches("a1 b1 a2 a3 b2 a4", "A+??", "PAST LAST ROW")(afterB) == Seq("a1 a2 a4"))
  }

  test("passed-over rows are covered by their match, and no other output") {
    val options = "ALL ROWS PER MATCH WITH UNMATCHED ROWS"
    val sql     = clause("d1 a1 b1 a2 b2", "A{2}??", "MATCH_NUMBER() AS m", options, Nil)
    assert(
      rows(s"SELECT name, m FROM ($sql)") ==
        Seq(row("d1", null), row("a1", 1L), row("a2", 1L), row("b2", null)))
  }

  test("tens of thousands of rows are passed over, or looked at") {
    // Labels that all threads agree on are put away now and then, those of passed-over rows, too.
    val a                                                         = "A AS type = 'a'"
    def all(pattern: String, rest: String, timeouts: String = "") = rows(
      s"""SELECT id, k FROM (SELECT id, IF(id IN (1, 39998), 'a', 'x') AS type FROM range(40000))
         |MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL COUNT(*) AS k ALL ROWS PER MATCH $timeouts
         |  PATTERN ($pattern)$rest)""".stripMargin)

    assert(all("A{2}??", s" DEFINE $a") == Seq(row(1L, 2L), row(39998L, 2L)))
    assert(
      all("A {- X*? -} [^B]", s" DEFINE $a, B AS type = 'b'") ==
        Seq(row(1L, 1L), row(39998L, 1L)))
    // What was mapped before time was over: one row each.
    assert(
      all("A{2}??", s" WITHIN 39000 DEFINE $a", "SHOW TIMEOUT MATCHES") ==
        Seq(row(1L, 1L), row(39998L, 1L)))
  }

  test("SKIP TO finds its rows among the mapped") {
    assert(matches("a1 b1 a2 b2 a3", "A{2}??", "TO LAST A")() == Seq("a1 a2", "a2 a3"))
  }

  test("a loose loop that nothing interrupts is the strict one") {
    for (pattern <- Seq("A+# C", "A*#? B", "(A B)+# C", "A{2,3}# A", "(A | B)? A{2,}# (B | C)")) {
      val sequence = "a1 a2 b1 a3 b2 c1 a4 a5 a6 b3 a7 a8 c2"
      val defined  = Seq("A" -> "true", "B" -> "n <= 3", "C" -> "n > 1")
      val strict   = matches(sequence, pattern.replace("#", ""))(defined: _*)
      assert(
        strict.nonEmpty && matches(sequence, pattern.replace("#", "??"))(defined: _*) == strict)
    }
  }

  test("the body of a loose loop begins with a plain variable") {
    for (loop <- Seq(
        "(A | B)+??",
        "(A? B)*???",
        "({- A -} B)+??",
        "PERMUTE(A, B)+??",
        "($ A)+??"))
      assert(refused(loop + " B").contains("LOOSE_LOOP_BODY"), loop)
  }
}
