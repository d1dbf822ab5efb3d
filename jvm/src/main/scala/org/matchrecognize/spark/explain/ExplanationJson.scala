package org.matchrecognize.spark.explain

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode

import org.matchrecognize.spark.execution.tracing.{ClauseTrace, PartitionTrace, VariableTrace}

/** An explanation as one JSON object, for programs; its fields are on the page "Why nothing matched". */
private[explain] object ExplanationJson {
  private lazy val mapper = new ObjectMapper

  def of(explanation: Explanation, clause: ShownClause, trace: ClauseTrace): String = {
    val json = mapper.createObjectNode()
    json
      .put("clause", clause.head)
      .put("rows", trace.rows)
      .put("partitions", trace.partitions)
      .put("searched_rows", trace.tracedRows)
      .put("searched_partitions", trace.tracedPartitions)
      .put("matches", trace.matches)
      .put("empty_matches", trace.emptyMatches)
      .put("timed_out_matches", trace.timedOut)
      .put("failure", trace.failure.orNull)
    objects(json, "first_partitions", trace.first)(partition)
    objects(json, "conditions", clause.variables.zip(trace.variables)) { case (each, (v, t)) =>
      condition(each, v, t)
    }
    texts(json, "furthest", explanation.furthest)
    texts(json, "causes", explanation.causes)
    texts(json, "hints", explanation.hints)
    texts(json, "lines", explanation.lines)
    mapper.writeValueAsString(json)
  }

  private def texts(json: ObjectNode, name: String, values: Seq[String]): Unit =
    values.foldLeft(json.putArray(name))(_.add(_))

  private def objects[A](json: ObjectNode, name: String, values: Seq[A])(
      put: (ObjectNode, A) => Unit): Unit = {
    val array = json.putArray(name)
    values.foreach(value => put(array.addObject(), value))
  }

  private def partition(json: ObjectNode, trace: PartitionTrace): Unit =
    json
      .put("keys", trace.keys)
      .put("rows", trace.rows)
      .put("searched_rows", trace.searched)
      .put("matches", trace.matches)
      .put("timed_out_matches", trace.timedOut)

  private def condition(json: ObjectNode, variable: ShownVariable, trace: VariableTrace): Unit =
    json
      .put("variable", variable.name)
      .put("condition", variable.condition.orNull)
      .put("tested", trace.tested)
      .put("true", trace.satisfied)
      .put("false", trace.failed)
      .put("null", trace.unknown)
      .put("mapped", trace.mapped)
}
