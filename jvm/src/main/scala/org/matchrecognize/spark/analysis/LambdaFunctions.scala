package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  HigherOrderFunction,
  LambdaFunction,
  NamedExpression,
  NamedLambdaVariable
}
import org.apache.spark.sql.types.DataType

/** `e -> e + 1` in `transform(array(A.x), e -> e + 1)`. */
private[analysis] object LambdaFunctions {

  /**
   * Gives the variables of lambda functions the types of what they take. Spark has read these off
   * the columns of the input, but lowered columns can be NULL where those are not: those of an empty
   * match are.
   */
  def bind(e: Expression): Expression = e match {
    case call: HigherOrderFunction =>
      val functions = call.functions
      call
        .mapChildren(child => if (functions.exists(_ eq child)) child else bind(child))
        .asInstanceOf[HigherOrderFunction]
        .bind {
          case (function: LambdaFunction, taken) => typed(function, taken)
          case (other, _) => throw new IllegalStateException(s"$other is no lambda function")
        }
    case other => other.mapChildren(bind)
  }

  private def typed(function: LambdaFunction, taken: Seq[(DataType, Boolean)]): LambdaFunction = {
    val variables: Seq[NamedExpression] = function.arguments.zip(taken).map {
      case (variable: NamedLambdaVariable, (dataType, nullable)) =>
        variable.copy(dataType = dataType, nullable = nullable)
      case (other, _) => other
    }
    val body = function.function.transform { case used: NamedLambdaVariable =>
      variables.find(_.exprId == used.exprId).getOrElse(used)
    }
    function.copy(function = bind(body), arguments = variables)
  }
}
