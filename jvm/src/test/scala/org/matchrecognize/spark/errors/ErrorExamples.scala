package org.matchrecognize.spark.errors

/**
 * One statement that raises a condition, over the table `t` of [[ErrorExamples.table]].
 *
 * @param underlined
 *   the text that the error points at
 * @param settings
 *   of the session
 * @param arguments
 *   values of named parameters
 * @param since
 *   the first Spark on which it can be raised, 402 for 4.2
 * @param shown
 *   how the page shows the statement, where it is too long
 */
final case class ErrorExample(
    condition: ErrorCondition,
    sql: String,
    underlined: String,
    settings: Map[String, String] = Map.empty,
    arguments: Map[String, Any] = Map.empty,
    since: Int = 305,
    shown: Option[String] = None)

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
  val stream: String = "events"

  /** The same without a watermark. */
  val unmarkedStream: String = "raw_events"

  /** The name of a pandas UDF that aggregates. */
  val pythonAggregate: String = "pandas_mean"

  private def select(parts: String) = s"SELECT * FROM t MATCH_RECOGNIZE ($parts)"

  private def clause(
      condition: ErrorCondition,
      parts: String,
      underlined: String,
      settings: Map[String, String] = Map.empty): ErrorExample =
    ErrorExample(condition, select(parts), underlined, settings)

  private def over(
      table: String,
      condition: ErrorCondition,
      parts: String,
      underlined: String): ErrorExample =
    ErrorExample(condition, s"SELECT * FROM $table MATCH_RECOGNIZE ($parts)", underlined)

  private def pattern(
      condition: ErrorCondition,
      pattern: String,
      underlined: String,
      rest: String = ""): ErrorExample =
    clause(condition, s"ORDER BY id MEASURES id AS id PATTERN ($pattern)$rest", underlined)

  private def measure(condition: ErrorCondition, measure: String, underlined: String) =
    clause(condition, s"ORDER BY id MEASURES $measure AS m PATTERN (A B)", underlined)

  private def define(condition: ErrorCondition, definition: String, underlined: String) =
    clause(condition, s"ORDER BY id MEASURES id AS id PATTERN (A) DEFINE $definition", underlined)

  private val keyword = "MATCH_RECOGNIZE"

  private val clauses: Seq[ErrorExample] = {
    import ClauseErrors._
    Seq(
      ErrorExample(
        Unterminated,
        "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id PATTERN (A)",
        keyword),
      ErrorExample(
        NotAfterTable,
        "SELECT * FROM t WHERE id > 0 MATCH_RECOGNIZE (ORDER BY id PATTERN (A))",
        keyword),
      ErrorExample(
        AfterJoin,
        "SELECT * FROM t JOIN t AS u ON t.id = u.id MATCH_RECOGNIZE (ORDER BY id PATTERN (A))",
        keyword),
      ErrorExample(
        SecondClause,
        "SELECT * FROM t MATCH_RECOGNIZE (ALL ROWS PER MATCH PATTERN (A)) " +
          "MATCH_RECOGNIZE (ALL ROWS PER MATCH PATTERN (B))",
        keyword
      ),
      clause(MissingPattern, "ORDER BY id MEASURES id AS id DEFINE A AS price > 1", keyword),
      clause(WrongOrder, "MEASURES id AS id ORDER BY id PATTERN (A)", "ORDER BY"),
      clause(RepeatedPart, "ORDER BY id ORDER BY price PATTERN (A)", "ORDER BY"),
      clause(
        UnknownKeyword,
        "ORDER BY id MEASURES id AS id AFTER MATCH SKIP OVER ROW PATTERN (A)",
        "OVER"),
      clause(MisspelledKeyword, "ORDER BY id MEASURS id AS id PATTERN (A)", "MEASURS"),
      ErrorExample(
        AliasBeforeClause,
        "SELECT * FROM t MATCH_RECOGNIZE m (ORDER BY id MEASURES id AS id PATTERN (A))",
        "m"),
      clause(
        MissingParenthesis,
        "ORDER BY id MEASURES id AS id PATTERN (A B DEFINE B AS price < 5",
        "("),
      clause(PatternInWindow, "ORDER BY id MEASURES id AS id INITIAL PATTERN (A B)", "INITIAL"),
      clause(
        UnknownSkip,
        "ORDER BY id MEASURES id AS id AFTER MATCH SKIP PAST NEXT ROW PATTERN (A B)",
        "PAST NEXT ROW"),
      clause(NameInQuotes, "ORDER BY id MEASURES id AS id PATTERN (\"A\" B)", "\"A\""),
      clause(
        MissingOperand,
        "ORDER BY id MEASURES id AS id PATTERN (A B) DEFINE B AS price > 1 AND",
        "AND"),
      clause(
        WithinWithoutInterval,
        "ORDER BY id MEASURES id AS id PATTERN (A B) WITHIN 10 MINUTES",
        "10 MINUTES"),
      clause(
        MissingComma,
        "ORDER BY id MEASURES id AS id PATTERN (A B) DEFINE A AS price > 1 B AS price > 2",
        "B"),
      clause(TrailingComma, "ORDER BY id MEASURES id AS id, PATTERN (A)", ","),
      clause(EmptyPart, "ORDER BY id MEASURES id AS id PATTERN (A) DEFINE", "DEFINE"),
      clause(MissingMeasureName, "ORDER BY id MEASURES FIRST(price) PATTERN (A)", "FIRST(price)"),
      define(MissingDefineAs, "A price > 1", "A"),
      clause(
        MissingExpression,
        "ORDER BY id MEASURES id AS id PATTERN (A B) DEFINE A AS, B AS price > 1",
        ","),
      clause(StarNotAllowed, "ORDER BY id MEASURES A.* AS all PATTERN (A)", "A.*"),
      clause(
        UnmatchedWithExclusion,
        "ORDER BY id ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (A {- B -})",
        "ALL ROWS PER MATCH WITH UNMATCHED ROWS"),
      clause(
        EmptyMatchesWithOneRow,
        "ORDER BY id MEASURES id AS id ONE ROW PER MATCH OMIT EMPTY MATCHES PATTERN (A)",
        "OMIT EMPTY MATCHES"),
      clause(
        TimeoutsWithoutWithin,
        "ORDER BY id MEASURES id AS id ONE ROW PER MATCH SHOW TIMEOUT MATCHES PATTERN (A)",
        "ONE ROW PER MATCH SHOW TIMEOUT MATCHES"),
      clause(
        WithinWithoutOrder,
        "MEASURES id AS id PATTERN (A B) WITHIN INTERVAL '1' HOUR",
        "WITHIN INTERVAL '1' HOUR"),
      clause(
        WithinDescending,
        "ORDER BY id DESC MEASURES id AS id PATTERN (A B) WITHIN 5",
        "ORDER BY id DESC"),
      clause(
        UnknownSkipTarget,
        "ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO Z PATTERN (A)",
        "Z"),
      clause(
        UnmappedSkipTarget,
        "ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO B PATTERN (A [^B]) DEFINE B AS price > 9",
        "B"),
      pattern(NestedTooDeep, "(" * 501 + "A" + ")" * 501, "(")
        .copy(shown = Some(select("ORDER BY id MEASURES id AS id PATTERN ((((... A ...))))")))
    )
  }

  private val patterns: Seq[ErrorExample] = {
    import PatternErrors._
    Seq(
      pattern(EmptyPattern, "", "()"),
      pattern(EmptyExclusion, "A {- -}", "{- -}"),
      pattern(EmptyAlternative, "A | ", "|"),
      pattern(DoubleBar, "A || B", "||"),
      pattern(EmptyPermute, "PERMUTE()", "PERMUTE()"),
      pattern(UnexpectedInPattern, "A, B", ","),
      pattern(MissingClosing, "{- A", "{"),
      pattern(UnmatchedClosing, "A -} B", "-"),
      pattern(NothingToRepeat, "+ A", "+"),
      pattern(SecondQuantifier, "A+*", "*"),
      pattern(TooManyMarks, "A???", "???"),
      pattern(AbsenceQuantified, "A [^B]+", "+", " DEFINE B AS price > 9"),
      pattern(AbsenceNotVariable, "A [^B|C]", "[^B|C]"),
      pattern(InvalidBounds, "A{1 2}", "{1 2}"),
      pattern(BoundTooSmall, "A{0}", "{0}"),
      pattern(BoundsReversed, "A{3,2}", "{3,2}"),
      pattern(BoundTooLarge, "A{2147483648}", "2147483648"),
      pattern(StopWithoutQuantifier, "A{B}", "{B}"),
      pattern(StopOnBoundedLoop, "A{2}{B}", "{B}"),
      pattern(StopNotVariable, "A+{B C}", "{B C}"),
      pattern(LooseLoopBody, "(A | B)+??", "(A | B)+??"),
      pattern(HintInPattern, "A /*+ often */ B", "/*+"),
      pattern(DollarQuote, "A $B$ C", "$B$").copy(since = 402)
    )
  }

  private val variables: Seq[ErrorExample] = {
    import VariableErrors._
    Seq(
      define(DefineNotInPattern, "B AS price > 1", "B"),
      define(DefinedTwice, "A AS price > 1, a AS price < 9", "a"),
      pattern(DefineOfSubset, "A B", "U", " SUBSET U = (A, B) DEFINE U AS price > 1"),
      pattern(SubsetUnknownMember, "A", "B", " SUBSET U = (A, B)"),
      pattern(SubsetNested, "A B", "U", " SUBSET U = (A, B), W = (U, A)"),
      pattern(SubsetNameTaken, "A B", "A", " SUBSET A = (A, B)"),
      pattern(SubsetTwice, "A B", "U", " SUBSET U = (A), U = (B)"),
      pattern(SubsetMemberTwice, "A B", "A", " SUBSET U = (A, A)"),
      pattern(LookedAtUndefined, "A [^B]", "B"),
      clause(
        NeverMapped,
        "ORDER BY id MEASURES B.price AS p PATTERN (A [^B]) DEFINE B AS price > 9",
        "B.price")
    )
  }

  private val functions: Seq[ErrorExample] = {
    import FunctionErrors._
    Seq(
      measure(WrongArguments, "MATCH_NUMBER(1)", "MATCH_NUMBER(1)"),
      measure(NotPlainCall, "LAST(DISTINCT price)", "LAST(DISTINCT price)"),
      measure(IgnoreNulls, "LAG(price) IGNORE NULLS", "LAG(price) IGNORE NULLS"),
      measure(DefaultArgument, "LAG(price, 1, 0)", "0"),
      measure(BooleanOffset, "FIRST(price, true)", "true"),
      measure(NotAVariable, "CLASSIFIER(Z)", "Z"),
      measure(SemanticsNotAllowed, "FINAL PREV(price)", "FINAL PREV(price)"),
      define(OnlyInMeasures, "A AS price > 1 AND NOT MATCH_TIMED_OUT()", "MATCH_TIMED_OUT()"),
      ErrorExample(OutsideClause, "SELECT CLASSIFIER() FROM t", "CLASSIFIER()", since = 400),
      measure(WithoutParentheses, "MATCH_NUMBER", "MATCH_NUMBER"),
      measure(MisspelledFunction, "MATCH_NUM()", "MATCH_NUM()").copy(since = 400)
    )
  }

  private val analysis: Seq[ErrorExample] = {
    import AnalysisErrors._
    Seq(
      clause(
        MatcherNotApplicable,
        "ORDER BY id MEASURES id AS id PATTERN (A+) DEFINE A AS SUM(price) > 0",
        "A+",
        Map("spark.sql.matchRecognize.matcher" -> "automaton")
      ),
      measure(UnknownVariable, "Z.price", "Z.price"),
      measure(VariableAlone, "COUNT(A)", "A"),
      define(InputAlias, "A AS t.price > 1", "t.price"),
      measure(MixedVariables, "LAST(A.price - B.price)", "LAST(A.price - B.price)"),
      measure(WrongNesting, "PREV(PREV(price))", "PREV(price)"),
      measure(NavigationInAggregate, "SUM(price - PREV(price))", "PREV(price)"),
      measure(AggregateInNavigation, "LAST(SUM(price))", "SUM(price)"),
      measure(NestedAggregate, "SUM(COUNT(price))", "COUNT(price)"),
      define(FinalInDefine, "A AS FINAL LAST(price) > 1", "FINAL"),
      measure(OffsetNotConstant, "LAST(price, id)", "id"),
      measure(OffsetOutOfRange, "PREV(price, -1)", "-1"),
      define(NotOfOneRow, "A AS SUM(price) IN (SELECT price FROM t)", "IN (SELECT price FROM t)"),
      measure(PythonAggregate, s"$pythonAggregate(price)", s"$pythonAggregate(price)"),
      define(ConditionNotBoolean, "A AS price + 1", "price + 1"),
      clause(
        DuplicateOutputColumn,
        "ORDER BY id MEASURES FIRST(price) AS price ALL ROWS PER MATCH PATTERN (A)",
        "FIRST(price)"),
      clause(
        NoOutputColumn,
        "ORDER BY id PATTERN (A)",
        "MATCH_RECOGNIZE (ORDER BY id PATTERN (A))"),
      define(
        WindowFunction,
        "A AS RANK() OVER (ORDER BY price) = 1",
        "RANK() OVER (ORDER BY price)"),
      measure(Generator, "EXPLODE(ARRAY(1, 2))", "EXPLODE(ARRAY(1, 2))"),
      define(Nondeterministic, "A AS RAND() < 0.5", "RAND()"),
      ErrorExample(
        OuterReference,
        "SELECT * FROM t AS o, LATERAL (SELECT * FROM t " +
          "MATCH_RECOGNIZE (MEASURES id AS n PATTERN (A) DEFINE A AS price > o.price))",
        "o.price"
      ),
      ErrorExample(
        CorrelatedSubquery,
        "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id " +
          "MEASURES (SELECT MAX(u.price) FROM t AS u WHERE u.id = t.id) AS most PATTERN (A))",
        "(SELECT MAX(u.price) FROM t AS u WHERE u.id = t.id)"
      ),
      ErrorExample(
        InvalidBound,
        select("ORDER BY id MEASURES id AS id PATTERN (A{:n})"),
        "A{:n}",
        // Otherwise Spark 4.1 and later write the value into the text, and the parser refuses it.
        Map("spark.sql.legacy.parameterSubstitution.constantsOnly" -> "true"),
        Map("n"                                                    -> 0)
      ),
      pattern(
        PermuteTooLarge,
        "PERMUTE(A*, B, C, D, E, F, G, H, I)",
        "PERMUTE(A*, B, C, D, E, F, G, H, I)"),
      pattern(LoopBeforeAbsence, "A {- X+ -} [^B] C", "{- X+ -} [^B]", " DEFINE B AS price > 9"),
      pattern(
        NoGapAfterAbsence,
        "A {- X*? -} [^B] C",
        "{- X*? -} [^B]",
        " DEFINE B AS price > 9"),
      clause(
        GapVariableUsed,
        "ORDER BY id MEASURES X.price AS p PATTERN (A {- X*? -} [^B]) DEFINE B AS price > 9",
        "X.price"),
      clause(
        WithinKey,
        "ORDER BY s, id MEASURES id AS id PATTERN (A B) WITHIN 5",
        "ORDER BY s, id"),
      clause(
        WithinNotConstant,
        "ORDER BY id MEASURES id AS id PATTERN (A B) WITHIN price",
        "WITHIN price"),
      clause(
        WithinType,
        "ORDER BY DATE'2025-01-01' + id MEASURES id AS id PATTERN (A B) WITHIN INTERVAL '1' MONTH",
        "WITHIN INTERVAL '1' MONTH"),
      clause(
        WithinOutOfRange,
        "ORDER BY id MEASURES id AS id PATTERN (A B) WITHIN -1",
        "WITHIN -1"),
      ErrorExample(
        OrderOfRowtime,
        select("MEASURES MATCH_ROWTIME() AS t PATTERN (A B)"),
        "MATCH_ROWTIME()"),
      measure(MatchFunctionInAggregate, "MAX(MATCH_ROWTIME())", "MATCH_ROWTIME()"),
      clause(
        KeyNotOrderable,
        "PARTITION BY MAP(id, s) MEASURES id AS id PATTERN (A)",
        "MAP(id, s)"),
      over(stream, StreamOrder, "ORDER BY value MEASURES value AS v PATTERN (A)", "value"),
      over(
        unmarkedStream,
        StreamWithoutWatermark,
        "ORDER BY timestamp MEASURES value AS v PATTERN (A)",
        "timestamp"),
      over(stream, StreamNeverFinal, "ORDER BY timestamp MEASURES value AS v PATTERN (A+)", "A+"),
      ErrorExample(
        StreamStatefulOperator,
        s"SELECT COUNT(*) FROM $stream " +
          "MATCH_RECOGNIZE (ORDER BY timestamp MEASURES value AS v PATTERN (A))",
        "A"
      ),
      ErrorExample(
        ExplainWithoutClause,
        "EXPLAIN MATCH_RECOGNIZE SELECT * FROM t",
        "EXPLAIN MATCH_RECOGNIZE"),
      ErrorExample(
        ExplainOfStream,
        s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM $stream MATCH_RECOGNIZE " +
          "(ORDER BY timestamp MEASURES A.value AS v PATTERN (A))",
        "A"),
      clause(
        SinglePassAnalyzer,
        "ORDER BY id MEASURES id AS id PATTERN (A)",
        keyword,
        Map("spark.sql.analyzer.singlePassResolver.enabled" -> "true"))
    )
  }

  private def flink = Map("spark.sql.matchRecognize.dialect" -> "flink")

  private val dialects: Seq[ErrorExample] = {
    import DialectErrors._
    def example(condition: ErrorCondition, pattern: String, underlined: String) =
      clause(condition, s"ORDER BY id MEASURES $pattern", underlined, flink)
    Seq(
      example(EmptyMatch, "id AS id PATTERN (A* B?)", "A* B?"),
      example(GreedyGroup, "id AS id PATTERN ((A B)+ C)", "(A B)+"),
      example(AdjacentGaps, "id AS id PATTERN (A {- X*? -} {- Y*? -} B)", "{- Y*? -}"),
      example(GapVariableUsed, "X.id AS id PATTERN (A {- X*? -} B)", "X.id")
    )
  }

  private val runtime: Seq[ErrorExample] = {
    import RuntimeErrors._
    Seq(
      clause(
        SkipTargetNotInMatch,
        "ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO B PATTERN (A B?) DEFINE B AS price < 9",
        "B"),
      clause(
        SkipToFirstRow,
        "ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO A PATTERN (A B)",
        "A"),
      clause(
        TooManySteps,
        "ORDER BY id MEASURES id AS id PATTERN (A+) DEFINE A AS SUM(price) > 0",
        "A+",
        Map("spark.sql.matchRecognize.maxSteps" -> "1")),
      clause(
        TooManyMatches,
        "ORDER BY id MEASURES id AS id AFTER MATCH NO SKIP PATTERN (A+)",
        "A+",
        Map("spark.sql.matchRecognize.maxMatchesPerStart" -> "1"))
    )
  }

  /** Conditions that no statement by itself raises: they concern how a stream is run. */
  val withoutStatement: Seq[ErrorCondition] =
    Seq(
      AnalysisErrors.StreamOutputMode,
      RuntimeErrors.StateTooLarge,
      RuntimeErrors.StateUnreadable)

  val all: Seq[ErrorExample] =
    clauses ++ patterns ++ variables ++ functions ++ analysis ++ dialects ++ runtime
}
