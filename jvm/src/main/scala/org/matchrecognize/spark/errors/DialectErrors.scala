package org.matchrecognize.spark.errors

/** Conditions that only `spark.sql.matchRecognize.dialect = flink` raises. */
object DialectErrors extends ErrorStage {

  val EmptyMatch: ErrorCondition      = condition("FLINK_EMPTY_MATCH")
  val GreedyGroup: ErrorCondition     = condition("FLINK_GREEDY_GROUP")
  val AdjacentGaps: ErrorCondition    = condition("FLINK_ADJACENT_GAPS")
  val GapVariableUsed: ErrorCondition = condition("FLINK_GAP_VARIABLE_USED")
}
