package org.matchrecognize.spark.parser.hiding

import org.antlr.v4.runtime.ParserRuleContext

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkSqlAstBuilder

import org.matchrecognize.spark.parser.clause.ClauseToken

/** `table |> MATCH_RECOGNIZE (...)`: Spark has no pipes before 4.0. */
private[parser] abstract class PipeSyntax extends SparkSqlAstBuilder {

  /** Puts the clause that `token` carries on top of its input. */
  protected def withClause(token: ClauseToken, input: LogicalPlan): LogicalPlan
}

private[parser] object PipeSyntax {

  /** True for `query |> operator`. */
  def isPipe(context: ParserRuleContext): Boolean = false
}
