package org.matchrecognize.spark.errors

/** What can go wrong while rows are matched. */
object RuntimeErrors {

  val SkipTargetNotInMatch: ErrorCondition = ErrorCondition(
    "SKIP_TARGET_NOT_IN_MATCH",
    "22000",
    "AFTER MATCH <skip>: the match that starts at <start> of partition <partition> has no row " +
      "mapped to <variable>. Skip to a variable that every match has, or set " +
      "spark.sql.matchRecognize.invalidSkip to nextRow."
  )

  val SkipToFirstRow: ErrorCondition = ErrorCondition(
    "SKIP_TO_FIRST_ROW_OF_MATCH",
    "22000",
    "AFTER MATCH <skip>: in the match that starts at <start> of partition <partition> this is " +
      "the first row, where the same match would be found again. Skip to another row, or set " +
      "spark.sql.matchRecognize.invalidSkip to nextRow."
  )

  val TooManySteps: ErrorCondition = ErrorCondition(
    "TOO_MANY_STEPS",
    "54001",
    "The search for PATTERN (<pattern>) in partition <partition> needs more than <budget>; it " +
      "stopped at the start row <start>, and the variable tested most often is <tested>. Make " +
      "the conditions tell the rows apart, bound the loops or the time (WITHIN), split the " +
      "partition, or raise spark.sql.matchRecognize.maxSteps."
  )

  val TooManyMatches: ErrorCondition = ErrorCondition(
    "TOO_MANY_MATCHES",
    "54001",
    "AFTER MATCH NO SKIP: more than <budget> matches of PATTERN (<pattern>) start at the row at " +
      "<start> of partition <partition>. Make the conditions tell the rows apart, bound the loops " +
      "or the time (WITHIN), skip after a match, or raise " +
      "spark.sql.matchRecognize.maxMatchesPerStart."
  )

  val StateTooLarge: ErrorCondition = ErrorCondition(
    "STATE_TOO_LARGE",
    "54000",
    "The search for PATTERN (<pattern>) from the row at <start> of partition <partition> keeps " +
      "more than <bytes> bytes while it waits for rows. Bound the loops, or make the conditions " +
      "end a match earlier."
  )

  val StateUnreadable: ErrorCondition = ErrorCondition(
    "STATE_UNREADABLE",
    "58030",
    "The state of a partition cannot be read: <reason>. Go back to the query and the version of " +
      "this library that wrote it, or start the query with a new checkpoint location."
  )

  val all: Seq[ErrorCondition] =
    Seq(
      SkipTargetNotInMatch,
      SkipToFirstRow,
      TooManySteps,
      TooManyMatches,
      StateTooLarge,
      StateUnreadable)
}
