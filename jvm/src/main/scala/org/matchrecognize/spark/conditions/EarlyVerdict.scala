package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions.{
  And,
  EqualNullSafe,
  Expression,
  Literal,
  Not,
  Or
}

/**
 * Whether a condition has the same verdict whatever is in rows that have not come yet: `x > 5 AND
 * x < NEXT(x)` is not satisfied at a row with x = 3, with or without the row after it.
 *
 * A part that can fail with an error decides nothing of what is tested after it.
 *
 * @param arrived
 *   by part, whether the rows have come that it reads; None if it reads none that may be missing
 */
final private[spark] class EarlyVerdict(arrived: Expression => Option[Expression]) {
  import EarlyVerdict._

  /**
   * @param parts
   *   the condition in its parts, all of which must hold
   */
  def of(parts: Seq[Expression]): Expression = {
    val whole = verdicts(parts.reduce(And(_, _)))
    Or(whole.isTrue, whole.isNotTrue)
  }

  private def verdicts(e: Expression): Verdicts = e match {
    case And(a, b) =>
      val (first, second) = (verdicts(a), verdicts(b))
      Verdicts(
        And(first.isTrue, second.isTrue),
        either(a, first.isFalse, second.isFalse),
        either(a, first.isNotTrue, second.isNotTrue),
        And(first.isNotFalse, second.isNotFalse)
      )
    case Or(a, b) =>
      val (first, second) = (verdicts(a), verdicts(b))
      Verdicts(
        either(a, first.isTrue, second.isTrue),
        And(first.isFalse, second.isFalse),
        And(first.isNotTrue, second.isNotTrue),
        either(a, first.isNotFalse, second.isNotFalse)
      )
    case Not(child) =>
      val inner = verdicts(child)
      Verdicts(inner.isFalse, inner.isTrue, inner.isNotFalse, inner.isNotTrue)
    case part =>
      def known(verdict: Expression) = arrived(part).fold(verdict)(And(_, verdict))
      val (isTrue, isFalse)          =
        (EqualNullSafe(part, Literal.TrueLiteral), EqualNullSafe(part, Literal.FalseLiteral))
      Verdicts(known(isTrue), known(isFalse), known(Not(isTrue)), known(Not(isFalse)))
  }

  /** Either part decides; the second only if the first, which is tested before, cannot fail. */
  private def either(first: Expression, byFirst: Expression, bySecond: Expression): Expression =
    if (Fallible(first)) Or(byFirst, And(hasArrived(first), bySecond)) else Or(byFirst, bySecond)

  private def hasArrived(e: Expression): Expression = arrived(e).getOrElse(Literal.TrueLiteral)
}

private object EarlyVerdict {

  /** What is certain of a condition, which can be NULL. */
  final private case class Verdicts(
      isTrue: Expression,
      isFalse: Expression,
      isNotTrue: Expression,
      isNotFalse: Expression)
}
