package org.matchrecognize.spark.expressions

import java.time.{ZoneId, ZoneOffset}
import java.util.concurrent.TimeUnit

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  Literal,
  SubtractTimestamps,
  UnaryExpression
}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.types.{DataType, DayTimeIntervalType, TimestampNTZType}

/**
 * Sums and differences of timestamps that take one addition. Spark's expressions convert each
 * timestamp to a date and a time in the time zone, because days of the calendar may have another
 * length than 24 hours. Here are those in which they cannot.
 */
private[spark] object TimeArithmetic {
  private val day = TimeUnit.DAYS.toMicros(1)

  /** The expression, with its sums and differences computed so where they can be. */
  def in(e: Expression): Expression = e.transformUp {
    case sum if ShiftedTime.Shift.of(sum).nonEmpty                 => ShiftedTime(sum)
    case difference if TimeDifference.Ends.of(difference).nonEmpty => TimeDifference(difference)
  }

  /** Whether all days have 24 hours. */
  def isUniform(time: DataType, zone: ZoneId): Boolean =
    time == TimestampNTZType || zone.getRules.isFixedOffset

  /** Whether an interval moves all timestamps by the same time: mostly no day is in it. */
  def movesAlike(micros: Long, time: DataType, zone: ZoneId): Boolean =
    -day < micros && micros < day || isUniform(time, zone)
}

/** Stands for its child, and shows as it does: computed in another way, or with another place. */
trait StandIn extends UnaryExpression {
  override def dataType: DataType = child.dataType
  override def nullable: Boolean  = child.nullable
  override def sql: String        = child.sql
  override def toString: String   = child.toString
}

/**
 * A timestamp and a constant interval.
 *
 * @param child
 *   Spark's expression
 */
case class ShiftedTime(child: Expression) extends StandIn {
  import ShiftedTime.Shift

  @transient private lazy val shift: Option[Shift] = Shift.of(child)

  override def eval(input: InternalRow): Any = shift match {
    case Some(Shift(start, micros)) =>
      val time = start.eval(input)
      if (time == null) null else ShiftedTime.plus(time.asInstanceOf[Long], micros)
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

  /** A timestamp, and by how much it is moved. */
  final private[expressions] case class Shift(start: Expression, micros: Long)

  private[expressions] object Shift {
    def of(e: Expression): Option[Shift] = e match {
      case TimestampSum(start, Literal(micros: Long, _: DayTimeIntervalType), zone)
          if TimeArithmetic.movesAlike(micros, start.dataType, zone) =>
        Some(Shift(start, micros))
      case _ => None
    }
  }

  /** Called by generated code, too. */
  def plus(time: Long, micros: Long): Long = {
    val sum = time + micros
    // Beyond the range, Spark says it.
    if (((time ^ sum) & (micros ^ sum)) < 0)
      DateTimeUtils.timestampAddDayTime(time, micros, ZoneOffset.UTC)
    else sum
  }
}

/**
 * The time between two timestamps.
 *
 * @param child
 *   Spark's expression
 */
case class TimeDifference(child: Expression) extends StandIn {
  import TimeDifference.Ends

  @transient private lazy val ends: Option[Ends] = Ends.of(child)

  override def eval(input: InternalRow): Any = ends match {
    case Some(Ends(last, first)) =>
      val end   = last.eval(input)
      val start = if (end == null) null else first.eval(input)
      if (start == null) null
      else TimeDifference.minus(end.asInstanceOf[Long], start.asInstanceOf[Long])
    case None => child.eval(input)
  }

  // The first is not evaluated if the last is NULL: it could fail.
  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = ends match {
    case Some(Ends(last, first)) =>
      val end   = last.genCode(ctx)
      val start = first.genCode(ctx)
      ev.copy(code = code"""
        ${end.code}
        boolean ${ev.isNull} = true;
        long ${ev.value} = -1L;
        if (!${end.isNull}) {
          ${start.code}
          if (!${start.isNull}) {
            ${ev.isNull} = false;
            ${ev.value} =
              ${classOf[TimeDifference].getName}.minus(${end.value}, ${start.value});
          }
        }
        """)
    case None => child.genCode(ctx)
  }

  override protected def withNewChildInternal(newChild: Expression): TimeDifference =
    copy(child = newChild)
}

object TimeDifference {

  /** The timestamps: the difference is that from the first to the last. */
  final private[expressions] case class Ends(last: Expression, first: Expression)

  private[expressions] object Ends {
    def of(e: Expression): Option[Ends] = e match {
      case minus: SubtractTimestamps
          if !minus.legacyInterval &&
            TimeArithmetic.isUniform(minus.left.dataType, minus.zoneId) =>
        Some(Ends(minus.left, minus.right))
      case _ => None
    }
  }

  /** Called by generated code, too. */
  def minus(last: Long, first: Long): Long = {
    val difference = last - first
    // Beyond the range, Spark says it.
    if (((last ^ first) & (last ^ difference)) < 0)
      DateTimeUtils.subtractTimestamps(last, first, ZoneOffset.UTC)
    else difference
  }
}
