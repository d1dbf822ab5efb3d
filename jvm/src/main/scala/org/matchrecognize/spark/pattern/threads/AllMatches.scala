package org.matchrecognize.spark.pattern.threads

import java.util.{ArrayList, HashSet}

import org.matchrecognize.spark.pattern.matching.{
  Arrival,
  Budget,
  ChainReader,
  ChainWriter,
  Failure,
  IncomingRows,
  IncrementalSearch,
  Limits,
  RowConditions,
  SearchObserver,
  SearchResult,
  SearchWork,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.{Closure, Instruction, Path, Program, Resting}
import org.matchrecognize.spark.pattern.program.Instruction.{Accept, Consume, Look, Watch}
import org.matchrecognize.spark.pattern.program.Positions.Place

/**
 * AFTER MATCH NO SKIP: finds all matches of one start row, in preference order, one after the
 * other.
 *
 * It follows one path after the other to its end, the preferred first, and keeps a stack of the
 * paths that branched off. What it keeps does not grow with the matches that it has found.
 *
 * Why each set of mappings comes once: paths that map the same rows to the same variables have the
 * same slots, so they differ only in their places. Each path knows the places of the more
 * preferred paths that map what it maps (`earlier`). The places that these reach, with the next
 * row mapped to the same variable or to nothing, are the earlier places of the path's
 * continuations. A continuation that reaches such a place itself is dropped: the earlier path has
 * the same continuations from there, with the same mappings. Acceptance counts as a place, too; it
 * stays one as long as rows are mapped to nothing. While an earlier path tests rows for an
 * absence, it may still accept. A path that accepts waits for that.
 *
 * @param keepPaths
 *   whether each match must know its labels
 * @param keepPartial
 *   whether the preferred partial match is needed if there is no match
 */
final private[pattern] class AllMatches[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    keepPaths: Boolean,
    keepPartial: Boolean,
    limits: Limits,
    observer: SearchObserver[S])
    extends IncrementalSearch[S] {
  import AllMatches._

  /**
   * The row that is offered to paths, and the slots before it.
   *
   * @param row
   *   its number
   * @param isLast
   *   no row of the partition follows
   * @param isOver
   *   no row within the bound follows
   */
  final private class OfferedRow(
      val slots: S,
      val row: Long,
      val isLast: Boolean,
      val isOver: Boolean)

  /** Threads still to be followed, the preferred last. */
  private val stack = new ArrayList[SearchThread[S]]

  /** Places that paths reach before one row, the preferred first; and all that were left. */
  private val places  = new ArrayList[Place]
  private val visited = new HashSet[Place]
  private val closure = new Closure(program)

  private var start       = 0L
  private var number      = 0L
  private var mostThreads = 0
  private val budget      = limits.budget

  private val work =
    new SearchWork[S](conditions, limits, Budget.ofStep(program) + Budget.ofLookUp(program) / 2)
  import work.{isBarred, satisfies}

  /** Matches found, and whether there is an empty one, too. */
  private var matchCount = 0L
  private var emptyMatch = false

  /** Whether a row was offered to a thread. */
  private var isOffered = false

  /** The match found last, as the thread that accepted; null before the first. */
  private var accepted: SearchThread[S] = _

  /** The most preferred partial match that waited when no row followed; null if there is none. */
  private var partial: SearchThread[S] = _

  override def steps: Long      = work.steps
  override def peakThreads: Int = mostThreads
  override def matchEnd: Long   = accepted.end
  override def matchSlots: S    = accepted.slots

  override def labels(length: Int): Int => Int = Path.labels(accepted.path, length)

  private def crowded: Boolean = stack.size > limits.maxStates

  private def exceeded: Boolean =
    crowded || budget.isSpent || matchCount > limits.maxMatches

  private def overBudget: Failure =
    if (matchCount > limits.maxMatches) Failure.TooManyMatches(start, limits.maxMatches)
    else limits.exceeded(start, crowded)

  override def begin(row: Long, matchNumber: Long): Unit = {
    start = row
    number = matchNumber
    stack.clear()
    work.begin(steps = 0)
    mostThreads = 0
    budget.beginSearch(row)
    matchCount = 0
    emptyMatch = false
    isOffered = false
    accepted = null
    partial = null
    val slots = conditions.begin(row, matchNumber)
    places.clear()
    visited.clear()
    val offered = new OfferedRow(slots, row, isLast = false, isOver = false)
    follow(program.entry, closure.noRegisters, offered)
    push(0, offered, null, row)
  }

  override def next(rows: IncomingRows): SearchResult = {
    // Output has evaluated another match meanwhile.
    conditions.begin(start, number)
    var result: SearchResult = null
    while (result == null)
      result =
        if (exceeded) SearchResult.Failed(overBudget)
        else if (stack.isEmpty) end()
        else step(stack.get(stack.size - 1), rows)
    if (stack.size > mostThreads) mostThreads = stack.size
    result
  }

  /** There are no more matches. If there was none, a partial match that waited is left. */
  private def end(): SearchResult =
    if (matchCount > 0 || emptyMatch || partial == null) SearchResult.Done
    else {
      val thread = partial
      partial = null
      accepted = thread.copy(path = Path.mapped(thread.path), earlierCount = 0)
      SearchResult.TimedOut
    }

  /** Follows the thread on top by a row; null if nothing is found. */
  private def step(thread: SearchThread[S], rows: IncomingRows): SearchResult =
    if ((thread.place eq acceptance) && !waits(thread)) {
      pop()
      accept(thread)
    } else
      rows.arrival(thread.row) match {
        case Arrival.Missing                         => SearchResult.NeedsRows
        case Arrival.Undecided if !isDecided(thread) =>
          rows.waitAhead()
          SearchResult.NeedsRows
        case Arrival.Here | Arrival.Undecided
            if !rows.isNextKnown(thread.row) && asksAfter(thread) =>
          SearchResult.NeedsRows
        case Arrival.Here | Arrival.Undecided =>
          pop()
          isOffered = true
          consume(thread, rows)
          null
        case Arrival.NoMore =>
          pop()
          if (keepPartial && partial == null) partial = thread
          null
      }

  /** Whether the rows that have come decide all that is tested of the row before a thread. */
  private def isDecided(thread: SearchThread[S]): Boolean = {
    val places = thread.place +: thread.earlier.toSeq.take(thread.earlierCount)
    val tested = places.flatMap(place => program.tested(instructionAt(place))).distinct
    tested.forall(conditions.isDecided(_, thread.row, thread.slots))
  }

  override def isAtStart: Boolean = !isOffered

  /** Whether a thread will ask about the row after the one before it. */
  private def asksAfter(thread: SearchThread[S]): Boolean =
    asksAfter(thread.place, thread) ||
      (0 until thread.earlierCount).exists(i => asksAfter(thread.earlier(i), thread))

  private def asksAfter(place: Place, thread: SearchThread[S]): Boolean =
    (place eq acceptance) || program.asksAfter(place.at) && (instructionAt(place) match {
      case consume: Consume => satisfies(consume.variable, thread.row, thread.slots)
      case _                => true
    })

  private def pop(): Unit = {
    stack.remove(stack.size - 1)
    ()
  }

  /** Whether an earlier thread that maps the same may still accept. */
  private def waits(thread: SearchThread[S]): Boolean = {
    var i = 0
    while (i < thread.earlierCount && !instructionAt(thread.earlier(i)).isInstanceOf[Watch])
      i += 1
    i < thread.earlierCount
  }

  private def accept(thread: SearchThread[S]): SearchResult =
    if (thread.end == start) {
      emptyMatch = true
      null
    } else {
      matchCount += 1
      accepted = thread
      if (exceeded) SearchResult.Failed(overBudget) else SearchResult.Match
    }

  /** Offers a thread the row before it. */
  private def consume(thread: SearchThread[S], rows: IncomingRows): Unit = {
    work.step()
    val row = thread.row
    budget.visit(row)
    def offered(slots: S) = new OfferedRow(slots, row + 1, rows.isLast(row), rows.isOver(row))
    def mayPass(barred: Seq[Int]) = !isBarred(barred, row, thread.slots)
    instructionAt(thread.place) match {
      case consume: Consume =>
        val slots = work.map(consume.variable, row, thread.slots)
        if (slots != null) {
          if (!isBarred(consume.barred, row, thread.slots)) {
            observer.mapped(slots)
            map(thread, consume, offered(slots))
          }
        } else if (consume.passing.exists(mayPass)) {
          pass(thread, extended(thread.path, Path.passed), offered(thread.slots))
        }
      case Watch(barred, _) =>
        if (mayPass(barred)) pass(thread, thread.path, offered(thread.slots))
      case _ => pass(thread, thread.path, offered(thread.slots))
    }
  }

  /** The thread maps the row, as its place says. */
  private def map(thread: SearchThread[S], at: Consume, offered: OfferedRow): Unit = {
    places.clear()
    visited.clear()
    var i = 0
    while (i < thread.earlierCount) {
      val earlier = thread.earlier(i)
      instructionAt(earlier) match {
        case other: Consume
            if other.variable == at.variable && !isBarred(
              other.barred,
              thread.row,
              thread.slots) =>
          follow(other.next, earlier.registers, offered)
        case _ =>
      }
      i += 1
    }
    val earlierCount = places.size
    follow(at.next, thread.place.registers, offered)
    push(
      earlierCount,
      offered,
      extended(thread.path, Path.label(at.variable, at.excluded)),
      offered.row)
  }

  /** The thread maps the row to nothing. */
  private def pass(thread: SearchThread[S], path: Path, offered: OfferedRow): Unit = {
    observer.passes(thread.slots)
    places.clear()
    visited.clear()
    var i = 0
    while (i < thread.earlierCount) {
      if (canPass(thread.earlier(i), thread)) stay(thread.earlier(i), offered)
      i += 1
    }
    val earlierCount = places.size
    stay(thread.place, offered)
    push(earlierCount, offered, path, thread.end)
  }

  /** Whether the row before a thread can be mapped to nothing at a place, too. */
  private def canPass(place: Place, thread: SearchThread[S]): Boolean = instructionAt(
    place) match {
    case Consume(variable, _, _, _, Some(barred), _) =>
      !satisfies(variable, thread.row, thread.slots) &&
      !isBarred(barred, thread.row, thread.slots)
    case Watch(barred, _) => !isBarred(barred, thread.row, thread.slots)
    case at               => at == Accept
  }

  private def stay(place: Place, offered: OfferedRow): Unit =
    if (place ne acceptance) follow(place.at, place.registers, offered)
    else if (visited.add(acceptance)) {
      places.add(acceptance)
      ()
    }

  private def extended(path: Path, label: Int): Path =
    if (keepPaths) new Path(path, label) else null

  private def instructionAt(place: Place): Instruction =
    if (place eq acceptance) Accept else program.instructions(place.at)

  /** Puts threads at the places from `from` on onto the stack; those before are earlier ones'. */
  private def push(from: Int, offered: OfferedRow, path: Path, end: Long): Unit =
    if (from < places.size) {
      val all  = places.toArray(new Array[Place](places.size))
      var i    = all.length - 1
      var next = from
      while (next < all.length) {
        if (all(next) eq acceptance) observer.completes(offered.slots)
        else observer.waits(all(next).at, offered.slots)
        next += 1
      }
      while (i >= from) {
        stack.add(SearchThread(all(i), offered.slots, path, offered.row, end, all, i))
        i -= 1
      }
    }

  /**
   * Adds the places at which the paths from one wait for a row, and acceptance, in
   * preference order; not those that are there already, nor what comes after them.
   */
  private def follow(at: Int, registers: Array[Int], offered: OfferedRow): Unit = {
    closure.push(at, registers)
    while (!closure.isEmpty) {
      closure.pop()
      work.step()
      program.instructions(closure.at) match {
        // What is looked for is absent where no row follows that could be of the match.
        case watch: Watch if offered.isOver => closure.push(watch.next, closure.registers)
        case _: Resting                     =>
          val place = new Place(closure.at, closure.withoutFlags(closure.registers))
          if (visited.add(place)) places.add(place)
        case Accept     => if (visited.add(acceptance)) places.add(acceptance)
        case look: Look =>
          if (visited.add(new Place(closure.at, closure.registers)) &&
            (offered.isOver || !satisfies(look.variable, offered.row, offered.slots))) {
            closure.push(look.next, closure.registers)
          }
        case _ =>
          if (visited.add(new Place(closure.at, closure.registers))) {
            closure.leave(offered.row == 0, offered.isLast)
          }
      }
      // A path without rows can be long: it ends with the budget.
      if (budget.isSpent) closure.clear()
    }
  }

  override def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    val paths = new ChainWriter[Path](out)(_.parent)(path => out.writeSigned(path.label.toLong))
    def writePlace(place: Place): Unit = {
      out.writeNumber(place.at + 1L)
      place.registers.foreach(register => out.writeSigned(register.toLong))
    }
    def writeThread(thread: SearchThread[S]): Unit = {
      writePlace(thread.place)
      slotsWriter.write(thread.slots)
      paths.write(thread.path)
      out.writeNumber(thread.row - start)
      out.writeNumber(thread.row - thread.end)
      out.writeNumber(thread.earlierCount.toLong)
      thread.earlier.take(thread.earlierCount).foreach(writePlace)
    }
    out.writeNumber(number)
    out.writeNumber(work.steps)
    out.writeNumber(matchCount)
    out.writeNumber(if (emptyMatch) 1L else 0L)
    Seq(accepted, partial).foreach { thread =>
      out.writeNumber(if (thread == null) 0L else 1L)
      if (thread != null) writeThread(thread)
    }
    out.writeNumber(stack.size.toLong)
    stack.forEach(thread => writeThread(thread))
  }

  override def read(in: StateInput, start: Long, slotsReader: SlotsReader[S]): Long = {
    val paths = new ChainReader[Path](in)(parent => new Path(parent, in.readSigned().toInt))
    def readPlace(): Place = {
      val at = in.readInt() - 1
      if (at < 0) acceptance
      else new Place(at, Array.fill(program.registers)(in.readSigned().toInt))
    }
    def readThread(): SearchThread[S] = {
      val place   = readPlace()
      val slots   = slotsReader.read()
      val path    = paths.read()
      val row     = start + in.readNumber()
      val end     = row - in.readNumber()
      val earlier = Array.fill(in.readInt())(readPlace())
      SearchThread(place, slots, path, row, end, earlier, earlier.length)
    }
    def readOne(): SearchThread[S] = if (in.readInt() == 1) readThread() else null
    this.start = start
    mostThreads = 0
    budget.beginSearch(start)
    number = in.readNumber()
    work.begin(in.readNumber())
    matchCount = in.readNumber()
    emptyMatch = in.readInt() == 1
    isOffered = true
    accepted = readOne()
    partial = readOne()
    stack.clear()
    var left = in.readInt()
    while (left > 0) {
      stack.add(readThread())
      left -= 1
    }
    start
  }
}

private[pattern] object AllMatches {

  /** Where a thread is that accepts. */
  private val acceptance = new Place(-1, Array.emptyIntArray)

  /**
   * A thread before `row`, or one that accepts there.
   *
   * @param end
   *   the row after the last that it has mapped
   * @param earlier
   *   places of more preferred threads that map the same, `earlierCount` of them
   */
  final private case class SearchThread[S](
      place: Place,
      slots: S,
      path: Path,
      row: Long,
      end: Long,
      earlier: Array[Place],
      earlierCount: Int)
}
