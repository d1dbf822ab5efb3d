package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.expressions.{Ascending, Descending, NullsFirst, NullsLast}

import org.matchrecognize.spark.errors.{ClauseErrors, ErrorCondition, VariableErrors}
import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowVariable, RowsPerMatch}

/** The parts of the clause, their order, and what is said where they are not right. */
class ClauseGrammarSuite extends ParserTest {

  private def of(content: String) = one(s"SELECT * FROM t MATCH_RECOGNIZE ($content)")

  private def wrong(content: String, condition: ErrorCondition, fragment: String): Refusal =
    refused(s"SELECT * FROM t MATCH_RECOGNIZE ($content)", condition, fragment)

  test("the whole clause") {
    val m = of("""PARTITION BY a, upper(b) AS ub, c cc
                 |ORDER BY ts, d DESC, e + 1 AS e1 ASC NULLS LAST, f fx DESC NULLS FIRST
                 |MEASURES FIRST(A.v) AS x, LAST(v) y, 1 AS date
                 |ALL ROWS PER MATCH OMIT EMPTY MATCHES
                 |AFTER MATCH SKIP TO LAST U
                 |PATTERN (A B+) WITHIN INTERVAL '1' HOUR
                 |SUBSET U = (A, B), V = (B)
                 |DEFINE A AS v > 1, B AS B.v > PREV(v)""".stripMargin)
    assert(m.partition.map(_.sql) == Seq("a", "upper(b)", "c"))
    assert(m.partitionNames == Seq(None, Some("ub"), Some("cc")))
    assert(
      m.order.map(o => (o.child.sql, o.direction, o.nullOrdering)) == Seq(
        ("ts", Ascending, NullsFirst),
        ("d", Descending, NullsLast),
        ("(e + 1)", Ascending, NullsLast),
        ("f", Descending, NullsFirst)))
    assert(m.orderNames == Seq(None, None, Some("e1"), Some("fx")))
    assert(m.measureNames == Seq("x", "y", "date"))
    assert(m.rows == RowsPerMatch.AllRows(EmptyMatches.Omit))
    assert(m.afterMatch.exists {
      case AfterMatch.ToLast(RowVariable("U", Seq(0, 1)), _) => true
      case _                                                 => false
    })
    assert(m.unions.map(u => u.name -> u.members) == Seq("U" -> Seq(0, 1), "V" -> Seq(1)))
    assert(m.within.map(_.sql) == Seq("INTERVAL '01' HOUR"))
    assert(m.defined == Seq(0, 1))
    assert(m.conditions.size == 2)
    assert(
      m.spans.keySet ==
        Set(
          "PARTITION",
          "ORDER",
          "MEASURES",
          "ALL",
          "AFTER",
          "PATTERN",
          "WITHIN",
          "SUBSET",
          "DEFINE"))
  }

  test("PATTERN alone is enough") {
    val m = of("PATTERN (A)")
    assert(m.rows == RowsPerMatch.OneRow() && m.afterMatch.isEmpty && m.within.isEmpty)
  }

  test("rows per match") {
    import EmptyMatches._
    Seq(
      "ONE ROW PER MATCH"                      -> RowsPerMatch.OneRow(),
      "ALL ROWS PER MATCH"                     -> RowsPerMatch.AllRows(Show),
      "ALL ROWS PER MATCH SHOW EMPTY MATCHES"  -> RowsPerMatch.AllRows(Show),
      "ALL ROWS PER MATCH OMIT EMPTY MATCHES"  -> RowsPerMatch.AllRows(Omit),
      "ALL ROWS PER MATCH WITH UNMATCHED ROWS" -> RowsPerMatch.AllRows(WithUnmatchedRows)
    ).foreach { case (text, rows) => assert(of(s"$text PATTERN (A)").rows == rows, text) }
    val timeouts = "SHOW TIMEOUT MATCHES PATTERN (A) WITHIN 3"
    assert(
      of(s"ORDER BY x ALL ROWS PER MATCH WITH UNMATCHED ROWS $timeouts").rows ==
        RowsPerMatch.AllRows(WithUnmatchedRows, showTimeouts = true))
    assert(of(s"ORDER BY x ONE ROW PER MATCH $timeouts").rows.showTimeouts)
  }

  test("where the search goes on") {
    def after(text: String, pattern: String = "A B") =
      of(s"AFTER MATCH $text PATTERN ($pattern)").afterMatch.get
    assert(after("SKIP PAST LAST ROW") == AfterMatch.PastLastRow)
    assert(after("SKIP TO NEXT ROW") == AfterMatch.ToNextRow)
    assert(after("NO SKIP") == AfterMatch.NoSkip)
    assert(after("SKIP TO FIRST a").sql == "SKIP TO FIRST A")
    assert(after("SKIP TO B").sql == "SKIP TO LAST B")
    assert(after("SKIP TO LAST B").sql == "SKIP TO LAST B")
  }

  test("SKIP TO FIRST v and SKIP TO NEXT ROW win over variables of that name") {
    def after(text: String) =
      of(s"AFTER MATCH $text PATTERN (A FIRST NEXT LAST PATTERN)").afterMatch.get
    assert(after("SKIP TO FIRST A").sql == "SKIP TO FIRST A")
    assert(after("SKIP TO FIRST").sql == "SKIP TO LAST FIRST")
    assert(after("SKIP TO LAST FIRST").sql == "SKIP TO LAST FIRST")
    assert(after("SKIP TO NEXT").sql == "SKIP TO LAST NEXT")
    assert(after("SKIP TO NEXT ROW") == AfterMatch.ToNextRow)
    assert(after("SKIP TO FIRST PATTERN").sql == "SKIP TO FIRST PATTERN")
  }

  test("keywords are names where no part begins") {
    val m = of(
      "PARTITION BY measures, define pattern ORDER BY one, after within MEASURES v AS define, " +
        "w measures, x subset ONE ROW PER MATCH PATTERN (A) DEFINE A AS define > 1")
    assert(m.partition.map(_.sql) == Seq("measures", "define"))
    assert(m.partitionNames == Seq(None, Some("pattern")))
    assert(m.orderNames == Seq(None, Some("within")))
    assert(m.measureNames == Seq("define", "measures", "subset"))
  }

  test("another order of the parts: the right one is said") {
    val e = wrong("PATTERN (A) MEASURES v AS x", ClauseErrors.WrongOrder, "MEASURES")
    assert(e.message.contains("PARTITION BY, ORDER BY, MEASURES"))
    wrong("ORDER BY ts PARTITION BY a PATTERN (A)", ClauseErrors.WrongOrder, "PARTITION BY")
    wrong("PATTERN (A) DEFINE A AS v > 1 SUBSET U = (A)", ClauseErrors.WrongOrder, "SUBSET")
    wrong(
      "AFTER MATCH NO SKIP ONE ROW PER MATCH PATTERN (A)",
      ClauseErrors.WrongOrder,
      "ONE ROW PER MATCH")
  }

  test("a part twice") {
    wrong("MEASURES v AS x MEASURES w AS y PATTERN (A)", ClauseErrors.RepeatedPart, "MEASURES")
    wrong("PATTERN (A) PATTERN (B)", ClauseErrors.RepeatedPart, "PATTERN")
    wrong(
      "ONE ROW PER MATCH ALL ROWS PER MATCH PATTERN (A)",
      ClauseErrors.RepeatedPart,
      "ALL ROWS PER MATCH")
  }

  test("a misspelled keyword: the error says which was meant") {
    def misspelled(content: String, fragment: String, meant: String): Unit = {
      val e = wrong(content, ClauseErrors.MisspelledKeyword, fragment)
      assert(e.message.contains(s"Did you mean $meant?"), e.message)
    }
    misspelled("PARTITON BY a PATTERN (A)", "PARTITON", "PARTITION")
    misspelled("ORDER BY ts MEASURE v AS x PATTERN (A)", "MEASURE", "MEASURES")
    misspelled("ORDER BY ts MEASURES v AS x PATERN (A) DEFINE A AS v > 1", "PATERN", "PATTERN")
    misspelled("PATTERN (A) DEFIN A AS v > 1", "DEFIN", "DEFINE")
    misspelled("ONE ROWS PER MATCH PATTERN (A)", "ROWS", "ROW")
    misspelled("ALL ROW PER MATCH PATTERN (A)", "ROW", "ROWS")
    misspelled("ALL ROWS PER MTACH PATTERN (A)", "MTACH", "MATCH")
    misspelled("AFTER MATCH SKPI TO NEXT ROW PATTERN (A)", "SKPI", "SKIP")
    misspelled("AFTER MATHC SKIP TO NEXT ROW PATTERN (A)", "MATHC", "MATCH")
    misspelled("ALL ROWS PER MATCH SHOW EMTPY MATCHES PATTERN (A)", "EMTPY", "EMPTY")
    misspelled("PATTERN (A) SUBSTE U = (A)", "SUBSTE", "SUBSET")
    misspelled("PATTERN (A) WITHN INTERVAL '1' HOUR", "WITHN", "WITHIN")
  }

  test("a comma too many or too few") {
    wrong("PATTERN (A B) DEFINE A AS v > 1 B AS v > 2", ClauseErrors.MissingComma, "B")
    wrong("PATTERN (A B) DEFINE A AS v > w B AS v > 2", ClauseErrors.MissingComma, "B")
    wrong("MEASURES v AS x w AS y PATTERN (A)", ClauseErrors.MissingComma, "w")
    wrong("PARTITION BY a x b PATTERN (A)", ClauseErrors.MissingComma, "b")
    wrong("PATTERN (A) DEFINE A AS v > 1,", ClauseErrors.TrailingComma, ",")
    wrong("MEASURES v AS x, PATTERN (A)", ClauseErrors.TrailingComma, ",")
    wrong("MEASURES PATTERN (A)", ClauseErrors.EmptyPart, "MEASURES")
    wrong("PATTERN (A) DEFINE", ClauseErrors.EmptyPart, "DEFINE")
  }

  test("AS missing in DEFINE, a name missing in MEASURES, an expression missing") {
    wrong("PATTERN (A) DEFINE A v > 1", ClauseErrors.MissingDefineAs, "A")
    wrong("MEASURES LAST(v) PATTERN (A)", ClauseErrors.MissingMeasureName, "LAST(v)")
    wrong("MEASURES v, w AS x PATTERN (A)", ClauseErrors.MissingMeasureName, "v")
    wrong(
      "MEASURES LAST(v) ONE ROW PER MATCH PATTERN (A)",
      ClauseErrors.MissingMeasureName,
      "LAST(v)")
    wrong("PATTERN (A B) DEFINE A AS, B AS v > 1", ClauseErrors.MissingExpression, ",")
    wrong("MEASURES * AS x PATTERN (A)", ClauseErrors.StarNotAllowed, "*")
  }

  test("a clause without PATTERN or without end") {
    wrong("PARTITION BY a ORDER BY ts", ClauseErrors.MissingPattern, "MATCH_RECOGNIZE")
    wrong("MEASURES v AS x", ClauseErrors.MissingPattern, "MATCH_RECOGNIZE")
    wrong("MEASURES LAST(v) AS x PATERN (A+)", ClauseErrors.MisspelledKeyword, "PATERN")
    wrong("ORDER BY ts DEFINE A AS v > 1", ClauseErrors.MissingPattern, "MATCH_RECOGNIZE")
    refused(
      "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > 1",
      ClauseErrors.Unterminated,
      "MATCH_RECOGNIZE")
  }

  test("options that do not go together") {
    wrong(
      "ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (A {- B -})",
      ClauseErrors.UnmatchedWithExclusion,
      "ALL ROWS PER MATCH WITH UNMATCHED ROWS")
    wrong(
      "ONE ROW PER MATCH SHOW TIMEOUT MATCHES PATTERN (A)",
      ClauseErrors.TimeoutsWithoutWithin,
      "ONE ROW PER MATCH SHOW TIMEOUT MATCHES")
    wrong(
      "ONE ROW PER MATCH OMIT EMPTY MATCHES PATTERN (A)",
      ClauseErrors.EmptyMatchesWithOneRow,
      "OMIT EMPTY MATCHES")
  }

  test("DEFINE must agree with PATTERN") {
    wrong("PATTERN (A) DEFINE B AS v > 1", VariableErrors.DefineNotInPattern, "B")
    wrong("PATTERN (A) DEFINE A AS v > 1, a AS v > 2", VariableErrors.DefinedTwice, "a")
    wrong("PATTERN (A) SUBSET U = (A) DEFINE u AS v > 1", VariableErrors.DefineOfSubset, "u")
    assert(of("PATTERN (A [^B]) DEFINE B AS v > 1").defined == Seq(1))
    assert(of("PATTERN (A+{B}) DEFINE B AS v > 1").defined == Seq(1))
    withConf("spark.sql.caseSensitive" -> "true") {
      assert(of("PATTERN (A a) DEFINE A AS v > 1, a AS v > 2").defined == Seq(0, 1))
      wrong("PATTERN (A) DEFINE a AS v > 1", VariableErrors.DefineNotInPattern, "a")
    }
  }

  test("SUBSET must agree with PATTERN") {
    wrong("PATTERN (A) SUBSET U = (A, B)", VariableErrors.SubsetUnknownMember, "B")
    wrong("PATTERN (A B) SUBSET U = (A), W = (B, u)", VariableErrors.SubsetNested, "u")
    wrong("PATTERN (A B) SUBSET a = (A, B)", VariableErrors.SubsetNameTaken, "a")
    wrong("PATTERN (A B) SUBSET U = (A), u = (B)", VariableErrors.SubsetTwice, "u")
    wrong("PATTERN (A B) SUBSET U = (A, a)", VariableErrors.SubsetMemberTwice, "a")
    wrong("PATTERN (A) SUBSET U (A)", ClauseErrors.UnknownKeyword, "(")
  }

  test("AFTER MATCH SKIP TO must name what PATTERN maps rows to") {
    wrong("AFTER MATCH SKIP TO FIRST X PATTERN (A)", ClauseErrors.UnknownSkipTarget, "X")
    wrong(
      "AFTER MATCH SKIP TO B PATTERN (A [^B]) DEFINE B AS v > 1",
      ClauseErrors.UnmappedSkipTarget,
      "B")
    wrong(
      "AFTER MATCH SKIP TO LAST B PATTERN (A+{B}) DEFINE B AS v > 1",
      ClauseErrors.UnmappedSkipTarget,
      "B")
  }

  test("an error names line and position and underlines the user's text") {
    val sql = "SELECT *\nFROM t MATCH_RECOGNIZE (\n  PATTERN (A B)\n  DEFINE C AS v > 1\n)"
    val e   = refused(sql, VariableErrors.DefineNotInPattern, "C")
    assert(e.message.contains("[MATCH_RECOGNIZE.DEFINE_NOT_IN_PATTERN]"))
    assert(e.message.contains("SQLSTATE: 42601"))
    assert(e.message.contains("(line 4, position 10)"), e.message)
    assert(
      e.message.contains("  DEFINE C AS v > 1\n---------^") ||
        e.message.contains("  DEFINE C AS v > 1\n         ^"),
      e.message)
    assert(e.error.getSqlState == "42601")
    assert(e.error.getMessageParameters.get("variable") == "C")
    assert(e.error.line.contains(4) && e.error.startPosition.contains(9))
  }

  test("a syntax error within an expression of the clause is Spark's, at its place") {
    val e = errorOf("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A)\n DEFINE A AS v > > 3)")
    assert(e.condition == "PARSE_SYNTAX_ERROR")
    assert(e.error.line.contains(2), e.message)
  }
}
