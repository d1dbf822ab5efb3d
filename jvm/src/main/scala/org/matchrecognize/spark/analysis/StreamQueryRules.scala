package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.optimizer.InlineCTE
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.streaming.OutputMode

import org.matchrecognize.spark.errors.{AnalysisErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.{
  HandedOnWatermark,
  MatchRecognize,
  NoWatermark,
  StateOperators
}
import org.matchrecognize.spark.logical.StateOperators.keepsState

/**
 * Refuses streaming queries in which the clause would return wrong rows without an error. Spark's
 * own checks of such queries do not know the clause.
 *
 * It is a rule and no check: Spark 3.5 raises the errors of checks again, without their SQLSTATE.
 */
object StreamQueryRules extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    if (plan.resolved && plan.exists(StateOperators.isClause))
      // The clause and what follows it must be in one tree.
      check(InlineCTE(alwaysInline = true)(plan))
    plan
  }

  private def check(plan: LogicalPlan): Unit = {
    val clauses = plan.collect { case m: MatchRecognize if m.child.isStreaming => m }
    clauses.headOption.foreach { first =>
      plan match {
        case write: WriteToStream => checkMode(write, first)
        case _                    =>
      }
      if (plan.isStreaming) clauses.foreach(checkChain(plan, _))
    }
  }

  /** In update mode other operators return rows before they are final, or expect such rows. */
  private def checkMode(write: WriteToStream, m: MatchRecognize): Unit = {
    def refuseMode(reason: String) = refuse(
      m,
      AnalysisErrors.StreamOutputMode,
      "mode"   -> write.outputMode.toString,
      "reason" -> reason)
    if (write.outputMode == OutputMode.Complete)
      refuseMode("MATCH_RECOGNIZE never changes a row that it has returned")
    if (write.outputMode == OutputMode.Update)
      write.inputQuery.find(node => keepsState(node) && (node ne m)).foreach { other =>
        refuseMode(s"${other.nodeName} would return rows that change")
      }
  }

  private def checkChain(plan: LogicalPlan, m: MatchRecognize): Unit = {
    def others(test: LogicalPlan => Boolean) =
      plan.collect { case node if keepsState(node) && (node ne m) && test(node) => node }
    val (before, after) = (others(isBelow(_, m)), others(isBelow(m, _)))
    (before ++ after).headOption.foreach { other =>
      if (!EventTimes.areChained)
        refuseOperator(
          m,
          other,
          s"this needs Spark 4.0 or later with ${EventTimes.chained} = true",
          secondQuery)
    }
    (before ++ after).find(StateOperators.isOfUser).foreach { other =>
      refuseOperator(m, other, "its own code decides which rows are late", secondQuery)
    }
    after.headOption.foreach(checkAfter(plan, m, _))
    // Its rows would wait for the watermark of the whole query, and that for them.
    if (!m.clause.isByArrival)
      plan
        .find(node => node.isInstanceOf[EventTimeWatermark] && isBelow(m, node))
        .foreach(refuseOperator(
          m,
          _,
          "the query would wait for the rows of the clause, and the clause for the query",
          "Remove withWatermark: columns with the time of a row of the match have a watermark."
        ))
  }

  private def checkAfter(plan: LogicalPlan, m: MatchRecognize, other: LogicalPlan): Unit = {
    HandedOnWatermark.of(m).left.foreach { case NoWatermark(reason, change) =>
      refuseOperator(
        m,
        other,
        reason,
        s"$change, or write the rows to a table, and read the table in a second query.")
    }
    if (plan.isInstanceOf[WriteToStream] && m.handsOn.isEmpty)
      refuseOperator(
        m,
        other,
        "a common table expression with the clause is read more than once",
        "Write the clause in each place that reads the common table expression.")
  }

  private val secondQuery =
    "Write the rows to a table, and read the table in a second query."

  private def isBelow(node: LogicalPlan, above: LogicalPlan): Boolean =
    above.children.exists(_.exists(_ eq node))

  /** dropDuplicatesWithinWatermark reads the time of each row. */
  private[analysis] def refuseNull(m: MatchRecognize, time: Attribute): Nothing =
    refuse(
      m,
      AnalysisErrors.StreamStatefulOperator,
      "operator"   -> "DeduplicateWithinWatermark",
      "reason"     -> s"it reads the time of each row, and ${time.name} can be NULL",
      "suggestion" -> s"Add the filter ${time.name} IS NOT NULL after the clause."
    )

  private def refuseOperator(
      m: MatchRecognize,
      other: LogicalPlan,
      reason: String,
      suggestion: String): Nothing =
    refuse(
      m,
      AnalysisErrors.StreamStatefulOperator,
      "operator"   -> other.nodeName,
      "reason"     -> reason,
      "suggestion" -> suggestion)

  private def refuse(
      m: MatchRecognize,
      condition: ErrorCondition,
      parameters: (String, String)*): Nothing =
    throw MatchRecognizeErrors.analysisAt(
      condition,
      m.origin,
      m.clause.pattern.span,
      parameters: _*)
}
