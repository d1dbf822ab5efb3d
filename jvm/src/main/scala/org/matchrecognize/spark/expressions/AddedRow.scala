package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  GenericInternalRow,
  LeafExpression,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeGenerator, CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.types.DataType

/**
 * The row that aggregates are given. It is handed to Spark's generated projections in the place of
 * their input row, together with the buffer that the row is added to.
 */
abstract class AddedRow extends GenericInternalRow(new Array[Any](0)) {

  /** The buffer that the row is being added to. */
  var buffer: InternalRow = _

  /**
   * Points at a row that is mapped to `variable`.
   *
   * @param before
   *   how many rows are mapped before it; -1 if all rows from the match's first are
   */
  def designate(variable: Int, row: Long, before: Long): Unit

  /** The input's columns. */
  def input: UnsafeRow

  /** What is known of the row's match, as fields after the input's columns. */
  def known: InternalRow

  /** The input's columns, then what is known of the match. */
  def columns: InternalRow
}

object AddedRow {

  /**
   * Binds an expression over the fields of a buffer, the columns of the input and what is known of
   * the match.
   */
  def bind(
      e: Expression,
      buffer: Seq[Attribute],
      input: Seq[Attribute],
      known: Seq[Attribute]): Expression = {
    def field(a: Attribute, source: String, among: Seq[Attribute]): Option[Expression] = {
      val ordinal = among.indexWhere(_.exprId == a.exprId)
      if (ordinal < 0) None
      else Some(AddedField(source, ordinal, among(ordinal).dataType, among(ordinal).nullable))
    }
    e.transform { case a: Attribute =>
      field(a, "buffer", buffer)
        .orElse(field(a, "input", input))
        .orElse(field(a, "known", known))
        .getOrElse(throw new IllegalStateException(s"an aggregate reads $a"))
    }
  }
}

/**
 * A field of one of the rows of an [[AddedRow]].
 *
 * @param source
 *   the method of AddedRow that gives the row
 */
case class AddedField(
    source: String,
    ordinal: Int,
    override val dataType: DataType,
    override val nullable: Boolean)
    extends LeafExpression {
  private lazy val read = InternalRow.getAccessor(dataType, nullable)

  override def eval(i: InternalRow): Any = {
    val added = i.asInstanceOf[AddedRow]
    val row   = source match {
      case "buffer" => added.buffer
      case "input"  => added.input
      case _        => added.known
    }
    read(row, ordinal)
  }

  /**
   * {{{
   * boolean isNull = ((AddedRow) i).input().isNullAt(3);
   * double value = isNull ? -1.0 : ((AddedRow) i).input().getDouble(3);
   * }}}
   */
  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val row    = s"((${classOf[AddedRow].getName}) ${ctx.INPUT_ROW}).$source()"
    val value  = CodeGenerator.getValue(row, dataType, ordinal.toString)
    val unset  = CodeGenerator.defaultValue(dataType)
    val isNull = if (nullable) s"$row.isNullAt($ordinal)" else "false"
    ev.copy(code = code"""
      boolean ${ev.isNull} = $isNull;
      ${CodeGenerator.javaType(dataType)} ${ev.value} = ${ev.isNull} ? $unset : ($value);
      """)
  }
}
