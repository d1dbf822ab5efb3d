package org.matchrecognize.spark.errors

/** Examples of what Spark's analysis, a dialect and the search refuse. */
private[errors] object AnalysisExamples extends ErrorExampleParts {
  import ErrorExamples.{pythonAggregate, stream, unmarkedStream}

  val analysis: Seq[ErrorExample] = {
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
      measure(
        SlidingWindow,
        "window(current_timestamp(), '2 hours', '1 hour').start",
        "window(current_timestamp(), '2 hours', '1 hour')"),
      clause(
        SessionWindow,
        "PARTITION BY session_window(CAST(id AS TIMESTAMP), '1 hour') MEASURES COUNT(*) AS n PATTERN (A+)",
        "session_window(CAST(id AS TIMESTAMP), '1 hour')"
      ),
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
      clause(AggregateInKey, "ORDER BY MAX(id) MEASURES id AS id PATTERN (A)", "MAX(id)"),
      clause(KeyNotOrderable, "ORDER BY MAP(id, s) MEASURES id AS id PATTERN (A)", "MAP(id, s)"),
      clause(
        ArrivalOrder,
        "ORDER BY MATCH_PROCTIME() MEASURES id AS id PATTERN (A)",
        "MATCH_PROCTIME()"),
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

  /** 120 orders of 120 orders of 6. */
  private val nestedPermute = "PERMUTE(PERMUTE(PERMUTE(A, B, C), D, E, F, G), H, I, J, K)"

  private def flink = Map("spark.sql.matchRecognize.dialect" -> "flink")

  val dialects: Seq[ErrorExample] = {
    import DialectErrors._
    def example(condition: ErrorCondition, pattern: String, underlined: String) =
      clause(condition, s"ORDER BY id MEASURES $pattern", underlined, flink)
    Seq(
      example(EmptyMatch, "id AS id PATTERN (A* B?)", "A* B?"),
      example(GreedyGroup, "id AS id PATTERN ((A B)+ C)", "(A B)+"),
      example(AdjacentGaps, "id AS id PATTERN (A {- X*? -} {- Y*? -} B)", "{- Y*? -}"),
      example(GapAtEndOfGroup, "id AS id PATTERN ((A {- X*? -})+? B)", "{- X*? -}"),
      example(PatternTooLarge, s"id AS id PATTERN ($nestedPermute)", nestedPermute),
      example(GapVariableUsed, "X.id AS id PATTERN (A {- X*? -} B)", "X.id")
    )
  }

  val runtime: Seq[ErrorExample] = {
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
        "ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) " +
          "DEFINE A AS SUM(price) > 0",
        "A+",
        Map("spark.sql.matchRecognize.maxSteps" -> "1")
      ),
      clause(
        TooManyMatches,
        "ORDER BY id MEASURES id AS id AFTER MATCH NO SKIP PATTERN (A+)",
        "A+",
        Map("spark.sql.matchRecognize.maxMatchesPerStart" -> "1"))
    )
  }
}
