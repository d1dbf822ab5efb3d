package org.matchrecognize.spark.parser

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.SqlBaseParser

/**
 * Where a clause stands in a list of visible tokens, by index.
 *
 * @param keyword
 *   the word MATCH_RECOGNIZE; `keyword + 1` is its parenthesis
 * @param close
 *   the parenthesis that closes it; None where the tokens end before
 * @param last
 *   its last token, that of its alias if it has one
 */
final private[parser] case class ClauseExtent(
    keyword: Int,
    close: Option[Int],
    alias: Option[AliasExtent],
    last: Int)

/**
 * The output alias.
 *
 * @param name
 *   index of the name
 * @param nameEnd
 *   of its last token, another one for `IDENTIFIER('m')`
 * @param columns
 *   indexes of the parentheses around the column names
 */
final private[parser] case class AliasExtent(
    name: Int,
    nameEnd: Int,
    columns: Option[(Int, Int)]) {
  def last: Int = columns.fold(nameEnd)(_._2)
}

/**
 * Finds clauses. MATCH_RECOGNIZE is not reserved: it opens a clause only before a parenthesis with
 * what only a clause has at its first level; else it is the name of a table, column, alias or
 * function.
 */
private[parser] object ClauseFinder {

  val Keyword = "MATCH_RECOGNIZE"

  /** True if the text holds a clause. */
  def isIn(text: String): Boolean =
    mayBeIn(text) && next(StatementTokens.of(text), 0).isDefined

  /** True if the word stands in the text: all others are none of our business. */
  def mayBeIn(text: String): Boolean = {
    val last = text.length - Keyword.length
    var i    = 0
    while (i <= last && !text.regionMatches(true, i, Keyword, 0, Keyword.length)) i += 1
    i <= last
  }

  /** The first clause at or behind index `from`. */
  def next(tokens: IndexedSeq[Token], from: Int): Option[ClauseExtent] = {
    var i = from
    while (i < tokens.size) {
      if (opensClause(tokens, i)) return Some(extent(tokens, i))
      i += 1
    }
    None
  }

  private def opensClause(tokens: IndexedSeq[Token], i: Int): Boolean =
    isKeyword(tokens, i) && holdsParts(tokens, i + 1)

  /** True if the parenthesis at `open` holds what only a clause has at its first level. */
  def holdsParts(tokens: IndexedSeq[Token], open: Int): Boolean =
    text(tokens, open) == "(" && {
      var depth = 1
      var k     = open + 1
      var found = startsPart(tokens, k)
      while (!found && depth > 0 && k < tokens.size) {
        text(tokens, k) match {
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
    tokens(i).getType == SqlBaseParser.IDENTIFIER && word(tokens, i) == Keyword

  /** `PATTERN (`, and `DEFINE variable AS`, which no list of arguments or names has. */
  private def hasPartOf(tokens: IndexedSeq[Token], k: Int): Boolean = word(tokens, k) match {
    case "PATTERN" => text(tokens, k + 1) == "("
    case "DEFINE"  => k + 2 < tokens.size && word(tokens, k + 2) == "AS"
    case _         => false
  }

  /** First words that no list of arguments or names has, so that a missing PATTERN is told. */
  private def startsPart(tokens: IndexedSeq[Token], k: Int): Boolean =
    partStarts(word(tokens, k) -> word(tokens, k + 1)) ||
      (word(tokens, k) == "MEASURES" && k + 1 < tokens.size && TokenCursor.isName(
        tokens(k + 1)) &&
        !FunctionMarking.isOperator(word(tokens, k + 1)))

  private val partStarts =
    Set("PARTITION" -> "BY", "ORDER" -> "BY", "ONE" -> "ROW", "ALL" -> "ROWS", "AFTER" -> "MATCH")

  private def extent(tokens: IndexedSeq[Token], keyword: Int): ClauseExtent =
    closing(tokens, keyword + 1) match {
      case None        => ClauseExtent(keyword, None, None, tokens.size - 1)
      case Some(close) =>
        val alias = OutputAlias.behind(tokens, close)
        ClauseExtent(keyword, Some(close), alias, alias.fold(close)(_.last))
    }

  /** The index of the parenthesis that closes the one at `open`. */
  def closing(tokens: IndexedSeq[Token], open: Int): Option[Int] = {
    var depth = 0
    var i     = open
    while (i < tokens.size) {
      text(tokens, i) match {
        case "(" => depth += 1
        case ")" =>
          depth -= 1
          if (depth == 0) return Some(i)
        case _ =>
      }
      i += 1
    }
    None
  }

  def text(tokens: IndexedSeq[Token], i: Int): String =
    if (i >= 0 && i < tokens.size) tokens(i).getText else ""

  def word(tokens: IndexedSeq[Token], i: Int): String =
    if (i >= 0 && i < tokens.size) TokenCursor.word(tokens(i)) else ""
}
