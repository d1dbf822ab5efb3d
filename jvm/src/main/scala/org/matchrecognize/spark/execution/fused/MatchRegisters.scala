package org.matchrecognize.spark.execution.fused

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.trees.SQLQueryContext
import org.apache.spark.sql.catalyst.util.toPrettySQL
import org.apache.spark.sql.types._

import org.matchrecognize.spark.conditions.Fallible
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.RowVariable

/**
 * The registers of a match under way: columns and labels of the first and the last rows of
 * variables, buffers of aggregates. One is given out when it is first asked for.
 */
final private[fused] class MatchRegisters(variableCount: Int) {
  import MatchRegisters._

  val bank: Bank = new Bank

  /** The aggregates, as indexes in [[BufferKey]]. */
  private val found                 = mutable.ArrayBuffer[RowAggregate]()
  def aggregates: Seq[RowAggregate] = found.toSeq

  def indexOf(a: RowAggregate): Int = {
    val running = a.copy(semantics = Semantics.Running)
    // With the hash, as in SameExpression.
    val index = found.indexWhere(a => a.hashCode == running.hashCode && a == running)
    if (index >= 0) index
    else {
      found += running
      found.size - 1
    }
  }

  def buffers(aggregate: Int): Seq[Register] = {
    val function = found(aggregate).function.asInstanceOf[DeclarativeAggregate]
    function.aggBufferAttributes.zipWithIndex.map { case (field, i) =>
      bank.register(BufferKey(aggregate, i), field.dataType)
    }
  }

  /** The register of a column of the first or the last row of some variables. */
  def captured(end: MatchEnd, a: Attribute): Register = {
    if (end.first) presence(end.members)
    bank.register(CaptureKey(end, ColumnKey(a)), a.dataType)
  }

  /** The flag that says whether a row is mapped to one of some variables. */
  def presence(members: Seq[Int]): Register = bank.flag(PresenceKey(members))

  /** The row that is kept of a match; [[Obstacles]] has found that it is. */
  def endOf(target: RowTarget): MatchEnd = target match {
    case RowTarget(RowAnchor.Mapped(end, variable, 0, _), 0) =>
      MatchEnd(members(variable), first = end == MappedEnd.First)
    case _ => throw new IllegalStateException(s"no row of a match is kept for $target")
  }

  def members(variable: Option[RowVariable]): Seq[Int] =
    variable.fold[Seq[Int]](0 until variableCount)(_.members)
}

private[fused] object MatchRegisters {

  /** Names of registers in their banks. */
  final case class MatchEnd(members: Seq[Int], first: Boolean)
  final case class CaptureKey(end: MatchEnd, what: Any)
  case object LabelKey
  final case class PresenceKey(members: Seq[Int])
  final case class BufferKey(aggregate: Int, field: Int)
}

/** Why expressions over a match are not for one pass: what its registers do not hold. */
private[fused] object Obstacles {

  /** The first one in a condition. */
  def ofCondition(e: Expression): Option[String] = e match {
    case _: RowLabel | _: RowSequenceNumber | _: MatchNumber =>
      Some("a condition uses the variable of a row, its position in the match or MATCH_NUMBER()")
    case value: RowValue if value.target.isRowLocal =>
      if (value.target.physical > 0) Some("a condition reads following rows") else None
    case value: RowValue         => ofTarget(value.target)
    case aggregate: RowAggregate => ofAggregate(aggregate)
    case other                   => first(other.children)(ofCondition)
  }

  /** The first one in a measure. */
  def ofMeasure(e: Expression): Option[String] = e match {
    case RowColumn(RowTarget(RowAnchor.Output, _), _: Attribute) => None
    case _: RowSequenceNumber    => Some("a measure uses the position of a row in the match")
    case value: RowValue         => ofTarget(value.target)
    case aggregate: RowAggregate => ofAggregate(aggregate)
    case other                   => first(other.children)(ofMeasure)
  }

  /** The first one that any of these has; the others are not looked at. */
  def first[A](all: Seq[A])(of: A => Option[String]): Option[String] =
    all.iterator.map(of).collectFirst { case Some(reason) => reason }

  private def ofTarget(target: RowTarget): Option[String] = target match {
    case RowTarget(RowAnchor.Mapped(_, _, 0, _), 0) => None
    case _ => Some("an expression reads other rows of a variable than the first and the last")
  }

  /** Aggregates must take a row without ever failing. */
  private def ofAggregate(a: RowAggregate): Option[String] = {
    val fits = !a.distinct && a.filter.forall(isOfRow) && a.function.children.forall(isOfRow) &&
      (a.function match {
        case _: Count | _: Min | _: Max => true
        case Sum(child, _)              => isExact(child.dataType)
        case Average(child, _)          => child.dataType == LongType || isExact(child.dataType)
        case _                          => false
      })
    if (fits) None else Some(s"the aggregate ${written(a)} needs the general way")
  }

  /** As the user wrote it: by now its columns carry variables and the input's names. */
  private def written(a: RowAggregate): String = a.origin.context match {
    case text: SQLQueryContext if text.fragment.nonEmpty => text.fragment
    case _                                               => toPrettySQL(a.function)
  }

  private def isOfRow(e: Expression): Boolean =
    !Fallible(e) && !e.exists(p =>
      p.isInstanceOf[AddedRowLabel] || p.isInstanceOf[MatchNumber] ||
        p.isInstanceOf[AddedRowSequenceNumber])

  /** Sums of these cannot overflow: of fewer than 2^32 rows, or without end. AVG sums DOUBLEs. */
  private def isExact(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | FloatType | DoubleType => true
    case _                                                           => false
  }
}
