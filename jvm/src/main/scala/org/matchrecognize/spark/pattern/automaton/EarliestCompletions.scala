package org.matchrecognize.spark.pattern.automaton

import java.util.Arrays

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.matching.{Completions, RowVerdicts}
import org.matchrecognize.spark.pattern.program.Positions

/**
 * [[Completions]] under a bound: for each row and position, how early the last row of a variable
 * with the bound can be in a match that is completed from there. It can be completed before a
 * horizon if that row is before it; one number answers for every horizon. The numbers follow from
 * those of the next row, so one pass backward finds them, in time linear in the rows for each
 * position.
 *
 * Blocks are kept and computed again as those of [[LiveSets]] are.
 */
final private[pattern] class EarliestCompletions(
    positions: Positions,
    verdicts: RowVerdicts,
    bounded: IndexedSeq[Boolean],
    poll: () => Unit)
    extends Completions {
  import EarliestCompletions._

  private val width       = positions.size
  private val isBounded   = positions.variables.map(bounded(_))
  private val keepsBlocks = math.max(2, keptNumbers / math.max(1, width << LiveSets.blockBits))

  /** By class of rows, the positions that they satisfy; null if not known yet. */
  private val satisfied = ArrayBuffer[Array[Int]]()

  private var rows = 0

  /** By block, the numbers of the row after it; null after the last row. */
  private var afterBlock = new Array[Array[Int]](0)

  /** By block, the numbers of its rows one after the other, if they are kept; and which are. */
  private var blocks = new Array[Array[Int]](0)
  private val kept   = new java.util.ArrayDeque[Integer]

  /** The block that was read last. */
  private var current: Array[Int] = _
  private var currentBlock        = -1

  override def prepare(rows: Long): Boolean = rows < never && {
    this.rows = rows.toInt
    val count = (this.rows + LiveSets.blockSize - 1) >> LiveSets.blockBits
    afterBlock = new Array[Array[Int]](count)
    blocks = new Array[Array[Int]](count)
    kept.clear()
    currentBlock = -1
    var block             = count - 1
    var first: Array[Int] = null
    while (block >= 0) {
      afterBlock(block) = first
      first = Arrays.copyOf(compute(block), width)
      block -= 1
    }
    true
  }

  override def contain(row: Long, position: Int, horizon: Long): Boolean = row < rows && {
    val block = (row >> LiveSets.blockBits).toInt
    if (block != currentBlock) {
      current = if (blocks(block) == null) compute(block) else blocks(block)
      currentBlock = block
    }
    val last = current((row & LiveSets.blockSize - 1).toInt * width + position)
    last != never && last < horizon
  }

  private def compute(block: Int): Array[Int] = {
    poll()
    if (kept.size == keepsBlocks) blocks(kept.poll()) = null
    val from    = block << LiveSets.blockBits
    val size    = math.min(LiveSets.blockSize, rows - from)
    val numbers = new Array[Int](size * width)
    Arrays.fill(numbers, never)
    var i = size - 1
    if (afterBlock(block) == null) {
      fill(numbers, i, from + i, positions.afterLast, endOfPartition, 0)
    } else {
      fill(numbers, i, from + i, positions.after, afterBlock(block), 0)
    }
    while (i > 0) {
      i -= 1
      fill(numbers, i, from + i, positions.after, numbers, (i + 1) * width)
    }
    blocks(block) = numbers
    kept.add(block)
    numbers
  }

  private val endOfPartition = Array.fill(width)(never)

  /** Computes the numbers of row `i` of a block from those of the next row. */
  private def fill(
      numbers: Array[Int],
      i: Int,
      row: Int,
      after: Array[Array[Int]],
      next: Array[Int],
      nextAt: Int): Unit = {
    val possible = satisfiedBy(verdicts.classOf(row))
    var k        = 0
    while (k < possible.length) {
      val position = possible(k)
      val last     = earliest(after(position), next, nextAt)
      numbers(i * width + position) =
        if (last != never && isBounded(position)) math.max(last, row) else last
      k += 1
    }
  }

  private def earliest(candidates: Array[Int], next: Array[Int], nextAt: Int): Int = {
    var least = never
    var i     = 0
    while (i < candidates.length) {
      val last = if (candidates(i) == Positions.accepted) noRow else next(nextAt + candidates(i))
      if (last < least) least = last
      i += 1
    }
    least
  }

  private def satisfiedBy(rowClass: Int): Array[Int] = {
    while (satisfied.size <= rowClass) satisfied += null
    if (satisfied(rowClass) == null) {
      satisfied(rowClass) = Array.range(0, width).filter { position =>
        verdicts.satisfies(rowClass, positions.variables(position))
      }
    }
    satisfied(rowClass)
  }
}

private[spark] object EarliestCompletions {

  /** More positions than this take too much time a row. */
  val maxPositions = 64

  /** No match can be completed. */
  private val never = Int.MaxValue

  /** The match has no more row of a variable with the bound. */
  private val noRow = -1

  /** Numbers in all blocks that are kept, about. */
  private val keptNumbers = 1 << 22
}
