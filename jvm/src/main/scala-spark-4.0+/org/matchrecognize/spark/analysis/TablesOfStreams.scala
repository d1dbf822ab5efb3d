package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.plans.logical.{CreateTable, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.logical.Watermarks

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
