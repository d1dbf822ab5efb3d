package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, LeafExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{
  CodeGenerator,
  CodegenContext,
  ExprCode,
  FalseLiteral
}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.types.{BooleanType, DataType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

/**
 * What a condition or a measure is evaluated on: rows of the partition, labels and aggregates
 * of a match at one row. It is handed to Spark's generated predicates and projections in the
 * place of their input row, so that all of Spark's expressions work around our leaves.
 */
abstract class MatchContext extends GenericInternalRow(new Array[Any](0)) {

  /** The row that the target with this index designates, or null. Valid until the next change. */
  def frame(index: Int): InternalRow

  /** Whether the row that the target designates has come, or is known not to exist. */
  def isArrived(index: Int): Boolean

  /** The row that is emitted. Valid until the next change. */
  def output: InternalRow

  /** Whether the row that is emitted belongs to a match, or shows an empty one. */
  def inMatch: Boolean

  /** MATCH_TIMED_OUT(). */
  def timedOut: Boolean

  /** The name of the variable that this row is mapped to, or null. */
  def label(index: Int): UTF8String

  /** The buffer of the view with this index: an aggregate and its semantics. */
  def buffer(index: Int): InternalRow

  /** The value of the view with this index, where it is not computed from a buffer. */
  def aggregate(index: Int): Any

  /** MATCH_NUMBER(). */
  def matchNumber: Long

  /** The ordinal in the match, from 1, of the row that the target designates; -1 outside. */
  def sequenceNumber(index: Int): Long
}

/** A leaf that reads a [[MatchContext]]. */
sealed trait ContextExpression extends LeafExpression {

  /** The frame that it reads, if it reads one. */
  def frameRead: Option[Int] = this match {
    case FrameColumn(frame, _, _)   => Some(frame)
    case FrameLabel(frame)          => Some(frame)
    case FrameExists(frame)         => Some(frame)
    case FrameSequenceNumber(frame) => Some(frame)
    case _                          => None
  }

  /** Generated code has the context as its input row, by the type of any row. */
  protected def contextCode(ctx: CodegenContext): String =
    s"((${classOf[MatchContext].getName}) ${ctx.INPUT_ROW})"

  protected def context(input: InternalRow): MatchContext = input.asInstanceOf[MatchContext]
}

/** [[RowColumn]], bound: a field of a frame. */
case class FrameColumn(frame: Int, ordinal: Int, override val dataType: DataType)
    extends ContextExpression {
  override def nullable: Boolean = true
  private lazy val read          = InternalRow.getAccessor(dataType, nullable = true)

  override def eval(input: InternalRow): Any = {
    val row = context(input).frame(frame)
    if (row == null) null else read(row, ordinal)
  }

  /**
   * {{{
   * InternalRow frame = ((MatchContext) i).frame(0);
   * boolean isNull = frame == null || frame.isNullAt(3);
   * double value = isNull ? -1.0 : frame.getDouble(3);
   * }}}
   */
  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ContextExpression.field(ctx, ev, s"${contextCode(ctx)}.frame($frame)", ordinal, dataType)
}

/** A column of the row that is emitted. */
case class OutputColumn(
    ordinal: Int,
    override val dataType: DataType,
    override val nullable: Boolean)
    extends ContextExpression {
  private lazy val read = InternalRow.getAccessor(dataType, nullable)

  override def eval(input: InternalRow): Any = read(context(input).output, ordinal)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ContextExpression.field(ctx, ev, s"${contextCode(ctx)}.output()", ordinal, dataType)
}

/**
 * A value that is never NULL.
 *
 * @param read
 *   Java that reads it from the context
 */
sealed abstract class NeverNull(override val dataType: DataType, read: String)
    extends ContextExpression
    with Serializable {
  override def nullable: Boolean = false

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ev.copy(
      code = code"${CodeGenerator.javaType(dataType)} ${ev.value} = ${contextCode(ctx)}.$read;",
      isNull = FalseLiteral)
}

/** Whether there is a match that measures can speak of. */
case class InMatch() extends NeverNull(BooleanType, "inMatch()") {
  override def eval(input: InternalRow): Any = context(input).inMatch
}

/** [[MatchTimedOut]], bound. */
case class ContextTimedOut() extends NeverNull(BooleanType, "timedOut()") {
  override def eval(input: InternalRow): Any = context(input).timedOut
}

/** A field of an aggregate's buffer. */
case class BufferColumn(aggregate: Int, ordinal: Int, override val dataType: DataType)
    extends ContextExpression {
  override def nullable: Boolean = true
  private lazy val read          = InternalRow.getAccessor(dataType, nullable = true)

  override def eval(input: InternalRow): Any = read(context(input).buffer(aggregate), ordinal)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ContextExpression.field(ctx, ev, s"${contextCode(ctx)}.buffer($aggregate)", ordinal, dataType)
}

/** The value of an aggregate. */
case class ContextAggregate(aggregate: Int, override val dataType: DataType)
    extends ContextExpression {
  override def nullable: Boolean             = true
  override def eval(input: InternalRow): Any = context(input).aggregate(aggregate)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val value = ctx.freshName("aggregate")
    val boxed = CodeGenerator.boxedType(dataType)
    val unset = CodeGenerator.defaultValue(dataType)
    ev.copy(code = code"""
      Object $value = ${contextCode(ctx)}.aggregate($aggregate);
      boolean ${ev.isNull} = $value == null;
      ${CodeGenerator.javaType(dataType)} ${ev.value} = ${ev.isNull} ? $unset : (($boxed) $value);
      """)
  }
}

/** [[RowLabel]], bound. */
case class FrameLabel(frame: Int) extends ContextExpression {
  override def dataType: DataType            = StringType
  override def nullable: Boolean             = true
  override def eval(input: InternalRow): Any = context(input).label(frame)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ev.copy(code = code"""
      UTF8String ${ev.value} = ${contextCode(ctx)}.label($frame);
      boolean ${ev.isNull} = ${ev.value} == null;
      """)
}

/** [[RowExists]], bound. */
case class FrameExists(frame: Int) extends NeverNull(BooleanType, s"frame($frame) != null") {
  override def eval(input: InternalRow): Any = context(input).frame(frame) != null
}

/** Whether the row of a frame has come, or is known not to exist. */
case class FrameArrived(frame: Int) extends NeverNull(BooleanType, s"isArrived($frame)") {
  override def eval(input: InternalRow): Any = context(input).isArrived(frame)
}

/** [[MatchNumber]], bound. */
case class ContextMatchNumber() extends NeverNull(LongType, "matchNumber()") {
  override def eval(input: InternalRow): Any = context(input).matchNumber
}

/** [[RowSequenceNumber]], bound. */
case class FrameSequenceNumber(frame: Int) extends ContextExpression {
  override def dataType: DataType            = LongType
  override def nullable: Boolean             = true
  override def eval(input: InternalRow): Any = {
    val number = context(input).sequenceNumber(frame)
    if (number < 0) null else number
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ev.copy(code = code"""
      long ${ev.value} = ${contextCode(ctx)}.sequenceNumber($frame);
      boolean ${ev.isNull} = ${ev.value} < 0L;
      """)
}

private object ContextExpression {

  /** Reads a field of a row that may be null. */
  def field(
      ctx: CodegenContext,
      ev: ExprCode,
      row: String,
      ordinal: Int,
      dataType: DataType): ExprCode = {
    val frame    = ctx.freshName("frame")
    val javaType = CodeGenerator.javaType(dataType)
    val value    = CodeGenerator.getValue(frame, dataType, ordinal.toString)
    ev.copy(code = code"""
      InternalRow $frame = $row;
      boolean ${ev.isNull} = $frame == null || $frame.isNullAt($ordinal);
      $javaType ${ev.value} = ${ev.isNull} ? ${CodeGenerator.defaultValue(dataType)} : ($value);
      """)
  }
}
