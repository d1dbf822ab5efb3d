package org.matchrecognize.spark.execution.partitions

import org.apache.spark.sql.catalyst.expressions.{
  ArrayTransform,
  Attribute,
  CollationKey,
  CreateNamedStruct,
  Expression,
  GetStructField,
  If,
  IsNull,
  LambdaFunction,
  Literal,
  NamedLambdaVariable
}
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.matchrecognize.DistinctValues
import org.apache.spark.sql.types.{ArrayType, StringType, StructType}

/** Partition keys as Spark tells them apart: equal keys have equal bytes. */
private[spark] object GroupingKeys {
  def of(key: Attribute): Expression = withCollationKeys(DistinctValues.normalize(key))

  /** Strings of a collation as bytes that are equal where the strings are. */
  private def withCollationKeys(e: Expression): Expression = e.dataType match {
    case stable if UnsafeRowUtils.isBinaryStable(stable) => e
    case _: StringType                                   => CollationKey(e)
    case struct: StructType                              =>
      val fields = struct.fields.toSeq.zipWithIndex.flatMap { case (field, i) =>
        Seq(Literal(field.name), withCollationKeys(GetStructField(e, i, Some(field.name))))
      }
      val keys = CreateNamedStruct(fields)
      if (e.nullable) If(IsNull(e), Literal(null, keys.dataType), keys) else keys
    case array: ArrayType =>
      val element = NamedLambdaVariable("e", array.elementType, array.containsNull)
      ArrayTransform(e, LambdaFunction(withCollationKeys(element), Seq(element)))
    case _ => e
  }
}
