package org.matchrecognize.spark.errors

/** Examples of what is wrong with the parts of a clause. */
private[errors] object ClauseExamples extends ErrorExampleParts {
  val clauses: Seq[ErrorExample] = {
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
        TablePartAfterClause,
        "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id PATTERN (A)) " +
          "TABLESAMPLE (10 PERCENT)",
        "TABLESAMPLE"
      ),
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
}
