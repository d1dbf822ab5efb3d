package org.matchrecognize.spark.execution.fused

import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId, Expression, If, Literal}
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate
import org.apache.spark.sql.types.BooleanType

import org.matchrecognize.spark.expressions._

/**
 * Expressions over the match under way. The columns of the row tested are attributes.
 *
 * @param variable
 *   to which the row tested is taken to be mapped; None in measures, where no row is tested
 * @param own
 *   the bank of the match, or None if the row tested begins one
 */
final private[fused] class ReadMatch(
    registers: MatchRegisters,
    variable: Option[Int],
    own: Option[BankTerms]) {
  import MatchRegisters._

  /** A condition; what the row and those near it decide stays as it is. */
  def condition(e: Expression): Expression = e match {
    case value: RowValue if value.target.isRowLocal => value
    case RowColumn(target, child)                   => column(target, child)
    case RowExists(target)                          => exists(target)
    case aggregate: RowAggregate                    => value(aggregate)
    case other                                      => other.mapChildren(condition)
  }

  def column(target: RowTarget, child: Expression): Expression = {
    val end = registers.endOf(target)
    child match {
      case a: Attribute => column(end, a)
      case other        =>
        If(
          exists(target),
          other.transform { case a: Attribute => column(end, a) },
          Literal.create(null, other.dataType))
    }
  }

  private def isAmong(members: Seq[Int]): Boolean = variable.exists(members.contains(_))

  private def column(end: MatchEnd, a: Attribute): Expression = {
    def kept(bank: BankTerms) = bank.read(registers.captured(end, a))
    if (!isAmong(end.members))
      own.fold[Expression](Literal.create(null, a.dataType))(kept)
    else if (end.first)
      own.fold[Expression](a)(bank => If(isPresent(end.members), kept(bank), a))
    else a
  }

  def exists(target: RowTarget): Expression = {
    val members = registers.endOf(target).members
    if (isAmong(members)) Literal.TrueLiteral else isPresent(members)
  }

  /** Whether a row before is mapped to one of some variables. */
  private def isPresent(members: Seq[Int]): Expression = {
    val flag = registers.presence(members)
    own.fold[Expression](Literal.FalseLiteral)(bank =>
      TermExpression(bank.has(flag), "false", BooleanType))
  }

  def value(aggregate: RowAggregate): Expression = {
    val index    = registers.indexOf(aggregate)
    val function = registers.aggregates(index).function.asInstanceOf[DeclarativeAggregate]
    val buffer   = registers.buffers(index)
    val fields   = function.aggBufferAttributes.map(_.exprId)
    val before   = own.fold(function.initialValues)(bank => buffer.map(bank.read))
    def over(values: Seq[Expression])(e: Expression): Expression = {
      val byField: Map[ExprId, Expression] = fields.zip(values).toMap
      e.transform { case a: Attribute if byField.contains(a.exprId) => byField(a.exprId) }
    }
    val after =
      if (!isAmong(registers.members(aggregate.variable))) before
      else {
        val added = function.updateExpressions.map(over(before))
        aggregate.filter.headOption.fold(added)(passes =>
          added.zip(before).map { case (more, same) => If(passes, more, same) })
      }
    over(after)(function.evaluateExpression)
  }
}
