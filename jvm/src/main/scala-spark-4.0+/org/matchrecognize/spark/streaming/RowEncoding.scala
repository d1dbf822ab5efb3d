package org.matchrecognize.spark.streaming

import scala.reflect.ClassTag

import org.apache.spark.sql.catalyst.analysis.GetColumnByOrdinal
import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoder, ExpressionEncoder}
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BoundReference,
  CreateNamedStruct,
  GetStructField,
  Literal,
  UnsafeRow
}
import org.apache.spark.sql.types.{StructField, StructType}

/**
 * Encodes UnsafeRows as rows of named columns, so that Spark's reader of the state store shows the
 * columns. A row that is decoded is a copy.
 */
private[streaming] object RowEncoding {

  def of(columns: Seq[Attribute]): ExpressionEncoder[UnsafeRow] =
    of(StructType(columns.zip(StateColumns.names(columns)).map { case (column, name) =>
      StructField(name, column.dataType)
    }))

  def of(schema: StructType): ExpressionEncoder[UnsafeRow] = {
    val row    = BoundReference(0, schema, nullable = false)
    val stored = StructType(schema.map(f => f.copy(dataType = StateColumns.typeOf(f.dataType))))
    val fields = schema.fields.toSeq.zip(stored.fields).zipWithIndex
    ExpressionEncoder(
      new RowsAsRows(stored),
      objSerializer = CreateNamedStruct(fields.flatMap { case ((field, inState), i) =>
        val value = GetStructField(row, i)
        Seq(
          Literal(field.name),
          if (inState.dataType == field.dataType) value else BytesOfValue(value))
      }),
      objDeserializer = WholeRow(
        fields.map { case ((field, inState), i) =>
          val value = GetColumnByOrdinal(i, inState.dataType)
          if (inState.dataType == field.dataType) value else ValueOfBytes(value, field.dataType)
        },
        isCopied = true
      )
    )
  }

  final private class RowsAsRows(override val dataType: StructType)
      extends AgnosticEncoder[UnsafeRow] {
    override def isPrimitive: Boolean        = false
    override def schema: StructType          = dataType
    override def isStruct: Boolean           = true
    override def clsTag: ClassTag[UnsafeRow] = ClassTag(classOf[UnsafeRow])
  }
}
