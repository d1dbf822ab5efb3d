package org.matchrecognize.spark.execution.fused

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.trees.SQLQueryContext
import org.apache.spark.sql.catalyst.util.toPrettySQL
import org.apache.spark.sql.types._

import org.matchrecognize.spark.conditions.{Fallible, KeyIdentity}
import org.matchrecognize.spark.execution.registers._
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.RowVariable

/**
 * What the one-pass search keeps, and how expressions read it: for each match under way a bank of
 * registers that measures are read from, the rows before that conditions look back at, and the
 * partition's keys.
 */
final private[execution] class OnePassLayout private (
    variableCount: Int,
    partition: Seq[Attribute],
    val conditions: Seq[Expression],
    val measures: Seq[Expression]) {
  import OnePassLayout._

  val matched: Bank        = new Bank
  val keys: Bank           = new Bank
  val earlier: EarlierRows = new EarlierRows(conditions)

  /** The aggregates, as indexes in [[BufferKey]]. */
  private val found                 = scala.collection.mutable.ArrayBuffer[RowAggregate]()
  def aggregates: Seq[RowAggregate] = found.toSeq

  partition.foreach(key(_))
  // Registers are given out while expressions are bound: once, here.
  measures.foreach(measure(_, BankTerms.nowhere, BankTerms.nowhere, "", ""))

  /** The columns of the input that are read. */
  def references: AttributeSet = AttributeSet(partition ++ conditions ++ measures)

  def key(attribute: Attribute): Register = keys.register(attribute.exprId, attribute.dataType)

  /**
   * A measure over the registers of one match.
   *
   * @param number
   *   Java, of MATCH_NUMBER
   * @param names
   *   Java, the array of the variables' names
   */
  def measure(
      e: Expression,
      own: BankTerms,
      key: BankTerms,
      number: String,
      names: String): Expression = {
    def column(target: RowTarget, e: Expression): Expression = (target.anchor, e) match {
      case (RowAnchor.Output, a: Attribute) => key.read(this.key(a))
      case (_, a: Attribute)                =>
        val end = endOf(target)
        if (end.first) presence(end.members)
        own.read(matched.register(CaptureKey(end, ColumnKey(a)), a.dataType))
      case (_, other) =>
        If(
          exists(target),
          other.transform { case a: Attribute => column(target, a) },
          Literal.create(null, other.dataType))
    }
    def exists(target: RowTarget): Expression =
      TermExpression(own.has(presence(endOf(target).members)), "false", BooleanType)
    def label(target: RowTarget): Expression = {
      val end = endOf(target)
      if (end.first) presence(end.members)
      val register = matched.register(CaptureKey(end, LabelKey), IntegerType)
      TermExpression(s"$names[${own.value(register)}]", s"!(${own.has(register)})", StringType)
    }
    def aggregate(a: RowAggregate): Expression = {
      val index    = indexOf(a)
      val function = found(index).function.asInstanceOf[DeclarativeAggregate]
      val reads    = buffers(index)
        .zip(function.aggBufferAttributes)
        .map { case (register, field) =>
          field.exprId -> own.read(register)
        }
        .toMap
      function.evaluateExpression.transform { case field: Attribute => reads(field.exprId) }
    }
    e match {
      case RowColumn(target, child) => column(target, child)
      case RowExists(target)        => exists(target)
      case RowLabel(target)         => label(target)
      case MatchNumber()            => TermExpression(number, "false", LongType)
      case a: RowAggregate          => aggregate(a)
      case _: RowSequenceNumber     =>
        throw new Unfit("a measure uses a row's place in the match")
      case other => other.mapChildren(measure(_, own, key, number, names))
    }
  }

  private def indexOf(a: RowAggregate): Int = {
    val running = a.copy(semantics = Semantics.Running)
    val index   = found.indexOf(running)
    if (index >= 0) index
    else {
      requireSimple(a)
      found += running
      found.size - 1
    }
  }

  /** The registers of an aggregate's buffer. */
  def buffers(aggregate: Int): Seq[Register] = {
    val function = found(aggregate).function.asInstanceOf[DeclarativeAggregate]
    function.aggBufferAttributes.zipWithIndex.map { case (field, i) =>
      matched.register(BufferKey(aggregate, i), field.dataType)
    }
  }

  /** The flag that says whether a row is mapped to one of some variables. */
  def presence(members: Seq[Int]): Register = matched.flag(PresenceKey(members))

  private def endOf(target: RowTarget): MatchEnd = target match {
    case RowTarget(RowAnchor.Mapped(end, variable, 0, _), 0) =>
      MatchEnd(members(variable), first = end == MappedEnd.First)
    case _ => throw new Unfit("a measure looks beyond the first and the last row of a variable")
  }

  def members(variable: Option[RowVariable]): Seq[Int] =
    variable.fold[Seq[Int]](0 until variableCount)(_.members)
}

private[execution] object OnePassLayout {

  /** Names of registers in their banks. */
  final case class MatchEnd(members: Seq[Int], first: Boolean)
  final case class CaptureKey(end: MatchEnd, what: Any)
  case object LabelKey
  final case class PresenceKey(members: Seq[Int])
  final case class BufferKey(aggregate: Int, field: Int)

  /** Why measures or keys are not for one pass. */
  final private class Unfit(val reason: String)
      extends RuntimeException(reason, null, false, false)

  /** The layout, or why there is none. */
  def of(
      variableCount: Int,
      partition: Seq[Attribute],
      conditions: Seq[Expression],
      measures: Seq[Expression]): Either[String, OnePassLayout] =
    try {
      partition.foreach(requireIdentity)
      val layout = new OnePassLayout(variableCount, partition, conditions, measures)
      if (layout.earlier.ahead > 0) throw new Unfit("a condition looks at rows to come")
      if (layout.earlier.depth > EarlierRows.maxDepth) {
        throw new Unfit(s"a condition looks back more than ${EarlierRows.maxDepth} rows")
      }
      if (!Seq(layout.matched, layout.earlier.bank, layout.keys).forall(_.fits)) {
        throw new Unfit("measures need too many registers")
      }
      scala.util.Right(layout)
    } catch {
      case e: Unfit => scala.util.Left(e.reason)
    }

  /** Keys that are equal only if they are the same: any row of the partition can show them. */
  private def requireIdentity(key: Attribute): Unit =
    if (!KeyIdentity(key.dataType)) {
      throw new Unfit(s"equal partition keys of type ${key.dataType.sql} can differ")
    }

  /** Aggregates that take a row without ever failing. */
  private def requireSimple(a: RowAggregate): Unit = {
    val fits = !a.distinct && a.filter.forall(isOfRow) && a.function.children.forall(isOfRow) &&
      (a.function match {
        case _: Count | _: Min | _: Max => true
        case Sum(child, _)              => isExact(child.dataType)
        case average: Average           => isExact(average.child.dataType)
        case _                          => false
      })
    if (!fits) throw new Unfit(s"the aggregate ${written(a)} needs the general way")
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

  /** Sums of these cannot overflow: of fewer than 2^32 rows, or without end. */
  private def isExact(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | FloatType | DoubleType => true
    case _                                                           => false
  }
}
