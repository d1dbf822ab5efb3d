package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{
  Budget,
  ChainReader,
  ChainWriter,
  Failure,
  Limits,
  Matcher,
  RowConditions,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.{Path, Program, Resting, Ways}
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
 * In the flink dialect the match is the one that is complete first: see [[finish]].
 *
 * @param labels
 *   where the labels of a match are kept that all threads agree on; None if labels are not needed
 * @param endsAlike
 *   whether the searches from all start rows of a partition continue to its end: no bound ends
 *   each at a row of its own
 * @param idle
 *   finds rows that change nothing, which are then not offered; None if the mapped rows are
 *   needed
 * @param collects
 *   (flink) whether all matches are wanted ([[nextFound]]), not the first that is complete alone
 */
final class ThreadMatcher[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    labels: Option[SettledLabels],
    limits: Limits,
    endsAlike: Boolean,
    idle: Option[IdleRows] = None,
    collects: Boolean = false)
    extends Matcher[S] {
  import ThreadMatcher._

  /** Null if labels are not needed. */
  private val settled = labels.orNull

  /** Threads in preference order: those before the next row, and those being collected. */
  private var threads     = new ThreadList[S]
  private var nextThreads = new ThreadList[S]

  /** (flink) Room to arrange them; matches that were found, and how many of them were returned. */
  private var arranged = new ThreadList[S]
  private val found    = new ThreadList[S]
  private var told     = 0

  /** (flink) What registers say; null in the standard dialect. */
  private val flink: FlinkRegisters[S] =
    program.flink.map(new FlinkRegisters(_, conditions)).orNull

  /** Null where start rows cannot learn from each other. */
  private val failed = if (endsAlike) new FailedStates[S](program, conditions) else null

  /**
   * Null where all threads continue together: the flink dialect takes the first that is complete.
   */
  private val parked =
    if (flink == null && (limits.together.nonEmpty || ParkedThreads.areNeeded(program))) {
      new ParkedThreads[S](program, conditions, limits)
    } else {
      null
    }
  private val together = limits.together.getOrElse(ParkedThreads.together)

  /** The most preferred partial match for which no row was left, and that row. */
  private val waited   = new ThreadList[S]
  private var waitedAt = 0L

  /** Null where all rows are offered. */
  private val idleRows = idle.orNull

  /** Whether a state before this row was dropped because it is known to fail. */
  private var hasDropped = false

  /** States left already before the row at which threads are being collected. */
  private val visited = new VisitedStates[S](program, conditions, limits.budget)

  /** Ways still to be followed. */
  private val ways = new Ways(program)

  /** Position (rows before it) of the paths being followed. */
  private var position = 0L

  /** No row of the partition follows that position; none within the bound of the match. */
  private var atEnd  = false
  private var isOver = false

  private var acceptedEnd        = -1L
  private var acceptedSlots: S   = _
  private var acceptedPath: Path = _

  private var stepCount = 0L
  private val budget    = limits.budget
  private val ofStep    = Budget.ofStep(program)

  /** The first row that the search from this start row has not looked at. */
  private var farthest = 0L

  /** Whether there were more states before one row than there may be. */
  private var crowded = false

  /** The row at which matches are looked for. */
  private var start = 0L

  override def steps: Long         = stepCount
  override def exceeded: Boolean   = crowded || budget.isSpent
  override def overBudget: Failure = limits.exceeded(start, crowded)
  override def threadCount: Int    = threads.size
  override def isRunning: Boolean  = !threads.isEmpty
  override def hasMatch: Boolean   = acceptedEnd >= 0
  override def matchEnd: Long      = acceptedEnd
  override def matchSlots: S       = acceptedSlots

  override def labels(length: Int): Int => Int = settled.of(acceptedPath, length)

  /** Another partition begins. */
  def beginPartition(): Unit = if (failed != null) failed.beginPartition()

  override def begin(row: Long, matchNumber: Long): Unit = {
    threads.clear()
    found.clear()
    waited.clear()
    if (parked != null) parked.clear()
    told = 0
    if (failed != null) failed.begin(row)
    if (settled != null) settled.begin()
    start = row
    acceptedEnd = -1
    stepCount = 0
    farthest = row
    crowded = false
    position = row
    atEnd = false
    isOver = false
    if (idleRows != null) idleRows.forget()
    visited.clear()
    ways.push(program.entry, ways.noRegisters)
    follow(conditions.begin(row, matchNumber), null, row)
    swap()
    park()
  }

  override def step(row: Long, isLast: Boolean, isOver: Boolean): Long = {
    position = row + 1
    if (row >= farthest) {
      farthest = row + 1
      budget.visit(row)
    }
    atEnd = isLast
    this.isOver = isOver
    hasDropped = false
    visited.clear()
    if (failed != null) failed.moveTo(position)
    var i        = 0
    var accepted = false
    while (i < threads.size && !accepted && !exceeded) {
      count()
      accepted = program.instructions(threads.at(i)) match {
        case consume: Consume => offer(i, consume, row)
        case watch: Watch     => look(i, watch, row)
        case Settle           => pass(i, row)
        // It rests only where no row follows.
        case _ => false
      }
      i += 1
    }
    if (flink != null) finish()
    val isIdle =
      idleRows != null && idleRows.isActive && !accepted && !hasDropped &&
        threads.isSame(nextThreads)
    swap()
    if (parked != null && accepted) parked.clear()
    park()
    if (failed != null) failed.note(position, threads)
    if (settled != null && settled.isDue(position - start) && isAlone) settle()
    if (isIdle) position = idleRows.behind(row, threads)
    else if (idleRows != null) idleRows.forget()
    if (threads.isEmpty) resume()
    position
  }

  /** Less preferred threads wait at this row if there are many. */
  private def park(): Unit =
    if (parked != null && threads.size > together) parked.park(position, threads, together)

  /** Whether no path is kept but those of the threads that run, and of the match. */
  private def isAlone: Boolean = parked == null || parked.isEmpty && waited.isEmpty

  /** All preferred threads have failed: resumes the parked ones; false if there are none. */
  private def resume(): Boolean = {
    val waits = parked != null && !parked.isEmpty && !exceeded
    if (waits) {
      position = parked.resume(threads, together)
      if (failed != null) failed.goBackTo(position)
      if (idleRows != null) idleRows.forget()
    }
    waits
  }

  override def goBack(): Long = {
    if (parked != null && !parked.isEmpty) {
      if (waited.isEmpty && !threads.isEmpty) {
        waited.add(threads, 0)
        waitedAt = position
      }
      threads.clear()
    }
    if (resume()) position else -1L
  }

  private def settle(): Unit = {
    var i = 0
    while (i < threads.size) {
      settled.consider(threads.path(i), pathRows(i))
      i += 1
    }
    if (hasMatch) settled.consider(acceptedPath, acceptedEnd - start)
    i = told
    while (i < found.size) {
      settled.consider(found.path(i), found.end(i) - start)
      i += 1
    }
    settled.settle(position - start)
  }

  /** How many rows the path of a thread has: one that looks at rows adds none. */
  private def pathRows(thread: Int): Long = program.instructions(threads.at(thread)) match {
    case _: Consume => position - start
    case _          => threads.end(thread) - start
  }

  /**
   * (flink) Threads that are complete come before the others from now on, in the order in which
   * they are: the others will be complete on later rows. The first of them is the match, once no
   * loop that it left can continue. Until that is known one after it may have to take its place,
   * but none after one of which it is known; unless all are wanted.
   */
  private def finish(): Unit = {
    val complete = arrange()
    var i        = 0
    if (collects) {
      while (i < complete && isFinal(i)) {
        found.add(nextThreads, i)
        i += 1
      }
      nextThreads.keep(i, nextThreads.size)
    } else {
      while (i < complete && !isFinal(i)) i += 1
      if (i < complete) {
        take(nextThreads, i)
        if (failed != null) failed.accepted()
        nextThreads.keep(0, i)
      }
    }
  }

  /** Moves threads that are complete to the front; gives their number. */
  private def arrange(): Int = {
    var complete = 0
    var i        = 0
    while (i < nextThreads.size) {
      if (completion(i) < never) complete += 1
      i += 1
    }
    if (complete > 0) {
      var when = byNow
      while (when <= never) {
        i = 0
        while (i < nextThreads.size) {
          if (completion(i) == when) arranged.add(nextThreads, i)
          i += 1
        }
        when += 1
      }
      val old = nextThreads
      nextThreads = arranged
      arranged = old
      arranged.clear()
    }
    complete
  }

  /**
   * When one of the threads collected is complete: by the rows so far, by their end, or not yet.
   */
  private def completion(i: Int): Int =
    if (program.instructions(nextThreads.at(i)) != Settle) never
    else if (!flink.isLookedAt(nextThreads.registers(i))) byNow
    else if (isOver) byEnd
    else never

  private def isFinal(i: Int): Boolean = isOver || !flink.isOpen(nextThreads.registers(i))

  private def take(from: ThreadList[S], i: Int): Unit = {
    acceptedEnd = from.end(i)
    acceptedSlots = from.slots(i)
    acceptedPath = Path.mapped(from.path(i))
  }

  /**
   * (flink) Goes to the next match that was found; false if there is none. The one before it is
   * forgotten.
   */
  def nextFound(): Boolean = {
    acceptedEnd = -1
    if (told < found.size) {
      take(found, told)
      told += 1
    }
    if (told == found.size) {
      found.clear()
      told = 0
    }
    hasMatch
  }

  /** Offers a row to a thread; true if the thread accepted. */
  private def offer(thread: Int, consume: Consume, row: Long): Boolean = {
    val before    = threads.slots(thread)
    val registers = threads.registers(thread)
    budget.test(consume.variable, conditions.mapCost(consume.variable))
    val slots   = conditions.map(consume.variable, row, before)
    val barred  = flink != null && flink.isBehindLoop(registers, row, before)
    val accepts = slots != null && !barred && !isBarred(consume.barred, row, before) && {
      ways.push(consume.next, if (flink == null) registers else flink.mapped(registers))
      follow(
        slots,
        extended(threads.path(thread), Path.label(consume.variable, consume.excluded)),
        row + 1)
    }
    def passes = (slots == null || consume.anywhere) && !barred && threads.end(thread) > start &&
      consume.passing.exists(!isBarred(_, row, before))
    accepts || passes && rest(thread, extended(threads.path(thread), Path.passed))
  }

  /** The thread passes over a row, which it maps to nothing. */
  private def rest(thread: Int, path: Path): Boolean = {
    ways.push(threads.at(thread), threads.registers(thread))
    follow(threads.slots(thread), path, threads.end(thread))
  }

  /** A row after the last that is mapped, which must not be barred. */
  private def look(thread: Int, watch: Watch, row: Long): Boolean = {
    val registers = threads.registers(thread)
    val slots     = threads.slots(thread)
    val barred    = flink != null && flink.isBehindLoop(registers, row, slots)
    !barred && !isBarred(watch.barred, row, slots) &&
    stay(thread, if (flink == null) registers else flink.watched(registers))
  }

  /** (flink) A row after a match that has ended. */
  private def pass(thread: Int, row: Long): Boolean = {
    val registers = flink.passed(threads.registers(thread), row, threads.slots(thread))
    registers != null && stay(thread, registers)
  }

  /** The thread stays where it is, and maps no row any more. */
  private def stay(thread: Int, registers: Array[Int]): Boolean = {
    ways.push(threads.at(thread), registers)
    follow(threads.slots(thread), threads.path(thread), threads.end(thread))
  }

  private def isBarred(barred: Seq[Int], row: Long, slots: S): Boolean =
    barred.nonEmpty && barred.exists(satisfies(_, row, slots))

  private def satisfies(variable: Int, row: Long, slots: S): Boolean = {
    budget.test(variable, conditions.mapCost(variable))
    conditions.satisfies(variable, row, slots)
  }

  private def extended(path: Path, label: Int): Path =
    if (settled == null) null else new Path(path, label)

  override def hasPartial: Boolean = !waited.isEmpty || !threads.isEmpty

  override def timeOut(): Unit = if (waited.isEmpty) timeOut(0) else take(waited, 0)

  override def partialEnd: Long = if (waited.isEmpty) partialEnd(0) else waited.end(0)

  /** What was found is a partial match, one of [[threadCount]] in preference order. */
  def timeOut(i: Int): Unit    = take(threads, i)
  def partialEnd(i: Int): Long = threads.end(i)
  def partialSlots(i: Int): S  = threads.slots(i)

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
    while (!ways.isEmpty && !accepted) {
      ways.pop()
      count()
      crowded = visited.size > limits.maxStates
      // A way without rows can be long too (`(A?){1000000}`): it ends with the budget.
      if (exceeded) {
        ways.clear()
      } else {
        program.instructions(ways.at) match {
          // Where it needs a next row, it waits for that.
          case watch: Watch if isOver && (flink == null || !flink.isLeftBelow(ways.registers)) =>
            ways.push(
              watch.next,
              if (flink == null) ways.registers else flink.looked(ways.registers))
          case LeftBelow(next)         => ways.push(next, flink.below(ways.registers))
          case await: Await if !isOver =>
            if (visited.add(ways.at, ways.registers, slots) &&
              !satisfies(await.variable, position, slots) &&
              !flink.isBehindLoop(ways.registers, position, slots)) {
              ways.push(await.next, flink.looked(ways.registers))
            }
          case leave: LeaveLoop =>
            if (visited.add(ways.at, ways.registers, slots)) {
              val left = flink.left(leave, ways.registers, position, isOver, slots)
              if (left != null) ways.push(leave.next, left)
            }
          case _: Resting =>
            val registers = ways.withoutFlags(ways.registers)
            if (visited.add(ways.at, registers, slots) && !isHopeless(registers, slots, end) &&
              isNew(registers, slots)) {
              nextThreads.add(ways.at, registers, slots, path, end)
            }
          case look: Look =>
            if (visited.add(ways.at, ways.registers, slots) &&
              (isOver || !satisfies(look.variable, position, slots) ||
                look.unless.exists(satisfies(_, position, slots)))) {
              ways.push(look.next, ways.registers)
            }
          case Accept =>
            acceptedEnd = end
            acceptedSlots = slots
            acceptedPath = path
            if (failed != null) failed.accepted()
            ways.clear()
            accepted = true
          case _ =>
            if (visited.add(ways.at, ways.registers, slots)) ways.leave(position == 0, atEnd)
        }
      }
    }
    accepted
  }

  /** Whether no thread that was followed before has rested at the place reached. */
  private def isNew(registers: Array[Int], slots: S): Boolean =
    parked == null || parked.isNew(position, ways.at, registers, slots)

  /** Whether a thread that would wait at the place reached is known to fail. */
  private def isHopeless(registers: Array[Int], slots: S, end: Long): Boolean = {
    val isKnown = failed != null && failed.contains(ways.at, registers, slots, end)
    if (isKnown) hasDropped = true
    isKnown
  }

  /** Writes the place of the search: between two rows, since it has begun. */
  def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    val paths = new ChainWriter[Path](out)(_.parent)(path => out.writeSigned(path.label.toLong))
    out.writeNumber(stepCount)
    if (settled != null) settled.write(out)
    out.writeNumber(if (hasMatch) 1L else 0L)
    if (hasMatch) {
      out.writeNumber(position - acceptedEnd)
      slotsWriter.write(acceptedSlots)
      paths.write(acceptedPath)
    }
    threads.write(out, 0, position, slotsWriter, paths)
    found.write(out, told, position, slotsWriter, paths)
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
    farthest = row
    if (failed != null) failed.begin(start)
    position = row
    atEnd = false
    isOver = false
    crowded = false
    acceptedEnd = -1
    stepCount = in.readNumber()
    if (settled != null) settled.read(in)
    if (in.readInt() == 1) {
      acceptedEnd = position - in.readNumber()
      acceptedSlots = slotsReader.read()
      acceptedPath = paths.read()
    }
    threads.read(in, program.registers, position, slotsReader, paths)
    found.read(in, program.registers, position, slotsReader, paths)
    told = 0
    if (parked != null) {
      waitedAt = in.readNumber()
      waited.read(in, program.registers, waitedAt, slotsReader, paths)
      parked.read(in, start, slotsReader, paths)
    }
  }
}

private object ThreadMatcher {

  /** When a thread is complete: by now, by the end of the rows, not yet. */
  private val byNow = 0
  private val byEnd = 1
  private val never = 2
}
