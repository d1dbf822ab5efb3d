package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  OuterReference,
  SubqueryExpression,
  WindowExpression
}
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}

/** What DEFINE and MEASURES do not take wherever it is in an expression. */
final private[analysis] class RefusedExpressions(place: LoweringPlace) {

  /** Refuses an expression by itself, not its children. */
  def refuse(e: Expression): Unit = e match {
    case window: WindowExpression =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.WindowFunction,
        window.origin,
        "call"  -> toPrettySQL(window.windowFunction),
        "place" -> place.toString)
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
        "place"   -> place.toString
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
        "place" -> place.toString)
    }
}
