package org.matchrecognize.spark.streaming

import java.io.InputStream

import scala.collection.JavaConverters._
import scala.collection.immutable.ListMap

import com.fasterxml.jackson.databind.json.JsonMapper
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}

import org.matchrecognize.spark.errors.{MatchRecognizeErrors, RuntimeErrors}
import org.matchrecognize.spark.execution.MatchPlan

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

  /**
   * Writes the clause into a new checkpoint, and compares it with that of an old one.
   *
   * @param state
   *   where the operator's state lies
   */
  def check(
      plan: MatchPlan,
      input: Seq[Attribute],
      state: StatefulClasses.StateInfo,
      configuration: Configuration): Unit = {
    val folder = new Path(new Path(state.checkpointLocation).getParent, "match_recognize")
    val files  = StatefulClasses.files(folder, configuration)
    val file   = new Path(folder, state.operatorId.toString)
    val mine   = parts(plan, input)
    if (state.storeVersion == 0) {
      files.mkdirs(folder)
      val out = files.createAtomic(file, overwriteIfPossible = true)
      out.write(json(mine))
      out.close()
    } else if (files.exists(file)) {
      val in      = files.open(file)
      val written =
        try mapper.readValue(in: InputStream, classOf[java.util.Map[String, String]]).asScala
        finally in.close()
      mine.foreach { case (part, now) =>
        val before = written.getOrElse(part, "none")
        if (before != now) unreadable(plan, s"$part has changed from $before to $now")
      }
    } else {
      unreadable(plan, s"the checkpoint does not say which clause wrote it (in $file)")
    }
  }

  private val mapper = JsonMapper.builder().build()

  private def json(parts: Map[String, String]): Array[Byte] = {
    val node = mapper.createObjectNode()
    parts.foreach { case (part, text) => node.put(part, text) }
    mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(node)
  }

  private def unreadable(plan: MatchPlan, reason: String): Unit =
    throw MatchRecognizeErrors.runtime(
      RuntimeErrors.StateUnreadable,
      plan.clauseOrigin,
      None,
      "reason" -> reason)
}
