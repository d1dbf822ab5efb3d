package org.matchrecognize.spark.parser.tokens

import scala.collection.JavaConverters._

import org.antlr.v4.runtime.{CharStream, CharStreams, CommonTokenStream, IntStream, Token}
import org.antlr.v4.runtime.misc.Interval

import org.apache.spark.sql.catalyst.parser.SqlBaseLexer

/** The tokens of a text by Spark's lexer, for a look at it before anybody parses it. */
private[parser] object StatementTokens {

  /** Those that Spark's grammar sees. What the lexer does not know is a token like others. */
  def of(text: String): IndexedSeq[Token] = {
    val lexer = new SqlBaseLexer(new UpperCaseInput(CharStreams.fromString(text)))
    lexer.removeErrorListeners()
    val stream = new CommonTokenStream(lexer)
    stream.fill()
    stream.getTokens.asScala.filter(isVisible).toIndexedSeq
  }

  def isVisible(token: Token): Boolean =
    token.getChannel == Token.DEFAULT_CHANNEL && token.getType != Token.EOF

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
    tokens.lift(i).fold("")(_.getText)

  def word(tokens: IndexedSeq[Token], i: Int): String =
    tokens.lift(i).fold("")(TokenCursor.word)
}

/** Spark's lexer knows keywords in upper case only; Spark's own class for this is private. */
final private class UpperCaseInput(input: CharStream) extends CharStream {
  override def LA(i: Int): Int = {
    val char = input.LA(i)
    if (char <= 0 || char == IntStream.EOF) char else Character.toUpperCase(char)
  }
  override def consume(): Unit                     = input.consume()
  override def mark(): Int                         = input.mark()
  override def release(marker: Int): Unit          = input.release(marker)
  override def index(): Int                        = input.index
  override def seek(index: Int): Unit              = input.seek(index)
  override def size(): Int                         = input.size
  override def getSourceName: String               = input.getSourceName
  override def getText(interval: Interval): String = input.getText(interval)
}
