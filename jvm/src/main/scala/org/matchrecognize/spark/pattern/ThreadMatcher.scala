package org.matchrecognize.spark.pattern

import org.matchrecognize.spark.pattern.Instruction._

/**
 * The general matcher: finds the preferred match that starts at one row, for every pattern and
 * every condition.
 *
 * It keeps a list of threads in preference order. A thread is a place in the program with its
 * registers, slots and path. Each row is offered to each thread in turn; a thread that can map it
 * moves on, along all ways open before the next row, depth first, the preferred first. So the new
 * list is again in preference order.
 *
 * Why it is exact:
 *   - When a thread accepts, those behind it in the list are less preferred whatever comes, so
 *     they are dropped; those before it go on, and one of them that accepts later replaces it. When
 *     no thread is left, the last acceptance is the preferred match.
 *   - Two threads at one place with equal registers, whose slots agree on all that a condition
 *     still reachable can ask, can only end in the same ways; the one that comes later is less
 *     preferred in each of them, so it is dropped. That bounds the list by the number of different
 *     states, not of ways.
 *   - At one place in front of one row, the same (place, registers, slots) need not be left twice,
 *     for the same reason. Since flags of empty iterations are registers, that also ends every
 *     cycle without a row.
 *
 *   - A search that comes to a state from which an earlier start row of the partition found no match
 *     finds none from there either ([[FailedStates]]).
 *
 * @param labels
 *   where the labels of a match are kept that all threads agree on; None if nobody asks for labels
 * @param endsAlike
 *   whether the searches from all start rows of a partition go on to its end: no bound ends each at
 *   a row of its own
 */
final class ThreadMatcher[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    labels: Option[SettledLabels],
    limits: Limits,
    endsAlike: Boolean)
    extends Matcher[S] {

  /** Null if nobody asks for labels. */
  private val settled = labels.orNull

  /** Threads in preference order: those in front of the next row, and those being collected. */
  private var threads     = new ThreadList[S]
  private var nextThreads = new ThreadList[S]

  /** Null where start rows cannot learn from each other. */
  private val failed = if (endsAlike) new FailedStates[S](program, conditions) else null

  /** States left already in front of the row at which threads are being collected. */
  private val visited = new VisitedStates[S](program, conditions)

  /** Ways still to be followed. */
  private val ways = new Ways(program)

  /** Position (rows before it) that the ways being followed stand at. */
  private var position = 0L

  /** No row of the partition stands behind that position; none within the bound of the match. */
  private var atEnd  = false
  private var isOver = false

  private var acceptedEnd        = -1L
  private var acceptedSlots: S   = _
  private var acceptedPath: Path = _

  private var stepCount = 0L

  /** Whether there were more states in front of one row than there may be. */
  private var crowded = false

  /** The row at which matches are looked for. */
  private var start = 0L

  override def steps: Long         = stepCount
  override def exceeded: Boolean   = crowded || stepCount > limits.maxSteps
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
    if (failed != null) failed.begin(row)
    if (settled != null) settled.begin()
    start = row
    acceptedEnd = -1
    stepCount = 0
    crowded = false
    position = row
    atEnd = false
    isOver = false
    visited.clear()
    ways.push(program.entry, ways.noRegisters)
    follow(conditions.begin(row, matchNumber), null, row)
    swap()
  }

  override def step(row: Long, isLast: Boolean, isOver: Boolean): Unit = {
    position = row + 1
    atEnd = isLast
    this.isOver = isOver
    visited.clear()
    if (failed != null) failed.moveTo(position)
    var i        = 0
    var accepted = false
    while (i < threads.size && !accepted && !crowded) {
      count()
      accepted = program.instructions(threads.at(i)) match {
        case consume: Consume => offer(i, consume, row)
        case watch: Watch     =>
          !isBarred(watch.barred, row, threads.slots(i)) && rest(i, threads.path(i))
        case settle: Settle => goOn(threads, i, settle.next)
        // It rests only where no row follows.
        case _ => false
      }
      i += 1
    }
    if (program.flink.nonEmpty) completeFirst()
    swap()
    if (failed != null) failed.note(position, threads)
    if (settled != null && settled.isDue(position - start)) settle()
  }

  private def settle(): Unit = {
    var i = 0
    while (i < threads.size) {
      settled.consider(threads.path(i), pathRows(i))
      i += 1
    }
    if (hasMatch) settled.consider(acceptedPath, acceptedEnd - start)
    settled.settle(position - start)
  }

  /** How many rows the path of a thread has: one that looks at rows adds none. */
  private def pathRows(thread: Int): Long = program.instructions(threads.at(thread)) match {
    case _: Consume => position - start
    case _          => threads.end(thread) - start
  }

  /**
   * (flink) The match that is complete is the one; where no row follows, one that waited for no more
   * than the end of the rows.
   */
  private def completeFirst(): Unit = {
    if (isOver && !hasMatch) {
      var i = 0
      while (i < nextThreads.size && !hasMatch) {
        program.instructions(nextThreads.at(i)) match {
          case settle: Settle => goOn(nextThreads, i, settle.next)
          case _              =>
        }
        i += 1
      }
    }
    if (hasMatch) nextThreads.clear()
  }

  /** Offers a row to a thread; true if the thread accepted. */
  private def offer(thread: Int, consume: Consume, row: Long): Boolean = {
    val before    = threads.slots(thread)
    val registers = threads.registers(thread)
    val slots     = conditions.map(consume.variable, row, before)
    val barred    = isBehindLoop(registers, row, before)
    val accepts   = slots != null && !barred && !isBarred(consume.barred, row, before) && {
      ways.push(consume.next, ways.mapped(registers))
      follow(
        slots,
        extended(threads.path(thread), Path.label(consume.variable, consume.excluded)),
        row + 1)
    }
    def passes = (slots == null || consume.anywhere) && !barred && threads.end(thread) > start &&
      consume.passing.exists(!isBarred(_, row, before))
    accepts || passes && rest(thread, extended(threads.path(thread), Path.passed))
  }

  /** (flink) Whether a row is an instance of a greedy loop's variable that was left before. */
  private def isBehindLoop(registers: Array[Int], row: Long, slots: S): Boolean =
    bars.nonEmpty && bars.exists { bar =>
      registers(bar.register) == 1 && conditions.satisfies(bar.variable, row, slots)
    }

  private val bars = program.flink.toSeq.flatMap(_.bars)

  /** A thread goes on without a row. */
  private def goOn(from: ThreadList[S], thread: Int, at: Int): Boolean = {
    ways.push(at, from.registers(thread))
    follow(from.slots(thread), from.path(thread), from.end(thread))
  }

  /** The thread leaves a row behind that it maps to nothing. */
  private def rest(thread: Int, path: Path): Boolean = {
    ways.push(threads.at(thread), threads.registers(thread))
    follow(threads.slots(thread), path, threads.end(thread))
  }

  private def isBarred(barred: Seq[Int], row: Long, slots: S): Boolean =
    barred.nonEmpty && barred.exists(conditions.satisfies(_, row, slots))

  private def extended(path: Path, label: Int): Path =
    if (settled == null) null else new Path(path, label)

  override def timeOut(): Unit = {
    acceptedEnd = threads.end(0)
    acceptedSlots = threads.slots(0)
    acceptedPath = Path.mapped(threads.path(0))
  }

  override def partialEnd: Long = threads.end(0)

  private def swap(): Unit = {
    val old = threads
    threads = nextThreads
    nextThreads = old
    nextThreads.clear()
  }

  private def count(): Unit = {
    stepCount += 1
    if ((stepCount & 0xfff) == 0) limits.poll()
  }

  /**
   * Follows the ways on the stack, the preferred first, until each stands in front of a row.
   *
   * @param end
   *   the row behind the last that is mapped
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
          case watch: Watch if isOver =>
            ways.push(watch.next, ways.looked(ways.registers))
          case settle: Settle if !isLookedAt(ways.registers) =>
            ways.push(settle.next, ways.registers)
          case await: Await if !isOver =>
            if (visited.add(ways.at, ways.registers, slots) &&
              !conditions.satisfies(await.variable, position, slots) &&
              !isBehindLoop(ways.registers, position, slots)) {
              ways.push(await.next, ways.looked(ways.registers))
            }
          case leave: LeaveLoop =>
            if (visited.add(ways.at, ways.registers, slots)) this.leave(leave, slots)
          case _: Resting =>
            val registers = ways.withoutFlags(ways.registers)
            if (visited.add(ways.at, registers, slots) && !isHopeless(registers, slots, end)) {
              nextThreads.add(ways.at, registers, slots, path, end)
            }
          case look: Look =>
            if (visited.add(ways.at, ways.registers, slots) &&
              (isOver || !conditions.satisfies(look.variable, position, slots) ||
                look.unless.exists(conditions.satisfies(_, position, slots)))) {
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

  /** Whether nothing comes of a thread that would rest at the place reached. */
  private def isHopeless(registers: Array[Int], slots: S, end: Long): Boolean =
    failed != null && failed.contains(ways.at, registers, slots, end)

  private def isLookedAt(registers: Array[Int]): Boolean =
    program.flink.exists(flink => registers(flink.lookedAt) == 1)

  /** (flink) Behind a greedy loop: it is not left where it could go on. */
  private def leave(leave: LeaveLoop, slots: S): Unit = {
    def is(variable: Int) = conditions.satisfies(variable, position, slots)
    if (isOver || leave.stop.exists(is)) ways.push(leave.next, ways.registers)
    else if (!leave.canGoOn || !is(leave.bar.variable) || leave.barred.exists(is)) {
      ways.push(leave.next, ways.barred(ways.registers, leave.bar))
    }
  }

  /** Writes where the search stands: between two rows, since it has begun. */
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
    out.writeNumber(threads.size.toLong)
    var i = 0
    while (i < threads.size) {
      out.writeNumber(threads.at(i).toLong)
      threads.registers(i).foreach(register => out.writeSigned(register.toLong))
      out.writeNumber(position - threads.end(i))
      slotsWriter.write(threads.slots(i))
      paths.write(threads.path(i))
      i += 1
    }
  }

  /** Goes on from where [[write]] left off, in front of `row`, with a search from `start`. */
  def read(in: StateInput, start: Long, row: Long, slotsReader: SlotsReader[S]): Unit = {
    val paths = new ChainReader[Path](in)(parent => new Path(parent, in.readSigned().toInt))
    this.start = start
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
    threads.clear()
    var left = in.readInt()
    while (left > 0) {
      val at        = in.readInt()
      val registers = Array.fill(program.registers)(in.readSigned().toInt)
      val end       = position - in.readNumber()
      threads.add(at, registers, slotsReader.read(), paths.read(), end)
      left -= 1
    }
  }
}
