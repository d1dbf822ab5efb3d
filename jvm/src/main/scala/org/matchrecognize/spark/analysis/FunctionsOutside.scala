package org.matchrecognize.spark.analysis

import java.util.Locale

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.analysis.{AnalysisContext, UnresolvedFunction}
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.UNRESOLVED_FUNCTION

import org.matchrecognize.spark.errors.{ErrorCondition, FunctionErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize
import org.matchrecognize.spark.text.Spelling

/**
 * Says of `CLASSIFIER()` and the like outside DEFINE and MEASURES where it belongs, where Spark could
 * only say that there is no such function. Within, the parser has given them their meaning. FIRST,
 * LAST, LAG and LEAD are Spark's outside; so is any function that somebody has registered.
 */
final class FunctionsOutside(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    check(plan)
    plan
  }

  private def check(plan: LogicalPlan): Unit =
    if (plan.containsPattern(UNRESOLVED_FUNCTION)) {
      plan.foreach { node =>
        val inClause = node.isInstanceOf[UnresolvedMatchRecognize]
        node.expressions.foreach(_.foreach {
          case function: UnresolvedFunction =>
            check(function, inClause)
          case subquery: SubqueryExpression => check(subquery.plan)
          case _                            =>
        })
      }
    }

  private def check(function: UnresolvedFunction, inClause: Boolean): Unit =
    function.nameParts match {
      case Seq(name) =>
        val upper = name.toUpperCase(Locale.ROOT)
        def error(condition: ErrorCondition, parameters: (String, String)*): Throwable =
          MatchRecognizeErrors.analysis(condition, function.origin, parameters: _*)
        // Within the clause, a function that nobody knows may be one of the clause's.
        val meant = if (inClause) FunctionsOutside.meant(upper) else None
        FunctionsOutside.suggestions
          .get(upper)
          .map(s => error(FunctionErrors.OutsideClause, "function" -> upper, "suggestion" -> s))
          .orElse(meant.map(m =>
            error(FunctionErrors.MisspelledFunction, "function" -> name, "meant" -> m)))
          .filterNot(_ => isRegistered(name))
          .foreach(error => throw error)
      case _ =>
    }

  private def isRegistered(name: String): Boolean = {
    val state = session.sessionState
    // Those of another catalog, and of the database of a view or a function, are Spark's to look up.
    AnalysisContext.get.catalogAndNamespace.nonEmpty ||
    state.catalogManager.currentCatalog.name != FunctionsOutside.sessionCatalog ||
    state.catalog.functionExists(FunctionIdentifier(name))
  }
}

private object FunctionsOutside {
  import ClauseFunctions.withoutArguments

  private val sessionCatalog = "spark_catalog"

  private val measure = "Give it a name in MEASURES, and use that name here."

  /** What other products, or other words of everyday language, call them. */
  private val others = Map(
    "CLASSIFY"         -> "CLASSIFIER()",
    "MATCH_NO"         -> "MATCH_NUMBER()",
    "MATCH_ID"         -> "MATCH_NUMBER()",
    "MATCH_ROW_NUMBER" -> "MATCH_SEQUENCE_NUMBER()",
    "MATCH_SEQ_NUMBER" -> "MATCH_SEQUENCE_NUMBER()",
    "PREVIOUS"         -> "PREV(...)",
    "PRIOR"            -> "PREV(...)",
    "FOLLOWING"        -> "NEXT(...)"
  )

  /** The call that an unknown function was probably meant to be. */
  private def meant(name: String): Option[String] = {
    def beginning =
      withoutArguments.find(f => name.length >= 7 && f.startsWith(name) && f != name)
    others
      .get(name)
      .orElse(Spelling.meant(name, withoutArguments).orElse(beginning).map(f => s"$f()"))
  }

  private def window(function: String) =
    s"In a query without the clause, write $function(...) OVER (ORDER BY ...)."

  private val suggestions: Map[String, String] =
    withoutArguments.map(_ -> measure).toMap ++
      Map("PREV" -> window("LAG"), "NEXT" -> window("LEAD"))
}

private[analysis] object ClauseFunctions {

  /** The functions of the clause that can be called without arguments. */
  val withoutArguments: Seq[String] = Seq(
    "CLASSIFIER",
    "MATCH_NUMBER",
    "MATCH_SEQUENCE_NUMBER",
    "MATCH_TIMED_OUT",
    "MATCH_ROWTIME",
    "MATCH_PROCTIME")
}
