package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  GenericInternalRow,
  UnaryExpression,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{BinaryType, DataType}

/** A value of any type as bytes. */
final private[streaming] case class BytesOfValue(child: Expression)
    extends UnaryExpression
    with CodegenFallback {
  override def dataType: DataType = BinaryType

  @transient private lazy val toRow = UnsafeProjection.create(Array(child.dataType))

  override protected def nullSafeEval(value: Any): Any =
    toRow(new GenericInternalRow(Array[Any](value))).getBytes

  override protected def withNewChildInternal(newChild: Expression): BytesOfValue =
    copy(child = newChild)
}

/** The value that [[BytesOfValue]] made bytes of. */
final private[streaming] case class ValueOfBytes(
    child: Expression,
    override val dataType: DataType)
    extends UnaryExpression
    with CodegenFallback {

  override protected def nullSafeEval(value: Any): Any = {
    val bytes = value.asInstanceOf[Array[Byte]]
    val row   = new UnsafeRow(1)
    row.pointTo(bytes, bytes.length)
    row.get(0, dataType)
  }

  override protected def withNewChildInternal(newChild: Expression): ValueOfBytes =
    copy(child = newChild)
}
