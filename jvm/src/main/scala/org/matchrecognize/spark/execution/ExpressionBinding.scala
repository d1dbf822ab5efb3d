package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}

import org.matchrecognize.spark.conditions.BoundedConditions
import org.matchrecognize.spark.execution.evaluation.MatchOutput
import org.matchrecognize.spark.execution.slots.{
  AddedRowAttributes,
  EvaluationUnit,
  SlotLayout,
  SlotLayoutBuilder,
  UnitCondition
}
import org.matchrecognize.spark.expressions.RowTarget
import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.program.Program

/**
 * Binds the expressions of a clause to [[EvaluationUnit]]s. It binds the same clause always in the
 * same order: the driver generates code from it, and a task lays out its slots.
 */
final private[execution] class ExpressionBinding(plan: MatchPlan, input: Seq[Attribute]) {

  /** What conditions read; with ONE ROW PER MATCH, mostly what measures read, too. */
  val unit: EvaluationUnit = newUnit

  private def newUnit =
    new EvaluationUnit(input, plan.clause.variables, plan.clause.program.passesOver)

  /** By variable. */
  val conditions: IndexedSeq[UnitCondition] = plan.divided.map(unit.bind)

  val bounded: Option[StartBoundBinding] = plan.bounded.map(parts =>
    StartBoundBinding(
      parts,
      parts.bound.map(b => unit.bind(b.bound).expression),
      parts.conditions.map(_.local.map(unit.bind(_).expression))))

  val conditionTargets: Seq[RowTarget] = unit.frames

  /** What the output columns read. */
  val outputUnit: EvaluationUnit =
    if (plan.needsRemap) newUnit else unit

  /** The slots of threads. */
  def layout(program: Program, added: AddedRowAttributes): SlotLayout =
    layoutOf(unit, Some(plan.clause.afterMatch), program, added)

  def layoutOf(
      unit: EvaluationUnit,
      afterMatch: Option[AfterMatch],
      program: Program,
      added: AddedRowAttributes): SlotLayout =
    SlotLayoutBuilder.build(
      unit,
      afterMatch,
      input,
      added,
      plan.clause.variables.size,
      program.passesOver)

  private val columns = plan.measures.map(outputUnit.bind(_))

  /** The output columns. */
  val output: Seq[Expression] = {
    val passed   = if (plan.allRows.isEmpty) plan.partition else input
    val measures = columns.map(_.expression)
    passed.map(MatchOutput.column).map(outputUnit.bind(_).expression) ++
      (if (plan.clause.rows.showUnmatched) measures.map(MatchOutput.measure) else measures)
  }

  /** What measures read. */
  val outputTargets: Seq[RowTarget] = columns.flatMap(_.frames).distinct.map(outputUnit.frame(_))
}

/**
 * The expressions of [[BoundedConditions]], as a unit evaluates them.
 *
 * @param bound
 *   the conditions' bound, on the first row of a match as the row tested
 * @param local
 *   by variable, what the row alone decides
 */
final private[execution] case class StartBoundBinding(
    spec: BoundedConditions,
    bound: Option[Expression],
    local: IndexedSeq[Option[Expression]])
