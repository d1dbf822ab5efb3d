package org.matchrecognize.spark.errors

/** What `spark.sql.matchRecognize.dialect = flink` does not take. */
object DialectErrors {

  private val cure = "set spark.sql.matchRecognize.dialect = standard"

  private def refused(name: String, message: String) =
    ErrorCondition(s"FLINK_$name", "0A000", message)

  val EmptyMatch: ErrorCondition = refused(
    "EMPTY_MATCH",
    s"The flink dialect takes no pattern that can match no row. Write one that takes a row, or $cure.")

  val GreedyGroup: ErrorCondition = refused(
    "GREEDY_GROUP",
    "The flink dialect takes greedy loops over single variables only, not <loop>. Make it reluctant " +
      s"with one more ?, or $cure."
  )

  val AdjacentGaps: ErrorCondition = refused(
    "ADJACENT_GAPS",
    s"The flink dialect takes no two gaps in a row. Leave <gap> out, or $cure.")

  val GapVariableUsed: ErrorCondition = refused(
    "GAP_VARIABLE_USED",
    "<gap> makes a gap, and the flink dialect maps no row to it. Leave it out of <place>, or " +
      s"$cure."
  )

  val all: Seq[ErrorCondition] = Seq(EmptyMatch, GreedyGroup, AdjacentGaps, GapVariableUsed)
}
