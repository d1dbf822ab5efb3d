package org.matchrecognize.spark.analysis

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
