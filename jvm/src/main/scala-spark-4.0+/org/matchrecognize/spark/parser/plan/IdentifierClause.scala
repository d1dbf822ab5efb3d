package org.matchrecognize.spark.parser.plan

import org.apache.spark.sql.catalyst.analysis.ExpressionWithUnresolvedIdentifier
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.CurrentOrigin

/**
 * `IDENTIFIER('A.price')`: a name that the analyzer computes, once it is known. What Spark builds
 * of it then is given the meaning that it would have had from the parser, had it been written out.
 */
private[parser] object IdentifierClause {
  def andThen(identifier: ExpressionWithUnresolvedIdentifier)(
      meaning: Expression => Expression): ExpressionWithUnresolvedIdentifier =
    CurrentOrigin.withOrigin(identifier.origin) {
      identifier.copy(exprBuilder = (names, arguments) =>
        meaning(identifier.exprBuilder(names, arguments)))
    }
}
