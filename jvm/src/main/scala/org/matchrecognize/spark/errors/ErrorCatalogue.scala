package org.matchrecognize.spark.errors

import org.apache.spark.sql.matchrecognize.ErrorsRegistration

/** Every error condition of ours. A condition is declared in the object of its stage. */
object ErrorCatalogue {

  /** All of them, by stage. */
  val all: Seq[ErrorCondition] =
    Seq(
      ClauseErrors,
      PatternErrors,
      VariableErrors,
      FunctionErrors,
      AnalysisErrors,
      DialectErrors,
      RuntimeErrors).flatMap(_.all)

  /**
   * True where Spark's own reader of error conditions knows ours, so that PySpark's
   * `e.getMessage()`, which reads the text there, gives our text. Our exceptions never rely on it:
   * they carry their message.
   */
  lazy val registered: Boolean = ErrorsRegistration.register(ErrorResource.inFormOfSpark)

  /** Makes our conditions known to Spark's reader, once in a JVM. Harmless where it cannot. */
  def register(): Unit = {
    val _ = registered
  }
}

/** The conditions of one stage: its object names each of them. */
abstract class ErrorStage {

  private val declared = Seq.newBuilder[ErrorCondition]

  /** Names a condition that error-conditions.json has an entry for. */
  protected def condition(name: String): ErrorCondition = {
    val named = ErrorCondition(name)
    declared += named
    named
  }

  /** The conditions, as declared. */
  def all: Seq[ErrorCondition] = declared.result()
}

/** Conditions of the clause as a whole: its place in the statement, its parts and their order. */
object ClauseErrors extends ErrorStage {

  val Unterminated: ErrorCondition           = condition("UNTERMINATED_CLAUSE")
  val NotAfterTable: ErrorCondition          = condition("NOT_AFTER_TABLE")
  val TablePartAfterClause: ErrorCondition   = condition("TABLE_PART_AFTER_CLAUSE")
  val AfterJoin: ErrorCondition              = condition("AFTER_JOIN")
  val SecondClause: ErrorCondition           = condition("SECOND_CLAUSE")
  val MissingPattern: ErrorCondition         = condition("MISSING_PATTERN")
  val WrongOrder: ErrorCondition             = condition("WRONG_ORDER")
  val RepeatedPart: ErrorCondition           = condition("REPEATED_PART")
  val UnknownKeyword: ErrorCondition         = condition("UNKNOWN_KEYWORD")
  val MisspelledKeyword: ErrorCondition      = condition("MISSPELLED_KEYWORD")
  val AliasBeforeClause: ErrorCondition      = condition("ALIAS_BEFORE_PARENTHESIS")
  val MissingParenthesis: ErrorCondition     = condition("MISSING_PARENTHESIS")
  val PatternInWindow: ErrorCondition        = condition("PATTERN_IN_WINDOW")
  val UnknownSkip: ErrorCondition            = condition("UNKNOWN_SKIP")
  val NameInQuotes: ErrorCondition           = condition("NAME_IN_QUOTES")
  val MissingOperand: ErrorCondition         = condition("MISSING_OPERAND")
  val WithinWithoutInterval: ErrorCondition  = condition("WITHIN_WITHOUT_INTERVAL")
  val MissingComma: ErrorCondition           = condition("MISSING_COMMA")
  val TrailingComma: ErrorCondition          = condition("TRAILING_COMMA")
  val EmptyPart: ErrorCondition              = condition("EMPTY_PART")
  val MissingMeasureName: ErrorCondition     = condition("MISSING_MEASURE_NAME")
  val MissingDefineAs: ErrorCondition        = condition("MISSING_DEFINE_AS")
  val MissingExpression: ErrorCondition      = condition("MISSING_EXPRESSION")
  val StarNotAllowed: ErrorCondition         = condition("STAR_NOT_ALLOWED")
  val UnmatchedWithExclusion: ErrorCondition = condition("UNMATCHED_ROWS_WITH_EXCLUSION")
  val EmptyMatchesWithOneRow: ErrorCondition = condition("OPTION_NEEDS_ALL_ROWS")
  val TimeoutsWithoutWithin: ErrorCondition  = condition("TIMEOUT_WITHOUT_WITHIN")
  val WithinWithoutOrder: ErrorCondition     = condition("WITHIN_WITHOUT_ORDER")
  val WithinDescending: ErrorCondition       = condition("WITHIN_DESCENDING")
  val UnknownSkipTarget: ErrorCondition      = condition("UNKNOWN_SKIP_TARGET")
  val UnmappedSkipTarget: ErrorCondition     = condition("UNMAPPED_SKIP_TARGET")
  val NestedTooDeep: ErrorCondition          = condition("NESTED_TOO_DEEP")
}

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

/** Conditions of variables, on which PATTERN, SUBSET and DEFINE must agree. */
object VariableErrors extends ErrorStage {

  val DefineNotInPattern: ErrorCondition  = condition("DEFINE_NOT_IN_PATTERN")
  val DefinedTwice: ErrorCondition        = condition("DEFINED_TWICE")
  val DefineOfSubset: ErrorCondition      = condition("DEFINE_OF_SUBSET")
  val SubsetUnknownMember: ErrorCondition = condition("SUBSET_UNKNOWN_MEMBER")
  val SubsetNested: ErrorCondition        = condition("SUBSET_NESTED")
  val SubsetNameTaken: ErrorCondition     = condition("SUBSET_NAME_TAKEN")
  val SubsetTwice: ErrorCondition         = condition("SUBSET_TWICE")
  val SubsetMemberTwice: ErrorCondition   = condition("SUBSET_MEMBER_TWICE")
  val LookedAtUndefined: ErrorCondition   = condition("LOOKED_AT_UNDEFINED")
  val NeverMapped: ErrorCondition         = condition("NEVER_MAPPED")
}

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

/** Conditions that analysis raises. */
object AnalysisErrors extends ErrorStage {

  val MatcherNotApplicable: ErrorCondition     = condition("MATCHER_NOT_APPLICABLE")
  val UnknownVariable: ErrorCondition          = condition("UNKNOWN_VARIABLE")
  val VariableAlone: ErrorCondition            = condition("VARIABLE_WITHOUT_COLUMN")
  val InputAlias: ErrorCondition               = condition("INPUT_ALIAS")
  val MixedVariables: ErrorCondition           = condition("MIXED_VARIABLES")
  val WrongNesting: ErrorCondition             = condition("WRONG_NESTING")
  val NavigationInAggregate: ErrorCondition    = condition("NAVIGATION_IN_AGGREGATE")
  val AggregateInNavigation: ErrorCondition    = condition("AGGREGATE_IN_NAVIGATION")
  val NestedAggregate: ErrorCondition          = condition("NESTED_AGGREGATE")
  val FinalInDefine: ErrorCondition            = condition("FINAL_IN_DEFINE")
  val OffsetNotConstant: ErrorCondition        = condition("OFFSET_NOT_CONSTANT")
  val OffsetOutOfRange: ErrorCondition         = condition("OFFSET_OUT_OF_RANGE")
  val NotOfOneRow: ErrorCondition              = condition("NOT_OF_ONE_ROW")
  val PythonAggregate: ErrorCondition          = condition("PYTHON_AGGREGATE")
  val ConditionNotBoolean: ErrorCondition      = condition("CONDITION_NOT_BOOLEAN")
  val DuplicateOutputColumn: ErrorCondition    = condition("DUPLICATE_OUTPUT_COLUMN")
  val NoOutputColumn: ErrorCondition           = condition("NO_OUTPUT_COLUMN")
  val WindowFunction: ErrorCondition           = condition("WINDOW_FUNCTION")
  val Generator: ErrorCondition                = condition("GENERATOR")
  val SlidingWindow: ErrorCondition            = condition("SLIDING_WINDOW")
  val SessionWindow: ErrorCondition            = condition("SESSION_WINDOW")
  val Nondeterministic: ErrorCondition         = condition("NONDETERMINISTIC")
  val OuterReference: ErrorCondition           = condition("OUTER_REFERENCE")
  val CorrelatedSubquery: ErrorCondition       = condition("CORRELATED_SUBQUERY")
  val InvalidBound: ErrorCondition             = condition("INVALID_BOUND_VALUE")
  val PermuteTooLarge: ErrorCondition          = condition("PERMUTE_TOO_LARGE")
  val LoopBeforeAbsence: ErrorCondition        = condition("LOOP_BEFORE_ABSENCE")
  val NoGapAfterAbsence: ErrorCondition        = condition("NO_GAP_AFTER_ABSENCE")
  val GapVariableUsed: ErrorCondition          = condition("GAP_VARIABLE_USED")
  val WithinKey: ErrorCondition                = condition("WITHIN_KEY")
  val WithinNotConstant: ErrorCondition        = condition("WITHIN_NOT_CONSTANT")
  val WithinType: ErrorCondition               = condition("WITHIN_TYPE")
  val WithinOutOfRange: ErrorCondition         = condition("WITHIN_OUT_OF_RANGE")
  val OrderOfRowtime: ErrorCondition           = condition("ROWTIME_WITHOUT_ORDER")
  val MatchFunctionInAggregate: ErrorCondition = condition("MATCH_FUNCTION_IN_AGGREGATE")
  val AggregateInKey: ErrorCondition           = condition("AGGREGATE_IN_KEY")
  val KeyNotOrderable: ErrorCondition          = condition("KEY_NOT_ORDERABLE")
  val ArrivalOrder: ErrorCondition             = condition("ARRIVAL_ORDER")
  val StreamOrder: ErrorCondition              = condition("STREAM_ORDER")
  val StreamWithoutWatermark: ErrorCondition   = condition("STREAM_WITHOUT_WATERMARK")
  val StreamNeverFinal: ErrorCondition         = condition("STREAM_NEVER_FINAL")
  val StreamStatefulOperator: ErrorCondition   = condition("STREAM_STATEFUL_OPERATOR")
  val StreamOutputMode: ErrorCondition         = condition("STREAM_OUTPUT_MODE")
  val ExplainWithoutClause: ErrorCondition     = condition("EXPLAIN_WITHOUT_CLAUSE")
  val ExplainOfStream: ErrorCondition          = condition("EXPLAIN_OF_STREAM")
  val SinglePassAnalyzer: ErrorCondition       = condition("SINGLE_PASS_ANALYZER")
}

/** Conditions that only `spark.sql.matchRecognize.dialect = flink` raises. */
object DialectErrors extends ErrorStage {

  val EmptyMatch: ErrorCondition      = condition("FLINK_EMPTY_MATCH")
  val GreedyGroup: ErrorCondition     = condition("FLINK_GREEDY_GROUP")
  val AdjacentGaps: ErrorCondition    = condition("FLINK_ADJACENT_GAPS")
  val GapAtEndOfGroup: ErrorCondition = condition("FLINK_GAP_AT_END_OF_GROUP")
  val PatternTooLarge: ErrorCondition = condition("FLINK_PATTERN_TOO_LARGE")
  val GapVariableUsed: ErrorCondition = condition("FLINK_GAP_VARIABLE_USED")
}

/** Conditions that are raised while rows are matched. */
object RuntimeErrors extends ErrorStage {

  val SkipTargetNotInMatch: ErrorCondition = condition("SKIP_TARGET_NOT_IN_MATCH")
  val SkipToFirstRow: ErrorCondition       = condition("SKIP_TO_FIRST_ROW_OF_MATCH")
  val TooManySteps: ErrorCondition         = condition("TOO_MANY_STEPS")
  val TooManyMatches: ErrorCondition       = condition("TOO_MANY_MATCHES")
  val StateTooLarge: ErrorCondition        = condition("STATE_TOO_LARGE")
  val StateUnreadable: ErrorCondition      = condition("STATE_UNREADABLE")
}
