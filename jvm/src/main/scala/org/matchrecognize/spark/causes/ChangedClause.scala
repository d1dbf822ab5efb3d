package org.matchrecognize.spark.causes

import org.apache.spark.sql.catalyst.expressions.{Attribute, Cast, EvalMode, Expression}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, DoubleType}

import org.matchrecognize.spark.expressions.{MappedEnd, RowAnchor, RowColumn, RowTarget}
import org.matchrecognize.spark.logical.{
  Cause,
  ClauseVariant,
  Finding,
  MatchRecognize,
  ResolvedClause
}

/** Changes one part of a clause. */
final private[causes] class ChangedClause(val clause: MatchRecognize) {

  /** Of the search in a partition. What it has found by then counts. */
  private val maxSteps = 5000000L

  val resolved: ResolvedClause = {
    val settings = clause.clause.settings
    clause.clause.copy(settings = settings.copy(maxSteps = math.min(settings.maxSteps, maxSteps)))
  }

  def conditions: Seq[Expression] = clause.conditions

  /** The clause as it is: the caller changes one part of it. */
  def variant(cause: Cause, findings: Finding*): ClauseVariant =
    ClauseVariant(cause, findings, clause.partition, clause.order, conditions, resolved)
}

private[causes] object ChangedClause {

  def cast(e: Expression, to: DataType): Expression =
    Cast(e, to, Some(SQLConf.get.sessionLocalTimeZone))

  /** A text as a number; NULL if it is none. */
  def number(e: Expression): Expression = Cast(e, DoubleType, None, EvalMode.TRY)

  /** A column of the row that is tested. */
  def current(column: Attribute): RowColumn = RowColumn(RowTarget(RowAnchor.current), column)

  /**
   * A part of a variable's condition over a row of the input, if it reads nothing but the row that
   * is tested.
   */
  def overInput(variable: Int, e: Expression): Option[Expression] = {
    val over = e.transformUp {
      case RowColumn(target, column) if isTested(target, variable) => column
    }
    if (over.exists(readsRows)) None else Some(over)
  }

  /** Whether it is the row that is tested for the variable, written with the variable or without. */
  private def isTested(target: RowTarget, variable: Int): Boolean =
    target == RowTarget(RowAnchor.current) || isLastOf(target, variable)

  /** Whether it is the last row of the variable, which is the row that is tested for it. */
  def isLastOf(target: RowTarget, variable: Int): Boolean =
    target.physical == 0 && (target.anchor match {
      case RowAnchor.Mapped(MappedEnd.Last, of, 0, _) => of.forall(_.contains(variable))
      case _                                          => false
    })

  /** Whether the expression itself takes a value from rows. */
  private def readsRows(e: Expression): Boolean =
    e.getClass.getPackage == classOf[RowColumn].getPackage

  /** Whether its value depends on no row. */
  def isConstant(e: Expression): Boolean = !e.exists(readsRows) && e.foldable
}
