package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.plans.logical.{Command, LogicalPlan, WithCTE}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.CurrentOrigin

import org.matchrecognize.spark.causes.Variants
import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.{
  ExplainClause,
  ExplanationForm,
  MatchRecognize,
  TracedClause
}

/**
 * Takes the first clause out of a resolved statement that is to be explained. Nothing else of the
 * statement runs: it may be an INSERT.
 */
object ResolveExplain extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case explain: ExplainClause if explain.child.resolved => resolve(explain)
  }

  private def resolve(explain: ExplainClause): LogicalPlan = {
    val query   = queryOf(explain.child)
    val clauses = query.collectWithSubqueries { case m: MatchRecognize => m }
    val clause  = clauses.headOption.getOrElse(
      throw MatchRecognizeErrors.analysis(AnalysisErrors.ExplainWithoutClause, explain.origin))
    if (clause.child.isStreaming) {
      throw MatchRecognizeErrors.analysisAt(
        AnalysisErrors.ExplainOfStream,
        clause.origin,
        clause.clause.pattern.span)
    }
    val traced = CurrentOrigin.withOrigin(clause.origin) {
      TracedClause(
        clause.partition,
        clause.order,
        clause.conditions,
        clause.clause,
        if (explain.form == ExplanationForm.Threads) Nil
        else Variants.of(clause, clause.child.output.filterNot(ColumnsBelow.holds)),
        clauses.map(_.origin).distinct.size,
        explain.form,
        clause.child,
        explain.output
      )
    }
    // The input may be one of WITH's.
    val named = query.collectWithSubqueries { case w: WithCTE => w.cteDefs }.flatten
    if (named.isEmpty) traced else WithCTE(traced, named)
  }

  /** The query of a statement: some commands have it, analyzed, beside their children. */
  private def queryOf(statement: LogicalPlan): LogicalPlan = statement match {
    case command: Command if command.children.isEmpty =>
      command.innerChildren
        .collectFirst { case query: LogicalPlan if query.resolved => query }
        .getOrElse(command)
    case other => other
  }
}
