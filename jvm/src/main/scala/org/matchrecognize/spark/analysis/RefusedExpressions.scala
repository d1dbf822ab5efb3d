package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  Generator,
  OuterReference,
  SubqueryExpression,
  WindowExpression
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/** What DEFINE and MEASURES do not take wherever it is in an expression. */
final private[analysis] class RefusedExpressions(scope: LoweringScope) {

  /** Refuses an expression by itself, not its children. */
  def refuse(e: Expression): Unit = e match {
    case window: WindowExpression =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.WindowFunction,
        window.origin,
        "call"  -> toPrettySQL(window.windowFunction),
        "place" -> scope.toString)
    case outer: OuterReference =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.OuterReference,
        outer.origin,
        "column" -> outer.name)
    // What it refers to outside are its children.
    case subquery: SubqueryExpression if subquery.children.nonEmpty =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.CorrelatedSubquery,
        subquery.origin,
        "columns" -> subquery.children.flatMap(_.references.map(_.name)).distinct.mkString(", "),
        "place"   -> scope.toString
      )
    case _ => checkDeterministic(e)
  }

  /** Refuses an expression that by itself is not deterministic. */
  def checkDeterministic(e: Expression): Unit =
    if (!e.deterministic && e.children.forall(_.deterministic)) {
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.Nondeterministic,
        e.origin,
        "call"  -> toPrettySQL(e),
        "place" -> scope.toString)
    }
}

/**
 * Refuses generators in a clause as soon as Spark has looked the functions up: where the table takes
 * Spark longer, it would refuse them itself.
 */
object RefuseGenerators extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case clause: UnresolvedMatchRecognize =>
      clause.partition.foreach(check(_, "PARTITION BY"))
      clause.order.foreach(check(_, "ORDER BY"))
      clause.measures.foreach(check(_, "MEASURES"))
      clause.conditions.foreach(check(_, "DEFINE"))
      clause
  }

  private def check(e: Expression, part: String): Unit = e.foreach {
    case generator: Generator =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.Generator,
        generator.origin,
        "call"  -> toPrettySQL(generator),
        "place" -> part)
    case _ =>
  }
}
