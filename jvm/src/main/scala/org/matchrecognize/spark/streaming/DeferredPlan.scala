package org.matchrecognize.spark.streaming

import org.matchrecognize.spark.execution.MatchPlan

/**
 * The plan of a clause for the function that Spark's stateful operator calls. The function is made
 * when the query is planned; the values of scalar subqueries are there once the query runs, before
 * its tasks get the function.
 */
final private[streaming] class DeferredPlan extends Serializable {
  private var plan: Option[MatchPlan] = None

  /** On the driver, before the tasks. */
  def set(plan: MatchPlan): Unit = this.plan = Some(plan)

  def get: MatchPlan =
    plan.getOrElse(throw new IllegalStateException("the driver has not set the plan"))
}
