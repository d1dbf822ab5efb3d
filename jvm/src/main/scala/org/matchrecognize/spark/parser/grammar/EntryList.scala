package org.matchrecognize.spark.parser.grammar

import scala.collection.mutable.ArrayBuffer

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.SqlBaseParser.IdentifierSeqContext

import org.matchrecognize.spark.errors.ClauseErrors
import org.matchrecognize.spark.parser.tokens.{Name, TokenCursor}
import org.matchrecognize.spark.text.Spelling

/**
 * Entries separated by commas, and their names. Where neither a comma nor the next part follows, it
 * names the mistake: a missing comma, a misspelled keyword, or something else.
 */
final private[parser] class EntryList(cursor: TokenCursor) {

  /** A name taken without AS: perhaps the next keyword, misspelled. */
  private var impliedName: Option[Token] = None

  /** `entry [, entry ...]` of a part. */
  def of[T](part: ClausePart)(entry: => T): Seq[T] = {
    val entries = ArrayBuffer(entry)
    while (cursor.ahead(",")) {
      val comma = cursor.next()
      if (cursor.atEnd || ClausePart.at(cursor, 1).isDefined)
        cursor.fail(ClauseErrors.TrailingComma, cursor.span(comma), "part" -> part.name)
      entries += entry
    }
    if (!cursor.atEnd && ClausePart.at(cursor, 1).isEmpty) unexpected(Some(part))
    entries.toVector
  }

  /** `[[AS] name]`: any word that does not begin the next part or an ordering. */
  def optionalName(): Option[IdentifierSeqContext] = {
    impliedName = None
    refuseWindowWord()
    if (cursor.accept("AS")) Some(identifier())
    else if (cursor.isName(1) && !EntryList.notAName(cursor.word(1)) &&
      ClausePart.at(cursor, 1).isEmpty && !cursor.atEnd) {
      impliedName = Some(cursor.token(1))
      Some(identifier())
    } else None
  }

  private def identifier(): IdentifierSeqContext = {
    if (!cursor.isName(1)) expectedName("a name")
    if (cursor.ahead("IDENTIFIER", "(")) {
      // From Spark 4.1 on a name may be computed: IDENTIFIER('a').
      var length = 2
      while (!cursor.atEnd(length) && cursor.word(length) != ")") length += 1
      cursor.parseAlone(length)(_.identifierSeq())
    } else cursor.parseAlone(1)(_.identifierSeq())
  }

  /** A variable's name. */
  def name(what: String): Name =
    if (cursor.isName(1)) cursor.takeName() else expectedName(what)

  private def expectedName(what: String): Nothing = {
    cursor.refuseString(1)
    expected(what)
  }

  /** `INITIAL PATTERN (...)`, `SEEK PATTERN (...)`: no alias, though no word is reserved. */
  def refuseWindowWord(): Unit =
    if (EntryList.windowWords(cursor.word(1)) && cursor.aheadAt(2, "PATTERN", "("))
      cursor.failHere(ClauseErrors.PatternInWindow, "word" -> cursor.token(1).getText)

  /** Takes a symbol or word that must be here. */
  def expect(word: String): Unit = if (!cursor.accept(word)) expected(word)

  /** Takes keywords that must be here, and reports misspelled ones. */
  def expectKeywords(words: String*): Unit = words.foreach { word =>
    if (!cursor.accept(word)) misspelled(word).getOrElse(expected(words.mkString(" ")))
  }

  private def misspelled(word: String): Option[Nothing] =
    Spelling.meant(cursor.word(1), Seq(word)).map(meant => misspelling(cursor.token(1), meant))

  def misspelling(token: Token, meant: String): Nothing =
    cursor.fail(
      ClauseErrors.MisspelledKeyword,
      cursor.span(token),
      "found" -> token.getText,
      "meant" -> meant)

  def expected(what: String): Nothing = cursor.failHere(
    ClauseErrors.UnknownKeyword,
    "found"    -> cursor.show(cursor.token(1)),
    "expected" -> what)

  /** What to say of a token at which no part can begin, after part `last`. */
  def unexpected(last: Option[ClausePart]): Nothing = {
    val ahead = cursor.word(1)
    refuseWindowWord()
    // A name without AS may be a keyword misspelled, as in: PARTITION BY symbol ORDR BY time, or one
    // whose other words are: ORDER BY time ALL ROW PER MATCH.
    impliedName.foreach { name =>
      Spelling
        .meant(TokenCursor.word(name), EntryList.firstWords)
        .foreach(meant => misspelling(name, meant))
      if (name.getTokenIndex == cursor.previous.getTokenIndex)
        ClausePart.all
          .filter(part => part.words.head == TokenCursor.word(name) && part.words.size > 1)
          .foreach(incomplete(_, 0))
    }
    // The first words of a part, and not its others: ONE ROWS PER MATCH.
    ClausePart.all.filter(_.words.head == ahead).foreach { part =>
      incomplete(part, 1)
      if (part == ClausePart.Subset || part == ClausePart.Define) cursor.refuseString(2)
      cursor.failHere(
        ClauseErrors.EmptyPart,
        "part"    -> part.name,
        "example" -> EntryList.example(part))
    }
    Spelling.meant(ahead, EntryList.firstWords).foreach(misspelling(cursor.token(1), _))
    // Spark's grammar ends an expression before an operator that it cannot go on with.
    if (FunctionMarking.isBinary(ahead) && last.exists(EntryList.takesExpressions) &&
      (ClausePart.endsAt(cursor, 2) || Set(",", ")", "AS")(cursor.word(2))))
      missingOperand(cursor.token(1), cursor.token(2))
    if (ahead == "(") cursor.refuseUnclosed(cursor.index, "The parenthesis")
    if (last.exists(EntryList.takesNames)) cursor.refuseString(1)
    last match {
      case Some(part) if EntryList.isList(part) && startsEntry(part) =>
        cursor.fail(
          ClauseErrors.MissingComma,
          cursor.span(entryStart),
          "part"  -> part.name,
          "found" -> entryStart.getText)
      case _ =>
        val next = ClausePart.all.filter(p => last.forall(_.order < p.order)).map(_.name)
        expected(if (next.isEmpty) ")" else s"${next.mkString(", ")} or )")
    }
  }

  /** Reports the first wrong word of a part, which begins `ahead` tokens ahead. */
  private def incomplete(part: ClausePart, ahead: Int): Unit =
    part.words.indices.drop(1).find(i => cursor.word(ahead + i) != part.words(i)).foreach { i =>
      val token = cursor.token(ahead + i)
      Spelling
        .meant(TokenCursor.word(token), Seq(part.words(i)))
        .foreach(meant => misspelling(token, meant))
      cursor.fail(
        ClauseErrors.UnknownKeyword,
        cursor.span(token),
        "found"    -> cursor.show(token),
        "expected" -> part.words.mkString(" "))
    }

  /** An operator, and nothing that it could be applied to after it. */
  def missingOperand(operator: Token, next: Token): Nothing = cursor.fail(
    ClauseErrors.MissingOperand,
    cursor.span(operator),
    "operator" -> operator.getText,
    "found"    -> cursor.show(next))

  /** `x > 1 B AS ...` and, where B went into the expression before, `x > B AS ...`. */
  private def startsEntry(part: ClausePart): Boolean =
    cursor.isName(1) || cursor.ahead("AS") || part == ClausePart.Measures

  private def entryStart: Token =
    if (cursor.ahead("AS")) cursor.previous else cursor.token(1)
}

private[parser] object EntryList {

  /** Words after an expression that are not its name. */
  private val notAName = Set("ASC", "DESC", "NULLS")

  /** Words before PATTERN in a window, where they say from which rows to search. */
  private val windowWords = Set("INITIAL", "SEEK")

  private val takesNames =
    Set[ClausePart](ClausePart.PartitionBy, ClausePart.OrderBy, ClausePart.Measures)

  private val takesExpressions = takesNames + ClausePart.Within + ClausePart.Define

  private val isList = takesNames + ClausePart.Subset + ClausePart.Define

  private val firstWords: Seq[String] = ClausePart.all.map(_.words.head).distinct

  private def example(part: ClausePart): String = part match {
    case ClausePart.PartitionBy => "PARTITION BY symbol"
    case ClausePart.OrderBy     => "ORDER BY time"
    case ClausePart.Measures    => "MEASURES LAST(A.x) AS name"
    case ClausePart.Within      => "WITHIN INTERVAL '1' HOUR"
    case ClausePart.Subset      => "SUBSET U = (A, B)"
    case ClausePart.Define      => "DEFINE A AS condition"
    case other                  => other.words.mkString(" ")
  }
}
