package org.matchrecognize.spark.expressions

import java.time.{ZoneId, ZoneOffset}
import java.util.concurrent.TimeUnit

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.types.{DataType, DayTimeIntervalType, TimestampNTZType}

/**
 * A timestamp and a constant interval that moves all timestamps by the same time: it takes one
 * addition. Spark's expression converts each timestamp to a date and a time in the time zone, and
 * back, because days of the calendar may have another length than 24 hours.
 *
 * @param child
 *   Spark's expression
 */
case class ShiftedTime(child: Expression) extends UnaryExpression {
  import ShiftedTime._

  @transient private lazy val shift: Option[Shift] = shiftOf(child)

  override def dataType: DataType = child.dataType
  override def nullable: Boolean  = child.nullable
  override def sql: String        = child.sql
  override def toString: String   = child.toString

  override def eval(input: InternalRow): Any = shift match {
    case Some(Shift(start, micros)) =>
      val time = start.eval(input)
      if (time == null) null else plus(time.asInstanceOf[Long], micros)
    case None => child.eval(input)
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = shift match {
    case Some(Shift(start, micros)) =>
      val time = start.genCode(ctx)
      ev.copy(code = code"""
        ${time.code}
        boolean ${ev.isNull} = ${time.isNull};
        long ${ev.value} =
          ${ev.isNull} ? -1L : ${classOf[ShiftedTime].getName}.plus(${time.value}, ${micros}L);
        """)
    case None => child.genCode(ctx)
  }

  override protected def withNewChildInternal(newChild: Expression): ShiftedTime =
    copy(child = newChild)
}

object ShiftedTime {
  private val day = TimeUnit.DAYS.toMicros(1)

  final private case class Shift(start: Expression, micros: Long)

  /** The expression, with its sums computed so where they can be. */
  private[spark] def in(e: Expression): Expression = e.transformUp {
    case sum if shiftOf(sum).nonEmpty => ShiftedTime(sum)
  }

  private def shiftOf(e: Expression): Option[Shift] = e match {
    case TimestampSum(start, Literal(micros: Long, _: DayTimeIntervalType), zone)
        if start.dataType == TimestampNTZType || isAlikeEverywhere(micros, zone) =>
      Some(Shift(start, micros))
    case _ => None
  }

  private def isAlikeEverywhere(micros: Long, zone: ZoneId): Boolean =
    -day < micros && micros < day || zone.getRules.isFixedOffset

  /** Called by generated code, too. */
  def plus(time: Long, micros: Long): Long = {
    val sum = time + micros
    // Beyond the range, Spark says it.
    if (((time ^ sum) & (micros ^ sum)) < 0)
      DateTimeUtils.timestampAddDayTime(time, micros, ZoneOffset.UTC)
    else sum
  }
}
