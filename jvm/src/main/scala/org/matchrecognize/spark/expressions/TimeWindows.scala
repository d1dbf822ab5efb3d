package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.analysis.{
  FunctionRegistry,
  TypeCheckResult,
  UnresolvedException
}
import org.apache.spark.sql.catalyst.expressions.{
  Add,
  CreateNamedStruct,
  Expression,
  GetStructField,
  If,
  ImplicitCastInputTypes,
  IsNull,
  Literal,
  Pmod,
  PreciseTimestampConversion,
  RuntimeReplaceable,
  Subtract,
  TimeWindow,
  Unevaluable
}
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, UnaryLike}
import org.apache.spark.sql.types.{DataType, LongType, StructType}

/**
 * `window(...)`, `session_window(...)` or `window_time(...)` in a clause. Spark's rules for these
 * functions would change the input of the clause, so they must not find them there.
 *
 * @param name
 *   the function, in lower case
 */
case class TimeWindowCall(name: String, arguments: Seq[Expression])
    extends Expression
    with Unevaluable {
  override lazy val resolved: Boolean    = false
  override def children: Seq[Expression] = arguments
  override def dataType: DataType        = throw new UnresolvedException("dataType")
  override def nullable: Boolean         = throw new UnresolvedException("nullable")
  override def prettyName: String        = name

  /** Spark's own expression. */
  def function: Expression = CurrentOrigin.withOrigin(origin) {
    FunctionRegistry.builtin.lookupFunction(FunctionIdentifier(name), arguments)
  }

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): TimeWindowCall = copy(arguments = newChildren)
}

/**
 * The tumbling window of a time: a value of one row. It is NULL if the time is.
 *
 * @param child
 *   the time, or a window, which has the time of its last microsecond
 * @param size
 *   of the window, in microseconds
 * @param offset
 *   where windows start, in microseconds from 1970-01-01 00:00:00 UTC
 */
case class TumblingWindow(child: Expression, size: Long, offset: Long)
    extends RuntimeReplaceable
    with ImplicitCastInputTypes
    with UnaryLike[Expression] {

  private def ofSpark = TimeWindow(child, size, size, offset)

  // Spark's type for it is its own.
  override def inputTypes                             = ofSpark.inputTypes
  override def checkInputDataTypes(): TypeCheckResult = ofSpark.checkInputDataTypes()
  override def prettyName: String                     = "window"

  override lazy val replacement: Expression = {
    val time = child.dataType match {
      case _: StructType => TumblingWindow.timeOf(child)
      case _             => child
    }
    val at                   = PreciseTimestampConversion(time, time.dataType, LongType)
    val start                = Subtract(at, Pmod(Subtract(at, Literal(offset)), Literal(size)))
    def bound(e: Expression) = PreciseTimestampConversion(e, LongType, time.dataType)
    val window               = CreateNamedStruct(
      Seq(
        Literal("start"),
        bound(start),
        Literal("end"),
        bound(Add(start, Literal(size)))
      ))
    If(IsNull(time), Literal.create(null, window.dataType), window)
  }

  override protected def withNewChildInternal(newChild: Expression): TumblingWindow =
    copy(child = newChild)
}

object TumblingWindow {

  /** The time that stands for a window: its last microsecond. */
  def timeOf(window: Expression): Expression = {
    val end = GetStructField(window, 1)
    PreciseTimestampConversion(
      Subtract(PreciseTimestampConversion(end, end.dataType, LongType), Literal(1L)),
      LongType,
      end.dataType)
  }
}
