package org.matchrecognize.spark.parser.hiding

import org.antlr.v4.runtime.ParserRuleContext

import org.apache.spark.sql.catalyst.parser.SqlBaseParser.OperatorPipeStatementContext
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkSqlAstBuilder

import org.matchrecognize.spark.parser.clause.ClauseToken

/** `table |> MATCH_RECOGNIZE (...)`: Spark has pipes from 4.0 on. */
abstract private[parser] class PipeSyntax extends SparkSqlAstBuilder {

  /** Puts the clause that `token` carries on top of its input. */
  protected def withClause(token: ClauseToken, input: LogicalPlan): LogicalPlan

  /** `query |> operator`; with a clause, the operator that Spark reads is nothing. */
  override def visitOperatorPipeStatement(ctx: OperatorPipeStatementContext): LogicalPlan =
    ctx.getStop match {
      case token: ClauseToken if token.afterPipe => withClause(token, plan(ctx.left))
      case _                                     => super.visitOperatorPipeStatement(ctx)
    }
}

private[parser] object PipeSyntax {

  /** True for `query |> operator`. */
  def isPipe(context: ParserRuleContext): Boolean =
    context.isInstanceOf[OperatorPipeStatementContext]
}
