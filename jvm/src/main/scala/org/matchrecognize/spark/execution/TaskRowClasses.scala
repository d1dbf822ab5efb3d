package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  Expression,
  Literal,
  UnsafeProjection,
  UnsafeRow
}

import org.matchrecognize.spark.conditions.Fallible
import org.matchrecognize.spark.execution.evaluation.{
  ClassifiedAtEnd,
  ClassifiedOnArrival,
  ClassifiedRows,
  DistinctConditions,
  RowClasses,
  RowConditionList,
  RowTestsCode,
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
  import expressions.{bound, input, plan, window}

  /** Whether classes decide the matches. Otherwise they only filter the start rows of threads. */
  val decide: Boolean = TaskRowClasses.decide(plan)

  /** By variable, what the row alone decides. */
  private val local: IndexedSeq[Option[Expression]] =
    plan.bounded.fold(plan.divided.map(_.local))(_.conditions.map(_.local))

  private val distinct = new DistinctConditions(local)

  /** The tests of a row when it arrives; None if rows are tested once all have arrived. */
  private val tests =
    RowTestsCode.of(RowConditionList(distinct.variables.map(local(_).get), input))

  /**
   * Whether threads can test rows again after the classes are known. They do if the error of a
   * condition belongs to its row, or if a partition has too many rows for a bound or too many
   * classes of rows.
   */
  private def areTestedAgain: Boolean =
    !decide || plan.bounded.nonEmpty || plan.conditions.exists(Fallible(_)) ||
      distinct.size > RowClasses.countedConditions

  /** The columns without a fixed length that nothing reads after the conditions are tested. */
  private val unread: Seq[Attribute] =
    if (tests.isEmpty || areTestedAgain || plan.allRows.nonEmpty) Nil
    else {
      val later = AttributeSet(plan.partition ++ plan.order ++ plan.measures)
      input.filterNot(a => UnsafeRow.isFixedLength(a.dataType) || later.contains(a))
    }

  val rows: ClassifiedRows = tests match {
    case Some(onArrival) =>
      new ClassifiedOnArrival(
        distinct,
        onArrival,
        classes,
        remembersErrors = unread.isEmpty,
        poll)
    case None =>
      val ofWindow =
        bound.bounded.fold(bound.conditions.map(_.local.map(_.expression)))(_.local)
      new ClassifiedAtEnd(distinct, ofWindow, window, classes, new TestingAhead(poll))
  }

  /** The row as the store keeps it, with NULL for unread columns; None if all columns are kept. */
  val kept: Option[UnsafeProjection] =
    if (unread.isEmpty) None
    else
      Some(
        UnsafeProjection.create(
          input.map(a => if (unread.contains(a)) Literal.create(null, a.dataType) else a),
          input))
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
