package org.matchrecognize.spark.parser.hiding

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.{ParseErrorListener, ParseException, SqlBaseParser}

import org.matchrecognize.spark.errors.{ClauseErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.parser.clause.ClauseScope
import org.matchrecognize.spark.parser.grammar.ClauseGrammar
import org.matchrecognize.spark.parser.tokens.{StatementTokens, TokenCursor}
import org.matchrecognize.spark.text.{Span, Spelling}

/**
 * Finds in a statement that Spark has refused what was probably meant as a clause and is none:
 * {{{
 *   t MATCH_RECOGNISE (...)    t MATCH RECOGNIZE (...)    t MATCH_RECOGNIZE m (...)
 *   t MATCH_RECOGNIZE PARTITION BY ...)                   t MATCH_RECOGNIZE (PATERN (A))
 * }}}
 * All of these words are names elsewhere. What the parenthesis holds must therefore look like a
 * clause's parts.
 */
private[parser] object ClauseSlips {

  /** The error that explains the first of them. */
  def explain(statement: String): Option[ParseException] =
    new ClauseSlips(StatementTokens.of(statement), statement).first
}

final private class ClauseSlips(tokens: IndexedSeq[Token], statement: String) {

  def first: Option[ParseException] =
    tokens.indices.iterator.map(at).collectFirst { case Some(error) => error }

  private def at(i: Int): Option[ParseException] =
    if (!ClauseFinder.isKeyword(tokens, i)) misspelled(i)
    else if (text(i + 1) != "(") aliasBefore(i).orElse(withoutParenthesis(i))
    else if (ClauseFinder.holdsParts(tokens, i + 1))
      // It took a parenthesis of the statement's for its own, which Spark's grammar then misses.
      unreadable(i).filter(MatchRecognizeErrors.is(_, ClauseErrors.MissingParenthesis))
    else if (resemblesParts(i + 2)) unreadable(i)
    else None

  /** `MATCH_RECOGNISE (`, `MATCH RECOGNIZE (`, `MATCH-RECOGNIZE (` */
  private def misspelled(i: Int): Option[ParseException] = {
    val separator = if (text(i + 1) == "-") 1 else 0
    val two       = i + 1 + separator
    val last      =
      if (resembles(word(i), ClauseExtent.Keyword) && holdsParts(i + 1)) Some(i)
      else if (resembles(word(i), "MATCH") && resembles(word(two), "RECOGNIZE") &&
        holdsParts(two + 1)) Some(two)
      else None
    last.map { end =>
      val span = Span(tokens(i).getStartIndex, tokens(end).getStopIndex)
      error(
        ClauseErrors.MisspelledKeyword,
        span,
        "found" -> fragment(i, end),
        "meant" -> ClauseExtent.Keyword)
    }
  }

  /** `MATCH_RECOGNIZE [AS] m (` */
  private def aliasBefore(i: Int): Option[ParseException] = {
    val name = if (word(i + 1) == "AS") i + 2 else i + 1
    if (name < tokens.size && TokenCursor.isName(tokens(name)) && holdsParts(name + 1))
      Some(
        error(
          ClauseErrors.AliasBeforeClause,
          Span(tokens(i + 1).getStartIndex, tokens(name).getStopIndex),
          "found" -> fragment(i + 1, name)))
    else None
  }

  /** `MATCH_RECOGNIZE PARTITION BY`, with a `PATTERN (` to come. */
  private def withoutParenthesis(i: Int): Option[ParseException] = {
    val begins =
      ClauseFinder.partStarts(word(i + 1) -> word(i + 2)) ||
        word(i + 1) == "MEASURES" || isPattern(i + 1)
    if (begins && (i + 1 until tokens.size).exists(isPattern))
      Some(
        error(
          ClauseErrors.UnknownKeyword,
          TokenCursor.span(tokens(i + 1)),
          "found"    -> text(i + 1),
          "expected" -> s"( before ${text(i + 1)}"))
    else None
  }

  private def isPattern(i: Int): Boolean = word(i) == "PATTERN" && text(i + 1) == "("

  /** True if the word is the keyword, or nearly. */
  private def resembles(word: String, keyword: String): Boolean =
    word == keyword || Spelling.meant(word, Seq(keyword)).isDefined

  /** True if the words from `from` on are those of parts, but for their spelling. */
  private def resemblesParts(from: Int): Boolean = {
    val close = StatementTokens.closing(tokens, from - 1).getOrElse(tokens.size)
    (from until close).exists(k => resembles(word(k), "PATTERN") && text(k + 1) == "(") ||
    ClauseFinder.partStarts.exists { case (first, second) =>
      resembles(word(from), first) && resembles(word(from + 1), second)
    }
  }

  /** What the clause's own grammar says of the content. */
  private def unreadable(i: Int): Option[ParseException] = {
    val close  = StatementTokens.closing(tokens, i + 1).getOrElse(tokens.size - 1)
    val parser = new SqlBaseParser(TokenCursor.stream(Nil))
    parser.removeErrorListeners()
    parser.addErrorListener(ParseErrorListener)
    val content = tokens.slice(i + 2, close + 1).map(TokenCursor.copy)
    try {
      val cursor = new TokenCursor(parser, content, statement)
      new ClauseGrammar(cursor, new ClauseScope(caseSensitive = false)).clause(tokens(i))
      None
    } catch {
      case e: ParseException => if (MatchRecognizeErrors.isOfSpark(e)) None else Some(e)
    }
  }

  private def holdsParts(open: Int): Boolean = ClauseFinder.holdsParts(tokens, open)
  private def text(i: Int): String           = StatementTokens.text(tokens, i)
  private def word(i: Int): String           = StatementTokens.word(tokens, i)

  private def fragment(first: Int, last: Int): String =
    TokenCursor.fragment(
      tokens(first),
      Span(tokens(first).getStartIndex, tokens(last).getStopIndex))

  private def error(
      condition: ErrorCondition,
      span: Span,
      parameters: (String, String)*): ParseException =
    MatchRecognizeErrors.parse(condition, statement, span, parameters: _*)
}
