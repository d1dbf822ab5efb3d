package org.matchrecognize.spark.execution.tracing

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

import org.matchrecognize.spark.execution.{MatchPlan, PartitionKeys}
import org.matchrecognize.spark.pattern.matching.SearchResult

/**
 * Searches the first partition of a task by threads, and notes what each of them does. Rows come
 * sorted by partition and order.
 *
 * @param written
 *   by variable, the condition as the user wrote it
 */
final private[spark] class ThreadTracer(
    plan: MatchPlan,
    written: Seq[WrittenCondition],
    input: Seq[Attribute],
    task: TaskContext,
    limits: ThreadTraceLimits) {
  private val partition = new TracedPartition(plan, written, input, task)
  import partition.{binding, names, store}

  private val log    = new ThreadLog(limits, binding, names.describe)
  private val search = binding.search(log, plan.clause.afterMatch)

  /** Reads the rows of the task, of which there is one, up to the end of the first partition. */
  def trace(rows: Iterator[InternalRow]): ThreadTrace = {
    val isWhole = read(rows.map(_.asInstanceOf[UnsafeRow]))
    search.reset()
    var failure: Option[String] = None
    var isDone                  = false
    while (!isDone && !log.isFull)
      search.advance(store.size, isWhole) match {
        case SearchResult.Match         => log.found(search.slots, timedOut = false)
        case SearchResult.TimedOut      => log.found(search.slots, timedOut = true)
        case SearchResult.Unmatched     =>
        case SearchResult.Failed(found) =>
          failure = Some(ClauseTracer.describe(found, plan))
          isDone = true
        case SearchResult.NeedsRows | SearchResult.Done => isDone = true
      }
    ThreadTrace(
      names.describe(0).partition,
      store.size,
      isWhole,
      log.traces(store.size, isWhole),
      log.isFull,
      failure)
  }

  /** Whether all rows of the first partition were read. */
  private def read(rows: Iterator[UnsafeRow]): Boolean = {
    val keys    = new PartitionKeys(plan.partition, input)
    var isWhole = false
    var isFull  = false
    while (!isWhole && !isFull)
      if (!rows.hasNext) isWhole = true
      else {
        val row = rows.next()
        if (!keys.isSame(row)) isWhole = true
        else if (store.size == limits.read) isFull = true
        else store.append(row)
      }
    isWhole
  }
}
