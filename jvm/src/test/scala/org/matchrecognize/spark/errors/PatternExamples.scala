package org.matchrecognize.spark.errors

/** Examples of what is wrong with patterns, variables and calls of functions. */
private[errors] object PatternExamples extends ErrorExampleParts {
  val patterns: Seq[ErrorExample] = {
    import PatternErrors._
    Seq(
      pattern(EmptyPattern, "", "()"),
      pattern(EmptyExclusion, "A {- -}", "{- -}"),
      pattern(EmptyAlternative, "A | ", "|"),
      pattern(DoubleBar, "A || B", "||"),
      pattern(EmptyPermute, "PERMUTE()", "PERMUTE()"),
      pattern(UnexpectedInPattern, "A, B", ","),
      pattern(MissingClosing, "{- A", "{"),
      pattern(UnmatchedClosing, "A -} B", "-"),
      pattern(NothingToRepeat, "+ A", "+"),
      pattern(SecondQuantifier, "A+*", "*"),
      pattern(TooManyMarks, "A???", "???"),
      pattern(AbsenceQuantified, "A [^B]+", "+", " DEFINE B AS price > 9"),
      pattern(AbsenceNotVariable, "A [^B|C]", "[^B|C]"),
      pattern(InvalidBounds, "A{1 2}", "{1 2}"),
      pattern(BoundTooSmall, "A{0}", "{0}"),
      pattern(BoundsReversed, "A{3,2}", "{3,2}"),
      pattern(BoundTooLarge, "A{2147483648}", "2147483648"),
      pattern(StopWithoutQuantifier, "A{B}", "{B}"),
      pattern(StopOnBoundedLoop, "A{2}{B}", "{B}"),
      pattern(StopNotVariable, "A+{B C}", "{B C}"),
      pattern(LooseLoopBody, "(A | B)+??", "(A | B)+??"),
      pattern(HintInPattern, "A /*+ often */ B", "/*+"),
      pattern(DollarQuote, "A $B$ C", "$B$").copy(since = 402)
    )
  }

  val variables: Seq[ErrorExample] = {
    import VariableErrors._
    Seq(
      define(DefineNotInPattern, "B AS price > 1", "B"),
      define(DefinedTwice, "A AS price > 1, a AS price < 9", "a"),
      pattern(DefineOfSubset, "A B", "U", " SUBSET U = (A, B) DEFINE U AS price > 1"),
      pattern(SubsetUnknownMember, "A", "B", " SUBSET U = (A, B)"),
      pattern(SubsetNested, "A B", "U", " SUBSET U = (A, B), W = (U, A)"),
      pattern(SubsetNameTaken, "A B", "A", " SUBSET A = (A, B)"),
      pattern(SubsetTwice, "A B", "U", " SUBSET U = (A), U = (B)"),
      pattern(SubsetMemberTwice, "A B", "A", " SUBSET U = (A, A)"),
      pattern(LookedAtUndefined, "A [^B]", "B"),
      clause(
        NeverMapped,
        "ORDER BY id MEASURES B.price AS p PATTERN (A [^B]) DEFINE B AS price > 9",
        "B.price")
    )
  }

  val functions: Seq[ErrorExample] = {
    import FunctionErrors._
    Seq(
      measure(WrongArguments, "MATCH_NUMBER(1)", "MATCH_NUMBER(1)"),
      measure(NotPlainCall, "LAST(DISTINCT price)", "LAST(DISTINCT price)"),
      measure(IgnoreNulls, "LAG(price) IGNORE NULLS", "LAG(price) IGNORE NULLS"),
      measure(DefaultArgument, "LAG(price, 1, 0)", "0"),
      measure(BooleanOffset, "FIRST(price, true)", "true"),
      measure(NotAVariable, "CLASSIFIER(Z)", "Z"),
      measure(SemanticsNotAllowed, "FINAL PREV(price)", "FINAL PREV(price)"),
      define(OnlyInMeasures, "A AS price > 1 AND NOT MATCH_TIMED_OUT()", "MATCH_TIMED_OUT()"),
      ErrorExample(OutsideClause, "SELECT CLASSIFIER() FROM t", "CLASSIFIER()", since = 400),
      measure(WithoutParentheses, "MATCH_NUMBER", "MATCH_NUMBER"),
      measure(MisspelledFunction, "MATCH_NUM()", "MATCH_NUM()").copy(since = 400)
    )
  }
}
