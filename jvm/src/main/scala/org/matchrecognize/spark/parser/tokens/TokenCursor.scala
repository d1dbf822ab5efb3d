package org.matchrecognize.spark.parser.tokens

import java.util.Locale

import scala.collection.JavaConverters._

import org.antlr.v4.runtime.{
  CommonToken,
  CommonTokenStream,
  ListTokenSource,
  ParserRuleContext,
  Token,
  TokenSource
}
import org.antlr.v4.runtime.misc.Interval

import org.apache.spark.sql.catalyst.parser.SqlBaseParser

import org.matchrecognize.spark.errors.{ClauseErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.text.Span

/** A name as written, and what it means. */
final private[parser] case class Name(value: String, quoted: Boolean, span: Span)

/**
 * Reads the tokens of one clause by hand, and lets Spark's parser read expressions at the same
 * place.
 *
 * @param parser
 *   Spark's parser of the whole statement, as Spark set it up
 * @param tokens
 *   from after `MATCH_RECOGNIZE (` to the parenthesis that closes it
 */
final private[parser] class TokenCursor(
    parser: SqlBaseParser,
    tokens: Seq[Token],
    val text: String) {

  private val stream = TokenCursor.stream(tokens)
  parser.setTokenStream(stream)

  /** The tokens ahead and before, those that Spark does not see included. */
  val all: java.util.List[Token] = stream.getTokens

  /** True after PATTERN: from there on a word is no alias. */
  var patternRead: Boolean = false

  def index: Int = stream.index

  def token(k: Int): Token = stream.LT(k)

  /** The last token that was taken. */
  def previous: Token = stream.LT(-1)

  /** The k-th word or symbol ahead, in upper case. A quoted name keeps its quotes. */
  def word(k: Int): String = TokenCursor.word(token(k))

  /** True if these words are ahead. */
  def ahead(words: String*): Boolean = aheadAt(1, words: _*)

  def aheadAt(k: Int, words: String*): Boolean =
    words.indices.forall(i => word(k + i) == words(i))

  /** Moves to the next token, and returns the current one. */
  def next(): Token = {
    val current = token(1)
    stream.consume()
    current
  }

  /** Moves past these words if they are ahead. */
  def accept(words: String*): Boolean = {
    val found = ahead(words: _*)
    if (found) words.foreach(_ => next())
    found
  }

  /** At the parenthesis that closes the clause, or beyond all tokens. */
  def atEnd: Boolean = atEnd(1)

  def atEnd(k: Int): Boolean = {
    val ahead = token(k)
    ahead.getType == Token.EOF || ahead.getTokenIndex >= lastIndex
  }

  private lazy val lastIndex = {
    // The stream's last token is EOF.
    val last = all.size - 2
    if (last >= 0 && all.get(last).getText == ")") last else all.size - 1
  }

  /** True if a name is ahead: quoted, or any word, whatever Spark reserves. */
  def isName(k: Int): Boolean =
    TokenCursor.isName(token(k)) || isDoubleQuotedName(token(k))

  private def isDoubleQuotedName(token: Token): Boolean =
    parser.double_quoted_identifiers && token.getType == SqlBaseParser.DOUBLEQUOTED_STRING

  /** True if a string is ahead: no name, whatever it looks like. */
  def isString(k: Int): Boolean = token(k).getType match {
    case SqlBaseParser.STRING_LITERAL | SqlBaseParser.DOUBLEQUOTED_STRING => !isName(k)
    case _                                                                => false
  }

  /** Refuses a string where a name must be. */
  def refuseString(k: Int): Unit = if (isString(k)) {
    val spelt = token(k).getText
    fail(
      ClauseErrors.NameInQuotes,
      span(token(k)),
      "found" -> spelt,
      "name"  -> spelt.substring(
        spelt.indexWhere(c => c == '\'' || c == '"') + 1,
        spelt.length - 1)
    )
  }

  def takeName(): Name = {
    val taken  = next()
    val spelt  = taken.getText
    val quote  = spelt.charAt(0)
    val quoted = quote == '`' || quote == '"'
    val value  =
      if (quoted) spelt.substring(1, spelt.length - 1).replace(s"$quote$quote", s"$quote")
      else spelt
    Name(value, quoted, span(taken))
  }

  /** Lets Spark's parser read at this place. */
  def parse[T <: ParserRuleContext](rule: SqlBaseParser => T): T = {
    // The token here may have been hidden since the stream came to it.
    stream.seek(stream.index)
    rule(parser)
  }

  /** Lets Spark's parser read a few tokens alone, those from here on up to `count`. */
  def parseAlone[T <: ParserRuleContext](count: Int)(rule: SqlBaseParser => T): T = {
    val own = (1 to count).map(_ => next())
    try {
      parser.setTokenStream(TokenCursor.stream(own.map(TokenCursor.copy)))
      rule(parser)
    } finally {
      val here = stream.index
      parser.setTokenStream(stream)
      stream.seek(here)
    }
  }

  def span(token: Token): Span = TokenCursor.span(token)

  /**
   * Refuses the parenthesis at `open` if a part begins before it is closed: what the parts after it
   * say would be taken for what it holds, and the error would be at their first sign.
   *
   * @param open
   *   its index among all tokens
   * @param name
   *   how the error calls it
   */
  def refuseUnclosed(open: Int, name: String): Unit = {
    var levels = List(open)
    var i      = open + 1
    while (i < all.size - 1 && levels.nonEmpty) {
      textAt(i) match {
        case "("                  => levels = i :: levels
        case ")"                  => levels = levels.tail
        case _ if partBeginsAt(i) =>
          val innermost = levels.head
          fail(
            ClauseErrors.MissingParenthesis,
            span(all.get(innermost)),
            "opening" -> (if (innermost == open) name else "The parenthesis"),
            "found"   -> all.get(i).getText)
        case _ =>
      }
      i += 1
    }
  }

  /** The first words of parts that come after another, as far as they are nothing else. */
  private def partBeginsAt(i: Int): Boolean = wordAt(i) match {
    case "PATTERN" => textAt(i + 1) == "("
    case "AFTER"   => wordAt(i + 1) == "MATCH" && Set("SKIP", "NO")(wordAt(i + 2))
    case "ONE"     => wordAt(i + 1) == "ROW" && wordAt(i + 2) == "PER"
    case "ALL"     => wordAt(i + 1) == "ROWS" && wordAt(i + 2) == "PER"
    case "SUBSET"  => textAt(i + 2) == "="
    case "DEFINE"  => wordAt(i + 2) == "AS"
    case "WITHIN"  => wordAt(i + 1) == "INTERVAL"
    case _         => false
  }

  private def textAt(i: Int): String = if (i < all.size) all.get(i).getText else ""
  private def wordAt(i: Int): String = textAt(i).toUpperCase(Locale.ROOT)

  /** From the first to the last of two tokens. */
  def span(first: Token, last: Token): Span = Span(first.getStartIndex, last.getStopIndex)

  /** The statement's text there. */
  def fragment(span: Span): String = {
    val start = text.offsetByCodePoints(0, span.start)
    text.substring(start, text.offsetByCodePoints(start, span.stop + 1 - span.start))
  }

  /** How an error calls a token. */
  def show(token: Token): String =
    if (token.getType == Token.EOF) "the end of the statement" else token.getText

  def fail(condition: ErrorCondition, span: Span, parameters: (String, String)*): Nothing =
    throw MatchRecognizeErrors.parse(condition, text, span, parameters: _*)

  /** The same at the next token. */
  def failHere(condition: ErrorCondition, parameters: (String, String)*): Nothing =
    fail(condition, span(token(1)), parameters: _*)
}

private[parser] object TokenCursor {

  def stream(tokens: Seq[Token]): CommonTokenStream = {
    // The source reads tokens by index, for which a Scala list would be traversed each time.
    val array  = new java.util.ArrayList[Token](tokens.asJava)
    val stream = new CommonTokenStream(new ListTokenSource(array): TokenSource)
    stream.fill()
    stream
  }

  /** A token that may be changed or numbered without harm to the statement's own. */
  def copy(token: Token): Token = token match {
    case own: OwnToken => own
    case other         => new CommonToken(other)
  }

  /** True for text that is a name, in back quotes or not. */
  def isWord(text: String): Boolean =
    text.startsWith("`") || text.nonEmpty && (text.head.isLetter || text.head == '_')

  def word(token: Token): String = token.getText.toUpperCase(Locale.ROOT)

  def span(token: Token): Span = Span(token.getStartIndex, token.getStopIndex)

  /** The text that a token was read from. */
  def statement(token: Token): String = {
    val input = token.getInputStream
    input.getText(Interval.of(0, input.size - 1))
  }

  /** A fragment of the statement that holds a token. */
  def fragment(token: Token, span: Span): String =
    token.getInputStream.getText(Interval.of(span.start, span.stop))

  /** True for a back-quoted name and for any word. */
  def isName(token: Token): Boolean = token.getType match {
    case SqlBaseParser.BACKQUOTED_IDENTIFIER | SqlBaseParser.IDENTIFIER        => true
    case SqlBaseParser.UNRECOGNIZED | SqlBaseParser.STRING_LITERAL | Token.EOF => false
    // Keywords: all are words, numbers are not.
    case _ => Character.isLetter(token.getText.charAt(0))
  }
}

/** A token that this parser puts in the place of one of Spark's, for what it carries. */
private[parser] trait OwnToken extends Token
