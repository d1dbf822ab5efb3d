package org.matchrecognize.spark.pattern.automaton

import java.util.{Arrays, HashMap}

import org.matchrecognize.spark.pattern.matching.{Completions, PackedNumbers, RowVerdicts}
import org.matchrecognize.spark.pattern.program.{Positions, Words}

/**
 * Holds for each row of a partition the live positions: those from which a match can be completed
 * with this row as the next. A position is live if the row is one of its variable, and the match
 * can end after it or a position that follows is live at the next row.
 *
 * An automaton whose states are these sets finds them, from the last row to the first. Its
 * transitions, by class of the row, are computed when they are first taken. Rows are divided into
 * blocks. The pass over the partition keeps the set before each block. The sets inside a block are
 * computed again when they are needed, and those of a bounded number of blocks are kept, so memory
 * is bounded whatever the partition. If a pattern always has new sets (long counted loops) or the
 * rows are of very many classes, the store of sets and transitions is emptied between blocks, and
 * transitions for which it has no room are computed each time: time stays linear in the rows, times
 * the size of the pattern.
 */
final private[pattern] class LiveSets(
    positions: Positions,
    verdicts: RowVerdicts,
    poll: () => Unit)
    extends Completions {
  import LiveSets._

  private val words = (positions.size + 63) >> 6

  /** The states met: sets as bits. State 0 is *after the last row*, where nothing is live. */
  private var sets     = new Array[Array[Long]](16)
  private var setCount = 0

  /** By state and class of the row before it, the state before that row, or -1. */
  private var before  = new Array[Array[Int]](16)
  private val numbers = new HashMap[Words, Integer]

  /** The lengths of all arrays in `before` together. */
  private var transitions = 0

  private var rows = 0L

  /** By block, the set before the row after it; null after the last row. */
  private var afterBlock = new Array[Array[Long]](0)

  /** By block, the state before each of its rows, if they are kept; and which are kept. */
  private var blocks = new Array[Array[Int]](0)
  private val kept   = new java.util.ArrayDeque[Integer]

  /** The block that was read last. */
  private var current: Array[Int] = _
  private var currentBlock        = -1

  forget()

  override def prepare(rows: Long): Boolean = {
    this.rows = rows
    val count = Math.toIntExact((rows + blockSize - 1) / blockSize)
    afterBlock = new Array[Array[Long]](count)
    blocks = new Array[Array[Int]](count)
    kept.clear()
    currentBlock = -1
    var block             = count - 1
    var last: Array[Long] = null
    while (block >= 0) {
      afterBlock(block) = last
      val states = compute(block)
      last = sets(states(0))
      block -= 1
    }
    true
  }

  /** A position is live before a row; none is after the last row. */
  override def contain(row: Long, position: Int, horizon: Long): Boolean =
    row < rows && (sets(stateOf(row))(position >> 6) & 1L << position) != 0

  private def stateOf(row: Long): Int = {
    val block = (row >> blockBits).toInt
    if (block != currentBlock) {
      current = if (blocks(block) == null) compute(block) else blocks(block)
      currentBlock = block
    }
    current((row & blockSize - 1).toInt)
  }

  /** Computes and keeps the states of a block. */
  private def compute(block: Int): Array[Int] = {
    poll()
    if (setCount > maxSets || transitions > maxTransitions) forget()
    if (kept.size == maxBlocks) blocks(kept.poll()) = null
    val from   = block.toLong << blockBits
    val size   = math.min(blockSize.toLong, rows - from).toInt
    val states = new Array[Int](size)
    var state  = if (afterBlock(block) == null) 0 else number(afterBlock(block))
    var i      = size - 1
    while (i >= 0) {
      val rowClass = verdicts.classOf(from + i)
      val known    = before(state)
      state =
        if (rowClass < known.length && known(rowClass) >= 0) known(rowClass)
        else step(state, rowClass)
      states(i) = state
      i -= 1
    }
    blocks(block) = states
    kept.add(block)
    states
  }

  /** Takes a transition for the first time. */
  private def step(state: Int, rowClass: Int): Int = {
    val next = number(compute(state, rowClass))
    if (rowClass >= before(state).length && transitions <= maxTransitions) grow(state, rowClass)
    if (rowClass < before(state).length) before(state)(rowClass) = next
    next
  }

  /** Makes room for the transition by a class. */
  private def grow(state: Int, rowClass: Int): Unit = {
    val old = before(state)
    val row = Arrays.copyOf(old, Integer.highestOneBit(rowClass) * 2)
    Arrays.fill(row, old.length, row.length, -1)
    before(state) = row
    transitions += row.length - old.length
  }

  private def compute(state: Int, rowClass: Int): Array[Long] = {
    val after  = if (state == 0) positions.afterLast else positions.after
    val set    = sets(state)
    val result = new Array[Long](words)
    var p      = 0
    while (p < positions.size) {
      if (verdicts.satisfies(rowClass, positions.variables(p)) && completes(after(p), set)) {
        result(p >> 6) |= 1L << p
      }
      p += 1
    }
    result
  }

  private def completes(candidates: Array[Int], set: Array[Long]): Boolean = {
    var i = 0
    while (i < candidates.length &&
      candidates(i) != Positions.accepted && (set(candidates(i) >> 6) & 1L << candidates(i)) == 0)
      i += 1
    i < candidates.length
  }

  private def number(set: Array[Long]): Int = {
    val bits  = new Words(set)
    val known = numbers.get(bits)
    if (known != null) known
    else {
      numbers.put(bits, setCount)
      add(set)
    }
  }

  private def add(set: Array[Long]): Int = {
    if (setCount == sets.length) {
      sets = Arrays.copyOf(sets, setCount * 2)
      before = Arrays.copyOf(before, setCount * 2)
    }
    sets(setCount) = set
    before(setCount) = Array(-1)
    transitions += 1
    setCount += 1
    setCount - 1
  }

  /** Empties the store of states, and with it the blocks that name them. */
  private def forget(): Unit = {
    setCount = 0
    transitions = 0
    numbers.clear()
    Arrays.fill(before.asInstanceOf[Array[Object]], null)
    while (!kept.isEmpty) blocks(kept.poll()) = null
    currentBlock = -1
    // Not found by its bits: an empty set before a row is another state.
    add(new Array[Long](words))
    ()
  }
}

private[pattern] object LiveSets {
  val blockBits: Int = PackedNumbers.chunkBits
  val blockSize      = 1 << blockBits

  /** Blocks whose states are kept: of a million rows. */
  private val maxBlocks = 64

  /** States in the store beyond which it is emptied before the next block. */
  private val maxSets = 1 << 13

  /** The same for transitions: 16 MB, and once more the longest array of a state. */
  private val maxTransitions = 1 << 22
}
