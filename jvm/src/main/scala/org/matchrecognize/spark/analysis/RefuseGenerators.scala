package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, Generator}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

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

  private def check(e: Expression, place: String): Unit = e.foreach {
    case generator: Generator =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.Generator,
        generator.origin,
        "call"  -> toPrettySQL(generator),
        "place" -> place)
    case _ =>
  }
}
