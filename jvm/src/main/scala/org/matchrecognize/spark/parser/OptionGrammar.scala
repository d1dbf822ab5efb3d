package org.matchrecognize.spark.parser

import org.matchrecognize.spark.errors.ClauseErrors
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
      if (cursor.ahead("PAST")) {
        entries.expectKeywords("PAST", "LAST", "ROW")
        SkipSyntax.Fixed(AfterMatch.PastLastRow)
      } else if (cursor.ahead("TO")) {
        cursor.take()
        skipTarget()
      } else entries.expected("PAST LAST ROW, TO NEXT ROW, TO FIRST variable or TO LAST variable")
    }
  }

  private def skipTarget(): SkipSyntax =
    if (cursor.accept("NEXT", "ROW")) SkipSyntax.Fixed(AfterMatch.ToNextRow)
    else {
      val direction = Seq("FIRST", "LAST").find(cursor.ahead(_)).filter(_ => variableAt(2))
      direction.foreach(_ => cursor.take())
      SkipSyntax.ToVariable(
        entries.name("NEXT ROW, FIRST variable, LAST variable or a variable"),
        direction.contains("FIRST"))
    }

  /** A name that is not the next part's first word. */
  private def variableAt(k: Int): Boolean = cursor.isName(k) && ClausePart.at(cursor, k).isEmpty
}
