package org.matchrecognize.spark.parser

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.SqlStatementSplitResult

import org.matchrecognize.spark.parser.hiding.ClauseFinder
import org.matchrecognize.spark.parser.tokens.StatementTokens

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
    val tokens = StatementTokens.of(script)
    val text   = new StringBuilder(script)
    for (clause <- ClauseFinder.all(tokens) if clause.close.isDefined)
      hide(text, script, tokens(clause.keyword), tokens(clause.last))
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
