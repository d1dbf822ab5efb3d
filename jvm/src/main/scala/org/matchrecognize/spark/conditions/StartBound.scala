package org.matchrecognize.spark.conditions

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.RowPattern
import org.matchrecognize.spark.pattern.program.Positions

/**
 * A bound on how far from the first row of a match rows can be, as some conditions share it:
 * `ts <= A.ts + INTERVAL 1 HOUR` where A is mapped to the first row and rows are ordered by ts.
 *
 * @param order
 *   the first key of ORDER BY, a column
 * @param inclusive
 *   whether a row at the bound satisfies it
 * @param bound
 *   the bound, as an expression on the first row as the row tested
 */
final private[spark] case class StartBound(
    order: SortOrder,
    inclusive: Boolean,
    bound: Expression) {
  def key: Attribute      = order.child.asInstanceOf[Attribute]
  def ascending: Boolean  = order.direction == Ascending
  def nullsFirst: Boolean = order.nullOrdering == NullsFirst

  def isSame(that: StartBound): Boolean =
    inclusive == that.inclusive && SameExpression(bound, that.bound)
}

/**
 * A condition of which only what the row alone decides and a [[StartBound]] is kept.
 *
 * @param local
 *   what the row alone decides, with the key not NULL if there is a bound; None if nothing
 * @param isBounded
 *   whether the bound is part of it
 * @param testsBoundFirst
 *   whether the bound can be evaluated at a row that the local part rejects
 * @param rest
 *   the parts that are not kept
 */
final private[spark] case class BoundedCondition(
    local: Option[Expression],
    isBounded: Boolean,
    testsBoundFirst: Boolean,
    rest: Seq[Expression]) {
  def isWhole: Boolean = rest.isEmpty
}

/**
 * A bound and what is kept of the conditions, by variable.
 *
 * @param bound
 *   the bound that conditions share; None where it is WITHIN's, which all rows have
 */
final private[spark] case class BoundedConditions(
    bound: Option[StartBound],
    conditions: IndexedSeq[BoundedCondition]) {

  /** Whether the row and the bound decide all conditions. */
  def areWhole: Boolean = conditions.forall(_.isWhole)
}

private[spark] object BoundedConditions {

  /** Under WITHIN, whose bound never fails. */
  def within(conditions: Seq[DividedCondition]): BoundedConditions =
    BoundedConditions(
      None,
      conditions
        .map(c =>
          BoundedCondition(c.local, isBounded = true, testsBoundFirst = false, c.rest.toSeq))
        .toIndexedSeq)
}

/** The variables of first rows of matches, and those of rows after them. */
final private[spark] case class StartVariables(first: Set[Int], later: Set[Int])

private[spark] object StartVariables {
  def of(positions: Positions): StartVariables = {
    def variables(places: Seq[Array[Int]]): Set[Int] =
      places.flatten.filter(_ != Positions.accepted).map(positions.variables(_)).toSet
    StartVariables(
      variables(Seq(positions.entry, positions.entryAtStart)),
      variables(positions.after.toSeq ++ positions.afterLast))
  }
}

/**
 * Finds the [[StartBound]] that conditions have in common.
 *
 * @param order
 *   ORDER BY, which may be missing
 */
final private[spark] class StartBounds(
    order: Seq[SortOrder],
    pattern: RowPattern,
    variables: StartVariables) {
  import variables.{first, later}

  private val repeated = RowPattern.repeated(pattern)

  /** None if there is no bound, or more than one. */
  def of(conditions: Seq[Expression]): Option[BoundedConditions] =
    conditions.flatMap(ConditionFacts.conjuncts).flatMap(boundOf) match {
      case bound +: others if others.forall(_.isSame(bound)) => Some(known(conditions))
      case _                                                 => None
    }

  /**
   * The same, of conditions that are known to share a bound. Bounds are not compared again: Spark
   * may have planned the subqueries in them since.
   */
  def known(conditions: Seq[Expression]): BoundedConditions = {
    val parts = conditions.map(ConditionFacts.conjuncts)
    BoundedConditions(parts.flatten.flatMap(boundOf).headOption, parts.map(divide).toIndexedSeq)
  }

  /** Whether a part of a condition is a bound. */
  def isBound(part: Expression): Boolean = boundOf(part).nonEmpty

  /**
   * Whether the rows after one that is not within a bound are not, either. A row without a key is
   * within none, and can come before all others.
   */
  def excludesLater(part: Expression): Boolean = boundOf(part).exists(bound =>
    !bound.key.nullable || !bound.nullsFirst || isNullWithoutKey(bound))

  private def divide(parts: Seq[Expression]): BoundedCondition = {
    val (bounds, others) = parts.partition(boundOf(_).nonEmpty)
    val implied          = bounds.flatMap(boundOf).exists(isNullWithoutKey)
    val (local, rest)    = others
      .filterNot(part => implied && isNotBeforeStart(part))
      .partition(ConditionClass.of(_, repeated).rank <= ConditionClass.RowLocal.rank)
    val key =
      bounds.flatMap(boundOf).take(1).map(b => IsNotNull(RowColumn(RowTarget.tested, b.key)))
    val kept = (local ++ key).filter(_ != Literal.TrueLiteral)
    // A comparison reads its right side only where its left side is not NULL.
    val asksFirst = parts.dropWhile(!bounds.contains(_)).exists(local.contains) ||
      bounds.exists(part => !isKey(part.children.head))
    BoundedCondition(kept.reduceOption(And(_, _)), bounds.nonEmpty, asksFirst, rest)
  }

  private def boundOf(part: Expression): Option[StartBound] = part match {
    case LessThanOrEqual(row, bound)    => between(row, bound, less = true, inclusive = true)
    case LessThan(row, bound)           => between(row, bound, less = true, inclusive = false)
    case GreaterThanOrEqual(row, bound) => between(row, bound, less = false, inclusive = true)
    case GreaterThan(row, bound)        => between(row, bound, less = false, inclusive = false)
    case _                              => None
  }

  private def between(
      left: Expression,
      right: Expression,
      less: Boolean,
      inclusive: Boolean): Option[StartBound] =
    if (isKey(left) && less == ascending) at(right, inclusive)
    else if (isKey(right) && less != ascending) at(left, inclusive)
    else None

  /** The first key. */
  private val firstKey: Option[SortOrder] = order.headOption

  private val ascending = firstKey.exists(_.direction == Ascending)

  private def isKey(e: Expression): Boolean = e match {
    case RowColumn(RowTarget.tested, column: Attribute) =>
      firstKey.exists(_.child.semanticEquals(column)) && StartBound.isNumber(column.dataType)
    case _ => false
  }

  private def at(bound: Expression, inclusive: Boolean): Option[StartBound] = {
    val isOfStart = bound.deterministic && bound.collect(leaf).forall(identity)
    val ofStart   = bound.exists { case _: RowColumn => true; case _ => false }
    if (!isOfStart || !ofStart) None
    else {
      val seen = bound.transform { case column: RowColumn =>
        column.of(RowTarget.tested.copy(physical = column.target.physical))
      }
      firstKey.map(StartBound(_, inclusive, seen))
    }
  }

  /** Whether a leaf is taken from the first row of the match, or from a row near it. */
  private val leaf: PartialFunction[Expression, Boolean] = {
    case RowColumn(target, _)                                => isStart(target.anchor)
    case _: RowValue                                         => false
    case _: org.matchrecognize.spark.expressions.MatchNumber => false
    case _: RowAggregate                                     => false
  }

  /**
   * Whether a part only says that the row does not come before the first row of the match, as the
   * lower end of `ts BETWEEN A.ts AND A.ts + INTERVAL 1 HOUR` does: where both have a key, the
   * order says so.
   */
  private def isNotBeforeStart(part: Expression): Boolean = part match {
    case GreaterThanOrEqual(a, b) => if (ascending) isFrom(a, b) else isFrom(b, a)
    case LessThanOrEqual(a, b)    => if (ascending) isFrom(b, a) else isFrom(a, b)
    case _                        => false
  }

  private def isFrom(row: Expression, start: Expression): Boolean =
    isKey(row) && isStartKey(start)

  private def isStartKey(e: Expression): Boolean = e match {
    case RowColumn(target, column: Attribute) =>
      target.physical == 0 && isStart(target.anchor) &&
      firstKey.exists(_.child.semanticEquals(column))
    case _ => false
  }

  /** Whether no row is within a bound if the first row of the match has no key. */
  private def isNullWithoutKey(bound: StartBound): Boolean = {
    val without = bound.bound.transform {
      case RowColumn(RowTarget.tested, column) if column.semanticEquals(bound.key) =>
        Literal(null, column.dataType)
    }
    without.foldable && Try(without.eval()).toOption.contains(null)
  }

  private def isStart(anchor: RowAnchor): Boolean = anchor match {
    case RowAnchor.Mapped(MappedEnd.First, None, 0, _)           => true
    case RowAnchor.Mapped(MappedEnd.First, Some(variable), 0, _) =>
      first.subsetOf(variable.members.toSet)
    case RowAnchor.Mapped(MappedEnd.Last, Some(variable), 0, _) =>
      first.subsetOf(variable.members.toSet) && !variable.members.exists(later)
    case _: RowAnchor.Mapped | RowAnchor.Output => false
  }
}

private[spark] object StartBound {

  /** Whether values of a type are numbers of at most 64 bits. */
  def isNumber(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType => true
    case DateType | TimestampType | TimestampNTZType   => true
    case _                                             => false
  }
}
