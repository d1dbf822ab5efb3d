package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Cast,
  Expression,
  GetArrayStructFields,
  HigherOrderFunction,
  If,
  IsNull,
  LambdaFunction,
  Literal,
  NamedExpression,
  NamedLambdaVariable,
  Or
}
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructType}

/**
 * The types that expressions store, as Spark has read them off the columns of the input. Lowered
 * columns can be NULL where those are not: those of an empty match are. So these types are derived
 * once more, of a lowered expression from the leaves up.
 */
private[analysis] object StoredTypes {

  def derive(e: Expression): Expression = e match {
    case call: HigherOrderFunction =>
      val functions = call.functions
      call
        .mapChildren(child => if (functions.exists(_ eq child)) child else derive(child))
        .asInstanceOf[HigherOrderFunction]
        .bind {
          case (function: LambdaFunction, taken) => ofVariables(function, taken)
          case (other, _) => throw new IllegalStateException(s"$other is no lambda function")
        }
    case other =>
      other.mapChildren(derive) match {
        case cast: Cast                   => ofCast(cast)
        case fields: GetArrayStructFields => ofFields(fields)
        case derived                      => NeverNull.correct(derived)
      }
  }

  /** `e -> e + 1` in `transform(array(A.x), e -> e + 1)`. */
  private def ofVariables(
      function: LambdaFunction,
      taken: Seq[(DataType, Boolean)]): LambdaFunction = {
    val variables: Seq[NamedExpression] = function.arguments.zip(taken).map {
      case (variable: NamedLambdaVariable, (dataType, nullable)) =>
        variable.copy(dataType = dataType, nullable = nullable)
      case (other, _) => other
    }
    val body = function.function.transform { case used: NamedLambdaVariable =>
      variables.find(_.exprId == used.exprId).getOrElse(used)
    }
    function.copy(function = derive(body), arguments = variables)
  }

  /** `array(A.x)` in `array(A.x) = array(1L)`. */
  private def ofCast(cast: Cast): Expression = {
    val dataType = asNullableAs(cast.child.dataType, cast.dataType)
    if (dataType == cast.dataType) cast
    else {
      val derived = cast.copy(dataType = dataType)
      derived.copyTagsFrom(cast)
      derived
    }
  }

  private def asNullableAs(from: DataType, to: DataType): DataType = (from, to) match {
    case (ArrayType(fromElement, fromNull), ArrayType(element, containsNull)) =>
      ArrayType(asNullableAs(fromElement, element), fromNull || containsNull)
    case (MapType(fromKey, fromValue, fromNull), MapType(key, value, containsNull)) =>
      MapType(
        asNullableAs(fromKey, key),
        asNullableAs(fromValue, value),
        fromNull || containsNull)
    case (StructType(fromFields), StructType(fields)) if fromFields.length == fields.length =>
      StructType(fromFields.zip(fields).map { case (fromField, field) =>
        field.copy(
          dataType = asNullableAs(fromField.dataType, field.dataType),
          nullable = fromField.nullable || field.nullable)
      })
    case _ => to
  }

  /** `a.y` of an array of structs. */
  private def ofFields(fields: GetArrayStructFields): Expression = fields.child.dataType match {
    case ArrayType(StructType(all), containsNull) =>
      val field = all(fields.ordinal)
      fields.copy(
        field = fields.field.copy(dataType = field.dataType, nullable = field.nullable),
        containsNull = containsNull || field.nullable)
    case _ => fields
  }
}

/**
 * Spark takes `array(1, 2)[i]` for one that is never NULL under ANSI, whether `i` is NULL or not.
 * Code that is generated from it, and Spark's optimizer, would then not look at `i`.
 */
private[analysis] object NeverNull {

  /** The expression, with a test of its children if it is NULL where one of them is, but denies it. */
  def correct(e: Expression): Expression = {
    val nullable =
      if (e.nullable || !NullIntolerance.of(e)) Nil else e.children.filter(_.nullable)
    if (nullable.isEmpty) e
    else
      If(
        nullable.map(IsNull(_): Expression).reduce(Or(_, _)),
        Literal.create(null, e.dataType),
        e)
  }
}
