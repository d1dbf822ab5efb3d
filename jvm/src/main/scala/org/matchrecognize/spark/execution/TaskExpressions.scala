package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.evaluation.{
  AllRowsOutput,
  MatchOutput,
  PartitionContext,
  RemappedOutput,
  RowWindow,
  SlotsOutput,
  StoredAddedRow,
  ThreadConditions
}
import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.execution.slots.{
  AddedRowAttributes,
  EvaluationUnit,
  SlotLayout,
  SlotLayoutBuilder,
  StoredInput
}
import org.matchrecognize.spark.expressions.Semantics
import org.matchrecognize.spark.pattern.program.Program

/**
 * Binds the conditions and the measures of a clause to the rows of one task and to the slots of its
 * threads. It is the first of the two parts of a [[PartitionMatcher]]; [[TaskSearch]] uses it.
 *
 * @param store
 *   the rows of the partition
 */
final private[execution] class TaskExpressions(
    val plan: MatchPlan,
    val input: Seq[Attribute],
    val store: PartitionRows) {
  val program: Program = plan.clause.program

  private val names: Array[UTF8String] =
    plan.clause.variables.map(v => UTF8String.fromString(v.name)).toArray

  val binding = new ExpressionBinding(plan, input)

  private val added = new AddedRowAttributes

  /** The slots of threads. */
  val layout: SlotLayout = binding.layout(program, added)

  /** The columns of the input, as a saved state holds them. */
  def stored: StoredInput =
    new StoredInput(input, layout.aggregates.toSeq.map(_.storedTypes), input)

  private def contextOf(unit: EvaluationUnit, layout: SlotLayout) =
    new PartitionContext(store, unit, layout, names)

  /** The match of one thread, on which its conditions are evaluated. */
  val context: PartitionContext = contextOf(binding.unit, layout)

  val conditions = new ThreadConditions(
    binding.conditions,
    binding.unit,
    layout,
    context,
    new StoredAddedRow(store, names),
    program,
    plan.clause.afterMatch)

  /** Evaluates what depends on the row alone. All users share it: each moves it to its own row. */
  val window: RowWindow = new RowWindow(store, binding.unit)

  val output: MatchOutput = plan.allRows match {
    // Measures are slots of the threads. The output reads nothing but the last slots.
    case None if !plan.needsRemap => new SlotsOutput(context)
    case None                     =>
      val again = binding.layoutOf(binding.outputUnit, None, program, added)
      new RemappedOutput(
        contextOf(binding.outputUnit, again),
        again,
        new StoredAddedRow(store, names))
    case Some(mode) =>
      val unit  = binding.outputUnit
      val again = binding.layoutOf(unit, None, program, added)
      val ahead = MatchOutput.looksAhead(unit) || again.numbersRows
      new AllRowsOutput(
        mode,
        contextOf(unit, again),
        SlotLayoutBuilder.part(again, unit, Semantics.Running),
        if (ahead) Some(SlotLayoutBuilder.part(again, unit, Semantics.Final)) else None,
        new StoredAddedRow(store, names)
      )
  }

  /** The output columns, which are evaluated on the context of [[output]]. */
  def columns: Seq[Expression] = binding.output
}
