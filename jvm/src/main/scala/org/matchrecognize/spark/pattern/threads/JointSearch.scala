package org.matchrecognize.spark.pattern.threads

import scala.util.control.NonFatal

import org.matchrecognize.spark.pattern.matching.{
  Arrival,
  Budget,
  IncomingRows,
  Limits,
  RowConditions,
  SearchWork
}
import org.matchrecognize.spark.pattern.program.{Instruction, Loop, Program}
import org.matchrecognize.spark.pattern.program.Instruction._

/**
 * Searches from many start rows at once, and says whether none of them has a match.
 *
 * Each row is a start row, too, up to the last of a window. A thread has a place of the program and
 * a range for each counter ([[CountRanges]]). Start rows that follow one another have counts that
 * differ by one, so one range stands for thousands of them, and a row takes one step for all.
 *
 * Why start rows are ruled out rightly:
 *   - ''No state is missed.'' Threads take the paths of [[Program]]: each path is taken by
 *     the part of a range whose counts allow it. So the threads before a row stand for all states that the searches from
 *     the single start rows could reach there, whatever they prefer. They may stand for more. If
 *     none reaches the end of the pattern, no start row has a match.
 *   - ''A condition is the same for all.'' It depends on the row, and on rows at a fixed distance in
 *     the partition: no condition reads rows mapped before, nor where its match starts
 *     ([[JointSearch.applies]]).
 *   - ''No error is hidden.'' At least the tests of the single searches are made. If one fails with
 *     an error, nothing is ruled out: the single searches raise the error, if they come to it.
 *   - ''No row precedes the first.'' A window begins after a start row that failed, so `^` never
 *     holds.
 *
 * It does not support bounds that end the search of each start row at a row of its own (WITHIN), nor
 * results beside the preferred match (NO SKIP, SHOW TIMEOUT MATCHES). For patterns see
 * [[CountedLoops]].
 */
final private[pattern] class JointSearch[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    limits: Limits) {
  import JointSearch._

  private def newRanges() =
    new CountRanges(program.instructions.length, program.registers, mostOfPlace)

  /** Threads before the next row, those being collected, and the states left before that row. */
  private var threads     = newRanges()
  private var nextThreads = newRanges()
  private val visited     = newRanges()

  /** The paths still to be followed. */
  private val paths = new RangedClosure(program)

  private val variables = program.instructions.foldLeft(0) {
    case (most, consume: Consume) => math.max(most, consume.variable + 1)
    case (most, _)                => most
  }

  /** By variable, the row tested last, and whether it satisfies the variable. */
  private val testedRow = new Array[Long](variables)
  private val satisfied = new Array[Boolean](variables)

  private val budget   = limits.budget
  private val work     = new SearchWork[S](conditions, limits, Budget.ofStep(program))
  private val ofLookUp = Budget.ofLookUp(program)

  private var start      = 0L
  private var windowEnd  = 0L
  private var row        = 0L
  private var mostSteps  = 0L
  private var slots: S   = _
  private var isPossible = false

  /** Steps since [[begin]]. */
  def steps: Long = work.steps

  /** How many start rows have been added. */
  def started: Long = math.min(row, windowEnd) - start

  /** How many rows were read after the last start row. */
  def rowsAfter: Long = row - start - started

  /**
   * Starts over with the start rows of a window.
   *
   * @param start
   *   the first of them; not the first row of the partition
   * @param window
   *   how many they are
   * @param mostSteps
   *   gives up after so many steps
   */
  def begin(start: Long, matchNumber: Long, window: Long, mostSteps: Long): Unit = {
    this.start = start
    this.mostSteps = mostSteps
    windowEnd = start + window
    row = start
    work.begin(steps = 0)
    isPossible = false
    threads.clear()
    visited.clear()
    paths.clear()
    java.util.Arrays.fill(testedRow, -1L)
    budget.lend()
    budget.beginSearch(start)
    slots = conditions.begin(start, matchNumber)
  }

  /** Continues until the outcome is known, or rows are missing. */
  def next(rows: IncomingRows): Outcome = {
    var outcome: Outcome = null
    while (outcome == null)
      if (isPossible) outcome = Outcome.Possible
      else if (isTooMuch || threads.size > limits.maxStates) outcome = Outcome.GaveUp
      else if (row >= windowEnd && threads.isEmpty) outcome = Outcome.NoMatch
      else
        rows.arrival(row) match {
          case Arrival.Missing | Arrival.Undecided => outcome = Outcome.NeedsRows
          case Arrival.NoMore                      => outcome = Outcome.NoMatch
          case _                                   => step()
        }
    outcome
  }

  private def isTooMuch: Boolean = steps > mostSteps || budget.isSpent

  private def step(): Unit = {
    budget.visit(row)
    if (row < windowEnd) {
      paths.pushEntry()
      follow(threads)
    }
    visited.clear()
    threads.forall { (at, box) =>
      work.step()
      program.instructions(at) match {
        case consume: Consume =>
          if (!isPossible && satisfies(consume.variable)) {
            paths.push(consume.next, box)
            follow(nextThreads)
          }
        case other => throw new IllegalStateException(s"a thread rests at $other")
      }
      !isPossible
    }
    val old = threads
    threads = nextThreads
    nextThreads = old
    nextThreads.clear()
    row += 1
  }

  /** Whether the row satisfies a variable; a test that fails says that a match is possible. */
  private def satisfies(variable: Int): Boolean = {
    if (testedRow(variable) != row) {
      satisfied(variable) =
        try work.satisfies(variable, row, slots)
        catch {
          case NonFatal(_) =>
            // What ends the task is no error of the condition.
            limits.poll()
            isPossible = true
            false
        }
      testedRow(variable) = row
    }
    satisfied(variable)
  }

  /** Follows the paths, each to where it is before a row. */
  private def follow(resting: CountRanges): Unit =
    while (!paths.isEmpty && !isPossible) {
      paths.pop()
      work.step()
      program.instructions(paths.at) match {
        case Accept     => isPossible = true
        case _: Consume =>
          charge(resting)
          resting.add(paths.at, paths.withoutFlags(paths.box))
        case _ =>
          charge(visited)
          val added = visited.add(paths.at, paths.box)
          if (added != null) paths.leave(added)
      }
      // Paths without rows can be long: the caller gives up.
      if (isPossible || isTooMuch) paths.clear()
    }

  private def charge(states: CountRanges): Unit =
    if (states.contains(paths.at)) budget.spend(ofLookUp)
}

private[pattern] object JointSearch {

  /** Boxes of a place that are kept apart. */
  val mostOfPlace = 8

  /** What a search came to. */
  sealed trait Outcome

  object Outcome {

    /** None of the start rows added so far has a match. */
    case object NoMatch extends Outcome

    /** One may have a match, or a test failed with an error. */
    case object Possible extends Outcome

    /** It took too long. */
    case object GaveUp extends Outcome

    /** A row has not come. */
    case object NeedsRows extends Outcome
  }

  /**
   * Whether start rows can be searched together, and a loop has a bound of at least `count`.
   */
  def applies(program: Program, conditions: RowConditions[_], count: Int): Boolean = {
    val all = program.reachable(program.entry)
    CountedLoops.areLarge(program, count) &&
    !conditions.hasFuture(all) && !conditions.dependsOnStart(all)
  }
}

/** The loops of a program that count their iterations, and what they count up to. */
private[pattern] object CountedLoops {

  /**
   * Whether [[JointSearch]] can follow a program, and a loop of it has a bound of at least `count`.
   * With smaller ones, threads of different start rows soon merge or fail.
   *
   * Registers must be counters, or flags of empty iterations. What a PERMUTE has left is neither.
   * The next row, and the end of the partition, must not matter: no `$`, no absence, no stop
   * condition, no loose loop, and nothing of the flink dialect.
   */
  def areLarge(program: Program, count: Int): Boolean =
    program.flink.isEmpty && program.instructions.forall(isPlain) &&
      program.instructions.exists {
        case LoopDecide(loop) => bound(loop) >= count
        case _                => false
      }

  /** The greatest count of a loop that makes a difference; 0 if nothing is counted. */
  private def bound(loop: Loop): Int =
    if (loop.counter < 0) 0 else if (loop.upper == Int.MaxValue) loop.lower else loop.upper

  private def isPlain(instruction: Instruction): Boolean = instruction match {
    case consume: Consume                 => consume.barred.isEmpty && consume.passing.isEmpty
    case LoopEnter(loop)                  => isPlain(loop)
    case LoopDecide(loop)                 => isPlain(loop)
    case LoopBack(loop)                   => isPlain(loop)
    case _: Branch | _: AssertStart       => true
    case Accept                           => true
    case _: AssertEnd | _: PermuteNext    => false
    case _: PermuteEnter | _: Look        => false
    case _: Watch | _: Await | EndOfMatch => false
    case _: LeaveLoop | _: LeftBelow      => false
  }

  private def isPlain(loop: Loop): Boolean = loop.beyond < 0 && loop.fullExit < 0
}
