package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  LeafExpression,
  UnaryExpression,
  Unevaluable
}
import org.apache.spark.sql.types.{BooleanType, DataType, LongType, StringType}

import org.matchrecognize.spark.pattern.RowVariable

/*
 * What analysis makes of the user's navigations and aggregates: each column says from which row it
 * is taken. These live in the logical and the physical plan, with input columns as attributes, so
 * that Spark sees what is used. Execution binds them to a MatchContext.
 */

/** What is taken from one row: a column, its label, its number in the match, its existence. */
sealed trait RowValue extends Expression with Unevaluable {
  def target: RowTarget

  /** The same of another row. */
  def of(other: RowTarget): RowValue
}

object RowValue {

  /** The rows that an expression reads. */
  def targets(e: Expression): Seq[RowTarget] = e.collect { case value: RowValue => value.target }

  /** How many rows after those of the match NEXT reads, at most. */
  def rowsAhead(e: Expression): Long = (0L +: targets(e).map(_.physical)).max
}

/** A column of the input, taken from the row `target`; NULL if there is no such row. */
case class RowColumn(target: RowTarget, child: Expression) extends UnaryExpression with RowValue {
  override def of(other: RowTarget): RowColumn = copy(target = other)
  override def dataType: DataType              = child.dataType

  // The row may not exist, whatever the column's type says.
  override def nullable: Boolean = true
  override def sql: String       = s"${child.sql} OF $target"
  override def toString: String  = s"$child of $target"
  override protected def withNewChildInternal(newChild: Expression): RowColumn =
    copy(child = newChild)
}

/** The primary variable that the row `target` is mapped to; NULL if to none. */
case class RowLabel(target: RowTarget) extends LeafExpression with RowValue {
  override def of(other: RowTarget): RowLabel = RowLabel(other)
  override def dataType: DataType             = StringType
  override def nullable: Boolean              = true
  override def sql: String                    = s"CLASSIFIER OF $target"
  override def toString: String               = sql
}

/** The ordinal of the row `target` in its match, from 1; NULL if it is not in the match. */
case class RowSequenceNumber(target: RowTarget) extends LeafExpression with RowValue {
  override def of(other: RowTarget): RowSequenceNumber = RowSequenceNumber(other)
  override def dataType: DataType                      = LongType
  override def nullable: Boolean                       = true
  override def sql: String                             = s"SEQUENCE NUMBER OF $target"
  override def toString: String                        = sql
}

case class RowExists(target: RowTarget) extends LeafExpression with RowValue {
  override def of(other: RowTarget): RowExists = RowExists(other)
  override def dataType: DataType              = BooleanType
  override def nullable: Boolean               = false
  override def sql: String                     = s"EXISTS $target"
  override def toString: String                = sql
}

/** In the argument of an aggregate: the primary variable of the row that is being added. */
case class AddedRowLabel() extends LeafExpression with Unevaluable {
  override def dataType: DataType = StringType
  override def nullable: Boolean  = false
  override def sql: String        = "CLASSIFIER()"
  override def toString: String   = sql
}

/** In the argument of an aggregate: the ordinal in the match of the row that is being added. */
case class AddedRowSequenceNumber() extends LeafExpression with Unevaluable {
  override def dataType: DataType = LongType
  override def nullable: Boolean  = false
  override def sql: String        = "MATCH_SEQUENCE_NUMBER()"
  override def toString: String   = sql
}

/**
 * An aggregate over the rows mapped to a variable.
 *
 * @param variable
 *   the variable, or None for all rows of the match
 * @param semantics
 *   up to the current row, or over the whole match
 * @param function
 *   the bare aggregate function: an AggregateExpression outside Spark's own operators is refused
 *   by Spark's checks. Its input columns are those of the row that is being added
 * @param distinct
 *   over distinct values only
 * @param filter
 *   FILTER's condition on the row that is being added, one or none
 */
case class RowAggregate(
    variable: Option[RowVariable],
    semantics: Semantics,
    function: Expression,
    distinct: Boolean,
    filter: Seq[Expression])
    extends Expression
    with Unevaluable {
  override def children: Seq[Expression] = function +: filter
  override def dataType: DataType        = function.dataType
  override def nullable: Boolean         = function.nullable
  override def sql: String               = {
    val where = filter.map(f => s" FILTER (WHERE ${f.sql})").mkString
    s"${semantics.sql} ${function.sql}$where OVER ${variable.map(_.name).getOrElse("*")}"
  }
  override def toString: String = {
    val where = filter.map(f => s" filter ($f)").mkString
    s"${semantics.sql} $function$where over ${variable.map(_.name).getOrElse("*")}"
  }
  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): RowAggregate =
    copy(function = newChildren.head, filter = newChildren.tail)
}

/**
 * Which row of the partition a value is taken from.
 *
 * @param anchor
 *   a row found through the match
 * @param physical
 *   distance from there in rows of the partition: PREV is negative, NEXT positive
 */
final case class RowTarget(anchor: RowAnchor, physical: Long = 0) {

  /** In DEFINE, whether it is found without the rows mapped before: the row tested, or near it. */
  def isRowLocal: Boolean = anchor == RowAnchor.current

  override def toString: String = physical match {
    case 0          => anchor.toString
    case n if n < 0 => s"PREV($anchor, ${-n})"
    case n          => s"NEXT($anchor, $n)"
  }
}

object RowTarget {

  /** In DEFINE, the row tested. */
  val tested: RowTarget = RowTarget(RowAnchor.current)
}

/** A row found through the match. */
sealed trait RowAnchor {

  /** Whether the end of the match must be known to find it. */
  def isFinal: Boolean
}

object RowAnchor {

  /**
   * A row mapped to `variable` (to any, if None), found by counting such rows.
   *
   * @param end
   *   the row from which to count: the first of them, or the last
   * @param offset
   *   how many of them are between that end and the row: 0 for the end itself
   */
  final case class Mapped(
      end: MappedEnd,
      variable: Option[RowVariable],
      offset: Int,
      semantics: Semantics)
      extends RowAnchor {
    override def isFinal: Boolean = semantics == Semantics.Final
    override def toString: String =
      s"${semantics.sql} $end(${variable.map(_.name).getOrElse("*")}, $offset)"
  }

  /** The row that is emitted; with ONE ROW PER MATCH the first. */
  case object Output extends RowAnchor {
    override def isFinal: Boolean = false
    override def toString: String = "OUTPUT"
  }

  /** The last row mapped so far; in DEFINE, the row tested. */
  val current: RowAnchor = Mapped(MappedEnd.Last, None, 0, Semantics.Running)
}

/** The end from which the rows mapped to a variable are counted. */
sealed trait MappedEnd

object MappedEnd {
  case object First extends MappedEnd { override def toString: String = "FIRST" }
  case object Last  extends MappedEnd { override def toString: String = "LAST"  }
}

/** Over which rows of the match a navigation or an aggregate looks. */
sealed abstract class Semantics(val sql: String) extends Serializable

object Semantics {

  /** Up to and with the current row. */
  case object Running extends Semantics("RUNNING")

  /** All rows of the match. */
  case object Final extends Semantics("FINAL")
}

/** The four row navigations. */
sealed abstract class NavigationKind(val sql: String) extends Serializable

object NavigationKind {
  case object First extends NavigationKind("FIRST")
  case object Last  extends NavigationKind("LAST")
  case object Prev  extends NavigationKind("PREV")
  case object Next  extends NavigationKind("NEXT")
}
