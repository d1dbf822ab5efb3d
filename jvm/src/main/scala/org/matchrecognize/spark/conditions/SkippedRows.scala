package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.expressions.{
  MappedEnd,
  RowAggregate,
  RowAnchor,
  RowLabel,
  RowValue
}
import org.matchrecognize.spark.logical.ResolvedClause
import org.matchrecognize.spark.pattern.{AfterMatch, RowPattern}
import org.matchrecognize.spark.pattern.program.Positions

/**
 * How threads skip rows that leave them as they are, in loops like that of
 * `PATTERN (PEAK BELOW+ BACK) DEFINE BELOW AS p < PEAK.p, BACK AS p >= PEAK.p`.
 *
 * @param conditions
 *   by variable; None where the next row with another verdict is not known, but by testing each
 * @param needsRemap
 *   whether measures are computed once a match is found: as parts of the threads, they would change
 *   with each row of a loop
 */
final private[spark] case class SkippedRows(
    conditions: IndexedSeq[Option[FixedCondition]],
    needsRemap: Boolean)

private[spark] object SkippedRows {

  /** What is compared of a row is kept for each row: more would take much memory. */
  private val mostSides = 16

  /**
   * None where each row is offered. Rows are skipped by comparisons with mapped rows if a loop has
   * some, otherwise by tests of one thread after the other.
   *
   * @param conditions
   *   by variable, as [[ConditionRewriter]] rewrote them
   * @param divided
   *   the same, divided
   */
  def of(
      conditions: Seq[Expression],
      divided: IndexedSeq[DividedCondition],
      measures: Seq[Expression],
      clause: ResolvedClause): Option[SkippedRows] = {
    val repeated = RowPattern.repeated(clause.pattern)
    val fixed    = divided.zipWithIndex.map { case (c, v) => FixedConditionFinder.of(c, v) }
    val compares = divided.indices.exists(v => fixed(v).nonEmpty && divided(v).rest.nonEmpty) &&
      repeated.exists(fixed(_).nonEmpty) &&
      fixed.flatten.flatMap(FixedCondition.rowSides).distinct.size <= mostSides
    if (repeated.isEmpty || divided.forall(_.rest.isEmpty) ||
      clause.afterMatch == AfterMatch.NoSkip || !clause.program.canSkipRows) {
      None
    } else if (compares) {
      val needsRemap = fixed.forall(_.nonEmpty) &&
        measureLoops(conditions, measures, clause.afterMatch, repeated)
      Some(SkippedRows(fixed, needsRemap))
    } else {
      // What compares nothing of the row changes only with the slots.
      Some(
        SkippedRows(fixed.map(_.filter(FixedCondition.rowSides(_).isEmpty)), needsRemap = false))
    }
  }

  /**
   * By variable of a loop, the variable whose condition is none of comparisons, so that rows of the
   * loop are tested one by one; None if threads jump.
   */
  def obstacles(
      divided: IndexedSeq[DividedCondition],
      clause: ResolvedClause): Seq[(Int, Option[Int])] = {
    val positions                   = Positions.of(clause.program)
    def following(v: Int): Seq[Int] = positions.fold(
      _ => divided.indices,
      all =>
        all.variables.indices
          .filter(all.variables(_) == v)
          .flatMap(all.after(_))
          .filter(_ != Positions.accepted)
          .map(all.variables(_))
          .distinct
    )
    RowPattern.repeated(clause.pattern).toSeq.sorted.map { v =>
      v -> following(v).find(w => FixedConditionFinder.of(divided(w), w).isEmpty)
    }
  }

  /**
   * Whether measures, and nothing else, read what changes with each row of a loop over a variable.
   */
  private def measureLoops(
      conditions: Seq[Expression],
      measures: Seq[Expression],
      afterMatch: AfterMatch,
      repeated: Set[Int]): Boolean = {
    def read(expressions: Seq[Expression]): Set[Int] =
      repeated.filter(v => expressions.exists(_.exists(changesWith(v))))
    val skipped = afterMatch match {
      case AfterMatch.ToLast(variable, _) => variable.members.toSet
      case _                              => Set.empty[Int]
    }
    (read(measures) -- read(conditions) -- skipped).nonEmpty
  }

  /** Whether the slots that hold what is read change with each row of a variable. */
  private def changesWith(variable: Int)(e: Expression): Boolean = e match {
    case aggregate: RowAggregate => aggregate.variable.forall(_.contains(variable))
    case value: RowValue         =>
      value.target.anchor match {
        case RowAnchor.Mapped(MappedEnd.Last, Some(of), _, _) => of.contains(variable)
        case RowAnchor.Mapped(MappedEnd.Last, None, _, _)     => value.isInstanceOf[RowLabel]
        case _: RowAnchor.Mapped | RowAnchor.Output           => false
      }
    case _ => false
  }
}
