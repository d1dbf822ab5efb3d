package org.matchrecognize.spark.parser.plan

import org.antlr.v4.runtime.ParserRuleContext

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.{
  Any_valueContext,
  FunctionCallContext,
  MergeIntoTableContext,
  RelationPrimaryContext
}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, MergeIntoTable}
import org.apache.spark.sql.catalyst.trees.CurrentOrigin

import org.matchrecognize.spark.parser.clause.{AggregateToken, ClauseToken, FunctionToken}
import org.matchrecognize.spark.parser.hiding.{ClausePositions, PipeSyntax}

/**
 * Spark's builder of plans, which puts a hidden clause on top of the table that it follows, and
 * gives the clause's functions their meaning.
 */
private[parser] class ClauseAstBuilder extends PipeSyntax {

  /** Every table comes by here. */
  override protected def plan(tree: ParserRuleContext): LogicalPlan = tree match {
    case table: RelationPrimaryContext =>
      table.getStop match {
        case token: ClauseToken if !endsWithin(table, token) =>
          withClause(token, token.withOwnExtent(super.plan(table)))
        case _ => super.plan(table)
      }
    case _ => super.plan(tree)
  }

  /** True if a table around this one ends with it: then the clause is that one's. */
  private def endsWithin(table: RelationPrimaryContext, token: ClauseToken): Boolean =
    Iterator
      .iterate(table.getParent: ParserRuleContext)(_.getParent)
      .takeWhile(context => context != null && (context.getStop eq token))
      .exists(_.isInstanceOf[RelationPrimaryContext])

  override protected def withClause(token: ClauseToken, input: LogicalPlan): LogicalPlan =
    token.content match {
      case Right(clause) => new ClausePlan(clause, expression, visitIdentifierSeq).on(input)
      case Left(error)   => throw error
    }

  /** `MERGE INTO table USING table MATCH_RECOGNIZE (...) ON ...` */
  override def visitMergeIntoTable(ctx: MergeIntoTableContext): LogicalPlan =
    ClausePositions.ofMergeSource(ctx).fold(super.visitMergeIntoTable(ctx)) { token =>
      token.withOwnExtent(super.visitMergeIntoTable(ctx)) match {
        case merge: MergeIntoTable =>
          CurrentOrigin.withOrigin(merge.origin) {
            merge.copy(sourceTable = withClause(token, merge.sourceTable))
          }
        case other => throw new IllegalStateException(s"Spark reads MERGE as ${other.getClass}")
      }
    }

  /**
   * {{{
   *   [RUNNING | FINAL] function ( argument [, ...] )
   * }}}
   */
  override def visitFunctionCall(ctx: FunctionCallContext): Expression = ctx.getStart match {
    case token: FunctionToken =>
      token.used = true
      MatchFunctionCall.checkPlain(ctx, token)
      MatchFunctionCall.build(super.visitFunctionCall(ctx), token, ctx)
    case token: AggregateToken =>
      token.used = true
      MatchFunctionCall.withSemantics(super.visitFunctionCall(ctx), token)
    case _ => super.visitFunctionCall(ctx)
  }

  /** ANY_VALUE has a rule of its own in Spark's grammar. */
  override def visitAny_value(ctx: Any_valueContext): Expression = ctx.getStart match {
    case token: AggregateToken =>
      token.used = true
      MatchFunctionCall.withSemantics(super.visitAny_value(ctx), token)
    case _ => super.visitAny_value(ctx)
  }
}
