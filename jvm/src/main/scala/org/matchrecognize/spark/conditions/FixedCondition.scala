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

  /** The comparison of two expressions, for all signs but those of <>. */
  def compare(a: Expression, b: Expression): Expression = this match {
    case Signs(true, false, _)    => LessThan(a, b)
    case Signs(true, true, _)     => LessThanOrEqual(a, b)
    case Signs(false, false, _)   => GreaterThan(a, b)
    case Signs(false, true, true) => GreaterThanOrEqual(a, b)
    case Signs(false, true, _)    => EqualTo(a, b)
  }
}

private[spark] object Signs {
  val below: Signs = Signs(less = true, equal = false, greater = false)
  val same: Signs  = Signs(less = false, equal = true, greater = false)
}

private[spark] object FixedCondition {

  /** A condition on one value of the row. */
  sealed trait OfValue extends FixedCondition {

    /** What the row decides. */
    def row: Expression

    /** What stays the same. */
    def fixed: Seq[Expression]

    /** First rows that `fixed` reads. It stays the same once there are such rows. */
    final def firsts: Seq[RowTarget] = fixed
      .flatMap(RowValue.targets)
      .filter(_.anchor match {
        case RowAnchor.Mapped(end, _, _, _) => end == MappedEnd.First
        case RowAnchor.Output               => false
      })
  }

  /** A comparison of the row's value with another one. */
  final case class Comparison(row: Expression, other: Expression, signs: Signs) extends OfValue {
    override def fixed: Seq[Expression] = Seq(other)
  }

  /**
   * A condition that changes at most once while the row's value grows, wherever it has no error:
   * `price / PEAK.price < 0.95`.
   *
   * @param function
   *   its parts over the values of `row` and `fixed`
   */
  final case class Threshold(row: Expression, fixed: Seq[Expression], function: MonotoneTest)
      extends OfValue

  /** Holds where all parts do. */
  final case class All(parts: Seq[FixedCondition]) extends FixedCondition

  /** Holds where one of the parts does. */
  final case class Any(parts: Seq[FixedCondition]) extends FixedCondition

  /** What is compared of a row. */
  def rowSides(condition: FixedCondition): Seq[Expression] = condition match {
    case value: OfValue => Seq(value.row)
    case All(parts)     => parts.flatMap(rowSides)
    case Any(parts)     => parts.flatMap(rowSides)
  }
}

/**
 * The test of a value that grows or falls with one argument, by rounded arithmetic, too: sums,
 * differences, products and quotients with values that stay the same. Argument 0 is what grows, the
 * others stay the same.
 *
 * It is one function of the argument between two of its values where `value` and `divisors` are
 * finite and no divisor has another sign than at the other end.
 *
 * @param test
 *   the comparison of `value` with what stays the same
 * @param value
 *   what is compared
 * @param divisors
 *   what is divided by, if it depends on argument 0
 */
final private[spark] case class MonotoneTest(
    test: Expression,
    value: Expression,
    divisors: Seq[Expression])
