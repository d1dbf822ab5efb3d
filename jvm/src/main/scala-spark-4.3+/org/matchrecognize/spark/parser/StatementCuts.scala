package org.matchrecognize.spark.parser

import scala.collection.JavaConverters._

import org.antlr.v4.runtime.{CharStream, CharStreams, CommonTokenStream, IntStream, Token}
import org.antlr.v4.runtime.misc.Interval

import org.apache.spark.sql.catalyst.parser.{SqlBaseLexer, SqlStatementSplitResult}

/**
 * Cuts a script into statements, as the spark-sql shell asks.
 *
 * Spark's splitter tries its own grammar at each semicolon and does not come by the parser, so it
 * would cut a BEGIN ... END block at its first clause. It is given the script with each clause turned
 * into a comment of the same length; its cuts then hold for the script itself.
 */
private[parser] object StatementCuts {

  def split(
      script: String,
      splitter: String => SqlStatementSplitResult): SqlStatementSplitResult = {
    val masked                              = mask(script)
    val cuts                                = splitter(masked)
    var from                                = 0
    def original(statement: String): String = {
      val start = masked.indexOf(statement, from)
      if (start < 0) statement
      else {
        from = start + statement.length
        script.substring(start, from)
      }
    }
    val complete = cuts.completeStatements.map(s => s.copy(statement = original(s.statement)))
    cuts.copy(completeStatements = complete, partialStatement = original(cuts.partialStatement))
  }

  /** The script with a comment in place of each closed clause and its alias. */
  private def mask(script: String): String = {
    val lexer = new SqlBaseLexer(new UpperCaseInput(CharStreams.fromString(script)))
    // The splitter does not complain of what it cannot read, either.
    lexer.removeErrorListeners()
    val stream = new CommonTokenStream(lexer)
    stream.fill()
    val tokens = stream.getTokens.asScala.filter { token =>
      token.getChannel == Token.DEFAULT_CHANNEL && token.getType != Token.EOF
    }.toIndexedSeq
    val text   = new StringBuilder(script)
    var extent = ClauseFinder.next(tokens, 0)
    while (extent.isDefined) {
      val clause = extent.get
      if (clause.close.isDefined)
        hide(text, script, tokens(clause.keyword), tokens(clause.last))
      extent = ClauseFinder.next(tokens, clause.last + 1)
    }
    text.toString
  }

  private def hide(text: StringBuilder, script: String, first: Token, last: Token): Unit = {
    val start = script.offsetByCodePoints(0, first.getStartIndex)
    val stop  = script.offsetByCodePoints(0, last.getStopIndex + 1) - 1
    (start to stop).foreach(i => if (script.charAt(i) != '\n') text.setCharAt(i, '.'))
    text.setCharAt(start, '/')
    text.setCharAt(start + 1, '*')
    text.setCharAt(stop - 1, '*')
    text.setCharAt(stop, '/')
  }
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
