package org.matchrecognize.spark.reference

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.RowPattern

/**
 * The enumeration held against answers worked out by hand. A row is written as the variables that
 * it satisfies: `A AB -` are three rows, the last one satisfies none.
 */
class PatternEnumerationSuite extends AnyFunSuite {

  private def enumeration(rows: String): PatternEnumeration = {
    val sets = rows.split(" ").filter(_.nonEmpty).map(_.toSet)
    new PatternEnumeration(
      sets.length,
      (v, row, _) => sets(row)(PatternText.variableName(v).head)
    )
  }

  /** All matches from a row, preferred first, the repeated ones left out. */
  private def all(pattern: String, rows: String, start: Int = 0): List[String] =
    enumeration(rows)
      .matches(PatternText.parse(pattern), start)
      .map(PatternText.show)
      .toList
      .distinct

  /** The match from a row, or `none`. */
  private def first(pattern: String, rows: String, start: Int = 0): String =
    enumeration(rows)
      .firstMatch(PatternText.parse(pattern), start)
      .map(PatternText.show)
      .getOrElse("none")

  private def check(rule: String)(body: => Any): Unit = test(rule) { body; () }

  check("concatenation takes adjacent rows only") {
    assert(all("A B", "A B") == List("A B"))
    assert(first("A B", "A - B") == "none")
    assert(first("A B", "A") == "none")
  }

  check("alternation prefers the left, even if it is shorter") {
    assert(all("A | A B | B", "AB B") == List("A", "A B", "B"))
    assert(all("(A | B) (A | B)", "AB AB") == List("A A", "A B", "B A", "B B"))
  }

  check("greedy prefers more iterations, reluctant fewer") {
    assert(all("A*", "A A") == List("A A", "A", "()"))
    assert(all("A*?", "A A") == List("()", "A", "A A"))
    assert(all("A+?", "A A") == List("A", "A A"))
    assert(all("A{2,3}", "A A A A") == List("A A A", "A A"))
    assert(all("A{2,3}?", "A A A A") == List("A A", "A A A"))
    assert(all("A{2}?", "A A A") == List("A A"))
    assert(all("A{,2}?", "A A A") == List("()", "A", "A A"))
    assert(all("A??", "A") == List("()", "A"))
    assert(all("A{2,}", "A A A") == List("A A A", "A A"))
    assert(all("A{,}", "A") == List("A", "()"))
  }

  check("preferment of an iteration goes before the number of iterations") {
    // Lexicographic: whatever begins with A before whatever begins with B.
    assert(all("(A | B){1,2}", "AB AB") == List("A A", "A B", "A", "B A", "B B", "B"))
    assert(all("(A | B){1,2}?", "AB AB") == List("A", "A A", "A B", "B", "B A", "B B"))
  }

  check("the match is the preferred one, not the longest") {
    assert(first("(A | A B) B?? C?", "A B C") == "A")
    assert(first("A* B", "A AB B") == "A A B")
    assert(first("A*? B", "A AB B") == "A B")
  }

  check("a loop without bound over what may be empty ends") {
    assert(all("(A*)*", "A A") == List("A A", "A", "()"))
    assert(all("(A?)*", "A A") == List("A A", "A", "()"))
    assert(first("(A*)+ B", "A A B") == "A A B")
    assert(first("(()){3,} A", "A") == "A")
    assert(first("^+ A", "A") == "A")
    assert(first("($)* A", "A") == "A")
  }

  check("an empty iteration ends its loop once the lower bound is reached") {
    // The empty alternative is tried before A, and it ends the loop.
    assert(first("(() | A)*", "A") == "()")
    assert(first("(B | () | A)+", "A") == "()")
    // Trino unrolls and goes on to A here; the contract does not.
    assert(all("(B | () | A)+", "A") == List("()", "A"))
    assert(first("(A??)* B", "A B") == "A B")
    assert(first("(A??)* B", "B B") == "B")
  }

  check("an empty iteration below the lower bound does not end its loop") {
    assert(first("(A?){2,} B", "A B") == "A B")
    assert(first("(A?){2,} B", "B") == "B")
    assert(first("(A?){2,} B", "A A A B") == "A A A B")
    // Iterations () and A: the second one reaches the bound and is not empty, so a third may come.
    assert(all("(() | A){2,}", "A A") == List("()", "A", "A A"))
  }

  check("the standard's own table for (A?){2,3}: AAA, AA(), A(), ()AA, ()A(), ()()") {
    // As sequences of rows, with repetitions: A()A is not among them, the empty iteration at the
    // lower bound ends the loop; ()AA is, by the empty iteration below it.
    val found = enumeration("A A A").matches(PatternText.parse("(A?){2,3}"), 0)
    assert(
      found.map(PatternText.show).toList ==
        List("A A A", "A A", "A A", "A", "A A", "A", "A", "()")
    )
  }

  check("bounded loops too end at an empty iteration") {
    assert(first("(() | A){,3} B", "A B") == "A B")
    assert(all("(() | A){,3}", "A A A") == List("()", "A", "A A", "A A A"))
    assert(first("(A+ | B){2}", "A A") == "A A")
    assert(first("(A+ | B){2}", "A B") == "A B")
    assert(first("(A+ | B){2}", "A") == "none")
  }

  check("((A | ()) B?)+ takes what it can") {
    assert(first("((A | ()) B?)+", "A B B A") == "A B B A")
    assert(first("((A | ()) B?)+", "-") == "()")
    assert(all("((A | ()) B?)+", "AB") == List("A", "B", "()"))
  }

  check("reluctant loops over what may be empty") {
    assert(all("(A?)*?", "A") == List("()", "A"))
    assert(all("(A??)+?", "A") == List("()", "A"))
    assert(first("(A?){1,}? B", "A A B") == "A A B")
  }

  check("the empty pattern matches no row") {
    assert(first("()", "A") == "()")
    assert(first("() A ()", "A") == "A")
    assert(all("A | ()", "A") == List("A", "()"))
    assert(all("() | A", "A") == List("()", "A"))
  }

  check("PERMUTE of variables tries the orders lexicographically") {
    assert(
      all("PERMUTE(A, B, C)", "ABC ABC ABC") ==
        List("A B C", "A C B", "B A C", "B C A", "C A B", "C B A")
    )
    assert(first("PERMUTE(A, B)", "B A") == "B A")
    assert(all("PERMUTE(A)", "A") == List("A"))
  }

  check("PERMUTE is the alternation of its expansions, also for elements of several lengths") {
    // All parses of A+ B C go before any of A+ C B: the shorter A+ wins here.
    assert(all("PERMUTE(A+, B, C)", "A AB C B") == List("A B C", "A A C B"))
    assert(all("PERMUTE(A?, B)", "AB AB") == List("A B", "B", "B A"))
    assert(first("PERMUTE(A+, B, C | D)", "D A A B") == "D A A B")
  }

  check("PERMUTE under a quantifier chooses anew in each iteration") {
    assert(first("PERMUTE(A, B)+", "A B B A A") == "A B B A")
    assert(first("PERMUTE(A, B){2} C", "B A A B C") == "B A A B C")
  }

  check("exclusion marks rows and changes nothing else") {
    assert(all("A {- B+ -} C", "A B B C") == List("A b b C"))
    assert(all("{- A -}*", "A A") == List("a a", "a", "()"))
    assert(first("(A | {- B -})*", "A B A") == "A b A")
    assert(first("{- A {- B -} C -}", "A B C") == "a b c")
    assert(first("{- () -}", "A") == "()")
  }

  check("anchors hold anywhere") {
    assert(first("^ A", "A A") == "A")
    assert(first("^ A", "A A", start = 1) == "none")
    assert(first("A $", "A A") == "none")
    assert(first("A $", "A A", start = 1) == "A")
    assert(first("A ^ B", "A B") == "none")
    assert(first("A* ^ B", "AB B") == "B")
    assert(first("A $ B*", "A") == "A")
    assert(first("(^ A | B)+", "A B A") == "A B")
    assert(first("A+ ($ | B)", "A A A") == "A A A")
    assert(first("A+ ($ | B)", "A A B A") == "A A B")
    assert(first("^ $", "A") == "none")
    assert(first("(A $)? B?", "B") == "B")
  }

  check("a start row counts, the row before it does not") {
    assert(first("A B", "B A B", start = 1) == "A B")
    assert(first("A", "A -", start = 1) == "none")
  }

  test("conditions see the labels before the row") {
    // B only after an even number of A.
    val even  = new PatternEnumeration(4, (v, _, labels) => v == 0 || labels.size % 2 == 0)
    val found = even.matches(PatternText.parse("A* B"), 0).map(PatternText.show).toList
    assert(found == List("A A B", "B"))
  }

  test("a case that takes too long is given up") {
    val rows = Seq.fill(30)("A").mkString(" ")
    intercept[TooManySteps](first("(A?){30} A{30} B", rows))
  }

  test("patterns print and read back") {
    for (text <- Seq(
        "A B | C+?",
        "PERMUTE(A+, B, C | D)",
        "(A | ()){2,3}? $",
        "{- A B* -} C{2}")) {
      val pattern = PatternText.parse(text)
      assert(
        PatternText.parse(RowPattern.sql(pattern, PatternText.variableName)) == pattern,
        text
      )
    }
  }
}
