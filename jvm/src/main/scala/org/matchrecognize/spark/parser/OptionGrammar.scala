package org.matchrecognize.spark.parser

import org.antlr.v4.runtime.Token

import org.matchrecognize.spark.errors.ClauseErrors
import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowsPerMatch}
import org.matchrecognize.spark.text.Spelling

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
      if (cursor.endsPart(1)) skip else unknownSkip(words)
    }
  }

  /** The words up to the next part, as far as one may look for what they were meant to be. */
  private def skipWords(): Seq[Token] =
    Iterator.from(1).takeWhile(k => k <= 5 && !cursor.endsPart(k)).map(cursor.token).toList

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
      direction.foreach(_ => cursor.take())
      if (!cursor.isName(1) && !cursor.isString(1) && words.size > 1) unknownSkip(words)
      SkipSyntax.ToVariable(
        entries.name("NEXT ROW, FIRST variable, LAST variable or a variable"),
        direction.contains("FIRST"))
    }

  /** A name that is not the next part's first word. */
  private def variableAt(k: Int): Boolean = cursor.isName(k) && ClausePart.at(cursor, k).isEmpty
}

/** What was probably meant by the words after AFTER MATCH SKIP, where they are wrong. */
private[parser] object SkipWords {

  val all = "PAST LAST ROW, TO NEXT ROW, TO FIRST variable or TO LAST variable"

  private val ofRows = Seq(Seq("PAST", "LAST", "ROW"), Seq("TO", "NEXT", "ROW"))

  /** The one word that is misspelled, by index, and the keyword that it was meant to be. */
  def misspelled(said: Seq[String]): Option[(Int, String)] = {
    val forms = ofRows ++
      (if (said.size == 3) Seq(Seq("TO", "FIRST", said(2)), Seq("TO", "LAST", said(2))) else Nil)
    forms
      .filter(_.size == said.size)
      .flatMap { form =>
        said.indices.filter(i => said(i) != form(i)) match {
          case Seq(i) => Spelling.meant(said(i), Seq(form(i))).map(i -> _)
          case _      => None
        }
      }
      .headOption
  }

  /**
   * The forms that have the most in common with what was said; none where nothing has.
   *
   * @param said
   *   in upper case
   * @param written
   *   the same words as written
   */
  def meant(said: Seq[String], written: Seq[String]): Seq[String] = {
    def says(keyword: String) = said.exists(is(_, keyword))
    if (said.isEmpty) Nil
    else if (is(said.last, "ROW") || said == Seq("PAST", "LAST") || said == Seq("TO", "NEXT")) {
      val common = ofRows.map(_.count(says))
      if (common.max < 2) Nil
      else ofRows.zip(common).filter(_._2 == common.max).map(_._1.mkString(" "))
    } else if (said.size < 2 || !TokenCursor.isWord(written.last)) Nil
    else {
      val variable = written.last
      if (says("FIRST")) Seq(s"TO FIRST $variable")
      else if (says("LAST")) Seq(s"TO LAST $variable")
      else if (says("TO") || says("PAST")) Seq(s"TO FIRST $variable", s"TO LAST $variable")
      else Nil
    }
  }

  /** What to say of a variable that is not there: `SKIP TO NEXT` was meant to go on. */
  def insteadOf(variable: String, first: Boolean): Option[String] = variable match {
    case "NEXT"           => Some("SKIP TO NEXT ROW")
    case "FIRST" | "LAST" => Some(s"SKIP TO $variable followed by a variable")
    case "ROW" | "ROWS"   => Some(if (first) "SKIP TO NEXT ROW" else "SKIP PAST LAST ROW")
    case _                => None
  }

  /** PAST resembles LAST, but is meant as it is. */
  private def is(word: String, keyword: String): Boolean =
    word == keyword || !keywords(word) && Spelling.meant(word, Seq(keyword)).isDefined

  private val keywords = ofRows.flatten.toSet + "FIRST"
}
