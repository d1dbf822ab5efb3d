package org.matchrecognize.spark.analysis

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.plans.logical.{CreateTable, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.logical.Watermarks

/** Rules that run before Spark looks functions and tables up: those for hints, from 4.0 on. */
private[spark] object EarlyRules {
  def injectInto(extensions: SparkSessionExtensions): Unit = {
    extensions.injectHintResolutionRule(new FunctionsOutside(_))
    extensions.injectHintResolutionRule(_ => TablesOfStreams)
  }
}

/**
 * `toTable` creates a table with the schema of the query, and a table has no watermark: takes off
 * those that clauses hand on.
 */
private[analysis] object TablesOfStreams extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case create: CreateTable if create.columns.exists(c => Watermarks.isOfClause(c.metadata)) =>
      create.copy(columns =
        create.columns.map(c => c.copy(metadata = Watermarks.remove(c.metadata))))
    case other => other
  }
}
