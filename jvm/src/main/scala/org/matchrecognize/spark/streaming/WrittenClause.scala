package org.matchrecognize.spark.streaming

import scala.collection.immutable.ListMap

import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}

import org.matchrecognize.spark.execution.{KeptState, MatchPlan, StateSeal}
import org.matchrecognize.spark.logical.Pushed

/**
 * The clause that wrote the state of a streaming query, in a file of the query's checkpoint. A query
 * whose state another clause wrote fails before it reads a row: it would find no state of its keys,
 * or go on with rows that were mapped under other conditions. So would a query with another filter
 * above the clause, as far as the optimizer has pushed it below: the rows that it dropped are gone.
 *
 * Measures may change as long as the same is kept for them.
 *
 * The texts are a part of the format of checkpoints: a release that writes a clause in another way
 * does not go on from the checkpoints of those before.
 */
final private[streaming] class WrittenClause(
    plan: MatchPlan,
    input: Seq[Attribute],
    pushed: Pushed) {
  import WrittenClause._

  /** What may not change, by the part of the query. */
  private lazy val parts: Map[String, String] = {
    val clause     = plan.clause
    val conditions = clause.variables.map(_.name).zip(clause.conditionSql)
    ListMap(
      "PARTITION BY"     -> described(plan.partition),
      "ORDER BY"         -> plan.order.map(sql).mkString(", "),
      "the columns read" -> described(input),
      "ROWS PER MATCH"   -> clause.rows.sql,
      "AFTER MATCH"      -> clause.afterMatch.sql,
      "PATTERN"          -> clause.patternSql,
      "WITHIN"           -> clause.within.fold("none")(_.sql),
      "DEFINE"      -> conditions.map { case (name, sql) => s"$name AS $sql" }.mkString(", "),
      "the dialect" -> (if (clause.flinkDialect) "flink" else "standard"),
      kept          -> listed(KeptState.of(plan)),
      "the filter above the clause" -> listed(pushed.copy(rows = Nil).texts),
      "the filter below the clause" -> listed(pushed.rows.map(Pushed.sql))
    )
  }

  /** Writes the clause into a new checkpoint. */
  def writeTo(folder: ClauseFolder): Unit =
    if (folder.batch == 0) folder.write(name, parts)

  /** Refuses the checkpoint of another clause. */
  def compareWith(folder: ClauseFolder): Unit =
    if (folder.batch > 0) {
      def unreadable(reason: String) = StateSeal.unreadable(reason, plan.clauseOrigin)
      val written                    = folder.read(name).getOrElse {
        unreadable(s"the checkpoint does not say which clause wrote it (in ${folder.path})")
      }
      parts.foreach { case (part, now) =>
        // The first checkpoints do not say what is kept; their values are compared by their shape.
        val before = written.getOrElse(part, if (part == kept) now else none)
        if (before != now) unreadable(s"$part has changed from $before to $now")
      }
    }
}

private object WrittenClause {
  private val name = "clause"
  private val none = "none"
  private val kept = "what MEASURES and DEFINE keep"

  private def sql(key: SortOrder): String = {
    val column = described(key.child.references.toSeq)
    s"$column ${key.direction.sql} ${key.nullOrdering.sql}"
  }

  private def described(columns: Seq[Attribute]): String =
    listed(columns.map(c => s"${c.name} ${c.dataType.sql}"))

  private def listed(texts: Seq[String]): String =
    if (texts.isEmpty) none else texts.mkString(", ")
}
