package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedStar}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.errors.{AnalysisErrors, ClauseErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/**
 * Says of `X.price` and of `COUNT(X.*)` that X is no variable, where Spark could only say that there
 * is no such column, or that a star has no place. After resolution, so that whatever else the name
 * can mean comes first.
 */
object UnknownVariables extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case clause: UnresolvedMatchRecognize if clause.childrenResolved => check(clause)
      case _                                                           =>
    }
    plan
  }

  private def check(clause: UnresolvedMatchRecognize): Unit = {
    val columns                        = clause.child.output
    val resolver                       = SQLConf.get.resolver
    def isKnown(name: String): Boolean =
      columns.exists(c => resolver(c.name, name) || c.qualifier.exists(resolver(_, name)))
    def unknown(name: String, origin: Origin): Nothing =
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.UnknownVariable,
        origin,
        "variable"  -> name,
        "variables" -> (clause.variables.map(_.name) ++ clause.unions.map(_.name)).mkString(", ")
      )
    (clause.conditions ++ clause.measures).foreach(_.foreach {
      case a: UnresolvedAttribute if a.nameParts.size > 1 && !isKnown(a.nameParts.head) =>
        unknown(a.nameParts.head, a.origin)
      case star: UnresolvedStar =>
        star.target match {
          case Some(Seq(name)) if !isKnown(name) => unknown(name, star.origin)
          case target                            =>
            throw MatchRecognizeErrors.analysis(
              ClauseErrors.StarMeasure,
              star.origin,
              "star" -> (target.getOrElse(Nil) :+ "*").mkString("."))
        }
      case _ =>
    })
  }
}
