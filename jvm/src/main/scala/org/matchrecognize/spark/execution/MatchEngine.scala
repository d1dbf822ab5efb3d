package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{BasePredicate, Predicate}

import org.matchrecognize.spark.pattern.{
  BoundedVariables,
  Positions,
  Program,
  RowAutomaton,
  SearchOptions
}

/** The parts of one [[PartitionMatcher]] that depend on the output mode. */
final private[execution] class MatchEngine(
    val conditions: ThreadConditions,
    val output: MatchOutput,
    val options: SearchOptions,
    val keepPaths: Boolean,
    val automaton: Option[RowAutomaton])

private[execution] object MatchEngine {

  def create(spec: MatchSpec, store: RowStore, program: Program): MatchEngine = {
    val added            = new AddedRowAttributes
    val unit             = new EvaluationUnit(spec.input, spec.clause.variables)
    val conditions       = spec.conditions.map(unit.bind)
    val bounded          = spec.bounded.map(new BoundParts(_, unit))
    val conditionTargets = unit.frames
    spec.allRows match {
      case None =>
        // Measures are slots of the threads: nothing but the last slots is asked for at the end.
        val columns = (spec.partition.map(MatchOutput.column) ++ spec.measures)
          .map(unit.bind(_).expression)
        val parts = new Parts(spec, store, program, unit, conditions, bounded, added)
        new MatchEngine(
          parts.conditions,
          new OneRowOutput(columns, parts.context),
          spec.searchOptions(conditionTargets, unit.frames),
          keepPaths = false,
          parts.automaton)
      case Some(mode) =>
        val parts      = new Parts(spec, store, program, unit, conditions, bounded, added)
        val outputUnit = new EvaluationUnit(spec.input, spec.clause.variables)
        val input      = spec.input.map(MatchOutput.column).map(outputUnit.bind(_).expression)
        val measures   = spec.measures.map(outputUnit.bind(_).expression)
        val layout     =
          SlotLayoutBuilder.build(outputUnit, None, spec.input, added, spec.clause.variables.size)
        val context = new PartitionContext(store, outputUnit, layout, spec.names)
        new MatchEngine(
          parts.conditions,
          new AllRowsOutput(
            input,
            measures,
            mode,
            context,
            layout,
            new StoredAddedRow(store, spec.names),
            MatchOutput.looksAhead(outputUnit)),
          spec.searchOptions(conditionTargets, outputUnit.frames),
          keepPaths = true,
          parts.automaton
        )
    }
  }

  /** What the matcher itself works with. */
  final private class Parts(
      spec: MatchSpec,
      store: RowStore,
      program: Program,
      unit: EvaluationUnit,
      conditionUses: Seq[DividedUses],
      bounded: Option[BoundParts],
      added: AddedRowAttributes) {
    private val layout = SlotLayoutBuilder.build(
      unit,
      Some(spec.clause.afterMatch),
      spec.input,
      added,
      spec.clause.variables.size)
    val context    = new PartitionContext(store, unit, layout, spec.names)
    val conditions = new ThreadConditions(
      conditionUses,
      unit,
      layout,
      context,
      new StoredAddedRow(store, spec.names),
      program,
      spec.clause.afterMatch)

    /** What the row alone decides, in the form that the matcher asks for it. */
    val automaton: Option[RowAutomaton] =
      if (spec.matcher == MatcherKind.Automaton || spec.filtersStarts) {
        val local = bounded.fold(conditions.local)(_.local)
        Positions
          .of(program)
          .map(
            RowAutomaton(
              _,
              new ClassifiedRows(local, context, layout.begin),
              bounded.map(_.variables(spec, store, context, layout.begin)),
              decides = spec.matcher == MatcherKind.Automaton
            ))
      } else {
        None
      }
  }

  /** [[BoundedConditions]], bound to a unit. */
  final private class BoundParts(bounded: BoundedConditions, unit: EvaluationUnit) {
    private val bound      = unit.bind(bounded.bound.bound).expression
    private val conditions = bounded.conditions.map(_.local.map(unit.bind(_).expression))

    lazy val local: Array[BasePredicate] =
      conditions.map(_.map(Predicate.create(_)).orNull).toArray

    def variables(
        spec: MatchSpec,
        store: RowStore,
        context: PartitionContext,
        slots: Slots): BoundedVariables = {
      val column = spec.input.indexWhere(_.exprId == bounded.bound.key.exprId)
      BoundedVariables(
        new StartHorizons(bounded.bound, bound, column, store, context, slots),
        bounded.conditions.map(_.isBounded))
    }
  }
}
