package org.matchrecognize.spark.execution.ranges

import org.apache.spark.{Partitioner, ShuffleDependency, SparkContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.{
  CoalescedPartitionSpec,
  ShuffledRowRDD,
  UnsafeRowSerializer
}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.execution.metric.{
  SQLMetric,
  SQLMetrics,
  SQLShuffleReadMetricsReporter,
  SQLShuffleWriteMetricsReporter
}

/** A shuffle of rows that come with the numbers of their partitions. */
final private[execution] class RangeShuffle(
    rows: RDD[_ <: Product2[Int, InternalRow]],
    partitions: Int,
    columns: Int,
    metrics: Map[String, SQLMetric]) {
  private val dependency = new ShuffleDependency[Int, InternalRow, InternalRow](
    rows,
    new PartitionByNumber(partitions),
    new UnsafeRowSerializer(columns, metrics(RangeShuffle.size)),
    shuffleWriterProcessor = ShuffleExchangeExec.createShuffleWriteProcessor(metrics)
  )

  /** Some of the partitions. */
  def read(partitions: Range): ShuffledRowRDD = new ShuffledRowRDD(
    dependency,
    metrics,
    partitions.map(p => CoalescedPartitionSpec(p, p + 1)).toArray)
}

private[execution] object RangeShuffle {
  private val size = "dataSize"

  def metrics(context: SparkContext): Map[String, SQLMetric] =
    SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(context) ++
      SQLShuffleReadMetricsReporter.createShuffleReadMetrics(context) +
      (size -> SQLMetrics.createSizeMetric(context, "data size"))
}

/** The key is the number of the partition. */
final private class PartitionByNumber(override val numPartitions: Int) extends Partitioner {
  override def getPartition(key: Any): Int = key.asInstanceOf[Int]
}
