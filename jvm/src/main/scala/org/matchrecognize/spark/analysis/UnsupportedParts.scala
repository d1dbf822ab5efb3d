package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate.{
  AggregateExpression,
  DeclarativeAggregate,
  ImperativeAggregate
}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/** What parses but does not run yet: refused by one error that names it. */
private[analysis] object UnsupportedParts {

  /** The input of a clause. */
  def refuse(clause: UnresolvedMatchRecognize): Unit =
    if (clause.child.isStreaming) {
      throw notYet(
        "MATCH_RECOGNIZE over a streaming table",
        "Run it over a batch table.",
        clause.origin)
    }

  /** An expression by itself, not its children. */
  def refuse(e: Expression): Unit = e match {
    case aggregate: AggregateExpression => refuse(aggregate)
    case _                              =>
  }

  private def refuse(aggregate: AggregateExpression): Unit =
    aggregate.aggregateFunction match {
      case _: DeclarativeAggregate | _: ImperativeAggregate =>
      case other                                            =>
        throw notYet(
          s"The aggregate ${toPrettySQL(other)}",
          "Aggregate the rows with another function.",
          aggregate.origin)
    }

  private def notYet(what: String, suggestion: String, origin: Origin): Throwable =
    MatchRecognizeErrors.analysis(
      AnalysisErrors.NotYetSupported,
      origin,
      "what"       -> what,
      "suggestion" -> suggestion)
}
