package org.matchrecognize.spark.errors

/** An example for every condition: ErrorExamplesSuite runs them, docs/errors.md shows them. */
object ErrorExamples {

  /** The names of the parameters of a condition's message. */
  def parametersOf(condition: ErrorCondition): Set[String] =
    ErrorCondition.placeholder
      .findAllMatchIn(ErrorResource(condition.name).message)
      .map(_.group(1))
      .toSet

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

  /** Parameters whose values are phrases of ours, which depend on the statement. */
  val phraseNames: Set[String] =
    Set("reason", "suggestion", "expected", "wanted", "budget", "sources")

  /** The phrases of the examples, which the page shows. */
  val phrases: Map[ErrorCondition, Map[String, String]] = Map(
    ClauseErrors.UnknownKeyword -> Map(
      "expected" -> "PAST LAST ROW, TO NEXT ROW, TO FIRST variable or TO LAST variable"),
    ClauseErrors.StarNotAllowed -> Map(
      "suggestion" -> "Write an entry for each column. ALL ROWS PER MATCH returns all columns of the input."),
    ClauseErrors.UnknownSkipTarget    -> Map("suggestion" -> "Did you mean A?"),
    PatternErrors.UnexpectedInPattern -> Map(
      "expected" -> "the next element or ): a comma is allowed only in PERMUTE"),
    PatternErrors.TooManyMarks -> Map(
      "suggestion" -> "Write at most one more: A?? prefers no row."),
    FunctionErrors.WrongArguments      -> Map("expected" -> "no argument"),
    FunctionErrors.SemanticsNotAllowed -> Map(
      "suggestion" -> "Write it inside: PREV(FINAL LAST(...))."),
    FunctionErrors.OnlyInMeasures -> Map(
      "suggestion" -> "Remove it: while a condition is tested, the match has not ended."),
    FunctionErrors.OutsideClause -> Map(
      "suggestion" -> "Give it a name in MEASURES, and use that name here."),
    AnalysisErrors.MatcherNotApplicable -> Map(
      "reason" -> "the condition of A is running (it depends on the rows mapped so far)"),
    AnalysisErrors.VariableAlone -> Map(
      "suggestion" -> "Write COUNT(A.*) for the number of rows mapped to it."),
    AnalysisErrors.InputAlias            -> Map("suggestion" -> "Write price or A.price."),
    AnalysisErrors.DuplicateOutputColumn -> Map(
      "sources" -> "one from MEASURES, one from the input"),
    AnalysisErrors.WithinType -> Map(
      "wanted" ->
        "a day-time interval such as INTERVAL '30' DAY, because months differ in length"),
    AnalysisErrors.ArrivalOrder -> Map(
      "reason"     -> "this input is not a stream",
      "suggestion" -> "Order by a column of the input."),
    AnalysisErrors.StreamOrder      -> Map("reason" -> "the first key of ORDER BY is value"),
    AnalysisErrors.StreamNeverFinal -> Map(
      "reason"     -> "any later row can extend it, and the longest match is preferred",
      "suggestion" -> "Add WITHIN, an upper bound or a condition, or make the loop reluctant."
    ),
    AnalysisErrors.StreamStatefulOperator -> Map(
      "reason" -> "without WITHIN a match can last for any time, so the result has no watermark",
      "suggestion" ->
        "Add WITHIN, or write the rows to a table, and read the table in a second query."
    ),
    RuntimeErrors.TooManySteps -> Map(
      "budget" -> "1 steps (of about 10 nanoseconds), plus a share for each row")
  )

  val all: Seq[ErrorExample] =
    ClauseExamples.clauses ++ PatternExamples.patterns ++ PatternExamples.variables ++
      PatternExamples.functions ++ AnalysisExamples.analysis ++ AnalysisExamples.dialects ++
      AnalysisExamples.runtime
}
