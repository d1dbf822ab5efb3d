package org.apache.spark.sql.matchrecognize

import org.apache.spark.sql.catalyst.expressions.{
  ArrayTransform,
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
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.types.{ArrayType, StringType, StructType}

/**
 * Partition keys, and values under DISTINCT, as Spark tells them apart: equal ones have equal bytes.
 * -0.0 is 0.0, and all NaN are one. Here since Spark's own normalization is `private[sql]`.
 */
object DistinctValues {

  /** What Spark gives an aggregate under DISTINCT: the one of equal numbers that it keeps. */
  def kept(value: Expression): Expression = NormalizeFloatingNumbers.normalize(value)

  def normalize(value: Expression): Expression =
    withCollationKeys(kept(value))

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
