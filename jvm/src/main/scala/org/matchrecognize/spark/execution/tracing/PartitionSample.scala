package org.matchrecognize.spark.execution.tracing

import scala.collection.mutable

/**
 * How much of the input of a task is searched. An input within the limits is searched whole.
 *
 * @param partitions
 *   partitions that are searched
 * @param rows
 *   rows of all partitions together, and of a single one
 */
final case class TraceLimits(partitions: Int = 1000, rows: Long = 100000L)

/**
 * A sample of the partitions of a task: those whose keys have the smallest hashes, as many as the
 * limits allow. So it does not depend on the order of the partitions, and no kind of key is
 * preferred. It holds one partition at least: of a large one, only the first rows are searched.
 *
 * How many partitions there are is known at the end only, so some are searched and then dropped.
 * The expected number of these grows with the logarithm of the number of partitions.
 */
final private[tracing] class PartitionSample(limits: TraceLimits) {
  import PartitionSample._

  /** Those with the largest hash first. */
  private val members = mutable.PriorityQueue.empty[Member](Ordering.by((m: Member) => m.hash))

  private var rows  = 0L
  private var added = 0L

  /** The smallest hash of a partition that was dropped. */
  private var least: Option[Long] = None

  /** Whether a partition can belong to the sample, by what is known so far. */
  def mayContain(hash: Long): Boolean = least.forall(hash < _)

  /**
   * Adds a partition, and drops those that no longer fit.
   *
   * @param size
   *   rows that are searched
   * @param trace
   *   searches the partition; not called if it is itself dropped
   */
  def add(hash: Long, size: Long)(trace: => ClauseTrace): Unit = if (mayContain(hash)) {
    val member = new Member(hash, added, size)
    added += 1
    members += member
    rows += size
    while (members.size > 1 && (members.size > limits.partitions || rows > limits.rows)) drop()
    if (mayContain(hash)) member.trace = trace
  }

  private def drop(): Unit = {
    val dropped = members.dequeue()
    rows -= dropped.size
    least = Some(dropped.hash)
  }

  /** The traces of the sample, in the order of the partitions. */
  def traces: Seq[ClauseTrace] =
    members.iterator.filter(m => mayContain(m.hash)).toVector.sortBy(_.index).map(_.trace)
}

private object PartitionSample {
  final class Member(val hash: Long, val index: Long, val size: Long) {
    var trace: ClauseTrace = _
  }
}
