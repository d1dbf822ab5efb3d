package org.matchrecognize.spark.streaming

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, StandardCopyOption}
import java.nio.file.attribute.FileTime

import scala.collection.mutable

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.streaming.{StreamingQueryProgress, Trigger}

/**
 * Runs a streaming query over files, one micro-batch per file.
 *
 * @param schema
 *   of the files, as DDL
 * @param time
 *   the event time `t`, as an expression over them
 * @param delay
 *   the watermark's delay
 */
final private[streaming] class StreamRun(
    spark: SparkSession,
    schema: String,
    time: String,
    delay: String) {
  import StreamRun._

  private val folder     = Files.createTempDirectory("stream")
  private val input      = Files.createDirectory(folder.resolve("input"))
  private val checkpoint = folder.resolve("checkpoint").toString

  /** EXPLAIN of the last query. */
  var lastPlan = ""

  /** What the checkpoint says of the clause. */
  def clauseFile: Path = folder.resolve("checkpoint/match_recognize/0/clause.json")

  private var files = 0

  /** Adds a file, which will be a micro-batch. */
  def add(rows: Seq[Map[String, Any]]): Unit = {
    // Not seen by a running query before its time is set: the next files would be too old.
    val hidden = input.resolve(s".$files.json")
    Files.write(hidden, rows.map(json).mkString("\n").getBytes(UTF_8))
    // Files are read in the order of their times.
    Files.setLastModifiedTime(hidden, FileTime.fromMillis(1000000000000L + files * 1000L))
    Files.move(hidden, input.resolve(s"$files.json"), StandardCopyOption.ATOMIC_MOVE)
    files += 1
  }

  /**
   * Makes the files a streaming table, mostly with a watermark, and a table.
   *
   * @param as
   *   their schema, if it is another one by now
   * @param where
   *   a filter of the streaming table, below its watermark
   */
  def createViews(
      stream: String,
      table: String,
      withWatermark: Boolean = true,
      as: String = schema,
      where: String = "true"): Unit = {
    val path  = input.toString
    val timed = spark.readStream
      .schema(as)
      .option("maxFilesPerTrigger", "1")
      .json(path)
      .where(where)
      .selectExpr("*", s"$time AS t")
    (if (withWatermark) timed.withWatermark("t", delay) else timed)
      .createOrReplaceTempView(stream)
    spark.read
      .schema(as)
      .json(path)
      .selectExpr("*", s"$time AS t")
      .createOrReplaceTempView(table)
  }

  /**
   * Runs a statement over the streaming table until all files are read and no micro-batch is left
   * that a timer needs.
   *
   * @return
   *   the rows of each micro-batch in their order, and the progress of each
   */
  def run(sql: String): (Seq[Seq[Seq[Any]]], Seq[StreamingQueryProgress]) = run(spark.sql(sql))

  /**
   * Runs a streaming query in the same way.
   *
   * @param look
   *   is called in each micro-batch, with its rows
   */
  def run(
      frame: DataFrame,
      mode: String = "append",
      look: DataFrame => Unit = _ => ()): (Seq[Seq[Seq[Any]]], Seq[StreamingQueryProgress]) = {
    val batches = mutable.ArrayBuffer[Seq[Seq[Any]]]()
    val collect = (frame: DataFrame, _: Long) => {
      batches += frame.collect().toSeq.map(_.toSeq)
      look(frame)
    }
    val query = frame.writeStream
      .outputMode(mode)
      .option("checkpointLocation", checkpoint)
      .trigger(Trigger.AvailableNow())
      .foreachBatch(collect)
      .start()
    try {
      query.awaitTermination()
      val text = new ByteArrayOutputStream
      Console.withOut(text)(query.explain())
      lastPlan = text.toString(UTF_8.name)
    } finally query.stop()
    (batches.toSeq, query.recentProgress.toSeq)
  }

  /** How many entries a variable of the state had after a micro-batch (Spark 4.0 and later). */
  def entries(variable: String, batch: Int): Int =
    reader(variable).option("batchId", batch.toLong).load(checkpoint).count().toInt

  /** The entries of a variable of the state (Spark 4.0 and later). */
  def entries(variable: String): DataFrame = reader(variable).load(checkpoint)

  private def reader(variable: String) =
    spark.read.format("statestore").option("stateVarName", variable)
}

private[streaming] object StreamRun {

  /** What the clause did in each micro-batch, by its names in the progress of a query. */
  def ofClause(progress: Seq[StreamingQueryProgress]): Seq[Map[String, Any]] = progress.map { p =>
    val row = p.observedMetrics.get("match_recognize_0")
    row.getValuesMap[Any](row.schema.fieldNames.toSeq)
  }

  /** A row as a line of JSON. */
  def json(row: Map[String, Any]): String =
    row
      .collect { case (name, value) if value != null => s""""$name": ${literal(value)}""" }
      .mkString("{", ", ", "}")

  private def literal(value: Any): String = value match {
    case text: String => s""""$text""""
    case other        => other.toString
  }
}
