package org.matchrecognize.spark.streaming

import scala.collection.immutable.ListMap

import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}

import org.matchrecognize.spark.execution.{MatchPlan, StateSeal}

/**
 * The clause that wrote the state of a streaming query, in a file of the query's checkpoint. A query
 * whose state another clause wrote fails before it reads a row: it would find no state of its keys,
 * or go on with rows that were mapped under other conditions.
 *
 * Measures may change. If they need other state, [[KeyState]] cannot be read.
 *
 * The texts are a part of the format of checkpoints: a release that writes a clause in another way
 * does not go on from the checkpoints of those before.
 */
private[streaming] object WrittenClause {

  /** What may not change, by the part of the clause. */
  private def parts(plan: MatchPlan, input: Seq[Attribute]): Map[String, String] = {
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
      "the dialect" -> (if (clause.flinkDialect) "flink" else "standard")
    )
  }

  private def sql(key: SortOrder): String = {
    val column = described(key.child.references.toSeq)
    s"$column ${key.direction.sql} ${key.nullOrdering.sql}"
  }

  private def described(columns: Seq[Attribute]): String =
    if (columns.isEmpty) "none"
    else columns.map(c => s"${c.name} ${c.dataType.sql}").mkString(", ")

  /** Writes the clause into a new checkpoint. */
  def write(plan: MatchPlan, input: Seq[Attribute], folder: ClauseFolder): Unit =
    if (folder.batch == 0) folder.write(name, parts(plan, input))

  /** Refuses the checkpoint of another clause. */
  def compare(plan: MatchPlan, input: Seq[Attribute], folder: ClauseFolder): Unit =
    if (folder.batch > 0) {
      def unreadable(reason: String) = StateSeal.unreadable(reason, plan.clauseOrigin)
      val written                    = folder.read(name).getOrElse {
        unreadable(s"the checkpoint does not say which clause wrote it (in ${folder.path})")
      }
      parts(plan, input).foreach { case (part, now) =>
        val before = written.getOrElse(part, "none")
        if (before != now) unreadable(s"$part has changed from $before to $now")
      }
    }

  private val name = "clause"
}
