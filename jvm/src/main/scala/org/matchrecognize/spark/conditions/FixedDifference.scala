package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import org.matchrecognize.spark.conditions.FixedCondition.{All, Any, Comparison}
import org.matchrecognize.spark.expressions._

/**
 * A difference, so that comparisons of it become comparisons of one of its sides: that
 * `ts - A.ts > INTERVAL '1' HOUR` is that `ts > A.ts + INTERVAL '1' HOUR`.
 */
sealed abstract private[conditions] class FixedDifference {
  def left: Expression
  def right: Expression

  /** What holds where `left - right` compares so to something: how `left` compares to another. */
  def ofLeft(other: Expression, signs: Signs): FixedCondition

  /** The same for `right`. */
  def ofRight(other: Expression, signs: Signs): FixedCondition
}

private[conditions] object FixedDifference {

  /** None if an expression is something else, or its type has no such comparisons. */
  def of(e: Expression): Option[FixedDifference] = e match {
    case TimeDifference(minus) => of(minus)
    case minus: Subtract       => ofNumbers(minus)
    case minus: SubtractTimestamps
        if !minus.legacyInterval && minus.left.dataType == minus.right.dataType =>
      val epoch = Literal.create(0L, minus.left.dataType)
      Some(OfWhole(minus.left, minus.right, sinceEpoch(minus, epoch)))
    case minus: SubtractDates if !minus.legacyInterval =>
      Some(OfWhole(minus.left, minus.right, sinceEpoch(minus, Literal.create(0, DateType))))
    case DateDiff(end, start) => Some(OfWhole(end, start, ExactLong.of(_, 32)))
    case _                    => None
  }

  /** A time as Spark subtracts it: its microseconds in the session's time zone. */
  private def sinceEpoch(minus: BinaryExpression, epoch: Literal)(time: Expression): ExactLong =
    ExactLong.ofLong(TimeArithmetic.in(minus.withNewChildren(Seq(time, epoch))))

  private def ofNumbers(minus: Subtract): Option[FixedDifference] = {
    def whole(exact: Expression => Expression) =
      Some(OfWhole(minus.left, minus.right, exact))
    minus.dataType match {
      case ByteType                          => whole(ExactLong.of(_, 8))
      case ShortType                         => whole(ExactLong.of(_, 16))
      case IntegerType                       => whole(ExactLong.of(_, 32))
      case LongType | _: DayTimeIntervalType => whole(ExactLong.ofLong)
      case DoubleType                        => Some(OfDoubles(minus.left, minus.right))
      case _                                 => None
    }
  }

  /**
   * @param exact
   *   a side as a whole number that fails where the difference may not be exact
   */
  final private case class OfWhole(
      left: Expression,
      right: Expression,
      exact: Expression => Expression)
      extends FixedDifference {

    override def ofLeft(other: Expression, signs: Signs): FixedCondition =
      Comparison(exact(left), Add(exact(right), ExactLong.ofLong(other)), signs)

    override def ofRight(other: Expression, signs: Signs): FixedCondition =
      Comparison(exact(right), Subtract(exact(left), ExactLong.ofLong(other)), signs.flipped)
  }

  final private case class OfDoubles(left: Expression, right: Expression)
      extends FixedDifference {

    override def ofLeft(other: Expression, signs: Signs): FixedCondition =
      compare(left, right, other, signs)

    // a - x is (-x) - (-a). It is not -(x - a): NaN, the largest value, would be on the wrong side.
    override def ofRight(other: Expression, signs: Signs): FixedCondition =
      compare(UnaryMinus(right), UnaryMinus(left), other, signs)

    private def compare(x: Expression, a: Expression, b: Expression, signs: Signs) = {
      def below(orEqual: Boolean) = Comparison(x, SmallestMinuend(a, b, !orEqual), Signs.below)
      def above(orEqual: Boolean) =
        Comparison(x, SmallestMinuend(a, b, orEqual), Signs.below.opposite)
      signs match {
        case Signs(true, equal, false) => below(equal)
        case Signs(false, equal, true) => above(equal)
        case Signs(false, _, false)    => All(Seq(below(true), above(true)))
        case Signs(true, _, true)      => Any(Seq(below(false), above(false)))
      }
    }
  }
}
