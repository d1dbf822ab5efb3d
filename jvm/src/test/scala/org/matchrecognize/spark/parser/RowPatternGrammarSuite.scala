package org.matchrecognize.spark.parser

import org.matchrecognize.spark.errors.{ClauseErrors, PatternErrors, VariableErrors}
import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}
import org.matchrecognize.spark.text.Span

/** The grammar of PATTERN. */
class RowPatternGrammarSuite extends ParserTest {

  /** The pattern as our tree shows it: canonical, so that precedence and marks can be read off. */
  private def shown(pattern: String, rest: String = ""): String = {
    val m = withPattern(pattern, rest)
    RowPattern.sql(m.pattern, m.variables(_).name)
  }

  private def quantifier(pattern: String, rest: String = ""): Quantifier =
    withPattern(pattern, rest).pattern match {
      case RowPattern.Quantified(_, quantifier, _) => quantifier
      case other                                   => fail(s"$pattern is $other")
    }

  private def wrong(
      pattern: String,
      condition: org.matchrecognize.spark.errors.ErrorCondition,
      fragment: String,
      rest: String = ""): Refusal =
    refused(s"SELECT * FROM t MATCH_RECOGNIZE (PATTERN ($pattern) $rest)", condition, fragment)

  private val stopped = "DEFINE B AS v > 1"

  test("quantifier binds before concatenation, concatenation before alternation") {
    assert(shown("A B* | C D") == "A B* | C D")
    assert(shown("A (B | C) D") == "A (B | C) D")
    assert(shown("(A B)* | C") == "(A B)* | C")
    assert(withPattern("A B* | C D").pattern.isInstanceOf[RowPattern.Alternation])
    assert(shown("A | B | C").split('|').length == 3)
    assert(shown("A $ {3}") == "A $ {3}", "a dollar before a brace is a variable to Spark")
  }

  test("each quantifier, greedy and reluctant") {
    import QuantifierBound._
    Seq(
      "*"     -> (Count(0) -> Unbounded),
      "+"     -> (Count(1) -> Unbounded),
      "?"     -> (Count(0) -> Count(1)),
      "{2,5}" -> (Count(2) -> Count(5)),
      "{2,}"  -> (Count(2) -> Unbounded),
      "{,5}"  -> (Count(0) -> Count(5)),
      "{,}"   -> (Count(0) -> Unbounded)
    ).foreach { case (text, (lower, upper)) =>
      assert(quantifier(s"A$text") == Quantifier(lower, upper), text)
      assert(quantifier(s"A$text?") == Quantifier(lower, upper, greedy = false), text)
    }
    assert(quantifier("A{3}") == Quantifier.between(3, 3))
    assert(
      quantifier("A{3}?") == quantifier("A{3}"),
      "one number of iterations has no preference")
    assert(quantifier("A{2147483647}").upper == Count(Int.MaxValue))
  }

  test("marks of loose loops") {
    assert(quantifier("A+??") == Quantifier.plus.copy(loose = true))
    assert(quantifier("A+???") == Quantifier.plus.copy(loose = true, greedy = false))
    assert(quantifier("A{2,}??").loose && quantifier("A*??").loose)
    assert(!quantifier("A??").loose, "A?? is the reluctant optional")
    assert(!quantifier("A??").greedy)
  }

  test("a question mark may have a backslash before it, for clients that take it for their own") {
    for (text <- Seq("A?", "A??", "A*?", "A{1,2}?", "A+??", "A+???", "A? B??"))
      assert(shown(text.replace("?", "\\?")) == shown(text), text)
    assert(shown("A+ \\ ?") == shown("A+?"))
    assert(shown("A+\\?{B}", stopped) == shown("A+?{B}", stopped))
    wrong("A\\?\\?\\?", PatternErrors.TooManyMarks, "\\?\\?\\?")
    wrong("\\? A", PatternErrors.UnexpectedInPattern, "\\")
    wrong("A\\+", PatternErrors.UnexpectedInPattern, "\\")
  }

  test("a stop follows the marks") {
    assert(quantifier("A+{B}", stopped) == Quantifier.plus.copy(stop = Some(1)))
    assert(quantifier("A+??{B}", stopped) == Quantifier.plus.copy(loose = true, stop = Some(1)))
    assert(quantifier("A{2,}{B}", stopped).stop.contains(1))
    assert(quantifier("(A C)*{`B`}", stopped).stop.contains(2))
  }

  test("blanks between tokens are free, comments are skipped") {
    assert(shown("A+ ? ?") == shown("A+??"))
    assert(shown("A { 2 , 3 } ?") == "A{2,3}?")
    assert(shown("{ - A - } B") == "{- A -} B")
    assert(shown("A /* one */ B -- two\n C") == "A B C")
    assert(shown("A+{ B }", stopped) == "A+{B}")
    assert(shown("[ ^ B ] A", stopped) == "[^B] A")
    assert(shown("PERMUTE ( A , B )") == "PERMUTE(A, B)")
  }

  test("anchors, the empty pattern and groups are primaries and take a quantifier") {
    assert(shown("^ A $") == "^ A $")
    assert(shown("A ^ B") == "A ^ B")
    assert(shown("(())") == "()")
    assert(shown("A | ()") == "A | ()")
    assert(shown("^+ ()* $? (A+)*").nonEmpty)
    assert(shown("(A+)*") == "(A+)*")
    assert(shown("{- A -}+ PERMUTE(A, B)*").startsWith("{- A -}+"))
  }

  test("a dollar directly before the parenthesis is the anchor") {
    assert(shown("A $") == "A $")
    assert(
      one("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A $))").pattern
        == withPattern("A $").pattern)
    assert(shown("A$") == "A $")
  }

  test("PERMUTE takes any patterns; of one element it is that element") {
    assert(shown("PERMUTE(A, B C, D | E)") == "PERMUTE(A, B C, D | E)")
    assert(shown("PERMUTE(A)") == "A")
    assert(shown("permute(A, PERMUTE(B, C))") == "PERMUTE(A, PERMUTE(B, C))")
    assert(withPattern("PERMUTE A").variables.map(_.name) == Seq("PERMUTE", "A"))
    assert(withPattern("`PERMUTE` (A)").variables.map(_.name) == Seq("PERMUTE", "A"))
  }

  test("nested exclusions are one") {
    assert(shown("{- A {- B -} C -}") == "{- A B C -}")
    assert(shown("{- ({- A -})+ -} {- B -}") == "{- A+ -} {- B -}")
  }

  test("every word is a variable, whatever Spark reserves") {
    val words = Seq(
      "SELECT",
      "FROM",
      "NULL",
      "TRUE",
      "FIRST",
      "NEXT",
      "FINAL",
      "CASE",
      "DEFINE",
      "match_recognize",
      "PATTERN",
      "x",
      "_a",
      "a1",
      "`a b`",
      "AND",
      "NOT",
      "INTERVAL")
    val m = withPattern(words.mkString(" "))
    assert(
      m.variables.map(_.name) == words.map(w => if (w.startsWith("`")) "a b" else w.toUpperCase))
    assert(withPattern("FINAL A (B C) FIRST (D)").variables.size == 6)
  }

  test(
    "an unquoted name is shown in upper case, a quoted one as written, the first occurrence decides") {
    assert(withPattern("a `b` A B").variables.map(_.name) == Seq("A", "b"))
    withConf("spark.sql.caseSensitive" -> "true") {
      assert(withPattern("a `b` A B").variables.map(_.name) == Seq("a", "b", "A", "B"))
    }
  }

  test("a parameter marker is a bound, and a question mark one only between braces") {
    val m = withPattern("A{:lo,:hi} B{?}")
    assert(m.bounds.map(_.sql).size == 3)
    assert(
      RowPattern.children(m.pattern).collect { case RowPattern.Quantified(_, q, _) => q } ==
        Seq(
          Quantifier(QuantifierBound.Parameter(0), QuantifierBound.Parameter(1)),
          Quantifier(QuantifierBound.Parameter(2), QuantifierBound.Parameter(2))))
    wrong("A{?:n}", PatternErrors.InvalidBounds, "{?:n}")
  }

  test("each node knows its place") {
    val sql =
      "SELECT '😀' FROM t MATCH_RECOGNIZE (PATTERN (A B+ | {- C -} [^D]) DEFINE D AS v > 1)"
    val m                = one(sql)
    def text(span: Span) = sql.substring(
      sql.offsetByCodePoints(0, span.start),
      sql.offsetByCodePoints(0, span.stop + 1))
    val RowPattern.Alternation(Seq(left, right), span) = m.pattern: @unchecked
    assert(text(span) == "A B+ | {- C -} [^D]")
    assert(text(left.span) == "A B+")
    assert(text(RowPattern.children(left)(1).span) == "B+")
    assert(RowPattern.children(right).map(p => text(p.span)) == Seq("{- C -}", "[^D]"))
    assert(m.variables.map(v => text(v.span)) == Seq("A", "B", "C", "D"))
    assert(text(m.spans("PATTERN")) == "PATTERN (A B+ | {- C -} [^D])")
    assert(text(m.spans("DEFINE")) == "DEFINE D AS v > 1")
  }

  test("bounds that no number of iterations meets are refused") {
    wrong("A{0}", PatternErrors.BoundTooSmall, "{0}")
    wrong("A{,0}", PatternErrors.BoundTooSmall, "{,0}")
    wrong("A{0,0}", PatternErrors.BoundTooSmall, "{0,0}")
    wrong("A{3,2}", PatternErrors.BoundsReversed, "{3,2}")
    wrong("A{2147483648}", PatternErrors.BoundTooLarge, "2147483648")
    wrong("A{1,99999999999999999999}", PatternErrors.BoundTooLarge, "99999999999999999999")
    wrong("A{}", PatternErrors.InvalidBounds, "{}")
    wrong("A{1.5}", PatternErrors.InvalidBounds, "{1.5}")
    wrong("A{1,2,3}", PatternErrors.InvalidBounds, "{1,2,3}")
  }

  test("a pattern that says nothing is refused") {
    wrong("", PatternErrors.EmptyPattern, "()")
    wrong("A {- -}", PatternErrors.EmptyExclusion, "{- -}")
    wrong("A | ", PatternErrors.EmptyAlternative, "|")
    wrong("( | A)", PatternErrors.EmptyAlternative, "|")
    wrong("A | | B", PatternErrors.EmptyAlternative, "|")
    wrong("PERMUTE()", PatternErrors.EmptyPermute, "PERMUTE()")
  }

  test("|| is not an alternation")(wrong("A || B", PatternErrors.DoubleBar, "||"))

  test("an element takes one quantifier") {
    wrong("A+*", PatternErrors.SecondQuantifier, "*")
    wrong("A{2}+", PatternErrors.SecondQuantifier, "+")
    wrong("A+{B}?", PatternErrors.SecondQuantifier, "?", stopped)
    wrong("A+{B}{2}", PatternErrors.SecondQuantifier, "{", stopped)
    wrong("A+{B}{C}", PatternErrors.SecondQuantifier, "{", stopped)
    wrong("A???", PatternErrors.TooManyMarks, "???")
    wrong("A+????", PatternErrors.TooManyMarks, "+????")
    wrong("* A", PatternErrors.NothingToRepeat, "*")
    wrong("A (+)", PatternErrors.NothingToRepeat, "+")
  }

  test("a stop belongs to a loop without upper bound") {
    wrong("A{B}", PatternErrors.StopWithoutQuantifier, "{B}", stopped)
    wrong("A B?{C}", PatternErrors.StopOnBoundedLoop, "{C}")
    wrong("A{2}{B}", PatternErrors.StopOnBoundedLoop, "{B}", stopped)
    wrong("A{,5}{B}", PatternErrors.StopOnBoundedLoop, "{B}", stopped)
    wrong("A{1,:n}{B}", PatternErrors.StopOnBoundedLoop, "{B}", stopped)
    wrong("A+{B | C}", PatternErrors.StopNotVariable, "{B | C}")
    wrong("A+{B}", VariableErrors.LookedAtUndefined, "B")
  }

  test("[^B] takes one defined primary variable and no quantifier") {
    wrong("A [^B]+", PatternErrors.AbsenceQuantified, "+", stopped)
    wrong("A [^(B)]", PatternErrors.AbsenceNotVariable, "[^(B)]", stopped)
    wrong("A [^B | C]", PatternErrors.AbsenceNotVariable, "[^B | C]", stopped)
    wrong("A [^]", PatternErrors.AbsenceNotVariable, "[^]", stopped)
    wrong("A [B]", PatternErrors.UnexpectedInPattern, "B", stopped)
    wrong("A [^B]", VariableErrors.LookedAtUndefined, "B")
  }

  test("what is opened must be closed, and the reverse") {
    wrong("{- A B", PatternErrors.MissingClosing, "{")
    wrong("A -}", PatternErrors.UnmatchedClosing, "-")
    wrong("A ]", PatternErrors.UnmatchedClosing, "]")
    wrong("A }", PatternErrors.UnmatchedClosing, "}")
    wrong("A, B", PatternErrors.UnexpectedInPattern, ",")
    wrong("A 'b'", ClauseErrors.NameInQuotes, "'b'")
    wrong("A.B", PatternErrors.UnexpectedInPattern, ".")
    refused(
      "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A (B DEFINE A AS v > 1)",
      ClauseErrors.MissingParenthesis,
      "(")
  }

  test("a hint is refused in PATTERN") {
    wrong("A /*+ REPARTITION */ B", PatternErrors.HintInPattern, "/*+")
  }

  if (org.apache.spark.SPARK_VERSION >= "4.2") test("a dollar quote says what to write") {
    val e = errorOf("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A $B$ C) DEFINE A AS v > 1)")
    assert(e.condition == PatternErrors.DollarQuote.condition, e.message)
    assert(e.message.contains("space after"))
  }

  test("nesting beyond what a stack holds is refused") {
    val deep = 600
    wrong("(" * deep + "A" + ")" * deep, ClauseErrors.NestedTooDeep, "(")
    assert(withPattern("(" * 100 + "A" + ")" * 100).variables.size == 1)
  }
}
