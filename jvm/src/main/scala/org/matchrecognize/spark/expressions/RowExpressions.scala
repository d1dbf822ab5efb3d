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
