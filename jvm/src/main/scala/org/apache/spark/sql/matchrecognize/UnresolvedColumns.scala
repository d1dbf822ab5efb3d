package org.apache.spark.sql.matchrecognize

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.util.StringUtils
import org.apache.spark.sql.errors.QueryCompilationErrors

/**
 * Spark's own error for a name that is no column. Here since Spark's errors are `private[sql]`: its
 * check of the analyzed plan makes the same one, and adds the whole plan to its message.
 */
object UnresolvedColumns {

  /** The error for a name among these columns, the most similar of which it suggests. */
  def error(name: Attribute, columns: Seq[Attribute]): Throwable = {
    val candidates = columns.map(column => column.qualifier :+ column.name)
    QueryCompilationErrors.unresolvedAttributeError(
      "UNRESOLVED_COLUMN",
      name.sql,
      StringUtils.orderSuggestedIdentifiersBySimilarity(name.sql, candidates),
      name.origin)
  }
}
