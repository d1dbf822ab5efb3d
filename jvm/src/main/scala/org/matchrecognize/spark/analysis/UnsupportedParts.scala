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

  /** A clause by its input and its settings. */
  def refuse(clause: UnresolvedMatchRecognize): Unit = {
    def refuse(what: String, cure: String): Unit = throw notYet(what, cure, clause.origin)

    if (clause.child.isStreaming) {
      refuse("MATCH_RECOGNIZE over a streaming table", "Run it over a batch table.")
    }
    if (Settings.flinkDialect) {
      refuse("spark.sql.matchRecognize.dialect = flink", "Set it to standard.")
    }
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

  private def notYet(what: String, cure: String, origin: Origin): Throwable =
    MatchRecognizeErrors.analysis(
      AnalysisErrors.NotYetSupported,
      origin,
      "what" -> what,
      "cure" -> cure)
}
