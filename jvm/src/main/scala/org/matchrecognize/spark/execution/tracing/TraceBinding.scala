package org.matchrecognize.spark.execution.tracing

import scala.util.Try

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.matchrecognize.TaskCancellation
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.evaluation.{
  PartitionContext,
  StoredAddedRow,
  ThreadConditions,
  WithinRows
}
import org.matchrecognize.spark.execution.rows.{MatcherStorage, MatcherStores, PartitionRows}
import org.matchrecognize.spark.execution.slots.{
  AddedRowAttributes,
  EvaluationUnit,
  SlotLayoutBuilder
}
import org.matchrecognize.spark.expressions.WrittenText
import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.matching.Limits
import org.matchrecognize.spark.pattern.program.{Instruction, Program}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}

/**
 * What the trace of a task binds to its rows: the conditions as a search evaluates them, and what
 * the user's text reads.
 *
 * @param written
 *   by variable, the condition before it was rewritten for the search
 */
final private[tracing] class TraceBinding(
    plan: MatchPlan,
    written: Seq[WrittenCondition],
    input: Seq[Attribute],
    store: PartitionRows,
    poll: () => Unit) {
  private val program: Program = plan.clause.program

  private val names: Array[UTF8String] =
    plan.clause.variables.map(v => UTF8String.fromString(v.name)).toArray

  private val unit    = new EvaluationUnit(input, plan.clause.variables, program.passesOver)
  private val divided = plan.divided.map(unit.bind)
  private val whole   = plan.conditions.map(unit.bind(_).expression).toIndexedSeq
  private val read    = written.map(w => new ReadValues(w.whole, unit, plan.zone)).toIndexedSeq

  private val parts = written
    .map(_.parts.map { case (text, part) => text -> unit.bind(part).expression })
    .toIndexedSeq

  private val layout = SlotLayoutBuilder.build(
    unit,
    Some(plan.clause.afterMatch),
    input,
    new AddedRowAttributes,
    plan.clause.variables.size,
    program.passesOver)

  private val added   = new StoredAddedRow(store, names)
  private val context = new PartitionContext(store, unit, layout, names)

  private val conditions =
    new ThreadConditions(divided, unit, layout, context, added, program, plan.clause.afterMatch)

  private val within = plan.clause.within.map(new WithinRows(_, plan.order.head, input, store))

  /** A search that tells the observer of its tests. */
  def search(observer: TestObserver, afterMatch: AfterMatch): PartitionSearch[TracedSlots] = {
    val settings = plan.clause.settings
    new PartitionSearch[TracedSlots](
      program,
      new TracedConditions(conditions, whole, layout, context, added, observer),
      None,
      // Nothing is returned: only conditions look ahead, and all rows are kept.
      SearchOptions(
        afterMatch,
        settings.relaxedSkip,
        unmatchedRows = false,
        conditionLookAhead = (0L +: unit.frames.map(_.physical)).max,
        outputLookAhead = 0,
        lookBack = 0,
        showTimeouts = plan.clause.rows.showTimeouts
      ),
      new Limits(settings.maxSteps, poll, settings.maxMatchesPerStart),
      None,
      within,
      observer = observer
    )
  }

  /** What a condition reads at the row that was tested last. */
  def valuesNow(variable: Int): Seq[ReadValue] = read(variable).at(context)

  /** What a condition read at an earlier test. */
  def valuesAt(furthest: TestedRows.Furthest, test: TestedRows.Test): Seq[ReadValue] = {
    conditions.begin(furthest.start, furthest.number)
    valuesOf(test.variable, test.row, test.thread)
  }

  /** What a condition reads at a row that is tested for a thread of the search that runs. */
  def valuesOf(variable: Int, row: Long, thread: TracedSlots): Seq[ReadValue] = {
    context.at(row, layout.map(thread.slots, variable, row, added))
    valuesNow(variable)
  }

  /** The parts of a condition that are not true at the row whose values were read last. */
  def failedParts(variable: Int): Seq[FailedPart] =
    parts(variable).flatMap { case (text, part) =>
      // A search stops at the first part that is not true: what the rest fails with is no failure.
      Try(part.eval(context)).toOption.filter(_ != true).map(v => FailedPart(text, v == null))
    }

  /** Whether a row is beyond the bound of WITHIN of a match from an earlier row, after the search. */
  def isBeyondWithin(start: Long, row: Long): Boolean =
    within.exists(bound => !bound.begin(start) || !bound.contains(row))

  def instructionAt(at: Int): Instruction = program.instructions(at)
}

/**
 * A condition as the user wrote it, before it was rewritten for the search.
 *
 * @param parts
 *   what AND joins, with its text; empty if the condition has one part
 */
final private[spark] case class WrittenCondition(
    whole: Expression,
    parts: Seq[(String, Expression)])

private[spark] object WrittenCondition {

  /** Only the driver knows the places of expressions in the text. */
  def of(condition: Expression): WrittenCondition = {
    val parts = WrittenText.conjuncts(condition)
    WrittenCondition(
      condition,
      if (parts.size > 1) parts.map(part => WrittenText.of(part) -> part) else Nil)
  }
}

/** Holds the rows of the partition that a task traces, and what is bound to them. */
final private[tracing] class TracedPartition(
    plan: MatchPlan,
    written: Seq[WrittenCondition],
    input: Seq[Attribute],
    task: TaskContext) {
  val poll: () => Unit = TaskCancellation.poll(task)

  val store: PartitionRows =
    new MatcherStores(task, plan.clause.settings.spillThreshold, MatcherStorage.InTask)
      .rows(input.size)

  val binding: TraceBinding  = new TraceBinding(plan, written, input, store, poll)
  val names: RowDescriptions = new RowDescriptions(plan, input, store)

  task.addTaskCompletionListener[Unit](_ => store.close())
}
