package org.matchrecognize.spark.errors

/** Conditions of the functions in DEFINE and MEASURES. */
object FunctionErrors extends ErrorStage {

  val WrongArguments: ErrorCondition      = condition("WRONG_ARGUMENTS")
  val NotPlainCall: ErrorCondition        = condition("NOT_A_PLAIN_CALL")
  val IgnoreNulls: ErrorCondition         = condition("IGNORE_NULLS")
  val DefaultArgument: ErrorCondition     = condition("DEFAULT_ARGUMENT")
  val BooleanOffset: ErrorCondition       = condition("BOOLEAN_OFFSET")
  val NotAVariable: ErrorCondition        = condition("NOT_A_VARIABLE")
  val SemanticsNotAllowed: ErrorCondition = condition("SEMANTICS_NOT_ALLOWED")
  val OnlyInMeasures: ErrorCondition      = condition("ONLY_IN_MEASURES")
  val OutsideClause: ErrorCondition       = condition("FUNCTION_OUTSIDE_CLAUSE")
  val WithoutParentheses: ErrorCondition  = condition("CALL_WITHOUT_PARENTHESES")
  val MisspelledFunction: ErrorCondition  = condition("MISSPELLED_FUNCTION")
}
