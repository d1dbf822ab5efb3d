package org.matchrecognize.spark.execution

import org.matchrecognize.spark.execution.evaluation.{
  ClassifiedRows,
  DistinctConditions,
  FixedComparisons,
  StartHorizons,
  TestingAhead,
  WithinRows
}
import org.matchrecognize.spark.execution.rows.MatcherStores
import org.matchrecognize.spark.execution.slots.Slots
import org.matchrecognize.spark.expressions.{MatchNumber, RowTarget}
import org.matchrecognize.spark.pattern.automaton.RowAutomaton
import org.matchrecognize.spark.pattern.matching.{
  BoundedVariables,
  Horizons,
  Limits,
  PackedNumbers,
  VerdictChanges
}
import org.matchrecognize.spark.pattern.program.Positions
import org.matchrecognize.spark.pattern.search.{JointOptions, PartitionSearch, SearchOptions}

/**
 * Sets up the search in the partitions of one task: its options, its bounds, and what lets it skip
 * rows. It is the second of the two parts of a [[PartitionMatcher]].
 *
 * @param poll
 *   called now and then: throws if the task is to end
 */
final private[execution] class TaskSearch(
    expressions: TaskExpressions,
    stores: MatcherStores,
    poll: () => Unit) {
  import expressions.{binding, input, plan, program, store, window}

  /** The labels of the rows of a match, if the output maps its rows once more. */
  val labels: Option[PackedNumbers] = if (plan.needsRemap) Some(stores.labels()) else None

  /** Includes how far from the rows of a match its conditions and measures can look. */
  private val options: SearchOptions = {
    val conditionTargets                     = binding.conditionTargets
    val outputTargets                        = binding.outputTargets
    def ahead(targets: Seq[RowTarget]): Long = (0L +: targets.map(_.physical)).max
    SearchOptions(
      plan.clause.afterMatch,
      plan.clause.settings.relaxedSkip,
      unmatchedRows = plan.clause.rows.showUnmatched,
      conditionLookAhead = ahead(conditionTargets),
      outputLookAhead = ahead(outputTargets),
      lookBack =
        if (plan.matcher.isIncremental && plan.skippedRows.isEmpty) LookBack.of(plan)
        // Tests ahead of the search also read the rows before each row.
        else (0L +: (conditionTargets ++ outputTargets).map(-_.physical)).max,
      showTimeouts = plan.clause.rows.showTimeouts,
      lastMatch = plan.lastMatch.getOrElse(Long.MaxValue),
      jointSearch = if (plan.matcher.mayWaitForEnd) Some(JointOptions.usual) else None
    )
  }

  /** Whether a match depends on how many rows or matches of its partition came before. */
  def dependsOnHistory: Boolean = program.usesStart || plan.lastMatch.nonEmpty ||
    MatchNumber.isIn(plan.conditions ++ plan.measures)

  val within: Option[WithinRows] =
    plan.clause.within.map(new WithinRows(_, plan.order.head, input, store))

  private def bounded(parts: StartBoundBinding): BoundedVariables =
    BoundedVariables(
      parts.spec.bound.fold[Horizons](within.get)(
        new StartHorizons(_, parts.bound.get, input, store, window, new TestingAhead(poll))),
      parts.spec.conditions.map(_.isBounded),
      parts.spec.conditions.map(_.testsBoundFirst)
    )

  /** What the row alone decides in conditions, tested for each row once. */
  private def classes: ClassifiedRows = {
    val local    = plan.bounded.fold(plan.divided.map(_.local))(_.conditions.map(_.local))
    val ofWindow =
      binding.bounded.fold(binding.conditions.map(_.local.map(_.expression)))(_.local)
    new ClassifiedRows(
      new DistinctConditions(local),
      ofWindow,
      window,
      stores.numbers(),
      new TestingAhead(poll))
  }

  /** The automaton over classes of rows; it decides the matches, or filters start rows of threads. */
  private val automaton: Option[RowAutomaton] = {
    val decides = plan.matcher.kind == MatcherKind.Automaton
    if (decides || plan.matcher.filtersStartRows) {
      Positions
        .of(program)
        .toOption
        .map(RowAutomaton(_, classes, binding.bounded.map(bounded), decides))
    } else None
  }

  /** The changes of conditions that compare a row with rows mapped before. */
  private val changes: Option[VerdictChanges[Slots]] = plan.skippedRows.map(skipped =>
    new FixedComparisons(
      skipped.conditions,
      binding.unit,
      expressions.layout,
      expressions.context,
      window,
      stores.acquireMemory,
      poll).changes)

  val search: PartitionSearch[Slots] = {
    val settings = plan.clause.settings
    new PartitionSearch[Slots](
      program,
      expressions.conditions,
      labels,
      options,
      new Limits(settings.maxSteps, poll, settings.maxMatchesPerStart),
      automaton,
      within,
      changes
    )
  }
}
