package org.matchrecognize.spark.errors

/** What analysis refuses. */
object AnalysisErrors {

  val NotYetSupported: ErrorCondition = ErrorCondition(
    "NOT_YET_SUPPORTED",
    "0A000",
    "<what> is understood but does not run yet. <cure>")

  val MatcherNotApplicable: ErrorCondition = ErrorCondition(
    "MATCHER_NOT_APPLICABLE",
    "0A000",
    "spark.sql.matchRecognize.matcher is <matcher>, which does not do for this clause: <reason>. " +
      "Set it to auto, which takes one that does."
  )

  val UnknownVariable: ErrorCondition = ErrorCondition(
    "UNKNOWN_VARIABLE",
    "42703",
    "<variable> is neither a variable nor a column. The variables are: <variables>.")

  val VariableAlone: ErrorCondition = ErrorCondition(
    "VARIABLE_WITHOUT_COLUMN",
    "42703",
    "<variable> is a variable of the pattern, and there is no column of that name. <cure>")

  val InputAlias: ErrorCondition = ErrorCondition(
    "INPUT_ALIAS",
    "42703",
    "<name> begins with a table of the input, which only PARTITION BY and ORDER BY know. <cure>")

  val MixedVariables: ErrorCondition = ErrorCondition(
    "MIXED_VARIABLES",
    "42601",
    "<call> refers to columns of <variables>. All columns in one call must carry the same " +
      "variable, or none. Take each with a call of its own, or use a SUBSET."
  )

  val WrongNesting: ErrorCondition = ErrorCondition(
    "WRONG_NESTING",
    "42601",
    "<inner> cannot stand inside <outer>. Only FIRST and LAST can, directly inside PREV and " +
      "NEXT: write PREV(LAST(<argument>)), or compute the inner value in a subquery."
  )

  val NavigationInAggregate: ErrorCondition = ErrorCondition(
    "NAVIGATION_IN_AGGREGATE",
    "42601",
    "<inner> cannot stand inside the aggregate <outer>. Compute it for each row in a subquery, " +
      "for instance with a window function, and aggregate that column."
  )

  val AggregateInNavigation: ErrorCondition = ErrorCondition(
    "AGGREGATE_IN_NAVIGATION",
    "42601",
    "The aggregate <inner> cannot stand inside <outer>. Write the aggregate alone; RUNNING or " +
      "FINAL before it says over which rows."
  )

  val NestedAggregate: ErrorCondition = ErrorCondition(
    "NESTED_AGGREGATE",
    "42607",
    "The aggregate <inner> cannot stand inside the aggregate <outer>. Write them side by side.")

  val FinalInDefine: ErrorCondition = ErrorCondition(
    "FINAL_IN_DEFINE",
    "42601",
    "FINAL cannot stand in DEFINE: while rows are tested, the match has no last row yet. Leave " +
      "FINAL out; in DEFINE everything is RUNNING."
  )

  val OffsetNotConstant: ErrorCondition = ErrorCondition(
    "OFFSET_NOT_CONSTANT",
    "42K08",
    "The offset <offset> of <call> is not a constant. Write an integer, 0 or more, or a " +
      "parameter marker.")

  val OffsetOutOfRange: ErrorCondition = ErrorCondition(
    "OFFSET_OUT_OF_RANGE",
    "22003",
    "The offset <offset> of <call> is not an integer between 0 and <max>. To look the other " +
      "way, use PREV for NEXT or FIRST for LAST."
  )

  val NotOfOneRow: ErrorCondition = ErrorCondition(
    "NOT_OF_ONE_ROW",
    "0A000",
    "<call> can be computed only from columns of one row: Spark evaluates it before rows are " +
      "matched. Pass columns of one variable, or compare the values without it."
  )

  val PythonAggregate: ErrorCondition = ErrorCondition(
    "PYTHON_AGGREGATE",
    "0A000",
    "<function> is a Python aggregate, which Spark evaluates over whole groups only, not over the " +
      "rows of a match. Collect the values with COLLECT_LIST and use a function on the array; a " +
      "Python one above the clause."
  )

  val ConditionNotBoolean: ErrorCondition = ErrorCondition(
    "CONDITION_NOT_BOOLEAN",
    "42804",
    "The condition of <variable> is <type>, not BOOLEAN. Write a comparison.")

  val DuplicateOutputColumn: ErrorCondition = ErrorCondition(
    "DUPLICATE_OUTPUT_COLUMN",
    "42711",
    "The clause puts out two columns named <name>: <sources>. Give one of them another name " +
      "with AS.")

  val NoOutputColumn: ErrorCondition = ErrorCondition(
    "NO_OUTPUT_COLUMN",
    "42617",
    "The clause puts out no column. Add MEASURES, PARTITION BY, or ALL ROWS PER MATCH.")

  val WindowFunction: ErrorCondition = ErrorCondition(
    "WINDOW_FUNCTION",
    "42903",
    "The window function <call> cannot stand in <place>. Compute it in a subquery and match " +
      "over that.")

  val Generator: ErrorCondition = ErrorCondition(
    "GENERATOR",
    "42903",
    "<call> makes several rows of one and cannot stand in <place>. Use LATERAL VIEW above or " +
      "below the clause.")

  val Nondeterministic: ErrorCondition = ErrorCondition(
    "NONDETERMINISTIC",
    "42K0E",
    "<call> gives another value each time and cannot stand in <place>: a row is tested as often " +
      "as the search needs. Compute it in a subquery and match over that."
  )

  val OuterReference: ErrorCondition = ErrorCondition(
    "OUTER_REFERENCE",
    "0A000",
    "<column> comes from outside the clause. Only columns of the clause's input can be used in " +
      "it: join the outer table into the input."
  )

  val CorrelatedSubquery: ErrorCondition = ErrorCondition(
    "CORRELATED_SUBQUERY",
    "0A000",
    "The subquery in <place> refers to <columns> of the clause's input. A subquery in the clause " +
      "must stand alone: join what it reads into the input."
  )

  val InvalidBound: ErrorCondition = ErrorCondition(
    "INVALID_BOUND_VALUE",
    "22003",
    "The bound <bound> of a quantifier must be an integer of 0 or more, the upper at least 1 and " +
      "at least the lower. Bind another value."
  )

  val PermuteTooLarge: ErrorCondition = ErrorCondition(
    "PERMUTE_TOO_LARGE",
    "54001",
    "PERMUTE has <size> elements; there can be at most <limit>, or 8 where an element can match " +
      "in more than one way. Split it, or use single variables as elements."
  )

  val LoopBeforeAbsence: ErrorCondition = ErrorCondition(
    "LOOP_BEFORE_ABSENCE",
    "42601",
    "The excluded loop before [^<variable>] is no gap. Write {- X*? -} [^<variable>] with an X that " +
      "has no condition and stands nowhere else in PATTERN."
  )

  val NoGapBehindAbsence: ErrorCondition = ErrorCondition(
    "NO_GAP_BEHIND_ABSENCE",
    "42601",
    "[^<variable>] over a gap says which rows the next element does not pass over, so a gap must " +
      "stand directly behind it, or the pattern end. Write {- Y*? -} behind it, or [^<variable>] " +
      "alone to look at the next row only."
  )

  val GapVariableUsed: ErrorCondition = ErrorCondition(
    "GAP_VARIABLE_USED",
    "42601",
    "<gap> only makes the gap before [^<variable>], and no row is mapped to it. Leave it out of " +
      "<place>."
  )

  val WithinKey: ErrorCondition = ErrorCondition(
    "WITHIN_KEY",
    "42804",
    "WITHIN measures how far rows are from each other by the first key of ORDER BY, and <key> is " +
      "<type>. Order by a timestamp, a date or a number first."
  )

  val WithinNotConstant: ErrorCondition = ErrorCondition(
    "WITHIN_NOT_CONSTANT",
    "42K08",
    "WITHIN <bound> is not a constant. Write one, or a parameter marker; a bound that differs from " +
      "match to match belongs into DEFINE."
  )

  val WithinType: ErrorCondition = ErrorCondition(
    "WITHIN_TYPE",
    "42804",
    "WITHIN <bound> is <type>, but ORDER BY <key> is <keyType>. Write <wanted>")

  val WithinOutOfRange: ErrorCondition = ErrorCondition(
    "WITHIN_OUT_OF_RANGE",
    "22003",
    "WITHIN <bound> is NULL, negative or no number at all. Write 0 or more.")

  val OrderOfRowtime: ErrorCondition = ErrorCondition(
    "ROWTIME_WITHOUT_ORDER",
    "42601",
    "MATCH_ROWTIME() is the first key of ORDER BY on the last row of the match, and the clause has " +
      "no ORDER BY. Write ORDER BY."
  )

  val MatchFunctionInAggregate: ErrorCondition = ErrorCondition(
    "MATCH_FUNCTION_IN_AGGREGATE",
    "42601",
    "<function> says something of the whole match and cannot stand inside the aggregate <outer>. " +
      "Write it beside the aggregate."
  )

  val KeyNotOrderable: ErrorCondition = ErrorCondition(
    "KEY_NOT_ORDERABLE",
    "42804",
    "<key> is <type>, which has no order: it cannot stand in <place>. Use a part of it that has, " +
      "or a cast."
  )

  val SinglePassAnalyzer: ErrorCondition = ErrorCondition(
    "SINGLE_PASS_ANALYZER",
    "0A000",
    "Spark's single-pass analyzer takes no extension, and so no MATCH_RECOGNIZE. Set " +
      "spark.sql.analyzer.singlePassResolver.enabled to false."
  )

  val all: Seq[ErrorCondition] = Seq(
    NotYetSupported,
    MatcherNotApplicable,
    UnknownVariable,
    VariableAlone,
    InputAlias,
    MixedVariables,
    WrongNesting,
    NavigationInAggregate,
    AggregateInNavigation,
    NestedAggregate,
    FinalInDefine,
    OffsetNotConstant,
    OffsetOutOfRange,
    NotOfOneRow,
    PythonAggregate,
    ConditionNotBoolean,
    DuplicateOutputColumn,
    NoOutputColumn,
    WindowFunction,
    Generator,
    Nondeterministic,
    OuterReference,
    CorrelatedSubquery,
    InvalidBound,
    PermuteTooLarge,
    LoopBeforeAbsence,
    NoGapBehindAbsence,
    GapVariableUsed,
    WithinKey,
    WithinNotConstant,
    WithinType,
    WithinOutOfRange,
    OrderOfRowtime,
    MatchFunctionInAggregate,
    KeyNotOrderable,
    SinglePassAnalyzer
  )
}
