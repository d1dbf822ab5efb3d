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

  def of(columns: Seq[Attribute]): ExpressionEncoder[UnsafeRow] = of(schemaOf(columns))

  def of(schema: StructType): ExpressionEncoder[UnsafeRow] = {
    val row    = BoundReference(0, schema, nullable = false)
    val fields = schema.fields.toSeq.zipWithIndex
    ExpressionEncoder(
      new RowsAsRows(schema),
      objSerializer = CreateNamedStruct(fields.flatMap { case (field, i) =>
        Seq(Literal(field.name), GetStructField(row, i))
      }),
      objDeserializer = WholeRow(
        fields.map { case (field, i) => GetColumnByOrdinal(i, field.dataType) },
        isCopied = true)
    )
  }

  /** Columns of an input may have the same name, those of a state may not. */
  private def schemaOf(columns: Seq[Attribute]): StructType = {
    val names = columns.map(_.name)
    StructType(columns.zipWithIndex.map { case (column, i) =>
      val isUnique = names.count(_.equalsIgnoreCase(column.name)) == 1
      StructField(if (isUnique) column.name else s"${column.name}_${i + 1}", column.dataType)
    })
  }

  final private class RowsAsRows(override val dataType: StructType)
      extends AgnosticEncoder[UnsafeRow] {
    override def isPrimitive: Boolean        = false
    override def schema: StructType          = dataType
    override def isStruct: Boolean           = true
    override def clsTag: ClassTag[UnsafeRow] = ClassTag(classOf[UnsafeRow])
  }
}
