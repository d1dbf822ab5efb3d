package org.matchrecognize.spark.parser

import org.antlr.v4.runtime.{CommonTokenStream, ParserRuleContext}

import org.apache.spark.sql.catalyst.{FunctionIdentifier, TableIdentifier}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.{
  ParseException,
  ParserInterface,
  SqlBaseParser,
  SqlBaseParserBaseListener
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.execution.SparkSqlAstBuilder
import org.apache.spark.sql.internal.{SQLConf, VariableSubstitution}
import org.apache.spark.sql.types.{DataType, StructType}

import org.matchrecognize.spark.errors.MatchRecognizeErrors
import org.matchrecognize.spark.logical.ExplainClause
import org.matchrecognize.spark.parser.clause.ClauseToken
import org.matchrecognize.spark.parser.hiding.{
  ClauseFinder,
  ClausePositions,
  ClauseSlips,
  HiddenClauses
}
import org.matchrecognize.spark.parser.plan.ClauseAstBuilder
import org.matchrecognize.spark.parser.tokens.TokenCursor

/**
 * Spark's parser, and the clause
 * {{{
 *   table MATCH_RECOGNIZE ( ... ) [ [AS] alias [ ( column [, ...] ) ] ]
 * }}}
 * wherever Spark accepts a table. Statements without it go to the parser below untouched. Those
 * with it are read by Spark's own grammar, from which the clause's tokens are hidden
 * ([[HiddenClauses]]), and built by Spark's own builder, which finds the clause at the table's last
 * token ([[ClauseAstBuilder]]). The parser keeps nothing between statements, so any number of
 * threads may use it.
 *
 * It extends SparkSqlParser, not ParserInterface: that grows with each Spark version.
 */
class MatchRecognizeParser private (delegate: ParserInterface) extends VersionedParser(delegate) {

  override val astBuilder: SparkSqlAstBuilder = new ClauseAstBuilder

  override def parsePlan(sqlText: String): LogicalPlan = whole(sqlText) { statement =>
    if (hasClause(statement)) super.parsePlan(statement) else delegate.parsePlan(statement)
  }

  /** Parses a statement, or that which EXPLAIN MATCH_RECOGNIZE explains. */
  protected def whole(sqlText: String)(parse: String => LogicalPlan): LogicalPlan =
    ExplainStatement.in(sqlText) match {
      case None          => explained(sqlText)(parse(sqlText))
      case Some(explain) =>
        val plan = explained(explain.statement)(parse(explain.statement))
        CurrentOrigin.withOrigin(explain.origin)(ExplainClause.of(plan, explain.form))
    }

  override def parseQuery(sqlText: String): LogicalPlan = explained(sqlText) {
    if (hasClause(sqlText)) super.parseQuery(sqlText) else delegate.parseQuery(sqlText)
  }

  override def parseExpression(sqlText: String): Expression =
    if (hasClause(sqlText)) super.parseExpression(sqlText)
    else delegate.parseExpression(sqlText)

  // These cannot contain a clause.
  override def parseTableIdentifier(sqlText: String): TableIdentifier =
    delegate.parseTableIdentifier(sqlText)
  override def parseFunctionIdentifier(sqlText: String): FunctionIdentifier =
    delegate.parseFunctionIdentifier(sqlText)
  override def parseMultipartIdentifier(sqlText: String): Seq[String] =
    delegate.parseMultipartIdentifier(sqlText)
  override def parseTableSchema(sqlText: String): StructType = delegate.parseTableSchema(sqlText)
  override def parseDataType(sqlText: String): DataType      = delegate.parseDataType(sqlText)

  /**
   * Runs `body`. If Spark refuses the text, and it holds something that was probably meant as a
   * clause, the error is about that. Spark is tried first: no word is reserved.
   */
  protected def explained[T](sqlText: String)(body: => T): T =
    try body
    catch {
      case e: ParseException if MatchRecognizeErrors.isSyntaxError(e) =>
        throw ClauseSlips.explain(substituted(sqlText)).getOrElse(e)
    }

  /** True if the statement holds a clause, that of a variable `${x}` included. */
  protected def hasClause(sqlText: String): Boolean =
    if (sqlText.contains("${")) ClauseFinder.isIn(substituted(sqlText))
    else ClauseFinder.isIn(sqlText)

  /** The statement with its variables `${x}` replaced. */
  protected def substituted(sqlText: String): String =
    new VariableSubstitution().substitute(sqlText)

  /**
   * Hooks between Spark's set-up of its parser and its grammar. Spark calls `toResult` a second
   * time where its fast prediction fails; the clauses are then hidden already.
   */
  override def parse[T](command: String)(toResult: SqlBaseParser => T): T =
    super.parse(command) { parser =>
      val tokens  = parser.getTokenStream.asInstanceOf[CommonTokenStream]
      val clauses = new HiddenClauses(parser, SQLConf.get.caseSensitiveAnalysis).hideIn(tokens)
      if (clauses.isEmpty) toResult(parser)
      else {
        val listener = new StatementEnd(parser, clauses)
        parser.addParseListener(listener)
        try toResult(parser)
        finally parser.removeParseListener(listener)
      }
    }

  /** Checks the clauses once Spark's grammar has found nothing wrong: its errors come first. */
  final private class StatementEnd(parser: SqlBaseParser, clauses: Seq[ClauseToken])
      extends SqlBaseParserBaseListener {
    override def exitEveryRule(context: ParserRuleContext): Unit =
      if (context.getParent == null && context.exception == null &&
        parser.getNumberOfSyntaxErrors == 0) {
        ClausePositions.check(Seq(context), clauses, TokenCursor.statement(clauses.head))
      }
  }
}

object MatchRecognizeParser {

  /** Ours around another parser, once: the extension may be configured twice. */
  def apply(delegate: ParserInterface): ParserInterface = delegate match {
    case ours: MatchRecognizeParser => ours
    case other                      => new MatchRecognizeParser(other)
  }
}
