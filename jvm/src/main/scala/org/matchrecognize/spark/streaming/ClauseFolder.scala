package org.matchrecognize.spark.streaming

import java.io.InputStream
import java.util.UUID

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.json.JsonMapper
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.matchrecognize.Uninterrupted

/**
 * The folder of a clause in the checkpoint of a streaming query, `match_recognize/OPERATOR`, with
 * one small JSON file for each thing to be remembered.
 */
final private[streaming] class ClauseFolder(
    state: StatefulClasses.StateInfo,
    configuration: Configuration) {
  import ClauseFolder._

  private val folder =
    new Path(ofClauses(new Path(state.checkpointLocation).getParent), state.operatorId.toString)
  private val files = StatefulClasses.CheckpointFileManager.create(folder, configuration)

  /** Micro-batches before this one, since the checkpoint began. */
  def batch: Long = state.storeVersion

  /** The run of the query; another after a restart. */
  def run: UUID = state.queryRunId

  def path: String = folder.toString

  private def file(name: String) = new Path(folder, s"$name.json")

  /** What a file says; None if there is none. */
  def read(name: String): Option[Map[String, String]] =
    if (files.exists(file(name))) Some(parsed(files.open(file(name)))) else None

  /**
   * Writes a file in the place of an older one, as a whole. Hadoop loses an interrupt that comes while
   * it runs `chmod` for a local file, and a query that was to stop would begin its micro-batch.
   */
  def write(name: String, content: Map[String, String]): Unit = Uninterrupted {
    files.mkdirs(folder)
    val out = files.createAtomic(file(name), overwriteIfPossible = true)
    out.write(mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(content.asJava))
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

  /** What the files of a name say in a checkpoint, of all clauses of a query before it runs. */
  def readAll(
      checkpoint: String,
      name: String,
      configuration: Configuration): Seq[Map[String, String]] = {
    val folder = ofClauses(new Path(checkpoint))
    val files  = folder.getFileSystem(configuration)
    if (files.exists(folder))
      files.listStatus(folder).toSeq.map(_.getPath).sortBy(_.getName).flatMap { clause =>
        val file = new Path(clause, s"$name.json")
        if (files.exists(file)) Some(parsed(files.open(file))) else None
      }
    else Nil
  }

  private def ofClauses(checkpoint: Path): Path = new Path(checkpoint, "match_recognize")

  private def parsed(in: InputStream): Map[String, String] =
    try mapper.readValue(in, classOf[java.util.Map[String, String]]).asScala.toMap
    finally in.close()

  private val mapper = JsonMapper.builder().build()
}
