package org.matchrecognize.spark.execution.tracing

/**
 * How often the rows of the traced partitions satisfied a variable. A row that was tested more than
 * once counts as true if any of the tests was true, and as false rather than NULL.
 *
 * @param mapped
 *   how many rows matches map to the variable
 * @param nullOnFirst
 *   of the rows for which the condition is NULL, how many are the first of their partition
 */
final case class VariableTrace(
    satisfied: Long = 0,
    failed: Long = 0,
    unknown: Long = 0,
    mapped: Long = 0,
    nullOnFirst: Long = 0,
    firstNull: Option[NullTest] = None) {
  def tested: Long = satisfied + failed + unknown

  def and(that: VariableTrace): VariableTrace =
    VariableTrace(
      satisfied + that.satisfied,
      failed + that.failed,
      unknown + that.unknown,
      mapped + that.mapped,
      nullOnFirst + that.nullOnFirst,
      firstNull.orElse(that.firstNull))
}

/** A column or an aggregate that a condition reads, as the user would write it, and its value. */
final case class ReadValue(name: String, value: Option[String])

/** A row for which a condition is NULL. */
final case class NullTest(row: RowDescription, values: Seq[ReadValue])

/**
 * A row in words.
 *
 * @param partition
 *   the keys of PARTITION BY, `symbol = ACME`; empty if there are none
 * @param number
 *   the row's number in its partition, from 1
 * @param order
 *   the keys of ORDER BY
 */
final case class RowDescription(partition: String, number: Long, order: String)

/** Why a test did not add its row to a partial match. */
sealed trait TestOutcome

object TestOutcome {
  case object False extends TestOutcome
  case object Null  extends TestOutcome

  /** A stop condition that is true. */
  case object Bars extends TestOutcome
}

/**
 * A test at the row where a partial match ended.
 *
 * @param parts
 *   of several parts that AND joins, those that are not true
 */
final case class FailedTest(
    variable: Int,
    outcome: TestOutcome,
    values: Seq[ReadValue],
    parts: Seq[FailedPart])

/** A part of a condition, as the user wrote it, that is false or NULL. */
final case class FailedPart(text: String, isNull: Boolean)

/** Consecutive rows of one variable, by their numbers from 1. */
final case class MappedRun(variable: Int, first: Long, last: Long)

/**
 * A partial match that became no match.
 *
 * @param end
 *   the row that it could not map; None after the last row that was searched
 * @param isBeyondWithin
 *   whether that row is beyond the bound of WITHIN
 * @param isCut
 *   whether its partition has more rows than were searched, which may continue it
 * @param failed
 *   the conditions that were tested there; empty if none was
 */
final case class PartialMatch(
    start: RowDescription,
    runs: Seq[MappedRun],
    length: Int,
    end: Option[RowDescription],
    isBeyondWithin: Boolean,
    isCut: Boolean,
    failed: Seq[FailedTest]) {

  /** The rows from the first one to the last one that is mapped: those of gaps between them count. */
  def reach: Long = runs.lastOption.fold(0L)(_.last - start.number + 1)
}

/**
 * What is said of one partition.
 *
 * @param searched
 *   how many of its rows were searched, from the first on
 */
final case class PartitionTrace(
    keys: String,
    rows: Long,
    searched: Long,
    matches: Long,
    timedOut: Long)

/**
 * What the search of the traced partitions came to.
 *
 * @param partitions
 *   partitions and rows of the input
 * @param tracedPartitions
 *   those of them that were searched; all that follows is about these
 * @param cutPartitions
 *   of those that were searched, the ones of which only the first rows were
 * @param tiedRows
 *   rows that ORDER BY does not tell from a row next to them
 * @param emptyMatches
 *   of the matches, those of no row
 * @param timedOut
 *   partial matches that WITHIN ended, where they are to be returned
 * @param overlapping
 *   rows within matches at which another match starts, with SKIP TO NEXT ROW; not all if they are many
 * @param furthest
 *   the partial match that came furthest from its first row
 * @param failure
 *   why a search gave up
 * @param first
 *   the first partitions
 */
final case class ClauseTrace(
    partitions: Long = 0,
    rows: Long = 0,
    tracedPartitions: Long = 0,
    tracedRows: Long = 0,
    cutPartitions: Long = 0,
    tiedRows: Long = 0,
    matches: Long = 0,
    emptyMatches: Long = 0,
    timedOut: Long = 0,
    overlapping: Long = 0,
    variables: IndexedSeq[VariableTrace],
    furthest: Option[PartialMatch] = None,
    failure: Option[String] = None,
    first: Seq[PartitionTrace] = Nil) {

  def and(that: ClauseTrace): ClauseTrace =
    ClauseTrace(
      partitions + that.partitions,
      rows + that.rows,
      tracedPartitions + that.tracedPartitions,
      tracedRows + that.tracedRows,
      cutPartitions + that.cutPartitions,
      tiedRows + that.tiedRows,
      matches + that.matches,
      emptyMatches + that.emptyMatches,
      timedOut + that.timedOut,
      overlapping + that.overlapping,
      variables.zip(that.variables).map { case (a, b) => a.and(b) },
      ClauseTrace.further(furthest, that.furthest),
      failure.orElse(that.failure),
      (first ++ that.first).sortBy(_.keys).take(ClauseTrace.shownPartitions)
    )
}

object ClauseTrace {

  /** Partitions that are named one by one. */
  val shownPartitions = 10

  def none(variables: Int): ClauseTrace =
    ClauseTrace(variables = Vector.fill(variables)(VariableTrace()))

  /** The one that came further; of two that came as far, the one of the first partition. */
  private def further(a: Option[PartialMatch], b: Option[PartialMatch]): Option[PartialMatch] =
    (a ++ b).toSeq
      .sortBy(p => (-p.reach, p.start.partition, p.start.number))
      .headOption
}
