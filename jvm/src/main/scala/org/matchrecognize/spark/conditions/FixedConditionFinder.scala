package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import org.matchrecognize.spark.conditions.FixedCondition.{All, Any, Comparison}
import org.matchrecognize.spark.expressions._

/** Finds the comparisons of which conditions consist. */
private[conditions] object FixedConditionFinder {

  /**
   * None if a condition is something else.
   *
   * @param condition
   *   as [[TestedRow]] rewrote it
   */
  def of(condition: DividedCondition, variable: Int): Option[FixedCondition] = {
    val finder = new Finder(variable)
    // What the row alone decides is one comparison, whatever it is.
    val local = condition.local.toSeq.map(e => Some(holds(e)))
    all(local ++ condition.rest.toSeq.map(finder.find)).map(All(_))
  }

  /** Whether values of a type can be keys: numbers in the same order. */
  def hasKeys(dataType: DataType): Boolean = dataType match {
    case BooleanType | FloatType | DoubleType => true
    case decimal: DecimalType                 => decimal.precision <= Decimal.MAX_LONG_DIGITS
    case _: DayTimeIntervalType | _: YearMonthIntervalType => true
    case other                                             => StartBound.isNumber(other)
  }

  private def holds(local: Expression): FixedCondition =
    Comparison(local, Literal.TrueLiteral, Signs.same)

  private def all(parts: Seq[Option[FixedCondition]]): Option[Seq[FixedCondition]] =
    if (parts.forall(_.nonEmpty)) Some(parts.flatten) else None

  final private class Finder(variable: Int) {

    def find(e: Expression): Option[FixedCondition] = e match {
      case And(left, right)         => all(Seq(find(left), find(right))).map(All(_))
      case Or(left, right)          => all(Seq(find(left), find(right))).map(Any(_))
      case _ if isLocal(e)          => Some(holds(e))
      case _ if isFixed(e)          => Some(Comparison(Literal.TrueLiteral, e, Signs.same))
      case LessThan(a, b)           => compare(a, b, Signs.below)
      case LessThanOrEqual(a, b)    => compare(a, b, Signs.below.flipped.opposite)
      case GreaterThan(a, b)        => compare(a, b, Signs.below.flipped)
      case GreaterThanOrEqual(a, b) => compare(a, b, Signs.below.opposite)
      case EqualTo(a, b)            => compare(a, b, Signs.same)
      case Not(EqualTo(a, b))       => compare(a, b, Signs.same.opposite)
      case _                        => None
    }

    private def compare(a: Expression, b: Expression, signs: Signs): Option[FixedCondition] =
      if (a.dataType != b.dataType || !hasKeys(a.dataType)) None
      else if (isLocal(a) && isFixed(b)) Some(Comparison(a, b, signs))
      else if (isFixed(a) && isLocal(b)) Some(Comparison(b, a, signs.flipped))
      else if (isFixed(b)) difference(a, b, signs)
      else if (isFixed(a)) difference(b, a, signs.flipped)
      else None

    /** A difference of what the row decides and what stays the same is compared. */
    private def difference(
        difference: Expression,
        other: Expression,
        signs: Signs): Option[FixedCondition] = FixedDifference.of(difference).flatMap { sides =>
      if (isLocal(sides.left) && isFixed(sides.right)) Some(sides.ofLeft(other, signs))
      else if (isFixed(sides.left) && isLocal(sides.right)) {
        Some(sides.ofRight(other, signs))
      } else None
    }

    /** Whether the row alone decides a value. */
    private def isLocal(e: Expression): Boolean =
      e.deterministic && ConditionClass.of(e, Set.empty).rank <= ConditionClass.RowLocal.rank

    private def isFixed(e: Expression): Boolean =
      e.deterministic && e.collect(leaf).forall(identity)

    /** Whether a leaf stays the same. */
    private val leaf: PartialFunction[Expression, Boolean] = {
      case RowColumn(target, _)    => isFixed(target.anchor)
      case RowExists(target)       => isFixed(target.anchor)
      case _: RowValue             => false
      case aggregate: RowAggregate => aggregate.variable.exists(!_.contains(variable))
    }

    private def isFixed(anchor: RowAnchor): Boolean = anchor match {
      case RowAnchor.Mapped(MappedEnd.First, _, _, Semantics.Running) => true
      case RowAnchor.Mapped(_, Some(other), _, Semantics.Running)     => !other.contains(variable)
      case _: RowAnchor.Mapped | RowAnchor.Output                     => false
    }
  }
}
