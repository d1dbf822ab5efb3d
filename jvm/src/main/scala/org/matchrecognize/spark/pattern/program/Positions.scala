package org.matchrecognize.spark.pattern.program

import java.util.{Arrays, HashMap, HashSet}

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.program.Instruction.{Accept, Consume}

/**
 * The places of a program at which a thread can rest before a row, with their registers, as
 * numbers: *positions*. Where conditions depend on the row alone, a position is all that the
 * future of a thread depends on. From each position one row leads to others, in preference order.
 *
 * A list of positions that follow is cut at [[Positions.accepted]], since what comes after it is
 * less preferred than a match that is already found.
 *
 * @param entry
 *   the positions before the first row of a match
 * @param entryAtStart
 *   the same before the first row of the partition
 * @param after
 *   by position, where a thread continues once it has consumed a row
 * @param afterLast
 *   the same after the last row of the partition
 * @param labels
 *   by position, the label of the row consumed there ([[Path.label]])
 */
final class Positions private (
    val entry: Array[Int],
    val entryAtStart: Array[Int],
    val after: Array[Array[Int]],
    val afterLast: Array[Array[Int]],
    val labels: Array[Int]) {

  def size: Int = labels.length

  /** By position, the variable that the row is mapped to there. */
  val variables: Array[Int] = labels.map(Path.variable)
}

object Positions {

  /** In a list of positions that follow: the match ends here. */
  val accepted: Int = -1

  /** More positions than this are too many to be worth enumerating: counted loops. */
  private val maxPositions = 4096

  /** Candidates of all positions together: those of PERMUTE's orders are many. */
  private val maxPaths = 1 << 18

  /** The positions of a program, or why there are none. */
  def of(program: Program): Either[String, Positions] =
    program.extension.toLeft(()).flatMap { _ =>
      try Right(new Explorer(program).explore())
      catch { case _: TooMany => Left("the pattern has too many positions to number them") }
    }

  final private class TooMany extends RuntimeException(null, null, false, false)

  /** A place and registers. */
  final private[pattern] class Place(val at: Int, val registers: Array[Int]) {
    override def hashCode: Int               = Mixing.mix(at, registers)
    override def equals(other: Any): Boolean = other match {
      case that: Place => at == that.at && Arrays.equals(registers, that.registers)
      case _           => false
    }
  }

  final private class Explorer(program: Program) {
    private val closure   = new Closure(program)
    private val numbers   = new HashMap[Place, Integer]
    private val places    = ArrayBuffer[Place]()
    private var pathCount = 0

    def explore(): Positions = {
      val entry        = from(program.entry, closure.noRegisters, atStart = false, atEnd = false)
      val entryAtStart = from(program.entry, closure.noRegisters, atStart = true, atEnd = false)
      val after        = ArrayBuffer[Array[Int]]()
      val afterLast    = ArrayBuffer[Array[Int]]()
      while (after.size < places.size) {
        val place = places(after.size)
        val next  = consume(place).next
        after += from(next, place.registers, atStart = false, atEnd = false)
        afterLast += (if (program.usesEnd)
                        from(next, place.registers, atStart = false, atEnd = true)
                      else after.last)
      }
      new Positions(
        entry,
        entryAtStart,
        after.toArray,
        afterLast.toArray,
        places.map(p => Path.label(consume(p).variable, consume(p).excluded)).toArray)
    }

    private def consume(place: Place): Consume =
      program.instructions(place.at).asInstanceOf[Consume]

    /** The positions at which the paths from a place wait for a row, the preferred first. */
    private def from(
        at: Int,
        registers: Array[Int],
        atStart: Boolean,
        atEnd: Boolean): Array[Int] = {
      val seen   = new HashSet[Place]
      val result = ArrayBuffer[Int]()
      closure.push(at, registers)
      while (!closure.isEmpty) {
        closure.pop()
        count()
        program.instructions(closure.at) match {
          case _: Consume =>
            val place = new Place(closure.at, closure.withoutFlags(closure.registers))
            if (seen.add(place)) result += number(place)
          case Accept =>
            result += accepted
            closure.clear()
          case _ =>
            if (seen.add(new Place(closure.at, closure.registers))) closure.leave(atStart, atEnd)
        }
      }
      result.toArray
    }

    private def number(place: Place): Int = {
      val known = numbers.get(place)
      if (known != null) known
      else {
        if (places.size == maxPositions) throw new TooMany
        numbers.put(place, places.size)
        places += place
        places.size - 1
      }
    }

    private def count(): Unit = {
      pathCount += 1
      if (pathCount > maxPaths) throw new TooMany
    }
  }
}
