package org.matchrecognize.spark.execution.tracing

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.execution.tracing.ThreadAction._
import org.matchrecognize.spark.pattern.program.Instruction.{Consume, Watch}

/**
 * Notes what each thread does, up to a number of rows, and of threads at a row.
 *
 * @param describe
 *   names a row
 */
final private[tracing] class ThreadLog(
    limits: ThreadTraceLimits,
    binding: TraceBinding,
    describe: Long => RowDescription)
    extends TestObserver {
  import ThreadLog._

  private val searches = ArrayBuffer.empty[Search]
  private var rows     = 0

  /** The row that threads are offered, null before the first; and the thread that it is offered. */
  private var row: Row             = _
  private var offered: TracedSlots = _

  /** The same thread once it has mapped the row. */
  private var now: TracedSlots = _

  /** What the thread does; null if it is one too many. */
  private var step: Step = _

  /** Whether there was more to note than is allowed. */
  var isFull = false

  override def begin(start: TracedStart, matchNumber: Long): Unit =
    // With NO SKIP, a search begins once more after each match.
    if (!isFull && searches.lastOption.forall(_.start != start.row)) {
      if (searches.size == limits.rows) fill()
      else {
        searches += new Search(start.row)
        row = null
        offered = null
        now = null
        step = searches.last.begin
      }
    }

  override def tested(variable: Int, at: Long, thread: TracedSlots, verdict: Int): Unit = {
    offer(at, thread)
    test(variable, at, thread, verdict, maps = true)
  }

  override def counted(variable: Int, at: Long, thread: TracedSlots, verdict: Int): Unit = {
    if (!isOfStep(at, thread)) offer(at, thread)
    test(variable, at, thread, verdict, maps = false)
  }

  /** Whether a test that maps no row is of the thread before: of its row, or of the next. */
  private def isOfStep(at: Long, thread: TracedSlots): Boolean = !isFull && {
    if (row == null) at == searches.last.start
    else (thread eq offered) && at == row.index || (thread eq now) && at == row.index + 1
  }

  private def test(
      variable: Int,
      at: Long,
      thread: TracedSlots,
      verdict: Int,
      maps: Boolean): Unit =
    if (step != null) {
      val value = verdict match {
        case Verdict.True  => Some(true)
        case Verdict.False => Some(false)
        case _             => None
      }
      step.tests += ThreadTest(
        variable,
        at + 1,
        value,
        maps,
        binding.valuesOf(variable, at, thread))
    }

  /** A row is offered to a thread. */
  private def offer(at: Long, thread: TracedSlots): Unit = {
    step = null
    offered = thread
    now = thread
    if (!isFull) {
      val search = searches.last
      if (row == null || row.index != at) {
        if (rows == limits.rows) fill()
        else {
          rows += 1
          row = new Row(at)
          search.rows += row
        }
      }
      if (!isFull) {
        if (row.steps.size < limits.threads) {
          step = new Step(thread)
          row.steps += step
        } else row.more += 1
      }
    }
  }

  private def fill(): Unit = {
    isFull = true
    step = null
  }

  override def mapped(thread: TracedSlots): Unit = {
    // In the flink dialect, what was tested for a thread of the same rows is not tested again.
    if (thread.before ne offered) offer(thread.row, thread.before)
    now = thread
    if (step != null) {
      step.now = thread
      step.actions += Maps
    }
  }

  override def waits(at: Int, thread: TracedSlots): Unit = {
    stays()
    if (step != null)
      binding.instructionAt(at) match {
        case consume: Consume => step.actions += Waits(Some(consume.variable))
        case _: Watch         => step.actions += Waits(None)
        // It is complete, and waits for what has to come first.
        case _ =>
      }
  }

  override def dropped(at: Int, thread: TracedSlots, fails: Boolean): Unit = if (step != null) {
    val variable = binding.instructionAt(at) match {
      case consume: Consume => Some(consume.variable)
      case _                => None
    }
    // A thread that comes to a place on two paths is one thread.
    if (!step.actions.contains(Waits(variable))) step.actions += Dropped(variable, fails)
  }

  override def passes(thread: TracedSlots): Unit = {
    stays()
    if (step != null && (step.thread eq thread)) step.actions += Passes
  }

  /** A thread waits for the next row. */
  private def stays(): Unit = if (!isFull) {
    if (row == null) searches.last.waits = true else row.waits = true
  }

  override def completes(thread: TracedSlots): Unit = if (!isFull) {
    val completed =
      if (row == null) Some(searches.last.begin) else row.steps.find(_.now eq thread)
    completed.foreach(_.actions += Completes)
  }

  /** The search has found a match or a partial match that timed out. */
  def found(thread: TracedSlots, timedOut: Boolean): Unit =
    // What the search came to after the trace was full is of a start row that is not whole.
    if (!isFull) searches.last.found += TracedMatch(TracedSlots.runs(thread.mapped), timedOut)

  /**
   * The searches from all start rows.
   *
   * @param size
   *   rows that were read
   * @param isWhole
   *   whether these are all
   */
  def traces(size: Long, isWhole: Boolean): Seq[SearchTrace] =
    searches.zipWithIndex.map { case (search, i) =>
      val last = search.rows.lastOption
      SearchTrace(
        describe(search.start),
        search.begin.trace,
        search.rows
          .map(r => RowTrace(describe(r.index), r.steps.map(_.trace).toSeq, r.more))
          .toSeq,
        search.found.toSeq,
        if (isFull && i == searches.size - 1) SearchEnding.Unknown
        else if (!last.fold(search.waits)(_.waits)) SearchEnding.NoThread
        else if (last.fold(search.start)(_.index + 1) < size) SearchEnding.Beyond
        else if (isWhole) SearchEnding.EndOfPartition
        else SearchEnding.Unknown
      )
    }.toSeq
}

private object ThreadLog {

  /** A thread that is offered a row, or the first one before it is offered any. */
  final class Step(val thread: TracedSlots) {

    /** The thread after the row. */
    var now: TracedSlots = thread
    val tests            = ArrayBuffer.empty[ThreadTest]
    val actions          = ArrayBuffer.empty[ThreadAction]

    def trace: ThreadStep = ThreadStep(
      if (thread == null) Nil else TracedSlots.runs(thread.mapped),
      tests.toSeq,
      actions.toSeq)
  }

  final class Row(val index: Long) {
    val steps = ArrayBuffer.empty[Step]
    var more  = 0
    var waits = false
  }

  final class Search(val start: Long) {
    val begin = new Step(null)
    val rows  = ArrayBuffer.empty[Row]
    val found = ArrayBuffer.empty[TracedMatch]
    var waits = false
  }
}
