package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** One of Spark's stateful operators, which runs a clause for each key. */
private[streaming] trait KeyedOperator {

  /** The operator; its output is the column `found`. */
  def run(clause: KeyedClause): LogicalPlan
}

/**
 * A clause over a streaming table, as a stateful operator runs it.
 *
 * @param grouping
 *   the columns of `child` that distinguish keys
 * @param found
 *   the output of the clause, as one column
 */
final private[streaming] case class KeyedClause(
    task: KeyedTask,
    grouping: Seq[Attribute],
    found: Attribute,
    child: LogicalPlan)
