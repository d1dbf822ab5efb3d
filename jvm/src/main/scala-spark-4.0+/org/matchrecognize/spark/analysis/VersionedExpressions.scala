package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.analysis.SQLFunctionExpression
import org.apache.spark.sql.catalyst.expressions.{CommonExpressionRef, Expression, With}

/** Puts the common parts of an expression back where they are used. */
private[analysis] object CommonExpressions {
  def inline(e: Expression): Expression = e.transformUp { case With(child, definitions) =>
    val parts = definitions.map(d => d.id -> d.child).toMap
    child.transform {
      case part: CommonExpressionRef if parts.contains(part.id) => parts(part.id)
    }
  }
}

/** Whether an expression is NULL where one of its children is. */
private[analysis] object NullIntolerance {
  def of(e: Expression): Boolean = e.nullIntolerant
}

/** Calls of functions written in SQL, which Spark takes apart only in operators of its own. */
private[analysis] object SqlFunctions {
  def nameOf(e: Expression): Option[String] = e match {
    case call: SQLFunctionExpression => Some(call.name)
    case _                           => None
  }
}
