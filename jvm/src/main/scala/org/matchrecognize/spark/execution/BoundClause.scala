package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.conditions.BoundedConditions
import org.matchrecognize.spark.execution.evaluation.MatchOutput
import org.matchrecognize.spark.execution.slots.{DividedUses, EvaluationUnit}
import org.matchrecognize.spark.expressions.RowTarget

/**
 * The expressions of a clause, bound to [[EvaluationUnit]]s. The same clause is always bound the
 * same way: the driver generates code from it, a task lays out its slots.
 */
final private[execution] class BoundClause(spec: MatchSpec) {

  /** What conditions ask for; mostly, with ONE ROW PER MATCH, what measures ask for, too. */
  val unit = new EvaluationUnit(spec.input, spec.clause.variables)

  /** By variable. */
  val conditions: IndexedSeq[DividedUses] = spec.conditions.map(unit.bind).toIndexedSeq

  val bounded: Option[BoundParts] = spec.bounded.map(parts =>
    BoundParts(
      parts,
      parts.bound.map(b => unit.bind(b.bound).expression),
      parts.conditions.map(_.local.map(unit.bind(_).expression))))

  val conditionTargets: Seq[RowTarget] = unit.frames

  /** What the columns that are put out ask for. */
  val outputUnit: EvaluationUnit =
    if (!spec.mapsAgain) unit else new EvaluationUnit(spec.input, spec.clause.variables)

  /** The columns that are put out. */
  val output: Seq[Expression] = {
    val input    = if (spec.allRows.isEmpty) spec.partition else spec.input
    val measures = spec.measures.map(outputUnit.bind(_).expression)
    input.map(MatchOutput.column).map(outputUnit.bind(_).expression) ++
      (if (spec.clause.rows.showUnmatched) measures.map(MatchOutput.measure) else measures)
  }
}

/**
 * [[BoundedConditions]], bound to a unit.
 *
 * @param bound
 *   the conditions' bound, on the first row of a match as the row tested
 * @param local
 *   by variable, what the row alone decides
 */
final private[execution] case class BoundParts(
    spec: BoundedConditions,
    bound: Option[Expression],
    local: IndexedSeq[Option[Expression]])
