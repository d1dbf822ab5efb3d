package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.streaming.OutputMode

import org.matchrecognize.spark.errors.{AnalysisErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Refuses streaming queries in which the clause would return wrong rows without an error. Spark's
 * own checks of such queries do not know the clause.
 */
object StreamQueryRules extends (LogicalPlan => Unit) {

  override def apply(plan: LogicalPlan): Unit = {
    lazy val clauses = plan.collect { case m: MatchRecognize if m.child.isStreaming => m }
    plan match {
      case write: WriteToStream if write.outputMode != OutputMode.Append && clauses.nonEmpty =>
        refuse(clauses.head, AnalysisErrors.StreamOutputMode, "mode" -> write.outputMode.toString)
      case _ =>
    }
    if (plan.isStreaming) clauses.foreach(checkChain(plan, _))
  }

  /** One operator in a chain may keep state by event time: the next would lose rows as late. */
  private def checkChain(plan: LogicalPlan, m: MatchRecognize): Unit =
    plan
      .find(node => keepsState(node) && (node ne m) && (isBelow(m, node) || isBelow(node, m)))
      .foreach(other =>
        refuse(m, AnalysisErrors.StreamStatefulOperator, "operator" -> other.nodeName))

  private def isBelow(node: LogicalPlan, above: LogicalPlan): Boolean =
    above.children.exists(_.exists(_ eq node))

  private def keepsState(node: LogicalPlan): Boolean = node.isStreaming && (node match {
    case _: MatchRecognize => true
    case join: Join        => join.left.isStreaming && join.right.isStreaming
    case other             => stateful(other.nodeName)
  })

  /** Some of them are not in all versions of Spark. */
  private val stateful = Set(
    "Aggregate",
    "Distinct",
    "Deduplicate",
    "DeduplicateWithinWatermark",
    "FlatMapGroupsWithState",
    "FlatMapGroupsInPandasWithState",
    "TransformWithState",
    "TransformWithStateInPandas",
    "TransformWithStateInPySpark"
  )

  private def refuse(
      m: MatchRecognize,
      condition: ErrorCondition,
      parameter: (String, String)): Unit =
    throw MatchRecognizeErrors.analysisAt(condition, m.origin, m.clause.pattern.span, parameter)
}
