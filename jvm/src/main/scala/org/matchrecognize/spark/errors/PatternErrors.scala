package org.matchrecognize.spark.errors

/** The row pattern in PATTERN. */
object PatternErrors {

  private def syntax(name: String, message: String) = ErrorCondition(name, "42601", message)

  val EmptyPattern: ErrorCondition = syntax(
    "EMPTY_PATTERN",
    "PATTERN () says nothing. Name the variables that make a match; for the pattern that matches " +
      "no row write PATTERN (()).")

  val EmptyExclusion: ErrorCondition = syntax(
    "EMPTY_EXCLUSION",
    "{- -} excludes nothing. Write a pattern between {- and -}, or remove it.")

  val EmptyAlternative: ErrorCondition = syntax(
    "EMPTY_ALTERNATIVE",
    "An alternative is missing beside |. Write a pattern on each side; for no row write ().")

  val DoubleBar: ErrorCondition =
    syntax("DOUBLE_BAR", "|| is not an alternation. Write A | B.")

  val EmptyPermute: ErrorCondition =
    syntax("EMPTY_PERMUTE", "PERMUTE needs patterns separated by commas. Write PERMUTE(A, B).")

  val UnexpectedInPattern: ErrorCondition = syntax(
    "UNEXPECTED_IN_PATTERN",
    "<found> has no place in a pattern here. Expected: <expected>.")

  val MissingClosing: ErrorCondition =
    syntax("MISSING_CLOSING", "<opening> is not closed. Write <closing> before <found>.")

  val UnmatchedClosing: ErrorCondition = syntax(
    "UNMATCHED_CLOSING",
    "<found> closes nothing. Remove it, or write <opening> before it.")

  val NothingToRepeat: ErrorCondition = syntax(
    "NOTHING_TO_REPEAT",
    "The quantifier <quantifier> has nothing to repeat. Write it behind a variable, a group, PERMUTE(...) or an exclusion.")

  val SecondQuantifier: ErrorCondition = syntax(
    "SECOND_QUANTIFIER",
    "An element takes one quantifier; <quantifier> is a second. Write parentheses: (A+)*. " +
      "Marks stand directly behind the quantifier, a stop {V} behind the marks: A+??{V}."
  )

  val TooManyMarks: ErrorCondition =
    syntax("TOO_MANY_MARKS", "Too many ? behind the quantifier <quantifier>: <cure>.")

  val AbsenceQuantified: ErrorCondition = syntax(
    "ABSENCE_QUANTIFIED",
    "[^B] looks at one row and takes no quantifier. Remove <quantifier>.")

  val AbsenceNotVariable: ErrorCondition = syntax(
    "ABSENCE_NOT_VARIABLE",
    "[^...] takes one primary variable, not <found>. DEFINE one variable with OR and write [^B].")

  val InvalidBounds: ErrorCondition = syntax(
    "INVALID_BOUNDS",
    "Bounds of a quantifier are {n}, {n,}, {n,m}, {,m} or {,}, each an integer or a parameter " +
      "marker; found <found>.")

  val BoundTooSmall: ErrorCondition = syntax(
    "BOUND_TOO_SMALL",
    "The upper bound of <quantifier> must be at least 1. Write () for a pattern that takes no row.")

  val BoundsReversed: ErrorCondition = syntax(
    "BOUNDS_REVERSED",
    "The lower bound of <quantifier> is above the upper one. Write {<upper>,<lower>}.")

  val BoundTooLarge: ErrorCondition = ErrorCondition(
    "BOUND_TOO_LARGE",
    "22003",
    "The bound <bound> is above 2147483647. Write a smaller one, or {n,} for no upper bound.")

  val StopWithoutQuantifier: ErrorCondition = syntax(
    "STOP_WITHOUT_QUANTIFIER",
    "The stop {<variable>} belongs to a loop, and there is no quantifier before it. " +
      "Write <element>+{<variable>} or <element>*{<variable>}."
  )

  val StopOnBoundedLoop: ErrorCondition = syntax(
    "STOP_ON_BOUNDED_LOOP",
    "The stop {<variable>} stands on <quantifier>, a loop with an upper bound. A stop ends a loop " +
      "that has none: *, + or {n,}."
  )

  val StopNotVariable: ErrorCondition = syntax(
    "STOP_NOT_VARIABLE",
    "A stop {V} takes one primary variable, not <found>. DEFINE one variable and write {V}.")

  val LooseLoopBody: ErrorCondition = syntax(
    "LOOSE_LOOP_BODY",
    "The loose loop <loop> must begin with a plain variable: rows at which that variable does not " +
      "hold are passed over. Write a variable without a quantifier first, outside {- -}, | and PERMUTE."
  )

  val HintInPattern: ErrorCondition = syntax(
    "HINT_IN_PATTERN",
    "PATTERN takes no hint. Write a comment as /* ... */ without the +.")

  val DollarQuote: ErrorCondition = syntax(
    "DOLLAR_QUOTE",
    "Spark reads <found> as a quoted string. Write a blank behind each $ that is an end-of-partition anchor.")

  val all: Seq[ErrorCondition] = Seq(
    EmptyPattern,
    EmptyExclusion,
    EmptyAlternative,
    DoubleBar,
    EmptyPermute,
    UnexpectedInPattern,
    MissingClosing,
    UnmatchedClosing,
    NothingToRepeat,
    SecondQuantifier,
    TooManyMarks,
    AbsenceQuantified,
    AbsenceNotVariable,
    InvalidBounds,
    BoundTooSmall,
    BoundsReversed,
    BoundTooLarge,
    StopWithoutQuantifier,
    StopOnBoundedLoop,
    StopNotVariable,
    LooseLoopBody,
    HintInPattern,
    DollarQuote
  )
}
