package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructType}

/**
 * Partition keys that are maps or hold some. Maps have no order, and equal ones can have their
 * entries in another one. An array of the sorted entries has neither fault.
 */
private[analysis] object MapKeys {

  /** The key with the sorted entries in place of each map; None if it holds no map. */
  def entries(key: Expression): Option[Expression] = key.dataType match {
    // It is evaluated for each field, which must be the same struct.
    case _: StructType if !key.deterministic => None
    case held => if (holdsMap(held)) Some(replace(key, held)(sorted)) else None
  }

  /** The key that has these entries. */
  def maps(entries: Expression, key: DataType): Expression = replace(entries, key)(restored)

  private def sorted(map: Expression, held: MapType): Expression =
    replace(byKey(MapEntries(map)), entriesOf(held))(sorted)

  /** Spark's MapSort makes 0 of a value that is NULL (4.0 to 4.3; GROUP BY of a map does, too). */
  private def byKey(entries: Expression): Expression = {
    val entry                  = entries.dataType.asInstanceOf[ArrayType].elementType
    def variable(name: String) = NamedLambdaVariable(name, entry, nullable = false)
    val (one, other)           = (variable("one"), variable("other"))
    val (a, b)                 = (GetStructField(one, 0), GetStructField(other, 0))
    val order = If(LessThan(a, b), Literal(-1), If(GreaterThan(a, b), Literal(1), Literal(0)))
    ArraySort(entries, LambdaFunction(order, Seq(one, other)), allowNullComparisonResult = false)
  }

  private def restored(entries: Expression, held: MapType): Expression =
    MapFromEntries(replace(entries, entriesOf(held))(restored))

  private def entriesOf(map: MapType): DataType =
    ArrayType(new StructType().add("key", map.keyType).add("value", map.valueType))

  /**
   * Replaces the outermost maps of an expression.
   *
   * @param held
   *   the type of the expression, with maps
   */
  private def replace(e: Expression, held: DataType)(
      one: (Expression, MapType) => Expression): Expression = (held, e.dataType) match {
    case (map: MapType, _)                                                  => one(e, map)
    case (ArrayType(of, _), ArrayType(element, isNullable)) if holdsMap(of) =>
      val variable = NamedLambdaVariable("e", element, isNullable)
      ArrayTransform(e, LambdaFunction(replace(variable, of)(one), Seq(variable)))
    case (struct: StructType, _) if holdsMap(struct) =>
      val fields = struct.fields.toSeq.zipWithIndex.flatMap { case (field, i) =>
        Seq(
          Literal(field.name),
          replace(GetStructField(e, i, Some(field.name)), field.dataType)(one))
      }
      val replaced = CreateNamedStruct(fields)
      if (e.nullable) If(IsNull(e), Literal.create(null, replaced.dataType), replaced)
      else replaced
    case _ => e
  }

  private def holdsMap(dataType: DataType): Boolean = dataType match {
    case _: MapType         => true
    case ArrayType(of, _)   => holdsMap(of)
    case struct: StructType => struct.exists(field => holdsMap(field.dataType))
    case _                  => false
  }
}
