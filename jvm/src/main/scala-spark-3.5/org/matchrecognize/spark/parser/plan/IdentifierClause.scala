package org.matchrecognize.spark.parser.plan

import org.apache.spark.sql.catalyst.analysis.ExpressionWithUnresolvedIdentifier
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.CurrentOrigin

/** See the one for later Sparks. */
private[parser] object IdentifierClause {
  def andThen(identifier: ExpressionWithUnresolvedIdentifier)(
      meaning: Expression => Expression): ExpressionWithUnresolvedIdentifier =
    CurrentOrigin.withOrigin(identifier.origin) {
      identifier.copy(exprBuilder = names => meaning(identifier.exprBuilder(names)))
    }
}
