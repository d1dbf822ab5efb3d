package org.matchrecognize.spark.execution.tracing

import scala.collection.mutable
import scala.util.Try

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Expression,
  UnsafeRow,
  XxHash64
}

import org.matchrecognize.spark.execution.{MatchPlan, PartitionKeys}
import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.matching.{Failure, SearchResult}
import org.matchrecognize.spark.pattern.search.PartitionSearch

/**
 * Searches the partitions of one task by threads, and counts what they test. Rows come sorted by
 * partition and order.
 *
 * @param written
 *   by variable, the condition as the user wrote it
 */
final private[spark] class ClauseTracer(
    plan: MatchPlan,
    written: Seq[WrittenCondition],
    input: Seq[Attribute],
    task: TaskContext,
    limits: TraceLimits) {
  private val partition = new TracedPartition(plan, written, input, task)
  import partition.{binding, names, poll, store}

  private val variables = plan.clause.variables.size
  private val nulls     = Array.fill[Option[NullTest]](variables)(None)
  private val tests     = new TestedRows(variables, noteNull)
  private val search    = binding.search(tests, plan.clause.afterMatch)

  /** Finds the matches that the default of AFTER MATCH hides. */
  private lazy val anyStart = binding.search(new TestObserver, AfterMatch.ToNextRow)

  private val sample = new PartitionSample(limits)
  private val hash   =
    BindReferences.bindReference[Expression](new XxHash64(plan.partition), input)

  /** Reads the rows of the task. */
  def trace(rows: Iterator[InternalRow]): ClauseTrace = {
    val keys              = new PartitionKeys(plan.partition, input)
    var (partitions, all) = (0L, 0L)
    var (current, hashed) = (0L, 0L)
    var mayTrace          = false
    rows.foreach { row =>
      val unsafe = row.asInstanceOf[UnsafeRow]
      if (keys.begins(unsafe)) {
        finish(hashed, current)
        partitions += 1
        current = 0
        hashed = hash.eval(unsafe).asInstanceOf[Long]
        mayTrace = sample.mayContain(hashed)
      }
      if (mayTrace && store.size < limits.rows) store.append(unsafe)
      current += 1
      all += 1
      if ((all & 0xfff) == 0) poll()
    }
    finish(hashed, current)
    val searched = sample.traces.foldLeft(ClauseTrace.none(variables))(_.and(_))
    searched.copy(partitions = partitions, rows = all)
  }

  /** The partition whose first rows are in the store has ended. */
  private def finish(hashed: Long, rows: Long): Unit = if (store.size > 0) {
    sample.add(hashed, store.size)(ofPartition(rows))
    store.clear()
  }

  private def ofPartition(rows: Long): ClauseTrace = {
    tests.clear()
    java.util.Arrays.fill(nulls.asInstanceOf[Array[AnyRef]], None)
    // Where rows are missing, only what they cannot change is found.
    val isWhole = store.size == rows
    val found   = new FoundMatches(variables)
    search.reset()
    val failure = found.read(search, store.size, isWhole, tests)
    tests.end()
    ClauseTrace(
      1,
      rows,
      1,
      store.size,
      if (isWhole) 0 else 1,
      names.tiedRows,
      found.matches,
      found.empty,
      found.timedOut,
      if (failure.isEmpty) overlapping(found, isWhole) else 0,
      Vector.tabulate(variables)(v => tests.counts(v, found.mapped(v), nulls(v))),
      tests.furthest.map(partial(_, isWhole)),
      failure.map(ClauseTracer.describe(_, plan)),
      Seq(
        PartitionTrace(
          names.describe(0).partition,
          rows,
          store.size,
          found.matches,
          found.timedOut))
    )
  }

  private def noteNull(variable: Int, row: Long): Unit =
    nulls(variable) = Some(NullTest(names.describe(row), binding.valuesNow(variable)))

  /** Rows inside matches at which a match starts that is not found. */
  private def overlapping(found: FoundMatches, isWhole: Boolean): Long =
    if (plan.clause.afterMatch != AfterMatch.PastLastRow || found.covered.isEmpty) 0
    else {
      anyStart.reset()
      val others = new FoundMatches(variables)
      // Rows on which the clause tests nothing: a condition can fail there.
      Try(
        others.readStarts(anyStart, store.size, isWhole, ClauseTracer.rowsOfOthers * store.size))
      (others.starts & found.covered).diff(found.starts).size.toLong
    }

  private def partial(furthest: TestedRows.Furthest, isWhole: Boolean): PartialMatch = {
    val next = furthest.ending.headOption.fold(furthest.thread.row + 1)(_.row)
    PartialMatch(
      names.describe(furthest.start),
      TracedSlots.runs(furthest.thread.mapped),
      furthest.thread.length,
      if (next < store.size) Some(names.describe(next)) else None,
      next < store.size && binding.isBeyondWithin(furthest.start, next),
      next >= store.size && !isWhole,
      furthest.ending.map { test =>
        val values = binding.valuesAt(furthest, test)
        val parts  =
          if (test.outcome == TestOutcome.Bars) Nil else binding.failedParts(test.variable)
        FailedTest(test.variable, test.outcome, values, parts)
      }
    )
  }
}

private object ClauseTracer {

  /** How often a row is looked at, on average, to find matches that the clause does not. */
  private val rowsOfOthers = 20L

  def describe(failure: Failure, plan: MatchPlan): String = failure match {
    case _: Failure.TooManySteps | _: Failure.TooManyStates | _: Failure.StateTooLarge =>
      "the pattern needs more steps than spark.sql.matchRecognize.maxSteps allows"
    case _: Failure.TooManyMatches =>
      "more matches start at one row than spark.sql.matchRecognize.maxMatchesPerStart allows"
    case _: Failure.SkipTargetNotInMatch =>
      s"AFTER MATCH ${plan.clause.afterMatch.sql} names a variable that a match has no row of"
    case _: Failure.SkipToFirstRow =>
      s"AFTER MATCH ${plan.clause.afterMatch.sql} leads to the first row of the match"
  }
}

/** The matches of one partition. */
final private class FoundMatches(variables: Int) {
  var matches  = 0L
  var empty    = 0L
  var timedOut = 0L

  /** By variable, how many rows matches map to it. */
  val mapped: Array[Long] = new Array[Long](variables)

  /** The first rows of matches, and all rows of matches. */
  val starts  = new mutable.BitSet
  val covered = new mutable.BitSet

  /** Notes where matches start, until they have so many rows in all. */
  def readStarts(
      search: PartitionSearch[TracedSlots],
      rows: Long,
      complete: Boolean,
      most: Long): Unit = {
    var left = most
    while (left > 0)
      search.advance(rows, complete) match {
        case SearchResult.Match =>
          if (search.end > search.start) starts += search.start.toInt
          left -= search.end - search.start + 1
        case SearchResult.TimedOut | SearchResult.Unmatched                      =>
        case SearchResult.Failed(_) | SearchResult.NeedsRows | SearchResult.Done => left = 0
      }
  }

  /** Runs a search to its end; the failure if it cannot continue. */
  def read(
      search: PartitionSearch[TracedSlots],
      rows: Long,
      complete: Boolean,
      tests: TestedRows): Option[Failure] = {
    var failure: Option[Failure] = None
    var isDone                   = false
    while (!isDone)
      search.advance(rows, complete) match {
        case SearchResult.Match =>
          tests.matched()
          matches += 1
          if (search.end == search.start) empty += 1
          else {
            starts += search.start.toInt
            search.slots.mapped.foreach { case (_, variable) => mapped(variable) += 1 }
            covered ++= search.start.toInt until search.end.toInt
          }
        case SearchResult.TimedOut                      => timedOut += 1
        case SearchResult.Unmatched                     =>
        case SearchResult.Failed(found)                 => failure = Some(found); isDone = true
        case SearchResult.NeedsRows | SearchResult.Done => isDone = true
      }
    failure
  }
}
