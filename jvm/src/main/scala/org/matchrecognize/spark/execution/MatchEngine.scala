package org.matchrecognize.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.matchrecognize.TaskCancellation

import org.matchrecognize.spark.execution.evaluation.{
  AllRowsOutput,
  ClassifiedRows,
  MappedAgainOutput,
  MatchOutput,
  PartitionContext,
  RowWindow,
  SlotsOutput,
  StartHorizons,
  StoredAddedRow,
  TestingAhead,
  ThreadConditions,
  WithinRows
}
import org.matchrecognize.spark.execution.rows.{MatcherStores, RowStore}
import org.matchrecognize.spark.execution.slots.{
  AddedRowAttributes,
  EvaluationUnit,
  SlotLayout,
  SlotLayoutBuilder
}
import org.matchrecognize.spark.expressions.Semantics
import org.matchrecognize.spark.pattern.automaton.RowAutomaton
import org.matchrecognize.spark.pattern.matching.{
  BoundedVariables,
  Horizons,
  SmallNumbers,
  WithinBound
}
import org.matchrecognize.spark.pattern.program.{Positions, Program}
import org.matchrecognize.spark.pattern.search.SearchOptions

/** The parts of one [[PartitionMatcher]] that depend on the output mode. */
final private[execution] class MatchEngine(
    val conditions: ThreadConditions,
    val layout: SlotLayout,
    val output: MatchOutput,
    val columns: Seq[Expression],
    val options: SearchOptions,
    val labels: Option[SmallNumbers],
    val automaton: Option[RowAutomaton],
    val within: Option[WithinBound])

private[execution] object MatchEngine {

  def create(
      spec: MatchSpec,
      task: TaskContext,
      stores: MatcherStores,
      store: RowStore,
      program: Program): MatchEngine = {
    val added   = new AddedRowAttributes
    val bound   = new BoundClause(spec)
    val parts   = new Parts(spec, task, stores, store, program, bound, added)
    val options = spec.searchOptions(bound.conditionTargets, bound.outputUnit.frames)
    // The slots with which output maps the rows of a match once more.
    def mappedAgain(unit: EvaluationUnit) = SlotLayoutBuilder.build(
      unit,
      None,
      spec.input,
      added,
      spec.clause.variables.size,
      program.passesOver)
    spec.allRows match {
      case None if spec.mapsAgain =>
        val unit   = bound.outputUnit
        val layout = mappedAgain(unit)
        new MatchEngine(
          parts.conditions,
          parts.layout,
          new MappedAgainOutput(
            new PartitionContext(store, unit, layout, spec.names),
            layout,
            new StoredAddedRow(store, spec.names)),
          bound.output,
          options,
          Some(parts.numbers()),
          parts.automaton,
          parts.within
        )
      case None =>
        // Measures are slots of the threads: nothing but the last slots is asked for at the end.
        new MatchEngine(
          parts.conditions,
          parts.layout,
          new SlotsOutput(parts.context),
          bound.output,
          options,
          labels = None,
          parts.automaton,
          parts.within
        )
      case Some(mode) =>
        val unit   = bound.outputUnit
        val layout = mappedAgain(unit)
        val whole  =
          if (MatchOutput.looksAhead(unit) || layout.numbersRows) {
            Some(SlotLayoutBuilder.part(layout, unit, Semantics.Final))
          } else {
            None
          }
        new MatchEngine(
          parts.conditions,
          parts.layout,
          new AllRowsOutput(
            mode,
            new PartitionContext(store, unit, layout, spec.names),
            SlotLayoutBuilder.part(layout, unit, Semantics.Running),
            whole,
            new StoredAddedRow(store, spec.names)
          ),
          bound.output,
          options,
          Some(parts.numbers()),
          parts.automaton,
          parts.within
        )
    }
  }

  /** What the matcher itself works with. */
  final private class Parts(
      spec: MatchSpec,
      task: TaskContext,
      stores: MatcherStores,
      store: RowStore,
      program: Program,
      bound: BoundClause,
      added: AddedRowAttributes) {
    val layout: SlotLayout = SlotLayoutBuilder.build(
      bound.unit,
      Some(spec.clause.afterMatch),
      spec.input,
      added,
      spec.clause.variables.size,
      program.passesOver)
    val context    = new PartitionContext(store, bound.unit, layout, spec.names)
    val conditions = new ThreadConditions(
      bound.conditions,
      bound.unit,
      layout,
      context,
      new StoredAddedRow(store, spec.names),
      program,
      spec.clause.afterMatch)

    def numbers(): SmallNumbers = stores.numbers()

    val within: Option[WithinRows] =
      spec.clause.within.map(new WithinRows(_, spec.order.head, spec.input, store))

    private lazy val window = new RowWindow(store, bound.unit)

    private val ahead = new TestingAhead(TaskCancellation.poll(task))

    /** What the row alone decides, in the form that the matcher asks for it. */
    val automaton: Option[RowAutomaton] =
      if (spec.matcher == MatcherKind.Automaton || spec.filtersStarts) {
        Positions
          .of(program)
          .toOption
          .map(RowAutomaton(
            _,
            new ClassifiedRows(
              bound.bounded.fold(bound.conditions.map(_.local.map(_.expression)))(_.local),
              window,
              numbers(),
              ahead),
            bound.bounded.map(horizons),
            decides = spec.matcher == MatcherKind.Automaton
          ))
      } else {
        None
      }

    private def horizons(bounds: BoundParts): BoundedVariables =
      BoundedVariables(
        bounds.spec.bound.fold[Horizons](within.get)(
          new StartHorizons(_, bounds.bound.get, spec.input, store, window, ahead)),
        bounds.spec.conditions.map(_.isBounded),
        bounds.spec.conditions.map(_.asksBoundFirst)
      )
  }
}
