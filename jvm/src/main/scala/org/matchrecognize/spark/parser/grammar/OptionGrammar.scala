package org.matchrecognize.spark.parser.grammar

import org.antlr.v4.runtime.Token

import org.matchrecognize.spark.errors.ClauseErrors
import org.matchrecognize.spark.parser.tokens.TokenCursor
import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowsPerMatch}

/** Rows per match, and where the search goes on. */
final private[parser] class OptionGrammar(cursor: TokenCursor) {

  private val entries = new EntryList(cursor)

  /** `ONE ROW PER MATCH [SHOW TIMEOUT MATCHES]` */
  def oneRow(): RowsPerMatch = {
    entries.expectKeywords("ONE", "ROW", "PER", "MATCH")
    Seq(
      Seq("SHOW", "EMPTY", "MATCHES"),
      Seq("OMIT", "EMPTY", "MATCHES"),
      Seq("WITH", "UNMATCHED", "ROWS"))
      .find(cursor.ahead(_: _*))
      .foreach { option =>
        cursor.fail(
          ClauseErrors.EmptyMatchesWithOneRow,
          cursor.span(cursor.token(1), cursor.token(option.size)),
          "option" -> option.mkString(" "))
      }
    RowsPerMatch.OneRow(showTimeouts())
  }

  /**
   * {{{
   *   ALL ROWS PER MATCH [SHOW EMPTY MATCHES | OMIT EMPTY MATCHES | WITH UNMATCHED ROWS]
   *     [SHOW TIMEOUT MATCHES]
   * }}}
   */
  def allRows(): RowsPerMatch = {
    entries.expectKeywords("ALL", "ROWS", "PER", "MATCH")
    val emptyMatches =
      if (cursor.ahead("SHOW") && !cursor.ahead("SHOW", "TIMEOUT")) {
        entries.expectKeywords("SHOW", "EMPTY", "MATCHES")
        EmptyMatches.Show
      } else if (cursor.ahead("OMIT")) {
        entries.expectKeywords("OMIT", "EMPTY", "MATCHES")
        EmptyMatches.Omit
      } else if (cursor.ahead("WITH")) {
        entries.expectKeywords("WITH", "UNMATCHED", "ROWS")
        EmptyMatches.WithUnmatchedRows
      } else EmptyMatches.Show
    RowsPerMatch.AllRows(emptyMatches, showTimeouts())
  }

  /** `[SHOW TIMEOUT MATCHES]` */
  private def showTimeouts(): Boolean = {
    val show = cursor.ahead("SHOW")
    if (show) entries.expectKeywords("SHOW", "TIMEOUT", "MATCHES")
    show
  }

  /**
   * {{{
   *   AFTER MATCH { SKIP PAST LAST ROW | SKIP TO NEXT ROW | SKIP TO [FIRST|LAST] variable | NO SKIP }
   * }}}
   * SKIP TO NEXT ROW and SKIP TO FIRST v win over variables called NEXT and FIRST.
   */
  def afterMatch(): SkipSyntax = {
    entries.expectKeywords("AFTER", "MATCH")
    if (cursor.ahead("NO")) {
      entries.expectKeywords("NO", "SKIP")
      SkipSyntax.Fixed(AfterMatch.NoSkip)
    } else {
      entries.expectKeywords("SKIP")
      val words = skipWords()
      val skip  =
        if (cursor.accept("PAST", "LAST", "ROW")) SkipSyntax.Fixed(AfterMatch.PastLastRow)
        else if (cursor.accept("TO")) skipTarget(words)
        else unknownSkip(words)
      entries.refuseWindowWord()
      if (ClausePart.endsAt(cursor, 1)) skip else unknownSkip(words)
    }
  }

  /** The words up to the next part, as far as one may look for what they were meant to be. */
  private def skipWords(): Seq[Token] =
    Iterator
      .from(1)
      .takeWhile(k => k <= 5 && !ClausePart.endsAt(cursor, k))
      .map(cursor.token)
      .toList

  private def unknownSkip(words: Seq[Token]): Nothing = {
    val said = words.map(TokenCursor.word)
    SkipWords.misspelled(said).foreach { case (i, meant) => entries.misspelling(words(i), meant) }
    SkipWords.meant(said, words.map(_.getText)) match {
      case Nil   => entries.expected(SkipWords.all)
      case meant =>
        val span = cursor.span(words.head, words.last)
        cursor.fail(
          ClauseErrors.UnknownSkip,
          span,
          "found" -> cursor.fragment(span),
          "meant" -> meant.map(form => s"SKIP $form").mkString(" or "))
    }
  }

  private def skipTarget(words: Seq[Token]): SkipSyntax =
    if (cursor.accept("NEXT", "ROW")) SkipSyntax.Fixed(AfterMatch.ToNextRow)
    else {
      val direction = Seq("FIRST", "LAST").find(cursor.ahead(_)).filter(_ => variableAt(2))
      direction.foreach(_ => cursor.next())
      if (!cursor.isName(1) && !cursor.isString(1) && words.size > 1) unknownSkip(words)
      SkipSyntax.ToVariable(
        entries.name("NEXT ROW, FIRST variable, LAST variable or a variable"),
        direction.contains("FIRST"))
    }

  /** A name that is not the next part's first word. */
  private def variableAt(k: Int): Boolean = cursor.isName(k) && ClausePart.at(cursor, k).isEmpty
}
