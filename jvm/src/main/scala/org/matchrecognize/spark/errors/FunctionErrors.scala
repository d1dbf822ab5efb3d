package org.matchrecognize.spark.errors

/** The functions of DEFINE and MEASURES as they are written. */
object FunctionErrors {

  private def wrong(name: String, message: String) = ErrorCondition(name, "42K0E", message)

  val WrongArguments: ErrorCondition =
    ErrorCondition("WRONG_ARGUMENTS", "42605", "<function> takes <expected>. Write <example>.")

  val NotPlainCall: ErrorCondition = wrong(
    "NOT_A_PLAIN_CALL",
    "<function> of MATCH_RECOGNIZE takes no <option>. Remove it; for Spark's function of that name " +
      "write `<name>` in back quotes."
  )

  val IgnoreNulls: ErrorCondition = wrong(
    "IGNORE_NULLS",
    "<function> of MATCH_RECOGNIZE has no <option>. Compute it in a subquery with a window.")

  val DefaultArgument: ErrorCondition = wrong(
    "DEFAULT_ARGUMENT",
    "<function> takes no default in MATCH_RECOGNIZE. Write COALESCE(<call>, <default>).")

  val BooleanOffset: ErrorCondition = wrong(
    "BOOLEAN_OFFSET",
    "The second argument of <function> is a number of rows here, not a flag to ignore NULLs. " +
      "For Spark's aggregate write <aggregate>(<argument>, <flag>)."
  )

  val NotAVariable: ErrorCondition = wrong(
    "NOT_A_VARIABLE",
    "CLASSIFIER takes a variable of PATTERN or SUBSET, not <found>. <known>")

  val SemanticsNotAllowed: ErrorCondition = wrong(
    "SEMANTICS_NOT_ALLOWED",
    "<semantics> stands only before FIRST, LAST and aggregates, not before <found>. <cure>")

  val OnlyInMeasures: ErrorCondition =
    wrong("ONLY_IN_MEASURES", "<function> stands only in MEASURES. <cure>")

  val OutsideClause: ErrorCondition = wrong(
    "FUNCTION_OUTSIDE_CLAUSE",
    "<function> stands only in MEASURES and DEFINE of MATCH_RECOGNIZE, without back quotes and " +
      "not in a subquery there. <cure>"
  )

  val WithoutParentheses: ErrorCondition = ErrorCondition(
    "CALL_WITHOUT_PARENTHESES",
    "42703",
    "<function> is a function here, and there is no column of that name. Write <function>().")

  val MisspelledFunction: ErrorCondition = ErrorCondition(
    "MISSPELLED_FUNCTION",
    "42883",
    "There is no function <function>. Did you mean <meant>?")

  val all: Seq[ErrorCondition] = Seq(
    WrongArguments,
    NotPlainCall,
    IgnoreNulls,
    DefaultArgument,
    BooleanOffset,
    NotAVariable,
    SemanticsNotAllowed,
    OnlyInMeasures,
    OutsideClause,
    WithoutParentheses,
    MisspelledFunction
  )
}
