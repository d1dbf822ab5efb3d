package org.matchrecognize.spark.parser

import scala.collection.JavaConverters._
import scala.collection.mutable

import org.antlr.v4.runtime.Token
import org.antlr.v4.runtime.atn.RuleTransition

import org.apache.spark.sql.catalyst.parser.SqlBaseParser

import org.matchrecognize.spark.parser.hiding.OutputAlias

/** Which words after a clause are its alias. */
class OutputAliasSuite extends ParserTest {

  /** The words that Spark's grammar accepts after a table, according to its own automaton. */
  private lazy val wordsAfterTable: Set[String] = {
    val atn   = SqlBaseParser._ATN
    val calls = atn.states.asScala.filter(_ != null).flatMap(_.getTransitions).collect {
      case call: RuleTransition => call
    }
    val seen                    = mutable.Set.empty[Int]
    val tokens                  = mutable.Set.empty[Int]
    def follow(rule: Int): Unit = if (seen.add(rule)) {
      calls.filter(_.target.ruleIndex == rule).foreach { call =>
        val next = atn.nextTokens(call.followState)
        tokens ++= next.toSet.asScala.map(_.intValue)
        if (next.contains(Token.EPSILON)) follow(call.followState.ruleIndex)
      }
    }
    follow(SqlBaseParser.RULE_relationPrimary)
    tokens.toSet.filter(_ > 0).map(SqlBaseParser.VOCABULARY.getSymbolicName).filter(_ != null)
  }

  test("every word that Spark's grammar accepts after a table is covered") {
    val words = wordsAfterTable.filter(_.matches("[A-Z_]+")) --
      Set(
        "IDENTIFIER",
        "LEFT_PAREN",
        "RIGHT_PAREN",
        "COMMA",
        "SEMICOLON",
        "PIPE",
        "OPERATOR_PIPE")
    assert(words.filterNot(OutputAlias.decides).toSeq.sorted == Seq.empty)
    assert(words.contains("WHERE"))
  }

  private def alias(following: String): Option[String] = {
    val plan = withClue(following)(parse(s"SELECT * FROM t $clause $following"))
    aliases(plan).headOption
  }

  test("a word that may go on the query is an alias only where it does not") {
    assert(alias("limit") == Some("limit"))
    assert(alias("limit 3") == None)
    assert(alias("limit LIMIT 3") == Some("limit"))
    assert(alias("offset WHERE x > 1") == Some("offset"))
    assert(alias("pivot WHERE x > 1") == Some("pivot"))
    assert(alias("sort SORT BY x") == Some("sort"))
    assert(alias("m window w AS (ORDER BY x)") == Some("m"))
    assert(alias("WINDOW w AS (ORDER BY x)") == None)
    assert(alias("AS window") == Some("window"))
    assert(alias("CROSS JOIN u") == None)
    assert(alias("LATERAL VIEW explode(x) e AS y") == None)
    assert(alias("match_recognize") == Some("match_recognize"))
    assert(alias("select") == Some("select"))
  }
}
