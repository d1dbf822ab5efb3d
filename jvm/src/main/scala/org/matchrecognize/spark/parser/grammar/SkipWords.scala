package org.matchrecognize.spark.parser.grammar

import org.matchrecognize.spark.parser.tokens.TokenCursor
import org.matchrecognize.spark.text.Spelling

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
