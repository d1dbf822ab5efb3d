package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Literal}

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.RowPattern

/**
 * What a condition depends on, besides the row that it tests: decides which matchers can be used,
 * never the answer. Plans go to executors, and Scala 2.12 sends these objects by their class.
 */
sealed abstract private[spark] class ConditionClass(val rank: Int, val name: String)
    extends Serializable {

  /** The name, and what it means to a user who does not know it. */
  def explained: String = this match {
    case ConditionClass.Bounded  => s"$name (it depends on the first row of the match)"
    case ConditionClass.Anchored => s"$name (it depends on the match)"
    case ConditionClass.Running  => s"$name (it depends on the rows mapped so far)"
    case ConditionClass.Constant | ConditionClass.RowLocal => name
  }
}

private[spark] object ConditionClass {

  /** On nothing: true, false or NULL at each row. */
  case object Constant extends ConditionClass(0, "constant")

  /** On rows at a fixed distance from the row tested. */
  case object RowLocal extends ConditionClass(1, "row-local")

  /** On how far in the order the row is from the first row of the match, too ([[StartBound]]). */
  case object Bounded extends ConditionClass(2, "bounded by the first row")

  /** On rows of the match that stay the same once they are mapped, too. */
  case object Anchored extends ConditionClass(3, "anchored")

  /** On what is mapped up to the row tested. */
  case object Running extends ConditionClass(4, "running")

  /**
   * The class of a condition or of a part of one, as [[ConditionRewriter]] rewrote it.
   *
   * @param repeated
   *   the variables that several rows of a match can be mapped to ([[RowPattern.repeated]])
   */
  def of(condition: Expression, repeated: Set[Int]): ConditionClass = condition match {
    case _: Literal => Constant
    case _          => (RowLocal +: condition.collect(leaf(repeated))).maxBy(_.rank)
  }

  private def leaf(repeated: Set[Int]): PartialFunction[Expression, ConditionClass] = {
    case _: RowSequenceNumber | _: RowLabel => Running
    case value: RowValue                    => of(value.target, repeated)
    case _: MatchNumber                     => Anchored
    case _: RowAggregate                    => Running
  }

  private def of(target: RowTarget, repeated: Set[Int]): ConditionClass = target.anchor match {
    case _ if target.isRowLocal                     => RowLocal
    case RowAnchor.Mapped(MappedEnd.First, _, _, _) => Anchored
    case RowAnchor.Mapped(MappedEnd.Last, Some(variable), 0, _)
        if !variable.members.exists(repeated) =>
      Anchored
    case _: RowAnchor.Mapped | RowAnchor.Output => Running
  }
}

/**
 * A condition, divided so that what the row alone decides can be tested once a row.
 *
 * @param local
 *   a part that the row alone decides, with rows at fixed distances from it; or None
 * @param rest
 *   what has to hold besides, or None
 */
final private[spark] case class DividedCondition(
    local: Option[Expression],
    rest: Option[Expression],
    conditionClass: ConditionClass) {

  /** Whether the row alone decides the whole condition. */
  def isLocal: Boolean = rest.isEmpty
}

private[spark] object DividedCondition {

  /** The conditions of a clause, by variable, as [[ConditionRewriter]] rewrote them. */
  def ofClause(conditions: Seq[Expression], pattern: RowPattern): IndexedSeq[DividedCondition] = {
    val repeated = RowPattern.repeated(pattern)
    conditions.map(of(_, repeated)).toIndexedSeq
  }

  /**
   * Parts that the row alone decides are tested first: those that lead, and those after them up to
   * the first part that can fail with an error. Whether an error surfaces must not depend on it.
   */
  def of(condition: Expression, repeated: Set[Int]): DividedCondition = {
    val whole = ConditionClass.of(condition, repeated)
    if (condition == Literal.TrueLiteral) {
      DividedCondition(None, None, whole)
    } else {
      val parts   = ConditionFacts.conjuncts(condition)
      val isLocal = parts.map(ConditionClass.of(_, repeated).rank <= ConditionClass.RowLocal.rank)
      val leading = isLocal.takeWhile(identity).size
      val beforeFallible  = parts.drop(leading).takeWhile(!Fallible(_)).size + leading
      val (local, others) = parts.zipWithIndex.partition { case (_, i) =>
        i < leading || i < beforeFallible && isLocal(i)
      }
      if (others.isEmpty) DividedCondition(Some(condition), None, whole)
      else if (local.isEmpty) DividedCondition(None, Some(condition), whole)
      else DividedCondition(Some(all(local.map(_._1))), Some(all(others.map(_._1))), whole)
    }
  }

  /** A conjunction that is as flat as can be: thousands of parts must not be as many levels. */
  private def all(parts: Seq[Expression]): Expression =
    if (parts.size == 1) parts.head
    else {
      val (left, right) = parts.splitAt(parts.size / 2)
      And(all(left), all(right))
    }
}
