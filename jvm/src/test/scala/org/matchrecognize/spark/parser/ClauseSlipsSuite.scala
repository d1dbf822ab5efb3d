package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.ParseException

import org.matchrecognize.spark.errors.ClauseErrors

/** What is said where a clause was meant and is written so that Spark refuses it as something else. */
class ClauseSlipsSuite extends ParserTest {

  private val parts = "(ORDER BY ts MEASURES LAST(A.v) AS x PATTERN (A+) DEFINE A AS v > 1)"

  test("the word is misspelled, or is two") {
    Seq(
      "MATCH_RECOGNISE",
      "match_recognice",
      "MATCHRECOGNIZE",
      "MATCH RECOGNIZE",
      "match recognise",
      "MATCH-RECOGNIZE").foreach { word =>
      Seq(
        s"SELECT * FROM t $word $parts",
        s"SELECT * FROM t AS u $word $parts AS m WHERE x > 1",
        s"CREATE VIEW w AS SELECT * FROM (SELECT * FROM t $word $parts)",
        s"SELECT * FROM t $clause AS a JOIN t $word $parts AS b ON a.x = b.x"
      ).foreach { sql =>
        val refusal = refused(sql, ClauseErrors.MisspelledKeyword, word)
        assert(refusal.message.contains("Did you mean MATCH_RECOGNIZE?"))
      }
    }
  }

  test("the alias is before the parenthesis, or there is none") {
    Seq("m", "AS m", "`my m`", "AS pattern").foreach { alias =>
      refused(
        s"SELECT * FROM t MATCH_RECOGNIZE $alias $parts",
        ClauseErrors.AliasBeforeClause,
        alias)
    }
    refused(
      "SELECT * FROM t MATCH_RECOGNIZE PARTITION BY a PATTERN (A B))",
      ClauseErrors.UnknownKeyword,
      "PARTITION")
  }

  test("the first words of the parts are misspelled, so that no clause is found") {
    Seq("PATERN (A B)" -> "PATERN", "PATTRN (A B) DEFIN A AS v > 1" -> "PATTRN").foreach {
      case (content, fragment) =>
        refused(
          s"SELECT * FROM t MATCH_RECOGNIZE ($content)",
          ClauseErrors.MisspelledKeyword,
          fragment)
    }
  }

  test("Spark's errors stay Spark's where no clause was meant") {
    Seq(
      "SELECT * FROM t match_recognise (a, b) WHERE >",
      "SELECT match_recognize(x) FROM t WHERE x >",
      "SELECT match_recognize(order + 1) FROM t GROUP BY",
      "SELECT * FROM t match_recognize ORDER BY x LIMIT 1 1",
      "SELECT * FROM match recognize (a) JOIN",
      s"SELECT * FROM t $clause m WHERE x >",
      "SELECT pattern (a FROM t"
    ).foreach { sql =>
      val ours  = intercept[ParseException](parser.parsePlan(sql))
      val apart = intercept[ParseException](spark.parsePlan(sql.replace(clause, "")))
      assert(ParserTest.condition(ours) == "PARSE_SYNTAX_ERROR", sql)
      assert(ParserTest.condition(apart) == "PARSE_SYNTAX_ERROR", sql)
    }
  }

  test("the words are names wherever Spark takes them so") {
    Seq(
      "SELECT * FROM t match_recognise (a, b)",
      "SELECT match_recognise(pattern(a)) FROM t",
      "SELECT match, recognize FROM match recognize (pattern, define)",
      "SELECT * FROM match_recognize match_recognise JOIN pattern match ON true",
      "SELECT initial, seek FROM initial seek"
    ).foreach(sql => assert(parser.parsePlan(sql) == spark.parsePlan(sql), sql))
  }
}
