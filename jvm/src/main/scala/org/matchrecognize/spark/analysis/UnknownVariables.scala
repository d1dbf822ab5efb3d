package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/**
 * Says of `X.price` that X is no variable, where Spark could only say that there is no such
 * column. After resolution, so that whatever else the name can mean comes first.
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
    (clause.conditions ++ clause.measures)
      .flatMap(_.collect { case a: UnresolvedAttribute =>
        a
      })
      .foreach { attribute =>
        if (attribute.nameParts.size > 1 && !isKnown(attribute.nameParts.head)) {
          throw MatchRecognizeErrors.analysis(
            AnalysisErrors.UnknownVariable,
            attribute.origin,
            "variable"  -> attribute.nameParts.head,
            "variables" -> (clause.variables.map(_.name) ++ clause.unions.map(_.name))
              .mkString(", ")
          )
        }
      }
  }
}
