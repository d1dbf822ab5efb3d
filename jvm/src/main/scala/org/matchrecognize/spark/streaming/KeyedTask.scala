package org.matchrecognize.spark.streaming

import java.util.Locale

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, RowOrdering, UnsafeRow}
import org.apache.spark.sql.execution.RowIterator
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.execution.{MatchPlan, PartitionMatcher, StateSeal}
import org.matchrecognize.spark.execution.rows.MatcherStorage
import org.matchrecognize.spark.execution.slots.StoredInput
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * What a task needs to match the rows of keys. Spark's stateful operator brings it there.
 *
 * @param input
 *   the columns that the clause reads
 * @param clock
 *   by which Spark calls
 * @param timeOfArrival
 *   the column that gets its value when a row is taken
 */
final private[streaming] case class KeyedTask(
    deferred: DeferredPlan,
    input: Seq[Attribute],
    clock: Clock,
    timeOfArrival: Option[Int],
    metrics: Map[String, SQLMetric],
    progress: ProgressOfTasks) {

  /** In the task. */
  @transient lazy val plan: MatchPlan  = deferred.plan
  @transient lazy val time: SearchTime = SearchTime.of(plan, input)

  /** What the state of a key can have been written with, by its shape. */
  @transient lazy val states: Map[Int, StoredInput] =
    deferred.states.map(stored => KeyState.shape(plan, stored.columns) -> stored).toMap

  /** The shape of a state that is written. */
  @transient lazy val shape: Int = KeyState.shape(plan, input)

  /**
   * The matcher of all keys of this task.
   *
   * @param storage
   *   where rows are kept
   */
  def matcher(storage: MatcherStorage): KeyedMatcher = {
    val task  = TaskContext.get()
    val keyed =
      new KeyedMatcher(
        plan,
        input,
        time,
        new PartitionMatcher(plan, input, metrics, task, storage))
    task.addTaskCompletionListener[Unit](_ => progress.add(keyed.progress))
    keyed
  }
}

/**
 * The plan of a clause for the function that Spark's stateful operator calls. The function is made
 * when the query is planned; the values of scalar subqueries are there once the query runs, before
 * its tasks get the function.
 */
final private[streaming] class DeferredPlan extends Serializable {
  private var all: Option[(MatchPlan, Seq[StoredInput])] = None

  /**
   * On the driver, before the tasks.
   *
   * @param states
   *   the inputs with which states of the checkpoint were written
   */
  def set(plan: MatchPlan, states: Seq[StoredInput]): Unit = all = Some((plan, states))

  private def get: (MatchPlan, Seq[StoredInput]) =
    all.getOrElse(throw new IllegalStateException("the driver has not set the plan"))

  def plan: MatchPlan          = get._1
  def states: Seq[StoredInput] = get._2
}

/**
 * Matches the rows of one key in one micro-batch, for each key that has rows, or whose time has
 * come. One matcher serves all keys of a task, one after the other.
 *
 * '''Finality.''' A row is searched once the watermark has reached its time, in the order of ORDER
 * BY: rows at or before the watermark are all there, since Spark drops those that come later. What
 * the search finds is then final whatever rows follow ([[PartitionSearch]]). A match that waits for
 * the end of WITHIN is final once the watermark has reached that end. In the order of arrival, rows
 * are searched at once, and such a match is final once a micro-batch begins after that end.
 */
final private[streaming] class KeyedMatcher(
    plan: MatchPlan,
    input: Seq[Attribute],
    time: SearchTime,
    matcher: PartitionMatcher) {
  private val ordering = RowOrdering.create(plan.order, input)

  private var searched = 0L
  private var timeless = 0L
  private var change   = StateLevels.none

  /** What was done for all keys so far. */
  def progress: ClauseProgress = ClauseProgress(
    searched,
    timeless,
    matcher.matchCount,
    matcher.timedOutMatchCount,
    matcher.outputRowCount,
    change)

  /**
   * The output rows of a key; each is valid until the next. The state is saved after the last.
   *
   * @param clock
   *   the watermark or the time of the micro-batch, in milliseconds
   */
  def process(rows: Iterator[UnsafeRow], clock: Long, state: KeyState): Iterator[UnsafeRow] = {
    matcher.begin()
    state.restore(matcher)
    change -= levels(state)
    val due = new ArrayBuffer[UnsafeRow]
    due ++= state.takeDue(clock)
    // A row without a time has no place in the order.
    rows.foreach { row =>
      if (time.isMissing(row)) timeless += 1
      else {
        val rowDue = time.due(row)
        if (rowDue <= clock) due += row.copy() else state.add(row, rowDue)
      }
    }
    searched += due.size
    val found = new Found(due.sorted(ordering).iterator, clock, state)
    found.toScala.map(_.asInstanceOf[UnsafeRow])
  }

  /** Pulls output rows while due rows are searched. */
  final private class Found(due: Iterator[UnsafeRow], clock: Long, state: KeyState)
      extends RowIterator {
    private var hasAdvanced = false
    private var isDone      = false

    override def advanceNext(): Boolean = {
      var hasRow = false
      while (!hasRow && !isDone) {
        hasRow = matcher.next()
        if (!hasRow) proceed()
      }
      hasRow
    }

    private def proceed(): Unit =
      if (due.hasNext) matcher.append(due.next())
      else if (!hasAdvanced) {
        hasAdvanced = true
        matcher.advanceTo(time.passed(clock))
      } else {
        isDone = true
        save(clock, state)
      }

    override def getRow: UnsafeRow = matcher.row
  }

  private def levels(state: KeyState): StateLevels =
    StateLevels(
      state.size,
      matcher.retainedRows,
      if (matcher.hasPartialMatch) 1L else 0L,
      if (matcher.waitsForNext) 1L else 0L)

  /** A key leaves no state if it waits for nothing and no later match depends on its rows. */
  private def save(clock: Long, state: KeyState): Unit = {
    change += levels(state)
    val waits = state.earliest
    if (waits.isEmpty && matcher.canBeginAnew) state.remove()
    else {
      val ends = matcher.deadline.map(time.firstClockAt)
      val due  = (waits ++ ends).reduceOption(_ min _)
      state.save(matcher, due.map(math.max(_, clock + 1)))
    }
  }
}

/**
 * What a [[KeyedMatcher]] leaves of one key for the next micro-batch: the state of the matcher, and
 * the rows that wait for their turn. Times are those of the [[Clock]].
 */
private[streaming] trait KeyState {

  /** Restores the matcher, if the key has a state. Called first, and once for a micro-batch. */
  def restore(matcher: PartitionMatcher): Unit

  /** Takes out the rows that wait for this time or an earlier one, in no order. */
  def takeDue(clock: Long): Iterable[UnsafeRow]

  /**
   * Adds a row that waits; it is copied.
   *
   * @param due
   *   the first time at which it need not wait
   */
  def add(row: UnsafeRow, due: Long): Unit

  /** How many rows wait. */
  def size: Long

  /** The first time at which a row need not wait. */
  def earliest: Option[Long]

  /**
   * Saves the matcher and the rows that wait.
   *
   * @param wakeAt
   *   the first time at which the key is called though no row of it comes
   */
  def save(matcher: PartitionMatcher, wakeAt: Option[Long]): Unit

  /** Leaves nothing of the key. */
  def remove(): Unit
}

private[streaming] object KeyState {

  /** Rows of a key can be read as rows of the same key with the same columns only. */
  def shape(plan: MatchPlan, columns: Seq[Attribute]): Int =
    StateSeal.shape(described(plan.partition), described(columns))

  private def described(columns: Seq[Attribute]): String = columns
    .map(c => s"${c.name.toLowerCase(Locale.ROOT)} ${c.dataType.catalogString}")
    .mkString(",")
}

/** The clock by which Spark calls for keys that get no rows, in milliseconds. */
sealed private[streaming] trait Clock extends Serializable

private[streaming] object Clock {

  case object Watermark extends Clock

  /** When the micro-batch began. Spark then runs micro-batches without end. */
  case object BatchTime extends Clock

  /** None: nothing waits. */
  case object Stopped extends Clock {
    val time: Long = 0L
  }

  def of(m: MatchRecognize): Clock =
    if (!m.clause.isByArrival) Watermark
    else if (m.clause.within.isDefined) BatchTime
    else Stopped
}

/** When rows are searched, by the clock of their operator ([[Clock]]), in milliseconds. */
private[streaming] trait SearchTime {

  /** Whether a row has no place in the order. */
  def isMissing(row: UnsafeRow): Boolean

  /** The first time of the clock at which a row is searched. */
  def due(row: UnsafeRow): Long

  /** Every row to come has a later time than this, in microseconds. */
  def passed(clock: Long): Long

  /** The first time of the clock at which [[passed]] is at least a time in microseconds. */
  def firstClockAt(micros: Long): Long
}

private[streaming] object SearchTime {
  def of(plan: MatchPlan, input: Seq[Attribute]): SearchTime =
    if (plan.clause.isByArrival) AtArrival
    else new AtEventTime(input.indexWhere(_.semanticEquals(plan.order.head.child)))

  /** The first millisecond that is not before a time in microseconds. */
  private def millis(micros: Long): Long = -Math.floorDiv(-micros, 1000L)

  /** Once the watermark has reached their time: Spark drops rows at or before it. */
  final private class AtEventTime(ordinal: Int) extends SearchTime {
    override def isMissing(row: UnsafeRow): Boolean = row.isNullAt(ordinal)
    override def due(row: UnsafeRow): Long          = millis(row.getLong(ordinal))
    override def passed(clock: Long): Long          = Math.multiplyExact(clock, 1000L)
    override def firstClockAt(micros: Long): Long   = millis(micros)
  }

  /** At once. The next micro-batch can begin in the same millisecond. */
  private object AtArrival extends SearchTime {
    override def isMissing(row: UnsafeRow): Boolean = false
    override def due(row: UnsafeRow): Long          = Long.MinValue
    override def passed(clock: Long): Long          = Math.multiplyExact(clock, 1000L) - 1
    override def firstClockAt(micros: Long): Long   =
      millis(if (micros == Long.MaxValue) micros else micros + 1)
  }
}
