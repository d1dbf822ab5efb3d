package org.matchrecognize.spark.pattern

import java.util.Arrays

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
 * @param keepPaths
 *   whether each match must know its labels
 */
final class ThreadMatcher[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    keepPaths: Boolean,
    limits: Limits
) {

  /** A thread in front of a row that it must consume. */
  final private class Thread(
      val consume: Consume,
      val registers: Array[Int],
      val slots: S,
      val path: Path
  )

  private val code = program.instructions

  /** Threads in preference order: those in front of the next row, and those being collected. */
  private var threads     = new java.util.ArrayList[Thread]
  private var nextThreads = new java.util.ArrayList[Thread]

  /** States left already in front of the row at which threads are being collected. */
  private val visited = new VisitedStates[S](program, conditions)

  /** Ways still to be followed, the preferred on top: program counters and registers. */
  private var stackAt        = new Array[Int](32)
  private var stackRegisters = new Array[Array[Int]](32)
  private var stackSize      = 0

  private val noRegisters = new Array[Int](program.registers)

  /** Position (rows before it) that the ways being followed stand at. */
  private var position = 0L
  private var atEnd    = false

  private var acceptedEnd        = -1L
  private var acceptedSlots: S   = _
  private var acceptedPath: Path = _

  private var stepCount = 0L

  /** Steps since [[begin]]. */
  def steps: Long = stepCount

  /** Whether the budget is spent; nothing that the matcher says then counts. */
  def exceeded: Boolean = stepCount > limits.maxSteps

  /** Threads alive. */
  def threadCount: Int = threads.size

  /** Whether a row more could change the outcome. */
  def isRunning: Boolean = !threads.isEmpty

  /** Whether a match has been found (the preferred one once the matcher does not run). */
  def hasMatch: Boolean = acceptedEnd >= 0

  /** The row behind the match's last row. */
  def matchEnd: Long  = acceptedEnd
  def matchSlots: S   = acceptedSlots
  def matchPath: Path = acceptedPath

  /** Starts over with matches that begin at `row`, a row that exists. */
  def begin(row: Long, matchNumber: Long): Unit = {
    threads.clear()
    acceptedEnd = -1
    stepCount = 0
    position = row
    atEnd = false
    visited.clear()
    push(program.entry, noRegisters)
    follow(conditions.begin(row, matchNumber), null)
    swap()
  }

  /**
   * Offers the next row.
   *
   * @param isLast
   *   whether no row follows; asked only where the program uses `$`
   */
  def step(row: Long, isLast: Boolean): Unit = {
    position = row + 1
    atEnd = isLast
    visited.clear()
    var i        = 0
    var accepted = false
    while (i < threads.size && !accepted) {
      val thread = threads.get(i)
      i += 1
      count()
      val slots = conditions.map(thread.consume.variable, row, thread.slots)
      if (slots != null) {
        val path =
          if (!keepPaths) null
          else new Path(thread.path, Path.label(thread.consume.variable, thread.consume.excluded))
        push(thread.consume.next, thread.registers)
        accepted = follow(slots, path)
      }
    }
    swap()
  }

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

  private def push(at: Int, registers: Array[Int]): Unit = {
    if (stackSize == stackAt.length) {
      stackAt = Arrays.copyOf(stackAt, stackSize * 2)
      stackRegisters = Arrays.copyOf(stackRegisters, stackSize * 2)
    }
    stackAt(stackSize) = at
    stackRegisters(stackSize) = registers
    stackSize += 1
  }

  /**
   * Follows the ways on the stack, the preferred first, until each stands in front of a row.
   *
   * @return
   *   true if one accepted: what is less preferred is dropped
   */
  private def follow(slots: S, path: Path): Boolean = {
    var accepted = false
    while (stackSize > 0 && !accepted) {
      stackSize -= 1
      val at        = stackAt(stackSize)
      val registers = stackRegisters(stackSize)
      count()
      // A way without rows can be long too (`(A?){1000000}`): it ends with the budget.
      if (exceeded) {
        stackSize = 0
      } else {
        code(at) match {
          case consume: Consume =>
            val resting = withoutFlags(registers)
            if (visited.add(at, resting, slots)) {
              nextThreads.add(new Thread(consume, resting, slots, path))
            }
          case Accept =>
            acceptedEnd = position
            acceptedSlots = slots
            acceptedPath = path
            stackSize = 0
            accepted = true
          case instruction => if (visited.add(at, registers, slots)) leave(instruction, registers)
        }
      }
    }
    accepted
  }

  /** Pushes the ways open behind an instruction, the preferred last so that it is on top. */
  private def leave(instruction: Instruction, registers: Array[Int]): Unit = instruction match {
    case Branch(targets) =>
      var i = targets.length - 1
      while (i >= 0) {
        push(targets(i), registers)
        i -= 1
      }
    case AssertStart(next)     => if (position == 0) push(next, registers)
    case AssertEnd(next)       => if (atEnd) push(next, registers)
    case LoopEnter(loop)       => push(loop.body, entered(loop, registers))
    case LoopDecide(loop)      => decide(loop, registers)
    case LoopBack(loop)        => finishIteration(loop, registers)
    case PermuteEnter(permute) => enter(permute, registers)
    case PermuteNext(permute)  => nextElement(permute, registers)
    case _: Consume | Accept   => // handled in follow
  }

  private def decide(loop: Loop, registers: Array[Int]): Unit = {
    // Without a counter the lower bound is reached whenever there is something to decide.
    val iterations = if (loop.counter < 0) loop.lower else registers(loop.counter)
    val mayLeave   = iterations >= loop.lower
    val mayEnter   = iterations < loop.upper || loop.upper == Int.MaxValue
    if (mayLeave && loop.greedy) push(loop.exit, left(loop, registers))
    if (mayEnter) push(loop.body, entered(loop, registers))
    if (mayLeave && !loop.greedy) push(loop.exit, left(loop, registers))
  }

  private def finishIteration(loop: Loop, registers: Array[Int]): Unit = {
    val counted =
      if (loop.counter < 0) registers
      else {
        // Without an upper bound counts beyond the lower one are all alike.
        val count = registers(loop.counter) + 1
        set(
          registers,
          loop.counter,
          if (loop.upper == Int.MaxValue) math.min(count, loop.lower) else count
        )
      }
    val wasEmpty = loop.emptyFlag >= 0 && registers(loop.emptyFlag) == 1
    val reached  =
      loop.counter < 0 || loop.endsWhenEmpty || counted(loop.counter) >= loop.lower
    if (wasEmpty && reached) push(loop.exit, left(loop, counted)) else push(loop.decide, counted)
  }

  private def entered(loop: Loop, registers: Array[Int]): Array[Int] =
    if (loop.emptyFlag < 0) registers else set(registers, loop.emptyFlag, 1)

  /** Outside a loop its registers are 0, so that threads that differ only in them merge. */
  private def left(loop: Loop, registers: Array[Int]): Array[Int] = {
    val counted = if (loop.counter < 0) registers else set(registers, loop.counter, 0)
    if (loop.emptyFlag < 0) counted else set(counted, loop.emptyFlag, 0)
  }

  private def enter(permute: Permute, registers: Array[Int]): Unit =
    if (permute.ordered) {
      val orders = Permutations.encoded(permute.size)
      var i      = orders.length - 1
      while (i >= 0) {
        push(permute.next, set(registers, permute.register, orders(i)))
        i -= 1
      }
    } else {
      push(permute.next, set(registers, permute.register, (1 << permute.size) - 1))
    }

  private def nextElement(permute: Permute, registers: Array[Int]): Unit = {
    val remaining = registers(permute.register)
    if (remaining == 0) {
      push(permute.exit, registers)
    } else if (permute.ordered) {
      val base = permute.size + 1
      push(
        permute.elements(remaining % base - 1),
        set(registers, permute.register, remaining / base)
      )
    } else {
      var i = permute.size - 1
      while (i >= 0) {
        if ((remaining & 1 << i) != 0) {
          push(permute.elements(i), set(registers, permute.register, remaining & ~(1 << i)))
        }
        i -= 1
      }
    }
  }

  private def withoutFlags(registers: Array[Int]): Array[Int] = {
    var result = registers
    var i      = 0
    while (i < program.emptyFlags.length) {
      result = set(result, program.emptyFlags(i), 0)
      i += 1
    }
    result
  }

  /** Registers are never changed in place: threads share them. */
  private def set(registers: Array[Int], register: Int, value: Int): Array[Int] =
    if (registers(register) == value) registers
    else {
      val changed = registers.clone()
      changed(register) = value
      changed
    }
}
