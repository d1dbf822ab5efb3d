package org.matchrecognize.spark.reference

import org.scalatest.funsuite.AnyFunSuite

/**
 * The enumeration of the extensions held against answers worked out by hand. A row is written as
 * the variables that it satisfies: `A AB -` are three rows, the last one satisfies none. X, Y and
 * Z are not defined. In answers small letters are excluded rows, `-` are rows passed over.
 */
class PatternExtensionsSuite extends AnyFunSuite {

  private val undefined = "XYZ".map(_ - 'A').toSet

  private def enumeration(rows: String, dialect: Dialect, within: Int): PatternEnumeration = {
    val sets = rows.split(" ").filter(_.nonEmpty).map(_.toSet)
    new PatternEnumeration(
      sets.length,
      (v, row, _) => undefined(v) || sets(row)(PatternText.variableName(v).head),
      isDefined = !undefined(_),
      horizon = start => if (within == Int.MaxValue) within else start + within + 1,
      dialect = dialect
    )
  }

  /** All matches from a row, preferred first, each set of mappings once. */
  private def all(
      pattern: String,
      rows: String,
      start: Int = 0,
      dialect: Dialect = Dialect.Standard,
      within: Int = Int.MaxValue): List[String] =
    PatternEnumeration
      .distinct(
        enumeration(rows, dialect, within).matches(PatternText.parse(pattern), start).toVector)
      .map(PatternText.show)
      .toList

  private def flink(pattern: String, rows: String, start: Int = 0, within: Int = Int.MaxValue) =
    all(pattern, rows, start, Dialect.Flink, within)

  /** The match of each start row, without the rows that have none. */
  private def firsts(
      pattern: String,
      rows: String,
      dialect: Dialect = Dialect.Standard): List[String] =
    rows.split(" ").indices.toList.flatMap(all(pattern, rows, _, dialect).take(1))

  private def partials(
      pattern: String,
      rows: String,
      start: Int = 0,
      dialect: Dialect = Dialect.Standard,
      within: Int = Int.MaxValue): List[String] =
    enumeration(rows, dialect, within)
      .livePartials(PatternText.parse(pattern), start)
      .map(PatternText.show)
      .toList

  private def check(rule: String)(body: => Any): Unit = test(rule) { body; () }

  private val documented = "A B A A B B"

  check("documented: contiguity") {
    for (dialect <- Seq(Dialect.Standard, Dialect.Flink)) {
      assert(firsts("A B", documented, dialect) == List("A B", "A B"))
      assert(firsts("A [^B]", documented, dialect) == List("A"))
      assert(all("A [^B]", documented, 2, dialect) == List("A"))
      assert(firsts("A {- X*? -} [^B]", documented, dialect) == Nil)
    }
    assert(firsts("A {- X*? -} B", documented) == List("A B", "A x B", "A B"))
    assert(firsts("A {- X*? -} B", documented, Dialect.Flink) == List("A B", "A - B", "A B"))
    // Rows 1, 3 and 4 to row 6, the last B.
    assert(firsts("A {- X* -} B", documented) == List("A x x x x B", "A x x B", "A x B"))
    assert(firsts("A {- X* -} B", documented, Dialect.Flink) == List("A B", "A - B", "A B"))
  }

  check("documented: loops") {
    // a1 b1 a2 a3 c1; C is an a or a c.
    val rows = "AC B AC AC C"
    for (dialect <- Seq(Dialect.Standard, Dialect.Flink)) {
      assert(firsts("A+ C", rows, dialect) == List("A A C", "A C"))
      assert(firsts("A+? C", rows, dialect) == List("A C", "A C"))
      assert(firsts("A+?? C", rows, dialect) == List("A - A A C", "A A C", "A C"))
      assert(firsts("A+??? C", rows, dialect) == List("A - A C", "A C", "A C"))
    }
  }

  check("documented: stop conditions") {
    // a1 d1 a2 b1 a3 c1; A is an a or a b.
    val rows = "A - A AB A C"
    for (dialect <- Seq(Dialect.Standard, Dialect.Flink)) {
      assert(firsts("A+ C", rows, dialect) == List("A A A C", "A A C", "A C"))
      assert(firsts("A+{B} C", rows, dialect) == List("A C"))
      // The second A is a2; b1 stops the loop, and the gap goes on to c1.
      val loose =
        firsts("A+??{B} {- X*? -} C", rows, dialect).map(_.map(c => if (c == 'x') '-' else c))
      assert(loose == List("A - A - - C", "A - - C", "A C"))
    }
    val followed = "A+{B} {- X*? -} C"
    assert(firsts(followed, rows, Dialect.Flink) == List("A - - C", "A C"))
    assert(firsts(followed, rows) == List("A x x x x C", "A x x C", "A C"))
  }

  check("documented: groups") {
    val rows = "A B B C B C C D"
    for (dialect <- Seq(Dialect.Standard, Dialect.Flink))
      assert(firsts("A (B C*)+? D", rows, dialect) == List("A B B C B C C D"))
    assert(firsts("A {- X*? -} (B C)", "A B D B C") == List("A x x B C"))
    assert(firsts("A {- X*? -} (B C)", "A B D B C", Dialect.Flink) == Nil)
  }

  check("documented: every match of a start row") {
    val pattern = "A {- X* -} B {- Y*? -} C"
    assert(flink(pattern, "A B B B C") == List("A B - - C", "A - B - C", "A - - B C"))
    assert(all(pattern, "A B B B C") == List("A x x B C", "A x B y C", "A B y y C"))
  }

  check("WITHIN: no row beyond the bound is mapped, and the match is the first of the rest") {
    // Rows 1 to 3 are within.
    assert(all("A B* C", "A B C B C", within = 2) == List("A B C"))
    assert(all("A {- X* -} C", "A C C C", within = 2) == List("A x C", "A C"))
    assert(all("A B C", "A B C", within = 1) == Nil)
    assert(all("A+", "A A A A", within = 2) == List("A A A", "A A", "A"))
    // $ is about the partition, not the bound.
    assert(all("A $", "A A", within = 0) == Nil)
  }

  check("a partial match is live if it accounts for every row within the bound") {
    assert(partials("A B", "A") == List("A"))
    assert(partials("A B", "A C") == Nil)
    assert(partials("A B", "B") == Nil)
    assert(partials("A B C", "A B C", within = 1) == List("A B"))
    assert(partials("A {- X*? -} P", "A C C", within = 5) == List("A x x"))
    assert(partials("A {- X*? -} P", "A C P", within = 1) == List("A x"))
    // Passing over accounts for a row; it is not part of what was mapped.
    assert(partials("A{2,}?? B", "A C C") == List("A"))
    // The anchor waits for nothing.
    assert(partials("A $", "A A", within = 0) == Nil)
  }

  check("live partial matches in preferment") {
    // A B* waits with both rows for B or C; (A | B) prefers A.
    assert(partials("A B* C", "A B") == List("A B"))
    assert(partials("(A | B) C", "AB") == List("A", "B"))
    assert(partials("(B | A) C", "AB") == List("B", "A"))
    assert(partials("A {- X* -} B {- Y* -} C", "A B") == List("A x", "A B"))
    assert(
      partials("A {- X* -} B {- Y* -} C", "A B", dialect = Dialect.Flink) ==
        List("A B", "A"))
  }

  check("[^B] looks at one row and takes none") {
    assert(all("A [^B] C", "A BC") == Nil)
    assert(all("A [^B] C", "A C") == List("A C"))
    assert(all("[^B] A", "AB") == Nil)
    assert(all("(A [^B])+", "A A B") == List("A"))
    assert(all("(A [^B])+ C", "A A C") == List("A A C"))
    assert(all("A [^B] | A", "A B") == List("A"))
    assert(all("A ([^B] | C) D", "A C D") == List("A C D"))
    assert(all("A [^B] [^C] D", "A CD") == Nil)
  }

  check("[^B] holds at the end of the partition and of the bound") {
    assert(all("A [^B]", "A") == List("A"))
    assert(all("A [^B]", "A B", within = 0) == List("A"))
    assert(all("A [^B] B?", "A B", within = 0) == List("A"))
  }

  check("(F) [^B] needs a next row within the bound, and waits for it") {
    assert(flink("A [^B]", "A") == Nil)
    assert(flink("A [^B]", "A C") == List("A"))
    assert(flink("A [^B]", "A C", within = 0) == Nil)
    assert(partials("A [^B]", "A", dialect = Dialect.Flink) == List("A"))
    assert(partials("A [^B]", "A") == Nil)
  }

  check("{- X*? -} [^B] in the middle: the next element's gap has no B") {
    val pattern = "A {- X*? -} [^B] {- Y*? -} C"
    for (dialect <- Seq(Dialect.Standard, Dialect.Flink)) {
      assert(all(pattern, "A C", dialect = dialect) == List("A C"))
      assert(all(pattern, "A D B C", dialect = dialect) == Nil)
      // The next element's own row may be a B.
      assert(all(pattern, "A BC", dialect = dialect) == List("A C"))
    }
    assert(all(pattern, "A D D C") == List("A y y C"))
    assert(flink(pattern, "A D D C") == List("A - - C"))
    // The second C comes after a B.
    assert(all("A {- X*? -} [^B] {- Y* -} C", "A C B C") == List("A C"))
    assert(all("A {- X*? -} [^B] ({- Y*? -} C D)", "A C C D") == List("A y C D"))
  }

  check("{- X*? -} [^B] goes with the element after its gap") {
    // C is left out, so the gap before D may pass over a B.
    val pattern = "A {- X*? -} [^B] {- Y*? -} C? {- Z*? -} D"
    assert(all(pattern, "A B D") == List("A z D"))
    assert(flink(pattern, "A B D") == List("A - D"))
  }

  check("{- X*? -} [^B] at the end: no B up to the bound or the end") {
    val pattern = "A {- X*? -} [^B]"
    for (dialect <- Seq(Dialect.Standard, Dialect.Flink)) {
      assert(all(pattern, "A C C", dialect = dialect) == List("A"))
      assert(all(pattern, "A C B", dialect = dialect) == Nil)
      assert(all(pattern, "A C B", dialect = dialect, within = 1) == List("A"))
      assert(all(pattern, "A", dialect = dialect) == List("A"))
    }
    assert(all("A+ {- X*? -} [^B]", "A A C") == List("A A", "A"))
    assert(all("A (C {- X*? -} [^B] | D)", "A C D B") == Nil)
  }

  check("a loose loop passes over rows between its iterations only") {
    assert(all("A{2}??", "A - - A") == List("A - - A"))
    assert(all("A+??", "- A") == Nil)
    assert(all("A*??", "- A") == List("()"))
    assert(all("A+?? B", "A - A - B") == Nil)
    assert(all("A+?? {- X*? -} B", "A - A - B") == List("A - A x B", "A x x x B"))
    assert(all("A{1,2}??", "A - A - A") == List("A - A", "A"))
    assert(all("A{1,2}???", "A - A - A") == List("A", "A - A"))
  }

  check("a loose loop of a group takes the first row that its first variable accepts") {
    assert(all("(A B)+??", "A B - A B") == List("A B - A B", "A B"))
    // The second A is followed by no B, and the third is not asked.
    assert(all("(A B)+??", "A B - A C A B") == List("A B"))
    assert(all("((A B) C?)+??", "A B - A B") == List("A B - A B", "A B"))
  }

  check("loose loops in loose loops") {
    assert(all("(A B{2}??)+??", "A B - B - A B B") == List("A B - B - A B B", "A B - B"))
  }

  check("a loose loop with nothing to pass over is a strict one") {
    for (q <- Seq("+", "*", "{2,3}", "{2}", "+?", "{,3}?"))
      assert(
        all(
          s"A${q.take(q.length - (if (q.endsWith("?")) 1 else 0))}??" +
            (if (q.endsWith("?")) "?" else ""),
          "A A A A") == all(s"A$q", "A A A A"),
        q)
  }

  check("a stop holds for rows taken and rows passed over") {
    assert(all("A+{B}", "A AB A") == List("A"))
    assert(all("A*{B}", "AB A") == List("()"))
    assert(all("A+??{B}", "A - A B A") == List("A - A", "A"))
    assert(all("A+??{B}", "A - B A") == List("A"))
    assert(all("A+?{B} C", "A AB C") == Nil)
    // Every row of a group's iteration.
    assert(all("(A C)+{B}", "A C A BC") == List("A C"))
    // The row after the loop may be a B.
    assert(all("A+{B} C", "A BC") == List("A C"))
  }

  check("stops of nested loops") {
    assert(all("((A+{B}) C)+{D}", "A A C A AB C") == List("A A C"))
    assert(all("((A+{B}) C)+{D}", "A C A AD C") == List("A C"))
  }

  check("gap rows inside an iteration: taken rows in the standard dialect, not in the other") {
    assert(all("(A {- X*? -} C)+?{B}", "A B C") == Nil)
    assert(flink("(A {- X*? -} C)+?{B}", "A B C") == List("A - C"))
  }

  check("(F) a gap belongs to the element after it") {
    // With an optional element left out.
    assert(flink("A {- X*? -} B? C", "A - C") == Nil)
    assert(flink("A {- X*? -} B? C", "A C") == List("A C"))
    assert(flink("A {- X*? -} B? C", "A - B C") == List("A - B C"))
    // Before the first iteration only.
    assert(flink("A {- X*? -} B{2}", "A - B - B") == Nil)
    assert(flink("A {- X*? -} B{2}", "A - B B") == List("A - B B"))
    // For each branch.
    assert(flink("A {- X*? -} (B | C)", "A - C B") == List("A - C", "A - - B"))
    // Void before the first row.
    assert(flink("{- X*? -} A", "- A") == Nil)
    assert(flink("A? {- X*? -} B", "- B") == Nil)
    // A row that the next variable accepts is taken, one way or not at all.
    assert(flink("A {- X*? -} B C", "A B B C") == Nil)
    assert(flink("A {- X* -} B C", "A B B C") == List("A - B C"))
  }

  check("(F) a greedy loop bars its variable's rows") {
    assert(flink("A+ C", "A AC") == Nil)
    assert(all("A+ C", "A AC") == List("A C"))
    assert(flink("A{1,2} C", "A A AC") == Nil)
    assert(flink("B A* C", "B AC") == Nil)
    // Neither passed over.
    assert(flink("A+ {- X*? -} C", "A - A C") == Nil)
    assert(flink("A+ {- X*? -} C", "A - - C") == List("A - - C"))
    // ? and {n} bar nothing.
    assert(flink("A? C", "A AC") == List("A C"))
    assert(flink("A{2} C", "A A AC") == List("A A C"))
    // The row after the loop is its stop.
    assert(flink("A+{B} C", "A ABC") == List("A C"))
    assert(flink("A+{B} {- X*? -} C", "A B A C") == List("A - - C"))
    assert(flink("A+{B} {- X*? -} C", "A - B A C") == Nil)
  }

  check("(F) at the end of the pattern a greedy loop takes while it can") {
    assert(flink("B A+", "B A A") == List("B A A"))
    assert(flink("B A{1,2}", "B A A A") == List("B A A"))
    assert(flink("B A+", "B A A A", within = 2) == List("B A A"))
    assert(flink("B A+??", "B A - A") == List("B A - A"))
    assert(flink("B A+?", "B A A") == List("B A", "B A A"))
  }

  check("(F) before [^B] a loose loop need not take while it can") {
    // After the second B, row 8 is looked at; a third would follow.
    val rows = "- - B - C - B - B -"
    assert(flink("B{2,3}?? [^C]", rows, start = 2).headOption.contains("B - - - B"))
    assert(flink("B{2,3}??", rows, start = 2) == List("B - - - B - B"))
    assert(flink("A {- X* -} B+?? [^A]", "A B B C B").take(2) == List("A B B", "A - B"))
  }

  check("(F) the match is the one that completes first, with every loop read as greedy") {
    assert(flink("A (B C | B)", "A B C") == List("A B", "A B C"))
    assert(flink("A B*? C", "A BC BC") == List("A C", "A B C"))
    // Both complete on row 2: (A | B) goes before the loop, a loop before its leaving.
    assert(flink("A?? (A | B)", "AB AB").headOption.contains("A"))
    assert(flink("A (B??) (B | C) [^D]", "A BC BC C").headOption.contains("A B"))
    assert(flink("A B?? C*? D", "A BC D") == List("A B D", "A C D"))
    assert(all("A B?? C*? D", "A BC D") == List("A C D", "A B D"))
  }

  check("(F) a last [^B] completes on the row that it looks at, a gap before it at the bound") {
    // A B on row 2; A alone when row 2 is looked at; both on row 2, the left first.
    assert(flink("(A [^C] | A B)", "A B") == List("A", "A B"))
    assert(flink("(A B | A [^C])", "A B") == List("A B", "A"))
    assert(flink("(A {- X*? -} [^C] | A B)", "A B D") == List("A B", "A"))
  }

  check("(F) [^B] after a quantified element is tested before each iteration") {
    // Row 2 is a C: there is no second iteration.
    assert(flink("A+? [^C]", "A AC B") == Nil)
    assert(all("A+? [^C]", "A AC B") == List("A A"))
    // Below the lower bound it is not.
    assert(flink("A{2,}? [^C]", "A AC B") == List("A A"))
    assert(flink("A B? [^C]", "A BC D") == Nil)
    // A greedy loop goes on over its variable's rows.
    assert(flink("A+ [^C]", "A AC B") == List("A A"))
    // A loose one does not pass over a C.
    assert(flink("A+?? [^C] D", "A C A D") == Nil)
    assert(all("A+?? [^C] D", "A C A D") == List("A - A D"))
  }

  check("(F) {- X*? -} [^B] after a loop holds between its iterations") {
    val pattern = "A+??? {- X*? -} [^C] {- Y*? -} D"
    assert(flink(pattern, "A C A D") == Nil)
    assert(all(pattern, "A C A D") == List("A - A D"))
    assert(flink(pattern, "A B A D") == List("A - A D", "A - - D"))
  }

  check("patterns print and read back") {
    for (text <- Seq(
        "A [^B] C",
        "A+?? C",
        "A+???{B} {- X*? -} C",
        "(A B){2,}??{C}",
        "A{2,3}???",
        "A {- X*? -} [^B] {- Y* -} C")) {
      val pattern = PatternText.parse(text)
      val shown   =
        org.matchrecognize.spark.pattern.RowPattern.sql(pattern, PatternText.variableName)
      assert(PatternText.parse(shown) == pattern, text)
    }
  }
}
