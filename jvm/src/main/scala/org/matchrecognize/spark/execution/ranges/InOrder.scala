package org.matchrecognize.spark.execution.ranges

import org.apache.spark.rdd.{PartitionCoalescer, PartitionGroup, RDD}

/** All partitions one after the other, in one task. */
private[execution] object InOrder extends PartitionCoalescer with Serializable {
  override def coalesce(maxPartitions: Int, parent: RDD[_]): Array[PartitionGroup] = {
    val group = new PartitionGroup()
    group.partitions ++= parent.partitions
    Array(group)
  }
}
