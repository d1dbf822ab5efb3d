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
   *   as [[ConditionRewriter]] rewrote it
   */
  def of(condition: DividedCondition, variable: Int): Option[FixedCondition] = {
    val comparisons = new VariableComparisons(variable)
    // What the row alone decides is one comparison, whatever it is.
    val local = condition.local.toSeq.map(e => Some(holds(e)))
    all(local ++ condition.rest.toSeq.map(comparisons.find)).map(All(_))
  }

  /** Whether values of a type can be keys: numbers in the same order. */
  private def hasKeys(dataType: DataType): Boolean = dataType match {
    case BooleanType      => true
    case text: StringType => StringKeys.exist(text)
    case other            => isNumber(other)
  }

  /** Whether keys of a type are values, too. */
  private def isNumber(dataType: DataType): Boolean = dataType match {
    case _: NumericType                                    => true
    case _: DayTimeIntervalType | _: YearMonthIntervalType => true
    case other                                             => StartBound.isNumber(other)
  }

  private def holds(local: Expression): FixedCondition =
    Comparison(local, Literal.TrueLiteral, Signs.same)

  private def all(parts: Seq[Option[FixedCondition]]): Option[Seq[FixedCondition]] =
    if (parts.forall(_.nonEmpty)) Some(parts.flatten) else None

  final private class VariableComparisons(variable: Int) {

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
      if (a.dataType != b.dataType) None
      else if (hasKeys(a.dataType) && isLocal(a) && isFixed(b)) Some(Comparison(a, b, signs))
      else if (hasKeys(a.dataType) && isFixed(a) && isLocal(b))
        Some(Comparison(b, a, signs.flipped))
      else if (isFixed(b)) monotone(a, b, signs)
      else if (isFixed(a)) monotone(b, a, signs.flipped)
      else None

    /** A function of what the row decides, and of what stays the same, is compared. */
    private def monotone(
        subject: Expression,
        other: Expression,
        signs: Signs): Option[FixedCondition] = {
      def both(a: Signs, b: Signs) =
        all(Seq(monotone(subject, other, a), monotone(subject, other, b)))
      (subject, signs) match {
        case (_, Signs(false, true, false)) =>
          both(Signs.below.opposite, Signs.below.flipped.opposite).map(All(_))
        case (_, Signs(true, false, true))   => both(Signs.below, Signs.below.flipped).map(Any(_))
        case (abs: Abs, Signs(isLess, _, _)) =>
          val sides = Seq(abs.child, UnaryMinus(abs.child)).map(monotone(_, other, signs))
          all(sides).map(if (isLess) All(_) else Any(_))
        case _ =>
          new MonotoneTestBuilder(e => isNumber(e.dataType) && isLocal(e), isFixed)
            .build(subject, other, signs.compare(_, _))
      }
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
