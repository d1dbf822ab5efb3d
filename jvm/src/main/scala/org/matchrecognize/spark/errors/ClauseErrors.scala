package org.matchrecognize.spark.errors

/** The clause as a whole: its place in the statement, its parts and their order. */
object ClauseErrors {

  private def syntax(name: String, message: String) = ErrorCondition(name, "42601", message)

  val Unterminated: ErrorCondition = syntax(
    "UNTERMINATED_CLAUSE",
    "The parenthesis that MATCH_RECOGNIZE opens is never closed. Write ')' behind the clause's last part.")

  val NotAfterTable: ErrorCondition = syntax(
    "NOT_AFTER_TABLE",
    "MATCH_RECOGNIZE must follow a table: write it in FROM, directly behind a table, alias, " +
      "subquery, VALUES, table function or a join in parentheses, or after |>."
  )

  val AfterJoin: ErrorCondition = syntax(
    "AFTER_JOIN",
    "MATCH_RECOGNIZE binds to one table, not to the join before it. Put the join in parentheses: " +
      "FROM (a JOIN b ON ...) MATCH_RECOGNIZE (...)."
  )

  val SecondClause: ErrorCondition = syntax(
    "SECOND_CLAUSE",
    "A second MATCH_RECOGNIZE cannot follow the first directly. Put the first in a subquery, " +
      "FROM (SELECT * FROM t MATCH_RECOGNIZE (...)) MATCH_RECOGNIZE (...), or, from Spark 4.0 on, " +
      "write FROM t MATCH_RECOGNIZE (...) |> MATCH_RECOGNIZE (...)."
  )

  val MissingPattern: ErrorCondition = syntax(
    "MISSING_PATTERN",
    "MATCH_RECOGNIZE has no PATTERN. Write PATTERN (...) behind <position>.")

  val WrongOrder: ErrorCondition = syntax(
    "WRONG_ORDER",
    "<found> stands behind <previous>. The order is: PARTITION BY, ORDER BY, MEASURES, " +
      "ONE ROW | ALL ROWS PER MATCH, AFTER MATCH, PATTERN with WITHIN, SUBSET, DEFINE."
  )

  val RepeatedPart: ErrorCondition = syntax(
    "REPEATED_PART",
    "<part> stands twice in this MATCH_RECOGNIZE. Write it once, with all of its entries separated by commas.")

  val UnknownKeyword: ErrorCondition =
    syntax("UNKNOWN_KEYWORD", "<found> is not expected here. Expected: <expected>.")

  val MisspelledKeyword: ErrorCondition =
    syntax("MISSPELLED_KEYWORD", "<found> is not expected here. Did you mean <meant>?")

  val AliasBeforeClause: ErrorCondition = syntax(
    "ALIAS_BEFORE_PARENTHESIS",
    "<found> is between MATCH_RECOGNIZE and its parenthesis. Write the clause's alias after the " +
      "clause: MATCH_RECOGNIZE (...) <found>."
  )

  val MissingParenthesis: ErrorCondition =
    syntax("MISSING_PARENTHESIS", "<opening> is never closed. Write ')' before <found>.")

  val PatternInWindow: ErrorCondition = syntax(
    "PATTERN_IN_WINDOW",
    "<word> belongs to a pattern in a window, which is not supported. Remove <word>: in FROM, the " +
      "search starts at every row."
  )

  val UnknownSkip: ErrorCondition =
    syntax("UNKNOWN_SKIP", "AFTER MATCH SKIP <found> does not exist. Did you mean <meant>?")

  val NameInQuotes: ErrorCondition = syntax(
    "NAME_IN_QUOTES",
    "<found> is a string, and a name is expected here. Write it without quotes, or in back " +
      "quotes: `<name>`."
  )

  val MissingOperand: ErrorCondition = syntax(
    "MISSING_OPERAND",
    "<operator> needs an expression after it, before <found>. Write it, or remove <operator>.")

  val WithinWithoutInterval: ErrorCondition = syntax(
    "WITHIN_WITHOUT_INTERVAL",
    "WITHIN <found> lacks the word INTERVAL. Write WITHIN <interval>.")

  val MissingComma: ErrorCondition = syntax(
    "MISSING_COMMA",
    "<part> has a new entry at <found> without a comma before it. Write a comma between entries.")

  val TrailingComma: ErrorCondition =
    syntax("TRAILING_COMMA", "<part> ends with a comma. Remove it, or write one more entry.")

  val EmptyPart: ErrorCondition =
    syntax("EMPTY_PART", "<part> has no entry. Write <example>, or leave <part> out.")

  val MissingMeasureName: ErrorCondition =
    syntax("MISSING_MEASURE_NAME", "A measure needs a name. Write <measure> AS name.")

  val MissingDefineAs: ErrorCondition = syntax(
    "MISSING_DEFINE_AS",
    "The condition of <variable> must follow AS. Write DEFINE <variable> AS condition.")

  val MissingExpression: ErrorCondition =
    syntax("MISSING_EXPRESSION", "<part> needs an expression before <found>.")

  val StarNotAllowed: ErrorCondition =
    syntax("STAR_NOT_ALLOWED", "<star> is not a value. <cure>")

  val UnmatchedWithExclusion: ErrorCondition = syntax(
    "UNMATCHED_ROWS_WITH_EXCLUSION",
    "WITH UNMATCHED ROWS cannot stand with an exclusion {- -} in PATTERN: a row that is excluded " +
      "is matched, yet would be missing. Use SHOW EMPTY MATCHES, or remove the exclusion."
  )

  val EmptyMatchesWithOneRow: ErrorCondition = syntax(
    "OPTION_NEEDS_ALL_ROWS",
    "<option> belongs to ALL ROWS PER MATCH. Write ALL ROWS PER MATCH <option>, or remove it.")

  val TimeoutsWithoutWithin: ErrorCondition = syntax(
    "TIMEOUT_WITHOUT_WITHIN",
    "SHOW TIMEOUT MATCHES needs a bound in time. Write PATTERN (...) WITHIN INTERVAL '...' MINUTE " +
      "or the like, or remove it."
  )

  val WithinWithoutOrder: ErrorCondition = syntax(
    "WITHIN_WITHOUT_ORDER",
    "WITHIN bounds how far the last row of a match is from its first by the first key of ORDER BY. " +
      "Write ORDER BY, a timestamp, a date or a number first."
  )

  val WithinDescending: ErrorCondition = syntax(
    "WITHIN_DESCENDING",
    "WITHIN needs the first key of ORDER BY ascending: the time of a match goes from its first row " +
      "to its last. Remove DESC."
  )

  val UnknownSkipTarget: ErrorCondition = syntax(
    "UNKNOWN_SKIP_TARGET",
    "AFTER MATCH SKIP TO <variable>: no variable of that name is in PATTERN or SUBSET. <known>")

  val UnmappedSkipTarget: ErrorCondition = syntax(
    "UNMAPPED_SKIP_TARGET",
    "AFTER MATCH SKIP TO <variable>: <variable> stands only in [^<variable>] or as the stop of a " +
      "loop, so no row is ever mapped to it. Skip to a variable that PATTERN maps rows to."
  )

  val NestedTooDeep: ErrorCondition = ErrorCondition(
    "NESTED_TOO_DEEP",
    "54001",
    "The pattern nests more than <limit> levels deep. Remove parentheses that are not needed.")

  val all: Seq[ErrorCondition] = Seq(
    Unterminated,
    NotAfterTable,
    AfterJoin,
    SecondClause,
    MissingPattern,
    WrongOrder,
    RepeatedPart,
    UnknownKeyword,
    MisspelledKeyword,
    AliasBeforeClause,
    MissingParenthesis,
    PatternInWindow,
    UnknownSkip,
    NameInQuotes,
    MissingOperand,
    WithinWithoutInterval,
    MissingComma,
    TrailingComma,
    EmptyPart,
    MissingMeasureName,
    MissingDefineAs,
    MissingExpression,
    StarNotAllowed,
    UnmatchedWithExclusion,
    EmptyMatchesWithOneRow,
    TimeoutsWithoutWithin,
    WithinWithoutOrder,
    WithinDescending,
    UnknownSkipTarget,
    UnmappedSkipTarget,
    NestedTooDeep
  )
}
