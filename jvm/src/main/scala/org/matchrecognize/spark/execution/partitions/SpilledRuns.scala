package org.matchrecognize.spark.execution.partitions

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.matchrecognize.{RowStoreDisk, RowStoreFile}

/**
 * The rows of a [[PartitionTable]] that are on disk: runs in one file, each sorted by partition and
 * order.
 *
 * @param disk
 *   evaluated when rows first go to disk
 * @param poll
 *   throws if the task has been killed; called now and then
 */
final private[partitions] class SpilledRuns(
    disk: => RowStoreDisk,
    poll: () => Unit,
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    input: Seq[Attribute]) {
  import SpilledRuns._

  private var file: RowStoreFile = _
  private val runs               = ArrayBuffer.empty[Run]

  /** How many of the last runs were not merged into larger ones. */
  private var smallRuns = 0

  def isEmpty: Boolean = runs.isEmpty

  /** Writes rows as one more run. */
  def add(rows: PartitionedRows): Unit = {
    if (smallRuns == mostRuns) mergeSmallRuns()
    runs += written(rows)
    smallRuns += 1
  }

  /** A merge holds a block of each run, so there must not be too many. */
  private def mergeSmallRuns(): Unit = {
    val one = written(merged(runs.takeRight(smallRuns).map(read).toSeq))
    runs.remove(runs.size - smallRuns, smallRuns)
    runs += one
    smallRuns = 0
  }

  /** Writes rows and returns them, to be read from disk. They are none of the runs. */
  def moved(rows: PartitionedRows): PartitionedRows = read(written(rows))

  /** The rows of all runs, and others, which came last. */
  def mergedWith(others: PartitionedRows): PartitionedRows =
    merged(runs.map(read).toSeq :+ others)

  private def merged(sources: Seq[PartitionedRows]) =
    new MergedRows(sources, partition, order, input)

  private def read(run: Run): PartitionedRows = run.rows(input.size)

  private def written(rows: PartitionedRows): Run = {
    if (file == null) file = disk.create()
    val writer = new RunWriter(file)
    var count  = 0L
    while (rows.next()) {
      writer.add(rows.row, rows.beginsPartition)
      count += 1
      if ((count & 0xfff) == 0) poll()
    }
    writer.finish()
  }

  def delete(): Unit = if (file != null) {
    file.delete()
    file = null
  }
}

private object SpilledRuns {

  /** Runs that are merged into one. */
  private val mostRuns = 256
}
