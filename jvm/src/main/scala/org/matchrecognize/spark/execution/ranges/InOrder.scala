package org.matchrecognize.spark.execution.ranges

import org.apache.spark.rdd.{PartitionCoalescer, PartitionGroup, RDD}

/** The ranges of each partition one after the other, in one task. */
final private[execution] class InOrder(places: Array[RangePlace])
    extends PartitionCoalescer
    with Serializable {
  private val ends = places.indices.filter(places(_).isLast).map(_ + 1)

  def count: Int = ends.size

  override def coalesce(maxPartitions: Int, parent: RDD[_]): Array[PartitionGroup] =
    (0 +: ends)
      .zip(ends)
      .map { case (from, until) =>
        val group = new PartitionGroup()
        group.partitions ++= parent.partitions.slice(from, until)
        group
      }
      .toArray
}
