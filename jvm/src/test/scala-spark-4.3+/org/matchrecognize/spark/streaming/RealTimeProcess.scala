package org.matchrecognize.spark.streaming

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths, StandardCopyOption, StandardOpenOption}

import org.apache.spark.sql.{ForeachWriter, Row, SparkSession}
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.types.StructType

/**
 * A process that runs a clause in real-time mode, for RealTimeKillsSuite to kill. Its argument is a
 * folder: the process continues from the checkpoint there, sees the rows that processes before it saw,
 * and then one row after the other. It appends what the clause returns to the file `rows`.
 */
object RealTimeProcess {
  val partitions = 2

  val statement =
    """SELECT * FROM arriving MATCH_RECOGNIZE (
      |  PARTITION BY k ORDER BY MATCH_PROCTIME()
      |  MEASURES FIRST(id) AS first, LAST(id) AS last, COUNT(*) AS n
      |  PATTERN (A B+ C) DEFINE B AS x > PREV(x), C AS x < FIRST(x))""".stripMargin

  /** Key and value of a row by its number. */
  def row(id: Int): (Int, Int) = (id % 7, (id * 7919 + id / 13 * 31) % 10)

  def rowsFile(folder: Path): Path = folder.resolve("rows")

  /** There if no more rows are to come. */
  def enoughFile(folder: Path): Path = folder.resolve("enough")

  /** There once all rows are in batches that have ended. */
  def doneFile(folder: Path): Path = folder.resolve("done")

  /** How many rows queries could see. */
  def shown(folder: Path): Int = {
    val file = folder.resolve("shown")
    if (Files.exists(file)) new String(Files.readAllBytes(file), UTF_8).toInt else 0
  }

  private def show(folder: Path, rows: Int): Unit = {
    val written = Files.write(folder.resolve("shown.new"), rows.toString.getBytes(UTF_8))
    Files.move(written, folder.resolve("shown"), StandardCopyOption.ATOMIC_MOVE)
    ()
  }

  def main(arguments: Array[String]): Unit = {
    val folder = Paths.get(arguments.head)
    val spark  = SparkSession
      .builder()
      .master("local[6]")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.extensions", "org.matchrecognize.spark.MatchRecognizeExtensions")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.shuffle.streaming.networkBufferMaxWaitTimeMs", "1")
      .config("spark.sql.streaming.realTimeMode.minBatchDuration", "1s")
      .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString)
      .getOrCreate()
    val log = new ArrivalLog(StructType.fromDDL("k INT, x INT, id INT"), partitions)
    def append(id: Int): Unit = {
      val (k, x) = row(id)
      // The rows of a key are in one partition.
      log.append(Seq(k, x, id), k % partitions)
    }
    var next = shown(folder)
    (0 until next).foreach(append)
    spark.readStream
      .format(classOf[ArrivalSource].getName)
      .option("log", log.name)
      .load()
      .createOrReplaceTempView("arriving")
    val query = spark
      .sql(statement)
      .writeStream
      .outputMode("update")
      .option("checkpointLocation", folder.resolve("checkpoint").toString)
      .trigger(Trigger.RealTime("1 second"))
      .foreach(new RowsToFile(rowsFile(folder).toString))
      .start()
    def await(condition: => Boolean): Unit = while (!condition) {
      query.exception.foreach(throw _)
      Thread.sleep(20)
    }
    while (!Files.exists(enoughFile(folder))) {
      // Before a row can be read, so that a later process sees it at once.
      show(folder, next + 20)
      (next until next + 20).foreach(append)
      next += 20
      await(log.isRead)
    }
    await(log.isRead)
    // The batch that has read the last row, or one after it, ends by itself.
    val last = Option(query.lastProgress).fold(-1L)(_.batchId)
    await(Option(query.lastProgress).exists(_.batchId >= last + 2))
    Files.write(doneFile(folder), Array.emptyByteArray)
    // The suite kills this process in any case.
    Thread.sleep(60000)
  }

  /** Appends each row to a file before it takes the next one. */
  final private class RowsToFile(file: String) extends ForeachWriter[Row] {
    override def open(partition: Long, epoch: Long): Boolean = true
    override def process(row: Row): Unit                     = {
      Files.write(
        Paths.get(file),
        s"${row.mkString(",")}\n".getBytes(UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND)
      ()
    }
    override def close(error: Throwable): Unit = ()
  }
}
