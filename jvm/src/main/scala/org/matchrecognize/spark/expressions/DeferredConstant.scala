package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.types.DataType

/**
 * A constant whose computation fails (`1 / 0`). A leaf: the optimizer folds every constant that it
 * sees, and would raise the error of a condition that no row is ever tested for (semantics.md:
 * Conditions).
 */
case class DeferredConstant(constant: Expression) extends LeafExpression {
  override def dataType: DataType            = constant.dataType
  override def nullable: Boolean             = constant.nullable
  override def eval(input: InternalRow): Any = constant.eval(input)
  override def sql: String                   = constant.sql
  override def toString: String              = constant.toString

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    constant.genCode(ctx)
}
