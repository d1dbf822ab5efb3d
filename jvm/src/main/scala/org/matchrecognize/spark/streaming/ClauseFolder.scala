package org.matchrecognize.spark.streaming

import java.io.InputStream
import java.util.UUID

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.json.JsonMapper
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.SparkPlan

/**
 * The folder of a clause in the checkpoint of a streaming query, `match_recognize/OPERATOR`, with
 * one small JSON file for each thing to be remembered.
 */
final private[streaming] class ClauseFolder(
    state: StatefulClasses.StateInfo,
    configuration: Configuration) {
  import ClauseFolder._

  private val folder = new Path(
    new Path(new Path(state.checkpointLocation).getParent, "match_recognize"),
    state.operatorId.toString)
  private val files = StatefulClasses.CheckpointFileManager.create(folder, configuration)

  /** Micro-batches before this one, since the checkpoint began. */
  def batch: Long = state.storeVersion

  /** The run of the query; another after a restart. */
  def run: UUID = state.queryRunId

  def path: String = folder.toString

  private def file(name: String) = new Path(folder, s"$name.json")

  /** What a file says; None if there is none. */
  def read(name: String): Option[Map[String, String]] =
    if (files.exists(file(name))) {
      val in = files.open(file(name))
      try
        Some(
          mapper.readValue(in: InputStream, classOf[java.util.Map[String, String]]).asScala.toMap)
      finally in.close()
    } else None

  /** Writes a file in the place of an older one, as a whole. */
  def write(name: String, content: Map[String, String]): Unit = {
    val node = mapper.createObjectNode()
    content.foreach { case (key, value) => node.put(key, value) }
    files.mkdirs(folder)
    val out = files.createAtomic(file(name), overwriteIfPossible = true)
    out.write(mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(node))
    out.close()
  }
}

private[streaming] object ClauseFolder {

  /** The state of the first operator with state in a plan, if Spark has given it one. */
  def stateOf(plan: SparkPlan): Option[StatefulClasses.StateInfo] =
    plan
      .collectFirst { case operator: StatefulClasses.StatefulOperator => operator }
      .flatMap(_.stateInfo)

  /** The folder of the clause that this plan runs. */
  def of(plan: SparkPlan, configuration: Configuration): ClauseFolder = {
    val state = stateOf(plan).getOrElse(
      throw new IllegalStateException("a streaming query has given the clause no state"))
    new ClauseFolder(state, configuration)
  }

  private val mapper = JsonMapper.builder().build()
}
