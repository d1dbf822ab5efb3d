package org.matchrecognize.spark.errors

/** Conditions of the row pattern in PATTERN. */
object PatternErrors extends ErrorStage {

  val EmptyPattern: ErrorCondition          = condition("EMPTY_PATTERN")
  val EmptyExclusion: ErrorCondition        = condition("EMPTY_EXCLUSION")
  val EmptyAlternative: ErrorCondition      = condition("EMPTY_ALTERNATIVE")
  val DoubleBar: ErrorCondition             = condition("DOUBLE_BAR")
  val EmptyPermute: ErrorCondition          = condition("EMPTY_PERMUTE")
  val UnexpectedInPattern: ErrorCondition   = condition("UNEXPECTED_IN_PATTERN")
  val MissingClosing: ErrorCondition        = condition("MISSING_CLOSING")
  val UnmatchedClosing: ErrorCondition      = condition("UNMATCHED_CLOSING")
  val NothingToRepeat: ErrorCondition       = condition("NOTHING_TO_REPEAT")
  val SecondQuantifier: ErrorCondition      = condition("SECOND_QUANTIFIER")
  val TooManyMarks: ErrorCondition          = condition("TOO_MANY_MARKS")
  val AbsenceQuantified: ErrorCondition     = condition("ABSENCE_QUANTIFIED")
  val AbsenceNotVariable: ErrorCondition    = condition("ABSENCE_NOT_VARIABLE")
  val InvalidBounds: ErrorCondition         = condition("INVALID_BOUNDS")
  val BoundTooSmall: ErrorCondition         = condition("BOUND_TOO_SMALL")
  val BoundsReversed: ErrorCondition        = condition("BOUNDS_REVERSED")
  val BoundTooLarge: ErrorCondition         = condition("BOUND_TOO_LARGE")
  val StopWithoutQuantifier: ErrorCondition = condition("STOP_WITHOUT_QUANTIFIER")
  val StopOnBoundedLoop: ErrorCondition     = condition("STOP_ON_BOUNDED_LOOP")
  val StopNotVariable: ErrorCondition       = condition("STOP_NOT_VARIABLE")
  val LooseLoopBody: ErrorCondition         = condition("LOOSE_LOOP_BODY")
  val HintInPattern: ErrorCondition         = condition("HINT_IN_PATTERN")
  val DollarQuote: ErrorCondition           = condition("DOLLAR_QUOTE")
}
