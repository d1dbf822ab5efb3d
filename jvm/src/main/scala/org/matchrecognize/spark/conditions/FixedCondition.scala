package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._

import org.matchrecognize.spark.expressions._

/**
 * A condition of a variable, as comparisons of what the row tested decides with what stays the same
 * while rows are mapped to the variable: `price < PEAK.price AND volume > 10`. It is true for the
 * same rows as the condition; false and NULL are not distinguished.
 */
sealed private[spark] trait FixedCondition

/** How the row's side compares to the other one where a comparison holds. */
final private[spark] case class Signs(less: Boolean, equal: Boolean, greater: Boolean) {
  def flipped: Signs  = copy(less = greater, greater = less)
  def opposite: Signs = Signs(!less, !equal, !greater)
}

private[spark] object Signs {
  val below: Signs = Signs(less = true, equal = false, greater = false)
  val same: Signs  = Signs(less = false, equal = true, greater = false)
}

private[spark] object FixedCondition {

  /**
   * @param row
   *   what the row decides
   * @param fixed
   *   what stays the same
   */
  final case class Comparison(row: Expression, fixed: Expression, signs: Signs)
      extends FixedCondition {

    /** First rows that `fixed` reads. It stays the same once there are such rows. */
    def firsts: Seq[RowTarget] = fixed
      .collect { case value: RowValue =>
        value.target
      }
      .filter(_.anchor match {
        case RowAnchor.Mapped(end, _, _, _) => end == MappedEnd.First
        case RowAnchor.Output               => false
      })
  }

  /** Holds where all parts do. */
  final case class All(parts: Seq[FixedCondition]) extends FixedCondition

  /** Holds where one of the parts does. */
  final case class Any(parts: Seq[FixedCondition]) extends FixedCondition

  /** What is compared of a row. */
  def rowSides(condition: FixedCondition): Seq[Expression] = condition match {
    case comparison: Comparison => Seq(comparison.row)
    case All(parts)             => parts.flatMap(rowSides)
    case Any(parts)             => parts.flatMap(rowSides)
  }
}
