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
  SearchWork,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput,
  VerdictChanges
}
import org.matchrecognize.spark.pattern.program.{Path, Program}
import org.matchrecognize.spark.pattern.program.Instruction.{Consume, EndOfMatch, Watch}

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
 * @param settled
 *   holds the labels of a match that all threads agree on
 * @param remembersFailures
 *   whether later start rows learn from states that failed ([[FailedStates]]); only without WITHIN,
 *   when all searches may continue to the end of the partition
 * @param dialect
 *   what the rules of a dialect add to threads
 * @param changes
 *   finds the next row that can change something, if the last one did not ([[RepeatedStep]]); None
 *   if each row is to be offered
 * @param observer
 *   is told what becomes of threads
 */
final class ThreadMatcher[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    settled: SettledLabels,
    limits: Limits,
    remembersFailures: Boolean,
    dialect: ThreadDialect[S] = new ThreadDialect[S],
    changes: Option[VerdictChanges[S]] = None,
    observer: SearchObserver[S] = SearchObserver.none) {

  /** Threads in preference order, before the next row. */
  private var threads = new ThreadList[S]

  private val failed = new FailedStates[S](program, conditions, remembersFailures)
  private val parked = new ParkedThreads[S](program, conditions, limits, dialect.mayPark)

  private val repeated =
    new RepeatedStep[S](program, conditions, changes, limits, settled.isKept)

  private val work = new SearchWork[S](conditions, limits, Budget.ofStep(program))

  /** Collects the threads before the row that follows. */
  private val collector = new ThreadCollector[S](
    program,
    conditions,
    limits,
    work,
    dialect,
    failed,
    parked,
    repeated,
    observer)

  private val budget = limits.budget

  /** The next row to offer: as many rows precede it. */
  private var nextRow = 0L

  /** The row at which matches are looked for. */
  private var start = 0L

  /** Steps, and tests without one, since [[begin]]. */
  def steps: Long = work.steps + repeated.tests

  /** Whether a budget is spent; nothing that the matcher says then counts. */
  def exceeded: Boolean = collector.exceeded

  /** Which budget is spent. */
  def overBudget: Failure = limits.exceeded(start, collector.isCrowded)

  /** Threads that are running. */
  def threadCount: Int = threads.size

  /** Whether another row could change the outcome. */
  def isRunning: Boolean = !threads.isEmpty

  /** Whether a match has been found (the preferred one once the matcher does not run). */
  def hasMatch: Boolean = matchEnd >= 0

  /** The row after the match's last row. */
  def matchEnd: Long = collector.matchEnd

  /** The slots with which the match ended. */
  def matchSlots: S = collector.matchSlots

  /** The labels of the match, by its rows, if they are kept. */
  def labels(length: Int): Int => Int = settled.of(collector.matchPath, length)

  /** Another partition begins. */
  def beginPartition(): Unit = {
    work.begin(steps = 0)
    failed.beginPartition()
    repeated.beginPartition()
  }

  /** Starts over with matches that begin at `row`, a row that exists. */
  def begin(row: Long, matchNumber: Long): Unit = {
    reset(row, row)
    collector.start(conditions.begin(row, matchNumber))
    swap()
    parked.limit(nextRow, threads)
  }

  /** Forgets the search that ran. One from `start` begins, or continues before `row`. */
  private def reset(start: Long, row: Long): Unit = {
    failed.ended(steps)
    failed.begin(start)
    threads.clear()
    parked.begin()
    settled.begin()
    repeated.begin(start)
    dialect.begin()
    work.begin(steps = 0)
    collector.begin(row)
    budget.beginSearch(row)
    this.start = start
    nextRow = row
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
   *   the row to offer next: the one that follows, or one that was offered before if less preferred
   *   threads wait there
   */
  def step(row: Long, isLast: Boolean, isOver: Boolean): Long = {
    nextRow = row + 1
    budget.visit(row)
    collector.moveTo(nextRow, isLast, isOver)
    failed.moveTo(nextRow)
    repeated.beginRow(threads.size)
    var i        = 0
    var accepted = false
    while (i < threads.size && !accepted && !exceeded) {
      work.step()
      repeated.beginThread(i)
      accepted = program.instructions(threads.at(i)) match {
        case consume: Consume => offer(i, consume, row)
        case watch: Watch     => look(i, watch, row)
        case EndOfMatch       =>
          val registers = dialect.passed(threads.registers(i), row, threads.slots(i))
          registers != null && stay(i, registers)
        // It rests only where no row follows.
        case _ => false
      }
      i += 1
    }
    val after    = collector.threads
    val complete = dialect.arrange(after, isOver)
    if (complete >= 0) {
      val path = Path.mapped(after.path(complete))
      collector.accept(after.slots(complete), path, after.end(complete))
      after.retain(0, complete)
    }
    val areAll = i == threads.size && !collector.hasDropped && !threads.isEmpty
    repeated.endRow(threads, after, areAll, accepted)
    swap()
    if (accepted) parked.clear()
    parked.limit(nextRow, threads)
    failed.note(nextRow, threads)
    val isAlone = parked.isAlone
    if (isAlone && settled.isDue(nextRow - start)) settle()
    repeated.endStep(threads.size, isAlone && !exceeded)
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
    // Tests of rows stop where start rows learn from each other. A jump by keys may pass that row: it
    // then learns nothing, which costs steps, not matches.
    val end = repeated.repeatsUntil(threads, nextRow, rows, failed.nextMatters - 1)
    if (end > nextRow) {
      val path = repeated.skip(threads, (end - nextRow).toInt, end)
      if (repeated.accepts) {
        collector.found(matchSlots, path, end)
        failed.accepted()
      }
      budget.visit(end - 1)
      nextRow = end
    }
    nextRow
  }

  /**
   * Whether a thread will ask about the row after `row` when it is offered `row`. Yes, too, if only
   * a test could tell that [[step]] leaves out.
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
            work.satisfies(consume.variable, row, threads.slots(i))
          case _ => true
        }
      i += 1
    }
    asks
  }

  /**
   * Whether the rows that have come decide what the threads test of a row. Parks the threads from
   * the first undecided one on. False if that is the most preferred, or if threads are not parked.
   */
  def isDecided(row: Long): Boolean = {
    var i       = 0
    var accepts = false
    while (i < threads.size && !accepts && isDecided(i, row)) {
      accepts = surelyAccepts(i, row)
      i += 1
    }
    val decided = accepts || i == threads.size
    val parks   = !decided && i > 0 && parked.isActive
    if (parks) parked.park(nextRow, threads, i)
    decided || parks
  }

  private def isDecided(thread: Int, row: Long): Boolean = {
    val slots = threads.slots(thread)
    program
      .tested(program.instructions(threads.at(thread)))
      .forall(conditions.isDecided(_, row, slots)) &&
    dialect.tested.forall(conditions.isDecided(_, row, slots))
  }

  /** Whether a thread, for which a row is decided, accepts with it whatever follows. */
  private def surelyAccepts(thread: Int, row: Long): Boolean =
    program.instructions(threads.at(thread)) match {
      case consume: Consume
          if consume.barred.isEmpty && dialect.tested.isEmpty && dialect.mayPark =>
        collector.acceptsFrom(consume.next) &&
        work.satisfies(consume.variable, row, threads.slots(thread))
      case _ => false
    }

  /** All preferred threads have failed: resumes the parked ones; false if there are none. */
  private def resume(): Boolean = {
    val waits = !parked.isEmpty && !exceeded
    if (waits) {
      nextRow = parked.resume(threads)
      failed.goBackTo(nextRow)
      repeated.forget()
    }
    waits
  }

  /**
   * No row follows within the bound, so the running threads fail. Goes back to the row at which
   * less preferred ones are parked, and returns it; -1 if there are none.
   */
  def goBack(): Long = {
    if (!parked.isEmpty) {
      parked.timeOut(nextRow, threads)
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
    if (hasMatch) settled.consider(collector.matchPath, matchEnd - start)
    dialect.settle(settled, start)
    settled.settle(nextRow - start)
  }

  /** How many rows the path of a thread has: one that looks at rows adds none. */
  private def pathRows(thread: Int): Long = program.instructions(threads.at(thread)) match {
    case _: Consume => nextRow - start
    case _          => threads.end(thread) - start
  }

  /** Returns a thread as the match, or as the partial match that times out. */
  private[pattern] def returnThread(from: ThreadList[S], i: Int): Unit =
    collector.found(from.slots(i), Path.mapped(from.path(i)), from.end(i))

  /** Forgets the match that was returned. */
  private[pattern] def forgetMatch(): Unit = collector.forgetMatch()

  /** Offers a row to a thread; true if the thread accepted. */
  private def offer(thread: Int, consume: Consume, row: Long): Boolean = {
    val before    = threads.slots(thread)
    val registers = threads.registers(thread)
    val slots     = work.map(consume.variable, row, before)
    repeated.offered(before, slots)
    val mayPass = consume.passing.nonEmpty && (slots == null || consume.anywhere) &&
      threads.end(thread) > start
    val barred  = (slots != null || mayPass) && dialect.isOfLeftLoop(registers, row, before)
    val accepts = slots != null && !barred && !work.isBarred(consume.barred, row, before) && {
      observer.mapped(slots)
      val label = Path.label(consume.variable, consume.excluded)
      val path  = settled.extended(threads.path(thread), label)
      collector.continue(consume.next, dialect.mapped(registers), slots, path)
    }
    def passes = mayPass && !barred && !work.isBarred(consume.passing.get, row, before)
    accepts || passes &&
    stay(thread, registers, settled.extended(threads.path(thread), Path.passed))
  }

  /** A row after the last that is mapped, which must not be barred. */
  private def look(thread: Int, watch: Watch, row: Long): Boolean = {
    val registers = threads.registers(thread)
    val slots     = threads.slots(thread)
    !dialect.isOfLeftLoop(registers, row, slots) && !work.isBarred(watch.barred, row, slots) &&
    stay(thread, dialect.watched(registers))
  }

  /** The thread stays where it is, and maps no row any more. */
  private def stay(thread: Int, registers: Array[Int]): Boolean =
    stay(thread, registers, threads.path(thread))

  /** The thread passes over a row, which it maps to nothing. */
  private def stay(thread: Int, registers: Array[Int], path: Path): Boolean =
    collector.stay(
      threads.at(thread),
      registers,
      threads.slots(thread),
      path,
      threads.end(thread))

  /** Whether a partial match waits for a row, here or at the row where the search went back. */
  def hasPartial: Boolean = !parked.timedOut.isEmpty || !threads.isEmpty

  /**
   * No row follows within the bound, and there is a partial match but no match: the result is the
   * most preferred of the partial matches that wait for a row.
   */
  def timeOut(): Unit =
    if (parked.timedOut.isEmpty) timeOut(0) else returnThread(parked.timedOut, 0)

  /** What was found is a partial match, one of [[threadCount]] in preference order. */
  def timeOut(i: Int): Unit   = returnThread(threads, i)
  def partialSlots(i: Int): S = threads.slots(i)

  /** The threads collected are those before the next row. */
  private def swap(): Unit = {
    val old = threads
    threads = collector.threads
    collector.collectInto(old)
  }

  /** Writes the place of the search: between two rows, since it has begun. */
  def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    val paths =
      new ChainWriter[Path](out)(_.beforeLast)(path => out.writeSigned(path.label.toLong))
    out.writeNumber(steps)
    if (settled.isKept && parked.isAlone) settle()
    settled.write(out)
    out.writeNumber(if (hasMatch) 1L else 0L)
    if (hasMatch) {
      out.writeNumber(nextRow - matchEnd)
      slotsWriter.write(matchSlots)
      paths.write(collector.matchPath)
    }
    threads.write(out, 0, nextRow, slotsWriter, paths)
    dialect.write(out, nextRow, slotsWriter, paths)
    parked.write(out, start, slotsWriter, paths)
  }

  /** Continues from where [[write]] left off, before `row`, with a search from `start`. */
  def read(in: StateInput, start: Long, row: Long, slotsReader: SlotsReader[S]): Unit = {
    val paths = new ChainReader[Path](in)(parent => new Path(parent, in.readSigned().toInt))
    reset(start, row)
    work.begin(in.readNumber())
    settled.read(in)
    if (in.readInt() == 1) {
      val end = nextRow - in.readNumber()
      collector.found(slotsReader.read(), paths.read(), end)
    }
    threads.read(in, program.registers, nextRow, slotsReader, paths)
    dialect.read(in, program.registers, nextRow, slotsReader, paths)
    parked.read(in, start, slotsReader, paths)
  }
}
