package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import org.matchrecognize.spark.expressions._

/**
 * A condition of a variable, as comparisons of what the row tested decides with what stays the same
 * while rows are mapped to the variable: `price < PEAK.price AND volume > 10`. It is true for the
 * same rows as the condition; false and NULL are not distinguished.
 */
sealed private[spark] trait FixedCondition

/** How the row's side compares to the other one where a comparison holds. */
final private[spark] case class Signs(less: Boolean, equal: Boolean, greater: Boolean) {
  def flipped: Signs = copy(less = greater, greater = less)
}

private[spark] object FixedCondition {

  /**
   * @param row
   *   what the row decides
   * @param fixed
   *   what stays the same
   * @param first
   *   what `fixed` reads that rows mapped to the variable itself are the first of: it stays the same
   *   once there is such a row
   */
  final case class Comparison(
      row: Expression,
      fixed: Expression,
      signs: Signs,
      first: Seq[RowTarget])
      extends FixedCondition

  /** Holds where all parts do. */
  final case class All(parts: Seq[FixedCondition]) extends FixedCondition

  /** Holds where one of the parts does. */
  final case class Any(parts: Seq[FixedCondition]) extends FixedCondition

  private val isTrue = Signs(less = false, equal = true, greater = false)

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

  /** What is compared of a row. */
  def rowSides(condition: FixedCondition): Seq[Expression] = condition match {
    case comparison: Comparison => Seq(comparison.row)
    case All(parts)             => parts.flatMap(rowSides)
    case Any(parts)             => parts.flatMap(rowSides)
  }

  /** Whether values of a type can be keys: numbers in the same order. */
  def hasKeys(dataType: DataType): Boolean = dataType match {
    case BooleanType | FloatType | DoubleType => true
    case decimal: DecimalType                 => decimal.precision <= Decimal.MAX_LONG_DIGITS
    case _: DayTimeIntervalType | _: YearMonthIntervalType => true
    case other                                             => StartBound.isNumber(other)
  }

  private def holds(local: Expression): FixedCondition =
    Comparison(local, Literal.TrueLiteral, isTrue, Nil)

  private def all(parts: Seq[Option[FixedCondition]]): Option[Seq[FixedCondition]] =
    if (parts.forall(_.nonEmpty)) Some(parts.flatten) else None

  final private class Finder(variable: Int) {

    def find(e: Expression): Option[FixedCondition] = e match {
      case And(left, right) => all(Seq(find(left), find(right))).map(All(_))
      case Or(left, right)  => all(Seq(find(left), find(right))).map(Any(_))
      case _ if isLocal(e)  => Some(holds(e))
      case _ if isFixed(e)  => Some(Comparison(Literal.TrueLiteral, e, isTrue, firsts(e)))
      case LessThan(a, b)   => compare(a, b, Signs(less = true, equal = false, greater = false))
      case LessThanOrEqual(a, b) =>
        compare(a, b, Signs(less = true, equal = true, greater = false))
      case GreaterThan(a, b) => compare(a, b, Signs(less = false, equal = false, greater = true))
      case GreaterThanOrEqual(a, b) =>
        compare(a, b, Signs(less = false, equal = true, greater = true))
      case EqualTo(a, b)      => compare(a, b, isTrue)
      case Not(EqualTo(a, b)) => compare(a, b, Signs(less = true, equal = false, greater = true))
      case _                  => None
    }

    private def compare(a: Expression, b: Expression, signs: Signs): Option[FixedCondition] =
      if (a.dataType != b.dataType || !hasKeys(a.dataType)) None
      else if (isLocal(a) && isFixed(b)) Some(Comparison(a, b, signs, firsts(b)))
      else if (isFixed(a) && isLocal(b)) Some(Comparison(b, a, signs.flipped, firsts(a)))
      else None

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

    private def firsts(e: Expression): Seq[RowTarget] = e
      .collect { case value: RowValue =>
        value.target
      }
      .filter(_.anchor match {
        case RowAnchor.Mapped(MappedEnd.First, of, _, _) => of.forall(_.contains(variable))
        case _: RowAnchor.Mapped | RowAnchor.Output      => false
      })
  }
}
