package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.{CTERelationDef, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/**
 * Replaces a clause whose expressions Spark has resolved by what it means: the node, and the
 * projection above it that names its columns. Both in one step: Spark can tell two uses of the
 * same clause apart (a self join) only if the columns that it sees first are aliases.
 */
object ResolveMatchRecognize extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    lazy val ctes = plan.collect { case cte: CTERelationDef => cte.id -> cte.child }.toMap
    plan.resolveOperatorsUp {
      case clause: UnresolvedMatchRecognize
          if clause.childrenResolved && clause.expressions.forall(isResolved) =>
        new ClauseResolver(clause, ctes).resolve()
    }
  }

  /** Spark never calls an order resolved by what has none; the resolver says so in our words. */
  private def isResolved(e: Expression): Boolean = e match {
    case order: SortOrder => order.child.resolved
    case other            => other.resolved
  }
}
