package org.matchrecognize.spark.errors

/** Conditions that are raised while rows are matched. */
object RuntimeErrors extends ErrorStage {

  val SkipTargetNotInMatch: ErrorCondition = condition("SKIP_TARGET_NOT_IN_MATCH")
  val SkipToFirstRow: ErrorCondition       = condition("SKIP_TO_FIRST_ROW_OF_MATCH")
  val TooManySteps: ErrorCondition         = condition("TOO_MANY_STEPS")
  val TooManyMatches: ErrorCondition       = condition("TOO_MANY_MATCHES")
  val StateTooLarge: ErrorCondition        = condition("STATE_TOO_LARGE")
  val StateUnreadable: ErrorCondition      = condition("STATE_UNREADABLE")
}
