package org.matchrecognize.spark.execution

import java.util.ArrayDeque

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.matchrecognize.TaskCancellation

import org.matchrecognize.spark.conditions.UnsharedCode
import org.matchrecognize.spark.execution.rows.{MatcherStorage, MatcherStores}
import org.matchrecognize.spark.execution.slots.StoredInput
import org.matchrecognize.spark.expressions.MatchContext
import org.matchrecognize.spark.pattern.matching.{
  Failure,
  SearchResult,
  StateOutput,
  StateTooLarge
}

/**
 * Does the operator's work in one task. It takes rows sorted by partition and order, and returns
 * output rows, one for each call. Generated code and the iterator use it in the same way.
 *
 * The caller appends a row, then calls [[next]] until it returns false. The caller may stop earlier
 * (LIMIT) and append further rows: the row store keeps the rows, and no output is computed before
 * it is requested.
 *
 * What the search and the output need is made in two steps: [[TaskExpressions]], and from these
 * [[TaskSearch]].
 *
 * @param storage
 *   where rows are kept
 */
final class PartitionMatcher(
    plan: MatchPlan,
    input: Seq[Attribute],
    metrics: Map[String, SQLMetric],
    task: TaskContext,
    storage: MatcherStorage) {

  /** Keeps nothing beyond the task. */
  def this(
      plan: MatchPlan,
      input: Seq[Attribute],
      metrics: Map[String, SQLMetric],
      task: TaskContext) =
    this(plan, input, metrics, task, MatcherStorage.InTask)

  private val poll        = TaskCancellation.poll(task)
  private val stores      = new MatcherStores(task, plan.clause.settings.spillThreshold, storage)
  private val store       = stores.rows(input.size)
  private val expressions = new TaskExpressions(plan, input, store)
  private val taskSearch  = new TaskSearch(expressions, stores, poll)
  private val search      = taskSearch.search
  private val state       =
    new MatcherState(plan, input, store, search, expressions.layout, taskSearch.labels.nonEmpty)
  private val output = expressions.output

  private val keys = new PartitionKeys(plan.partition, input)

  /** Rows of later partitions, until the one in the store is done: usually none or one. */
  private val waiting = new ArrayDeque[UnsafeRow]

  /** Whether the input has ended. */
  private var finished = false

  /** Whether the search has stopped at a result whose rows are being emitted. */
  private var isEmitting = false

  private lazy val projection = UnsharedCode.projection(expressions.columns)

  task.addTaskCompletionListener[Unit](_ => close())

  /**
   * Returns what the columns of the row that [[next]] found are evaluated on
   * ([[ExpressionBinding.output]]). It is valid until the next call of any method.
   */
  def context: MatchContext = output.context

  /** Returns the row that [[next]] found. */
  def row: UnsafeRow = projection(context)

  /** Takes the next row of the input. */
  def append(row: InternalRow): Unit = {
    val unsafe = row.asInstanceOf[UnsafeRow]
    if (!keys.isSame(unsafe) || !waiting.isEmpty) waiting.add(unsafe.copy())
    else store.append(unsafe)
  }

  /** Forgets the partition in the store. */
  private def reset(): Unit = {
    store.clear()
    search.reset()
  }

  /** Is told of each result before its rows ([[RangeNotes.found]]). */
  private var notes: Option[(Long, Long, Long, Boolean) => Unit] = None

  /** Whether no further row comes to this matcher, though the partition has more. */
  private var stopped = false

  /** Begins the search at a row that is not the first one, and notes what is found. */
  def beginAt(start: Long, covered: Long)(note: (Long, Long, Long, Boolean) => Unit): Unit = {
    search.startAt(start, covered)
    notes = Some(note)
  }

  /** Tells the matcher that the rows of the partition that follow are searched elsewhere. */
  def stop(): Unit = stopped = true

  /** The start row that is not decided, once [[next]] has returned false. */
  def startRow: Long = search.start

  /** How many rows from there on are in matches. */
  def coveredRows: Long = search.coveredRows

  /** Tells the matcher that the input has ended. */
  def finish(): Unit = finished = true

  /** Finds the next output row. Returns false if it needs more input first. */
  def next(): Boolean = {
    var found = isEmitting && output.next()
    isEmitting = found
    while (!found && canSearch && find())
      if (isEmitting) {
        found = output.next()
        isEmitting = found
      }
    if (found) {
      outputRows += 1
      // A row may need an aggregate over all rows of the match.
      if ((outputRows & 0xf) == 0) poll()
    }
    found
  }

  /**
   * The search continues each time that so many rows have arrived, a power of two. A stream emits
   * at each row what that row makes final.
   */
  private val rowsAtOnce = if (plan.matcher.mayWaitForEnd) 64L else 1L

  /** Whether the search can continue. Some searches wait for the whole partition. */
  private def canSearch: Boolean = !closed && (finished || stopped || !waiting.isEmpty ||
    !search.waitsForEnd && (store.size & rowsAtOnce - 1) == 0)

  /** Continues the search to the next result. Returns false if there is nothing to search. */
  private def find(): Boolean = {
    val result = search.advance(store.size, finished || !waiting.isEmpty)
    result match {
      case SearchResult.Match | SearchResult.TimedOut =>
        output.matched(
          search.start,
          search.end,
          search.matchNumber,
          search.slots,
          search.matchLabels)
        output.context.timedOut = result == SearchResult.TimedOut
        notes.foreach(_(search.start, search.sameFrom, outputRows, true))
        if (result == SearchResult.Match) {
          matches += 1
          matchedRows += search.end - search.start
        } else timedOutMatches += 1
        isEmitting = true
      case SearchResult.Unmatched =>
        notes.foreach(_(search.start, search.sameFrom, outputRows, false))
        output.unmatched(search.start)
        isEmitting = true
      case SearchResult.Failed(failure) => throw MatchFailures.error(plan, input, store, failure)
      case SearchResult.NeedsRows | SearchResult.Done =>
    }
    store.trimBefore(math.min(search.oldestNeeded, store.size))
    result match {
      case SearchResult.NeedsRows => false
      case SearchResult.Done      => nextPartition()
      case _                      => true
    }
  }

  /** Begins the partition of the first waiting row. Returns false if no row waits. */
  private def nextPartition(): Boolean = {
    reset()
    if (waiting.isEmpty) {
      keys.forget()
      false
    } else {
      keys.set(waiting.peek())
      while (!waiting.isEmpty && keys.isSame(waiting.peek())) store.append(waiting.poll())
      true
    }
  }

  /**
   * Returns the state of the current partition, from which another matcher of the clause can
   * continue ([[restoreState]]). [[next]] must have returned false, so that everything final has
   * been emitted. The matcher must be incremental ([[MatcherChoice.isIncremental]]), and no row of
   * another partition may have arrived.
   *
   * @param limit
   *   the maximum size in bytes; a larger state is an error
   */
  def saveState(limit: Int = StateOutput.maxBytes): Array[Byte] = {
    if (!plan.matcher.isIncremental || isEmitting || !waiting.isEmpty || finished) {
      throw new IllegalStateException("there is no state between two rows")
    }
    try state.write(limit)
    catch {
      case _: StateTooLarge =>
        throw MatchFailures.error(
          plan,
          input,
          store,
          Failure.StateTooLarge(search.start, limit.toLong))
    }
  }

  /** Begins a partition, and drops the current one. */
  def begin(): Unit = {
    waiting.clear()
    finished = false
    isEmitting = false
    keys.forget()
    taskSearch.labels.foreach(_.forget())
    reset()
    advanceTo(Long.MinValue)
  }

  /**
   * (Streams) Sets the watermark, in microseconds: every later row has a later time. Time-outs, and
   * matches that wait for the end of their bound, are then final.
   */
  def advanceTo(watermark: Long): Unit = taskSearch.within.foreach(_.watermark = watermark)

  /** (Streams) The watermark at which a result can become final without another row. */
  def deadline: Option[Long] =
    if (search.waitsForEndOfBound) taskSearch.within.flatMap(_.deadline) else None

  /** How many rows of the current partition are retained. */
  def retainedRows: Long = store.size - store.firstIndex

  /** Whether the partition has a partial match. */
  def hasPartialMatch: Boolean = search.hasPartialMatch

  /** Whether the search waits for a row that NEXT reads, in a condition or a measure. */
  def waitsForNext: Boolean = search.waitsForNext

  /** Whether a new matcher, which has seen no row of the partition, would return the same rows. */
  def canBeginAnew: Boolean = search.isAtEnd(store.size) && store.firstIndex == store.size &&
    !taskSearch.dependsOnHistory

  /**
   * Drops the current partition, and continues the one that [[saveState]] saved. The rows that are
   * appended next must belong to it.
   *
   * @param stored
   *   the columns of the input when the state was written
   */
  def restoreState(bytes: Array[Byte], stored: StoredInput): Unit = {
    begin()
    state.read(bytes, stored)
  }

  /** Does the same with a state that was written with the columns of this input. */
  def restoreState(bytes: Array[Byte]): Unit = restoreState(bytes, expressions.stored)

  /** Counted in all partitions of the task so far. */
  def outputRowCount: Long     = outputRows
  def matchCount: Long         = matches
  def timedOutMatchCount: Long = timedOutMatches
  private var outputRows       = 0L
  private var matches          = 0L
  private var timedOutMatches  = 0L
  private var matchedRows      = 0L
  private var closed           = false

  /** Gives the memory back: a task may search the rows of many tasks one after the other. */
  def close(): Unit = if (!closed) {
    closed = true
    metrics("numOutputRows").add(outputRows)
    metrics("numMatches").add(matches)
    metrics("numTimedOutMatches").add(timedOutMatches)
    metrics("matchedRows").add(matchedRows)
    metrics("numSteps").add(search.steps)
    metrics("peakThreads").set(search.peakThreads.toDouble)
    metrics("spillSize").add(stores.spilledBytes)
    metrics("peakMemory").add(stores.peakMemory)
    stores.close()
  }
}

/** Counters of the operator, shown in Spark's UI. */
private[spark] object MatchMetrics {

  /** By the names that an operator gives them. */
  def create(context: SparkContext): Map[String, SQLMetric] = Map(
    "numOutputRows"      -> SQLMetrics.createMetric(context, "number of output rows"),
    "numMatches"         -> SQLMetrics.createMetric(context, "number of matches"),
    "numTimedOutMatches" -> SQLMetrics.createMetric(context, "number of timed-out matches"),
    "matchedRows"        -> SQLMetrics.createMetric(context, "rows matched"),
    "numSteps"           -> SQLMetrics.createMetric(context, "number of thread steps"),
    "peakThreads"        -> SQLMetrics.createAverageMetric(context, "peak threads"),
    "spillSize"          -> SQLMetrics.createSizeMetric(context, "spill size"),
    "peakMemory"         -> SQLMetrics.createSizeMetric(context, "peak memory")
  )
}
