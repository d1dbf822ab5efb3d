package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.execution.evaluation.{
  ClassifiedRows,
  DistinctConditions,
  TestingAhead
}
import org.matchrecognize.spark.execution.rows.MatcherStores
import org.matchrecognize.spark.pattern.matching.PackedNumbers

/**
 * Tests the rows of one task, each once, for what the row alone decides in conditions. It is the
 * second of the three parts of a [[PartitionMatcher]].
 *
 * @param expressions
 *   the conditions that the window of a row evaluates
 * @param classes
 *   holds the class of each row
 * @param poll
 *   called now and then: throws if the task is to end
 */
final private[execution] class TaskRowClasses private (
    expressions: TaskExpressions,
    classes: PackedNumbers,
    poll: () => Unit) {
  import expressions.{bound, plan, window}

  /** Whether classes decide the matches. Otherwise they only filter the start rows of threads. */
  val decide: Boolean = TaskRowClasses.decide(plan)

  /** By variable, what the row alone decides. */
  private val local: IndexedSeq[Option[Expression]] =
    plan.bounded.fold(plan.divided.map(_.local))(_.conditions.map(_.local))

  val rows: ClassifiedRows = {
    val ofWindow =
      bound.bounded.fold(bound.conditions.map(_.local.map(_.expression)))(_.local)
    new ClassifiedRows(
      new DistinctConditions(local),
      ofWindow,
      window,
      classes,
      new TestingAhead(poll))
  }
}

private[execution] object TaskRowClasses {

  /** Returns the classes of rows, if the matcher of the plan reads them. */
  def of(
      expressions: TaskExpressions,
      stores: MatcherStores,
      poll: () => Unit): Option[TaskRowClasses] =
    if (decide(expressions.plan) || expressions.plan.matcher.filtersStartRows) {
      Some(new TaskRowClasses(expressions, stores.numbers(), poll))
    } else {
      None
    }

  private def decide(plan: MatchPlan): Boolean = plan.matcher.kind == MatcherKind.Automaton
}
