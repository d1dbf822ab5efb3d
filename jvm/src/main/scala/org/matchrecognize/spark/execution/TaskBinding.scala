package org.matchrecognize.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  Expression,
  Literal,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.matchrecognize.TaskCancellation
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.conditions.Fallible
import org.matchrecognize.spark.execution.evaluation.{
  AllRowsOutput,
  ClassifiedAtEnd,
  ClassifiedOnArrival,
  ClassifiedRows,
  DistinctConditions,
  FixedComparisons,
  MappedAgainOutput,
  MatchOutput,
  PartitionContext,
  RowClasses,
  RowConditionList,
  RowTestsCode,
  RowWindow,
  SlotsOutput,
  StartHorizons,
  StoredAddedRow,
  TestingAhead,
  ThreadConditions,
  WithinRows
}
import org.matchrecognize.spark.execution.rows.{MatcherStores, PartitionRows}
import org.matchrecognize.spark.execution.slots.{
  AddedRowAttributes,
  EvaluationUnit,
  SlotLayout,
  SlotLayoutBuilder,
  Slots,
  StoredInput
}
import org.matchrecognize.spark.expressions.{MatchNumber, RowTarget, Semantics}
import org.matchrecognize.spark.pattern.automaton.RowAutomaton
import org.matchrecognize.spark.pattern.matching.{
  BoundedVariables,
  Horizons,
  SmallNumbers,
  VerdictChanges
}
import org.matchrecognize.spark.pattern.program.{Positions, Program}
import org.matchrecognize.spark.pattern.search.{JointOptions, SearchOptions}

/**
 * What one task binds: the expressions of a clause, to the rows in its store and to the slots of its
 * threads. The search and the output work with it.
 */
final private[execution] class TaskBinding(
    plan: MatchPlan,
    input: Seq[Attribute],
    task: TaskContext,
    stores: MatcherStores,
    store: PartitionRows) {
  val program: Program = plan.clause.program

  private val names: Array[UTF8String] =
    plan.clause.variables.map(v => UTF8String.fromString(v.name)).toArray

  private val bound = new BoundExpressions(plan, input)
  private val added = new AddedRowAttributes

  /** The slots of threads. */
  val layout: SlotLayout = bound.layout(program, added)

  /** The input, as a state has it. */
  def stored: StoredInput =
    new StoredInput(input, layout.aggregates.toSeq.map(_.storedTypes), input)

  private def contextOf(unit: EvaluationUnit, layout: SlotLayout) =
    new PartitionContext(store, unit, layout, names)

  private val threadContext = contextOf(bound.unit, layout)

  val conditions = new ThreadConditions(
    bound.conditions,
    bound.unit,
    layout,
    threadContext,
    new StoredAddedRow(store, names),
    program,
    plan.clause.afterMatch)

  /** Labels of the rows of a match, if output maps its rows once more. */
  val labels: Option[SmallNumbers] = if (plan.mapsAgain) Some(stores.labels()) else None

  val output: MatchOutput = plan.allRows match {
    // Measures are slots of the threads: output reads nothing but the last slots.
    case None if !plan.mapsAgain => new SlotsOutput(threadContext)
    case None                    =>
      val again = bound.layoutOf(bound.outputUnit, None, program, added)
      new MappedAgainOutput(
        contextOf(bound.outputUnit, again),
        again,
        new StoredAddedRow(store, names))
    case Some(mode) =>
      val unit  = bound.outputUnit
      val again = bound.layoutOf(unit, None, program, added)
      val ahead = MatchOutput.looksAhead(unit) || again.numbersRows
      new AllRowsOutput(
        mode,
        contextOf(unit, again),
        SlotLayoutBuilder.part(again, unit, Semantics.Running),
        if (ahead) Some(SlotLayoutBuilder.part(again, unit, Semantics.Final)) else None,
        new StoredAddedRow(store, names)
      )
  }

  /** The output columns, over the context of [[output]]. */
  def columns: Seq[Expression] = bound.output

  /** How far from the match's own rows its conditions and measures can look. */
  val options: SearchOptions = {
    val conditionTargets                     = bound.conditionTargets
    val outputTargets                        = bound.outputTargets
    def ahead(targets: Seq[RowTarget]): Long = (0L +: targets.map(_.physical)).max
    SearchOptions(
      plan.clause.afterMatch,
      plan.clause.settings.relaxedSkip,
      unmatchedRows = plan.clause.rows.showUnmatched,
      conditionLookAhead = ahead(conditionTargets),
      outputLookAhead = ahead(outputTargets),
      lookBack =
        if (plan.matcher.isIncremental && plan.passedRows.isEmpty) LookBack.of(plan)
        // What classifies rows reads the rows before each.
        else (0L +: (conditionTargets ++ outputTargets).map(-_.physical)).max,
      showTimeouts = plan.clause.rows.showTimeouts,
      lastMatch = plan.lastMatch.getOrElse(Long.MaxValue),
      jointSearch = if (plan.matcher.mayWait) Some(JointOptions.usual) else None
    )
  }

  /** Whether a match depends on how many rows or matches of its partition came before. */
  def dependsOnHistory: Boolean = program.usesStart || plan.lastMatch.nonEmpty ||
    MatchNumber.isIn(plan.conditions ++ plan.measures)

  val within: Option[WithinRows] =
    plan.clause.within.map(new WithinRows(_, plan.order.head, input, store))

  private lazy val window = new RowWindow(store, bound.unit)

  private val testingAhead = new TestingAhead(TaskCancellation.poll(task))

  /** The columns of any length that nothing reads once conditions are tested. */
  private lazy val unread: Seq[Attribute] = {
    val later = AttributeSet(plan.partition ++ plan.order ++ plan.measures)
    if (testedAgain || plan.allRows.nonEmpty) Nil
    else input.filterNot(a => UnsafeRow.isFixedLength(a.dataType) || later.contains(a))
  }

  /**
   * Whether threads may test rows again: an error is remembered with its row, and a partition can
   * have too many rows for a bound or too many classes of rows.
   */
  private def testedAgain: Boolean =
    !decides || plan.bounded.nonEmpty || plan.conditions.exists(Fallible(_)) ||
      distinctLocal.size > RowClasses.countedConditions

  /** The rows by what they alone decide, where the matcher asks for it. */
  val classified: Option[ClassifiedRows] =
    if (decides || plan.matcher.filtersStarts) Some(classify(stores.numbers())) else None

  /** By variable, what the row alone decides. */
  private lazy val local =
    plan.bounded.fold(plan.divided.map(_.local))(_.conditions.map(_.local))
  private lazy val distinctLocal = new DistinctConditions(local)

  private def classify(classes: SmallNumbers): ClassifiedRows =
    RowTestsCode.of(RowConditionList(distinctLocal.variables.map(local(_).get), input)) match {
      case Some(tests) =>
        new ClassifiedOnArrival(
          distinctLocal,
          tests,
          classes,
          remembersErrors = unread.isEmpty,
          TaskCancellation.poll(task))
      case None =>
        val ofWindow =
          bound.bounded.fold(bound.conditions.map(_.local.map(_.expression)))(_.local)
        new ClassifiedAtEnd(distinctLocal, ofWindow, window, classes, testingAhead)
    }

  /** What the store keeps of a row, with NULL for what nothing reads there; None: all. */
  val kept: Option[UnsafeProjection] = classified.collect {
    case _: ClassifiedOnArrival if unread.nonEmpty =>
      UnsafeProjection.create(
        input.map(a => if (unread.contains(a)) Literal.create(null, a.dataType) else a),
        input)
  }

  /** What the row alone decides, in the form in which the matcher reads it. */
  val automaton: Option[RowAutomaton] =
    for {
      verdicts  <- classified
      positions <- Positions.of(program).toOption
    } yield RowAutomaton(positions, verdicts, bound.bounded.map(horizons), decides)

  /** Where conditions change that compare rows with rows mapped before. */
  val changes: Option[VerdictChanges[Slots]] = plan.passedRows.map(passed =>
    new FixedComparisons(
      passed.conditions,
      bound.unit,
      layout,
      threadContext,
      window,
      stores.takeMemory,
      TaskCancellation.poll(task)).changes)

  private def decides: Boolean = plan.matcher.kind == MatcherKind.Automaton

  private def horizons(bounds: BoundParts): BoundedVariables =
    BoundedVariables(
      bounds.spec.bound.fold[Horizons](within.get)(
        new StartHorizons(_, bounds.bound.get, input, store, window, testingAhead)),
      bounds.spec.conditions.map(_.isBounded),
      bounds.spec.conditions.map(_.asksBoundFirst)
    )
}
