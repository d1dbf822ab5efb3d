package org.matchrecognize.spark.parser.hiding

import java.util.Locale

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.SqlBaseParser

import org.matchrecognize.spark.parser.grammar.FunctionMarking
import org.matchrecognize.spark.parser.tokens.{StatementTokens, TokenCursor}

/**
 * Finds clauses. MATCH_RECOGNIZE is not reserved: it opens a clause only before a parenthesis with
 * what only a clause has at its first level; else it is the name of a table, column, alias or
 * function.
 */
private[parser] object ClauseFinder {

  /** True if the text holds a clause. */
  def isIn(text: String): Boolean =
    mayBeIn(text) && {
      val tokens = StatementTokens.of(text)
      !isSetting(tokens) && all(tokens).nonEmpty
    }

  /** `SET key = value`, whose value Spark does not read. */
  private def isSetting(tokens: IndexedSeq[Token]): Boolean =
    StatementTokens.word(tokens, 0) == "SET" &&
      !variables.contains(StatementTokens.word(tokens, 1))

  private val variables = Set("VAR", "VARIABLE")

  /** True if the text contains the keyword. Spark alone parses every other text. */
  def mayBeIn(text: String): Boolean =
    text.toUpperCase(Locale.ROOT).contains(ClauseExtent.Keyword)

  /** The clauses in order, without those inside of others. */
  def all(tokens: IndexedSeq[Token]): Iterator[ClauseExtent] = Iterator
    .iterate(next(tokens, 0))(_.flatMap(clause => next(tokens, clause.last + 1)))
    .takeWhile(_.isDefined)
    .flatten

  /** The first clause at or after index `from`. */
  private def next(tokens: IndexedSeq[Token], from: Int): Option[ClauseExtent] =
    (from until tokens.size)
      .find(i => isKeyword(tokens, i) && holdsParts(tokens, i + 1))
      .map(extent(tokens, _))

  /** True if the parenthesis at `open` holds what only a clause has at its first level. */
  def holdsParts(tokens: IndexedSeq[Token], open: Int): Boolean =
    StatementTokens.text(tokens, open) == "(" && {
      var depth = 1
      var k     = open + 1
      var found = startsPart(tokens, k)
      while (!found && depth > 0 && k < tokens.size) {
        StatementTokens.text(tokens, k) match {
          case "(" => depth += 1
          case ")" => depth -= 1
          case _   => found = depth == 1 && hasPartOf(tokens, k)
        }
        k += 1
      }
      found
    }

  /** True for the word MATCH_RECOGNIZE without quotes. */
  def isKeyword(tokens: IndexedSeq[Token], i: Int): Boolean =
    tokens(i).getType == SqlBaseParser.IDENTIFIER && StatementTokens.word(
      tokens,
      i) == ClauseExtent.Keyword

  /** `PATTERN (`, and `DEFINE variable AS`, which no list of arguments or names has. */
  private def hasPartOf(tokens: IndexedSeq[Token], k: Int): Boolean =
    StatementTokens.word(tokens, k) match {
      case "PATTERN" => StatementTokens.text(tokens, k + 1) == "("
      case "DEFINE"  => k + 2 < tokens.size && StatementTokens.word(tokens, k + 2) == "AS"
      case _         => false
    }

  /** First words that no list of arguments or names has. By them a missing PATTERN is reported. */
  private def startsPart(tokens: IndexedSeq[Token], k: Int): Boolean =
    partStarts(StatementTokens.word(tokens, k) -> StatementTokens.word(tokens, k + 1)) ||
      (StatementTokens.word(tokens, k) == "MEASURES" && k + 1 < tokens.size && TokenCursor.isName(
        tokens(k + 1)) &&
        !FunctionMarking.isOperator(StatementTokens.word(tokens, k + 1)))

  /** The pairs of words with which parts begin that no list of names or arguments holds. */
  val partStarts: Set[(String, String)] =
    Set("PARTITION" -> "BY", "ORDER" -> "BY", "ONE" -> "ROW", "ALL" -> "ROWS", "AFTER" -> "MATCH")

  private def extent(tokens: IndexedSeq[Token], keyword: Int): ClauseExtent =
    StatementTokens.closing(tokens, keyword + 1) match {
      case None        => ClauseExtent(keyword, None, None, tokens.size - 1)
      case Some(close) =>
        val alias = OutputAlias.after(tokens, close)
        ClauseExtent(keyword, Some(close), alias, alias.fold(close)(_.last))
    }
}
