package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{
  Budget,
  ChainReader,
  ChainWriter,
  Failure,
  IncomingRows,
  Limits,
  RowConditions,
  SearchObserver,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput,
  VerdictChanges
}
import org.matchrecognize.spark.pattern.program.{
  Closure,
  FixedPaths,
  Instruction,
  Path,
  Program,
  Resting
}
import org.matchrecognize.spark.pattern.program.Instruction._

/**
 * The general matcher: finds the preferred match that starts at one row, for every pattern and
 * every condition.
 *
 * It keeps a list of threads in preference order. A thread is a place in the program with its
 * registers, slots and path. Each row is offered to each thread in turn. A thread that can map it
 * moves on, along all paths open before the next row, depth first, the preferred first. The new
 * list is therefore in preference order again.
 *
 * Why it is exact:
 *   - When a thread accepts, the threads after it in the list are less preferred, whatever rows
 *     follow, and are dropped. The threads before it continue. If one of them accepts later, it
 *     replaces the match. When no thread is left, the last acceptance is the preferred match.
 *   - Two threads at one place, with equal registers and with slots that agree on all that a
 *     reachable condition can read, have the same continuations. The later one is less preferred
 *     in each of them, so it is dropped. This bounds the list by the number of different states,
 *     not of paths.
 *   - At one place before one row, the same (place, registers, slots) need not be left twice, for
 *     the same reason. Since flags of empty iterations are registers, that also ends every cycle
 *     without a row.
 *   - A search that reaches a state from which an earlier start row of the partition found no match
 *     finds none from there either ([[FailedStates]]).
 *
 * A dialect may have instructions of its own, and may choose another match: it overrides the
 * methods under "What a dialect may change".
 *
 * @param labels
 *   where the labels of a match are kept that all threads agree on; None if labels are not needed
 * @param remembersFailures
 *   whether later start rows learn from states that failed ([[FailedStates]]); only without WITHIN,
 *   when all searches may continue to the end of the partition
 * @param idle
 *   finds rows that change nothing, which are then not offered; None if the mapped rows are
 *   needed
 * @param changes
 *   finds the next row that can change something, if the last one did not ([[RepeatedStep]])
 * @param observer
 *   is told what becomes of threads
 */
class ThreadMatcher[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    labels: Option[SettledLabels],
    limits: Limits,
    remembersFailures: Boolean,
    idle: Option[IdleRows] = None,
    changes: Option[VerdictChanges[S]] = None,
    observer: SearchObserver[S] = SearchObserver.none) {

  /** Null if labels are not needed. */
  private val settled = labels.orNull

  /** Threads in preference order: those before the next row, and those being collected. */
  protected var threads     = new ThreadList[S]
  protected var nextThreads = new ThreadList[S]

  /** Null where start rows cannot learn from each other. */
  protected val failed = if (remembersFailures) new FailedStates[S](program, conditions) else null

  /** Whether there may be so many threads that few of them should continue. */
  private def parksMany: Boolean = limits.together.nonEmpty || ParkedThreads.areNeeded(program)

  /** Null where all threads continue together. */
  private val parked =
    if (mayPark && (parksMany || conditions.canLookAhead)) {
      new ParkedThreads[S](program, conditions, limits)
    } else {
      null
    }
  private val together =
    limits.together.getOrElse(if (parksMany) ParkedThreads.together else Int.MaxValue)

  /** The most preferred partial match for which no row was left, and that row. */
  private val waited   = new ThreadList[S]
  private var waitedAt = 0L

  /** Null where all rows are offered. */
  private val idleRows = idle.orNull

  /** Null where each row is offered. */
  private val repeated: RepeatedStep[S] = changes
    .filter(_ => program.canSkipRows)
    .map(new RepeatedStep[S](program, conditions, _, limits, labels.nonEmpty))
    .orNull

  /** The thread that the row is offered to. */
  private var offering = 0

  /** Whether a state before this row was dropped because it is known to fail. */
  private var hasDropped = false

  /** States left already before the row at which threads are being collected. */
  protected val visited = new VisitedStates[S](program, conditions, limits.budget)

  /** The paths that are still to be followed. */
  protected val closure = new Closure(program)

  /** By place, the paths from there; null if they are not fixed, or no thread has been there. */
  private val fixedPaths = new Array[FixedPaths](program.instructions.length)
  private val isFollowed = new Array[Boolean](program.instructions.length)

  /** The row that the paths being followed are offered next: as many rows precede it. */
  protected var nextRow = 0L

  /** Whether the partition, or the bound of the match, ends before that row. */
  private var atEnd    = false
  protected var isOver = false

  protected var acceptedEnd      = -1L
  private var acceptedSlots: S   = _
  private var acceptedPath: Path = _

  private var stepCount = 0L
  private val budget    = limits.budget
  private val ofStep    = Budget.ofStep(program)

  /** Whether there were more states before one row than there may be. */
  private var crowded = false

  /** The row at which matches are looked for. */
  private var start = 0L

  /** Steps, and tests without one, since [[begin]]. */
  def steps: Long = stepCount + (if (repeated == null) 0L else repeated.tests)

  /** Whether a budget is spent; nothing that the matcher says then counts. */
  def exceeded: Boolean = crowded || budget.isSpent

  /** Which budget is spent. */
  def overBudget: Failure = limits.exceeded(start, crowded)

  /** Threads that are running. */
  def threadCount: Int = threads.size

  /** Whether another row could change the outcome. */
  def isRunning: Boolean = !threads.isEmpty

  /** Whether a match has been found (the preferred one once the matcher does not run). */
  def hasMatch: Boolean = acceptedEnd >= 0

  /** The row after the match's last row. */
  def matchEnd: Long = acceptedEnd

  /** The slots with which the match ended. */
  def matchSlots: S = acceptedSlots

  /** The labels of the match, by its rows, if they are kept. */
  def labels(length: Int): Int => Int = settled.of(acceptedPath, length)

  /** Another partition begins. */
  def beginPartition(): Unit = {
    stepCount = 0L
    if (failed != null) failed.beginPartition()
    if (repeated != null) repeated.beginPartition()
  }

  /** Starts over with matches that begin at `row`, a row that exists. */
  def begin(row: Long, matchNumber: Long): Unit = {
    threads.clear()
    waited.clear()
    if (parked != null) parked.clear()
    if (failed != null) failed.begin(row, steps)
    if (settled != null) settled.begin()
    if (repeated != null) repeated.begin(row)
    start = row
    acceptedEnd = -1
    stepCount = 0
    budget.beginSearch(row)
    crowded = false
    nextRow = row
    atEnd = false
    isOver = false
    if (idleRows != null) idleRows.forget()
    visited.clear()
    closure.push(program.entry, closure.noRegisters)
    follow(conditions.begin(row, matchNumber), null, row)
    swap()
    park()
  }

  /**
   * Offers the next row.
   *
   * @param isLast
   *   whether no row of the partition follows; used only where the program uses the end
   *   ([[Program.usesEnd]])
   * @param isOver
   *   whether no row follows that is within the bound of the match, likewise
   * @return
   *   the row to offer next: mostly the one that follows, but none that changes nothing; one that
   *   was offered before if less preferred threads wait there
   */
  def step(row: Long, isLast: Boolean, isOver: Boolean): Long = {
    nextRow = row + 1
    budget.visit(row)
    atEnd = isLast
    this.isOver = isOver
    hasDropped = false
    visited.clear()
    if (failed != null) failed.moveTo(nextRow)
    if (repeated != null) repeated.beginRow(threads.size)
    var i        = 0
    var accepted = false
    while (i < threads.size && !accepted && !exceeded) {
      count()
      offering = i
      accepted = program.instructions(threads.at(i)) match {
        case consume: Consume => offer(i, consume, row)
        case watch: Watch     => look(i, watch, row)
        case other            => offerOther(i, other, row)
      }
      i += 1
    }
    afterRow()
    val hasPlaces = (idleRows != null || repeated != null) && i == threads.size && !hasDropped &&
      !threads.isEmpty && threads.hasSamePlaces(nextThreads)
    val isSame  = hasPlaces && threads.hasSameRegisters(nextThreads)
    val isIdle  = isSame && !accepted && idleRows != null && idleRows.isActive
    val repeats = hasPlaces && repeated != null &&
      (isSame || repeated.onlyCounts(threads, nextThreads))
    swap()
    if (parked != null && accepted) parked.clear()
    park()
    if (repeats && isAlone && !exceeded) repeated.left(threads, accepted)
    if (failed != null) failed.note(nextRow, threads)
    if (settled != null && settled.isDue(nextRow - start) && isAlone) settle()
    if (isIdle) nextRow = idleRows.firstAfter(row, threads)
    else if (idleRows != null) idleRows.forget()
    if (threads.isEmpty) resume()
    nextRow
  }

  /**
   * Skips rows, from the next one on, that do to the threads what the last one did. Only rows
   * that could be offered are skipped.
   *
   * @return
   *   the row to offer next
   */
  private[pattern] def skipRows(rows: IncomingRows): Long = {
    if (repeated != null && repeated.isRepeated) {
      val most   = math.min(rows.testableEnd, nextRow + repeated.times)
      val change = repeated.firstChange(threads, nextRow, most)
      val within = rows.withinEnd(nextRow, change)
      val end    = if (repeated.mustTest) tested(within) else within
      if (end > nextRow) {
        val path = repeated.skip(threads, (end - nextRow).toInt, end)
        if (repeated.accepts) {
          acceptedEnd = end
          acceptedPath = path
          if (failed != null) failed.accepted()
        }
        budget.visit(end - 1)
        nextRow = end
      }
    }
    nextRow
  }

  /**
   * The row up to which the threads can skip rows, by tests of those of which nothing else says
   * it. Rows at which start rows learn from each other are left to [[step]].
   */
  private def tested(until: Long): Long = {
    val end = if (failed == null) until else math.min(until, failed.nextMatters - 1)
    repeated.tested(threads, nextRow, end)
  }

  /**
   * Whether a thread will ask about the row after `row` when it is offered `row`. Where it cannot
   * be said without testing what [[step]] would not test, it says yes.
   */
  def asksAfter(row: Long): Boolean = {
    var asks      = false
    var mayAccept = false
    var i         = 0
    while (i < threads.size && !asks) {
      val at = threads.at(i)
      if (!program.asksAfter(at)) mayAccept |= program.acceptsAfter(at)
      else
        asks = program.instructions(at) match {
          case consume: Consume if !mayAccept =>
            satisfies(consume.variable, row, threads.slots(i))
          case _ => true
        }
      i += 1
    }
    asks
  }

  /**
   * Whether the rows that have come decide what the threads test of a row. Threads that are less
   * preferred than those of which it is known wait at this row.
   */
  def isDecided(row: Long): Boolean = {
    var i       = 0
    var accepts = false
    while (i < threads.size && !accepts && isDecided(i, row)) {
      accepts = surelyAccepts(i, row)
      i += 1
    }
    val decided = accepts || i == threads.size
    if (!decided && i > 0 && parked != null) parked.park(nextRow, threads, i)
    decided || i > 0 && parked != null
  }

  private def isDecided(thread: Int, row: Long): Boolean = {
    val slots = threads.slots(thread)
    program
      .tested(program.instructions(threads.at(thread)))
      .forall(conditions.isDecided(_, row, slots)) &&
    testedBeside.forall(conditions.isDecided(_, row, slots))
  }

  /** Whether a thread, for which a row is decided, accepts with it whatever follows. */
  private def surelyAccepts(thread: Int, row: Long): Boolean =
    program.instructions(threads.at(thread)) match {
      case consume: Consume if consume.barred.isEmpty && testedBeside.isEmpty && mayPark =>
        val paths = fixedFrom(consume.next)
        paths != null && (0 until paths.size).exists(paths.isAccept) &&
        satisfies(consume.variable, row, threads.slots(thread))
      case _ => false
    }

  /** Less preferred threads wait at this row if there are many. */
  private def park(): Unit =
    if (parked != null && threads.size > together) parked.park(nextRow, threads, together)

  /** Whether no path is kept but those of the threads that run, and of the match. */
  private def isAlone: Boolean = parked == null || parked.isEmpty && waited.isEmpty

  /** All preferred threads have failed: resumes the parked ones; false if there are none. */
  private def resume(): Boolean = {
    val waits = parked != null && !parked.isEmpty && !exceeded
    if (waits) {
      nextRow = parked.resume(threads, together)
      if (failed != null) failed.goBackTo(nextRow)
      if (idleRows != null) idleRows.forget()
      if (repeated != null) repeated.forget()
    }
    waits
  }

  /**
   * No row follows within the bound, so the running threads fail. Goes back to the row at which
   * less preferred ones are parked, and returns it; -1 if there are none.
   */
  def goBack(): Long = {
    if (parked != null && !parked.isEmpty) {
      if (waited.isEmpty && !threads.isEmpty) {
        waited.add(threads, 0)
        waitedAt = nextRow
      }
      threads.clear()
    }
    if (resume()) nextRow else -1L
  }

  private def settle(): Unit = {
    var i = 0
    while (i < threads.size) {
      settled.consider(threads.path(i), pathRows(i))
      i += 1
    }
    if (hasMatch) settled.consider(acceptedPath, acceptedEnd - start)
    settleOthers((path, end) => settled.consider(path, end - start))
    settled.settle(nextRow - start)
  }

  /** How many rows the path of a thread has: one that looks at rows adds none. */
  private def pathRows(thread: Int): Long = program.instructions(threads.at(thread)) match {
    case _: Consume => nextRow - start
    case _          => threads.end(thread) - start
  }

  protected def returnThread(from: ThreadList[S], i: Int): Unit = {
    acceptedEnd = from.end(i)
    acceptedSlots = from.slots(i)
    acceptedPath = Path.mapped(from.path(i))
  }

  /** Offers a row to a thread; true if the thread accepted. */
  private def offer(thread: Int, consume: Consume, row: Long): Boolean = {
    val before    = threads.slots(thread)
    val registers = threads.registers(thread)
    budget.test(consume.variable, conditions.mapCost(consume.variable))
    val slots = conditions.map(consume.variable, row, before)
    if (repeated != null) repeated.offered(thread, before, slots)
    val mayPass = consume.passing.nonEmpty && (slots == null || consume.anywhere) &&
      threads.end(thread) > start
    val barred  = (slots != null || mayPass) && isBarredByLoop(registers, row, before)
    val accepts = slots != null && !barred && !isBarred(consume.barred, row, before) && {
      observer.mapped(slots)
      val path  = extended(threads.path(thread), Path.label(consume.variable, consume.excluded))
      val fixed = fixedFrom(consume.next)
      if (fixed != null) follow(fixed, afterMapping(registers), slots, path, row + 1)
      else {
        closure.push(consume.next, afterMapping(registers))
        follow(slots, path, row + 1)
      }
    }
    def passes = mayPass && !barred && !isBarred(consume.passing.get, row, before)
    accepts || passes && passOver(thread, extended(threads.path(thread), Path.passed))
  }

  /** The thread passes over a row, which it maps to nothing. */
  private def passOver(thread: Int, path: Path): Boolean = {
    observer.passes(threads.slots(thread))
    closure.push(threads.at(thread), threads.registers(thread))
    follow(threads.slots(thread), path, threads.end(thread))
  }

  /** A row after the last that is mapped, which must not be barred. */
  private def look(thread: Int, watch: Watch, row: Long): Boolean = {
    val registers = threads.registers(thread)
    val slots     = threads.slots(thread)
    !isBarredByLoop(registers, row, slots) && !isBarred(watch.barred, row, slots) &&
    stay(thread, afterWatching(registers))
  }

  /** The thread stays where it is, and maps no row any more. */
  protected def stay(thread: Int, registers: Array[Int]): Boolean = {
    observer.passes(threads.slots(thread))
    closure.push(threads.at(thread), registers)
    follow(threads.slots(thread), threads.path(thread), threads.end(thread))
  }

  private def isBarred(barred: Seq[Int], row: Long, slots: S): Boolean =
    barred.nonEmpty && barred.exists(satisfies(_, row, slots))

  protected def satisfies(variable: Int, row: Long, slots: S): Boolean = {
    budget.test(variable, conditions.mapCost(variable))
    conditions.satisfies(variable, row, slots)
  }

  private def extended(path: Path, label: Int): Path =
    if (settled == null) null else new Path(path, label)

  /** Whether a partial match waits for a row, here or at the row where the search went back. */
  def hasPartial: Boolean = !waited.isEmpty || !threads.isEmpty

  /**
   * No row follows within the bound, and there is a partial match but no match: the result is the
   * most preferred of the partial matches that wait for a row.
   */
  def timeOut(): Unit = if (waited.isEmpty) timeOut(0) else returnThread(waited, 0)

  /** What was found is a partial match, one of [[threadCount]] in preference order. */
  def timeOut(i: Int): Unit   = returnThread(threads, i)
  def partialSlots(i: Int): S = threads.slots(i)

  private def swap(): Unit = {
    val old = threads
    threads = nextThreads
    nextThreads = old
    nextThreads.clear()
  }

  private def count(): Unit = {
    stepCount += 1
    budget.spend(ofStep)
    if ((stepCount & 0xfff) == 0) limits.poll()
  }

  private def fixedFrom(at: Int): FixedPaths = {
    if (!isFollowed(at)) {
      fixedPaths(at) = FixedPaths.from(program, at)
      isFollowed(at) = true
    }
    fixedPaths(at)
  }

  /**
   * Follows the paths on the stack, the preferred first, until each is before a row.
   *
   * @param end
   *   the row after the last that is mapped
   * @return
   *   true if one accepted: what is less preferred is dropped
   */
  private def follow(slots: S, path: Path, end: Long): Boolean = {
    var accepted = false
    while (!closure.isEmpty && !accepted) {
      closure.pop()
      count()
      crowded = visited.size > limits.maxStates
      // A path without rows can be long too (`(A?){1000000}`): it ends with the budget.
      if (exceeded) {
        closure.clear()
      } else {
        program.instructions(closure.at) match {
          case watch: Watch if isOver && mayBeAbsent(closure.registers) =>
            closure.push(watch.next, whereAbsent(closure.registers))
          case other if leavesOther(other, slots) => // done
          case _: Resting                         =>
            rest(closure.at, closure.withoutFlags(closure.registers), slots, path, end)
          case look: Look =>
            if (visited.add(closure.at, closure.registers, slots) &&
              (isOver || !satisfies(look.variable, nextRow, slots) ||
                look.unless.exists(satisfies(_, nextRow, slots)))) {
              closure.push(look.next, closure.registers)
            }
          case Accept =>
            accept(slots, path, end)
            closure.clear()
            accepted = true
          case _ =>
            if (visited.add(closure.at, closure.registers, slots))
              closure.leave(nextRow == 0, atEnd)
        }
      }
    }
    accepted
  }

  /** Does the same with fixed paths. The registers are those of a thread that maps a row. */
  private def follow(
      paths: FixedPaths,
      registers: Array[Int],
      slots: S,
      path: Path,
      end: Long): Boolean = {
    var accepted = false
    var i        = 0
    while (i < paths.size && !accepted) {
      count()
      crowded = visited.size > limits.maxStates
      if (exceeded) i = paths.size
      else if (paths.isConsume(i)) {
        rest(paths.places(i), registers, slots, path, end)
        i += 1
      } else if (paths.isAccept(i)) {
        accept(slots, path, end)
        accepted = true
      } else if (visited.add(paths.places(i), registers, slots)) i += 1
      else i = paths.after(i)
    }
    accepted
  }

  /** A thread comes to where it waits for the next row. */
  private def rest(at: Int, registers: Array[Int], slots: S, path: Path, end: Long): Unit =
    if (!visited.add(at, registers, slots)) {
      observer.dropped(at, slots, fails = false)
    } else if (isHopeless(at, registers, slots, end)) {
      observer.dropped(at, slots, fails = true)
    } else if (isNew(at, registers, slots)) {
      observer.waits(at, slots)
      nextThreads.add(at, registers, slots, path, end)
      if (repeated != null) repeated.follows(nextThreads.size - 1, offering)
    } else {
      hasDropped = true
    }

  /** A thread completes a match. */
  private def accept(slots: S, path: Path, end: Long): Unit = {
    acceptedEnd = end
    acceptedSlots = slots
    acceptedPath = path
    observer.completes(slots)
    if (failed != null) failed.accepted()
  }

  /** Whether no thread that was followed before has rested at the place reached. */
  private def isNew(at: Int, registers: Array[Int], slots: S): Boolean =
    parked == null || parked.isNew(nextRow, at, registers, slots)

  /** Whether a thread that would wait at the place reached is known to fail. */
  private def isHopeless(at: Int, registers: Array[Int], slots: S, end: Long): Boolean = {
    val isKnown = failed != null && failed.contains(at, registers, slots, end)
    if (isKnown) hasDropped = true
    isKnown
  }

  /** Writes the place of the search: between two rows, since it has begun. */
  def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    val paths =
      new ChainWriter[Path](out)(_.beforeLast)(path => out.writeSigned(path.label.toLong))
    out.writeNumber(steps)
    if (settled != null) {
      if (isAlone) settle()
      settled.write(out)
    }
    out.writeNumber(if (hasMatch) 1L else 0L)
    if (hasMatch) {
      out.writeNumber(nextRow - acceptedEnd)
      slotsWriter.write(acceptedSlots)
      paths.write(acceptedPath)
    }
    threads.write(out, 0, nextRow, slotsWriter, paths)
    writeOthers(out, slotsWriter, paths)
    if (parked != null) {
      out.writeNumber(waitedAt)
      waited.write(out, 0, waitedAt, slotsWriter, paths)
      parked.write(out, start, slotsWriter, paths)
    }
  }

  /** Continues from where [[write]] left off, before `row`, with a search from `start`. */
  def read(in: StateInput, start: Long, row: Long, slotsReader: SlotsReader[S]): Unit = {
    val paths = new ChainReader[Path](in)(parent => new Path(parent, in.readSigned().toInt))
    this.start = start
    budget.beginSearch(row)
    if (failed != null) failed.begin(start, 0L)
    if (repeated != null) repeated.begin(start)
    nextRow = row
    atEnd = false
    isOver = false
    crowded = false
    acceptedEnd = -1
    stepCount = in.readNumber()
    if (settled != null) settled.read(in)
    if (in.readInt() == 1) {
      acceptedEnd = nextRow - in.readNumber()
      acceptedSlots = slotsReader.read()
      acceptedPath = paths.read()
    }
    threads.read(in, program.registers, nextRow, slotsReader, paths)
    readOthers(in, slotsReader, paths)
    if (parked != null) {
      waitedAt = in.readNumber()
      waited.read(in, program.registers, waitedAt, slotsReader, paths)
      parked.read(in, start, slotsReader, paths)
    }
  }

  // What a dialect may change. The standard's threads carry nothing but preference.

  /** Whether less preferred threads may wait: the preferred match does not depend on them. */
  protected def mayPark: Boolean = true

  /** The variables for which each row may be tested beside those of the program. */
  protected def testedBeside: Seq[Int] = Nil

  /** The registers of a thread after a row that it maps. */
  protected def afterMapping(registers: Array[Int]): Array[Int] = registers

  /** The registers of a thread after a row at which a [[Watch]] looked. */
  protected def afterWatching(registers: Array[Int]): Array[Int] = registers

  /** Whether a [[Watch]] is satisfied where no row follows. */
  protected def mayBeAbsent(registers: Array[Int]): Boolean = true

  /** The registers of a thread after such a [[Watch]]. */
  protected def whereAbsent(registers: Array[Int]): Array[Int] = registers

  /** Whether a loop that the thread has left bars a row. */
  protected def isBarredByLoop(registers: Array[Int], row: Long, slots: S): Boolean = false

  /** Offers a row to a thread that rests at an instruction of the dialect; true if it accepted. */
  protected def offerOther(thread: Int, at: Instruction, row: Long): Boolean = false

  /** Follows the path on top from an instruction of the dialect; false if it is none of these. */
  protected def leavesOther(at: Instruction, slots: S): Boolean = false

  /** All threads have been offered a row; those that continue are collected. */
  protected def afterRow(): Unit = ()

  /** Names the paths, with their ends, that the dialect keeps beside those of threads. */
  protected def settleOthers(consider: (Path, Long) => Unit): Unit = ()

  /** Writes what the dialect keeps beside the threads. */
  protected def writeOthers(
      out: StateOutput,
      slotsWriter: SlotsWriter[S],
      paths: ChainWriter[Path]): Unit = ()

  /** Reads what [[writeOthers]] wrote. */
  protected def readOthers(
      in: StateInput,
      slotsReader: SlotsReader[S],
      paths: ChainReader[Path]): Unit = ()
}
