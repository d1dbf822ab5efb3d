package org.matchrecognize.spark.errors

/** An example for every condition: ErrorExamplesSuite runs them, docs/errors.md shows them. */
object ErrorExamples {

  /** The view that the statements read. */
  val table: String =
    "CREATE OR REPLACE TEMP VIEW t AS\n" +
      "SELECT * FROM VALUES (1, 10, 'a'), (2, 20, 'b') AS t(id, price, s)"

  /**
   * The name of a streaming table with the columns `timestamp` and `value`, and a watermark on
   * `timestamp`.
   */
  final val stream = "events"

  /** The same without a watermark. */
  final val unmarkedStream = "raw_events"

  /** The name of a pandas UDF that aggregates. */
  final val pythonAggregate = "pandas_mean"

  /** Conditions that no statement by itself raises: they concern how a stream is run. */
  val withoutStatement: Seq[ErrorCondition] =
    Seq(
      AnalysisErrors.StreamOutputMode,
      RuntimeErrors.StateTooLarge,
      RuntimeErrors.StateUnreadable)

  val all: Seq[ErrorExample] =
    ClauseExamples.clauses ++ PatternExamples.patterns ++ PatternExamples.variables ++
      PatternExamples.functions ++ AnalysisExamples.analysis ++ AnalysisExamples.dialects ++
      AnalysisExamples.runtime
}
