package org.matchrecognize.spark.parser.hiding

import scala.collection.JavaConverters._
import scala.collection.mutable.ArrayBuffer

import org.antlr.v4.runtime.{CommonToken, CommonTokenStream, ParserRuleContext, Token}

import org.apache.spark.sql.catalyst.parser.{ParseException, SqlBaseParser}

import org.matchrecognize.spark.errors.{ClauseErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.parser.clause.{
  AliasSyntax,
  ClauseScope,
  ClauseToken,
  MatchRecognizeClause
}
import org.matchrecognize.spark.parser.grammar.ClauseGrammar
import org.matchrecognize.spark.parser.tokens.{StatementTokens, TokenCursor}

/**
 * Takes the clauses out of Spark's sight. Spark's grammar then reads `FROM t MATCH_RECOGNIZE (...) m`
 * as `FROM t`, whose last token carries the clause. `t |> MATCH_RECOGNIZE (...)` it reads as
 * `t |> WHERE TRUE`, of which the plan keeps nothing.
 */
final private[parser] class HiddenClauses(parser: SqlBaseParser, caseSensitive: Boolean) {

  private var statement = ""

  /**
   * Hides the clauses of the statement that `parser` is about to read, and leaves the parser as it
   * was. A second pass over the same tokens finds them hidden.
   */
  def hideIn(tokens: CommonTokenStream): Seq[ClauseToken] = {
    tokens.fill()
    val all     = tokens.getTokens
    val visible = all.asScala.filter(StatementTokens.isVisible).toIndexedSeq
    visible.headOption.foreach(first => statement = TokenCursor.statement(first))
    try {
      val hidden = hide(visible)
      hidden.changed.foreach(token => all.set(token.getTokenIndex, token))
      hidden.removed.foreach {
        case token: CommonToken => token.setChannel(Token.HIDDEN_CHANNEL)
        case other => throw new IllegalStateException(s"Token of an unknown class: $other")
      }
    } finally parser.setTokenStream(tokens)
    all.asScala.collect { case clauseToken: ClauseToken => clauseToken }.toSeq
  }

  /** Tokens without the clauses among them: what remains, what changed in it, what went. */
  final private class Hidden {
    val visible: ArrayBuffer[Token] = ArrayBuffer.empty
    val changed: ArrayBuffer[Token] = ArrayBuffer.empty
    val removed: ArrayBuffer[Token] = ArrayBuffer.empty
  }

  private def hide(tokens: IndexedSeq[Token]): Hidden = {
    val result = new Hidden
    var from   = 0
    ClauseFinder.all(tokens).foreach { clause =>
      result.visible ++= tokens.slice(from, clause.keyword)
      // Without a word before it there is no table; Spark's error says so.
      if (result.visible.isEmpty) result.visible ++= tokens.slice(clause.keyword, clause.last + 1)
      else replace(tokens, clause, result)
      from = clause.last + 1
    }
    result.visible ++= tokens.drop(from)
    result
  }

  private def replace(tokens: IndexedSeq[Token], clause: ClauseExtent, result: Hidden): Unit = {
    val before  = result.visible.last
    val keyword = tokens(clause.keyword)
    val place   = TokenCursor.span(keyword)
    val content = before match {
      case _: ClauseToken =>
        Left(MatchRecognizeErrors.parse(ClauseErrors.SecondClause, statement, place))
      case _ => read(tokens, clause)
    }
    val afterPipe = before.getText == "|>" || before.getText == "|"
    val stop      = tokens(clause.last).getStopIndex
    if (afterPipe) {
      val where = new CommonToken(keyword)
      where.setType(SqlBaseParser.WHERE)
      where.setText("WHERE")
      val truth = new CommonToken(tokens(clause.keyword + 1))
      truth.setType(SqlBaseParser.TRUE)
      truth.setText("TRUE")
      val clauseToken = new ClauseToken(truth, content, place, stop, afterPipe = true)
      result.visible += where += clauseToken
      result.changed += where += clauseToken
      result.removed ++= tokens.slice(clause.keyword + 2, clause.last + 1)
    } else {
      val clauseToken = new ClauseToken(before, content, place, stop, afterPipe = false)
      result.visible(result.visible.size - 1) = clauseToken
      result.changed += clauseToken
      result.removed ++= tokens.slice(clause.keyword, clause.last + 1)
    }
  }

  /** Reads a clause, the clauses within its subqueries first. An error is kept, not thrown. */
  private def read(
      tokens: IndexedSeq[Token],
      extent: ClauseExtent): Either[ParseException, MatchRecognizeClause] =
    try {
      val end    = extent.close.getOrElse(tokens.size - 1)
      val inside = hide(tokens.slice(extent.keyword + 2, end + 1))
      val cursor = new TokenCursor(parser, inside.visible.map(TokenCursor.copy).toSeq, statement)
      val scope  = new ClauseScope(caseSensitive)
      val clause = new ClauseGrammar(cursor, scope).clause(tokens(extent.keyword))
      val inner  = inside.visible.collect { case clauseToken: ClauseToken => clauseToken }
      ClausePositions.check(clause.expressions, inner.toSeq, statement)
      Right(clause.copy(alias = extent.alias.map(readAlias(tokens, _))))
    } catch {
      // Unterminated: nothing of the rest can be judged.
      case e: ParseException if extent.close.isDefined => Left(e)
    }

  private def readAlias(tokens: IndexedSeq[Token], extent: AliasExtent): AliasSyntax = {
    def alone[T <: ParserRuleContext](from: Int, to: Int)(rule: SqlBaseParser => T): T = {
      val cursor =
        new TokenCursor(parser, tokens.slice(from, to + 1).map(TokenCursor.copy), statement)
      if (extent.name == from) cursor.refuseString(1)
      cursor.parse(rule)
    }
    val name    = alone(extent.name, extent.nameEnd)(_.identifierSeq())
    val columns = extent.columns.map { case (open, close) =>
      alone(open, close)(_.identifierList())
    }
    AliasSyntax(name, columns)
  }
}
