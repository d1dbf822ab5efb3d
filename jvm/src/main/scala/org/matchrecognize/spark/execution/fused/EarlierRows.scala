package org.matchrecognize.spark.execution.fused

import org.apache.spark.sql.catalyst.expressions.{Attribute, ExprId, Expression, If, Literal}
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode
import org.apache.spark.sql.types.BooleanType

import org.matchrecognize.spark.expressions.{RowColumn, RowExists, RowTarget, RowValue}

/** Names the register of a column. */
final private[execution] case class ColumnKey(column: ExprId)

private[execution] object ColumnKey {
  def apply(a: Attribute): ColumnKey = ColumnKey(a.exprId)
}

/**
 * What conditions read of rows at fixed distances before the row tested, in registers: a bank for
 * each row before the newest one, so that each row is read once, when it arrives.
 */
final private[execution] class EarlierRows(conditions: Seq[Expression]) {

  val bank: Bank = new Bank

  /** How many rows have a bank. */
  val depth: Int = conditions
    .flatMap(RowValue.targets(_).map(back))
    .foldLeft(0)(math.max)

  private val rowExists = if (depth > 0) Some(bank.flag(EarlierRows.RowKey)) else None

  // Registers are given out while conditions are bound: once, here.
  conditions.foreach(condition(_, _ => BankTerms.nowhere))

  /** The bank of a row, from 1; 0 for the newest row itself. */
  private def back(target: RowTarget): Int = math.min(-target.physical, Int.MaxValue.toLong).toInt

  /**
   * A condition over the newest row's columns and the banks.
   *
   * @param row
   *   the terms of the n-th bank
   */
  def condition(e: Expression, row: Int => BankTerms): Expression = {
    def column(target: RowTarget, e: Expression): Expression = e match {
      case _ if back(target) == 0 => e
      case a: Attribute           =>
        row(back(target)).read(bank.register(ColumnKey(a), a.dataType))
      case other =>
        If(
          exists(target),
          other.transform { case a: Attribute => column(target, a) },
          Literal.create(null, other.dataType))
    }
    def exists(target: RowTarget): Expression =
      if (target.physical == 0) Literal.TrueLiteral
      else TermExpression(row(back(target)).has(rowExists.get), "false", BooleanType)
    e.transformDown {
      case RowColumn(target, child) => column(target, child)
      case RowExists(target)        => exists(target)
    }
  }

  /** The columns that are read. */
  def columns: Seq[ExprId] = bank.entries.collect { case (ColumnKey(id), _) => id }

  /** Java that writes the newest row, given by its columns, to the first bank. */
  def write(first: BankTerms, column: ExprId => ExprCode): String =
    bank.entries
      .map {
        case (ColumnKey(id), register) => first.write(register, column(id))
        case (_, register)             => s"${first.bits} |= ${1L << register.bit}L;"
      }
      .mkString("\n")
}

private[execution] object EarlierRows {

  /** More banks than this take too much time a row. */
  val maxDepth = 16

  /** Names the bit that says that a row is there. */
  private case object RowKey
}
