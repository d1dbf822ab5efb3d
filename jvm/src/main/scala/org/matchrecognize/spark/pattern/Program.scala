package org.matchrecognize.spark.pattern

/**
 * One instruction of a compiled pattern. Only [[Instruction.Consume]] takes a row; all others
 * decide, before the next row, where the thread goes on. Where several ways are open they stand in
 * preference order: this file and [[ProgramCompiler]] are the one definition of preferment.
 */
sealed trait Instruction

object Instruction {

  /** Map the next row to `variable`, then go on at `next`. */
  final case class Consume(variable: Int, excluded: Boolean, next: Int) extends Instruction

  /** Go on at each target, the first preferred. */
  final case class Branch(targets: Array[Int]) extends Instruction

  /** Go on if no row of the partition stands before. */
  final case class AssertStart(next: Int) extends Instruction

  /** Go on if no row of the partition stands behind. */
  final case class AssertEnd(next: Int) extends Instruction

  /** Into the first iteration of a loop that is entered in any case and counts nothing: `p+`. */
  final case class LoopEnter(loop: Loop) extends Instruction

  /**
   * Before an iteration of a loop: enter the body, leave, or both in preference order, by the
   * number of iterations so far.
   */
  final case class LoopDecide(loop: Loop) extends Instruction

  /**
   * After each iteration: count it and decide again; an iteration that consumed no row ends the
   * loop once the lower bound is reached (rule 3).
   */
  final case class LoopBack(loop: Loop) extends Instruction

  /** Into a PERMUTE: all its elements remain. */
  final case class PermuteEnter(permute: Permute) extends Instruction

  /** Into the next element of a PERMUTE, or behind it when none remains. */
  final case class PermuteNext(permute: Permute) extends Instruction

  /** A match ends here. */
  case object Accept extends Instruction
}

/**
 * A loop whose iterations are counted or can be empty.
 *
 * @param lower
 *   least number of iterations
 * @param upper
 *   greatest, or Int.MaxValue
 * @param counter
 *   register that counts iterations (saturated at `lower` without an upper bound), or -1 where
 *   nothing must be counted
 * @param emptyFlag
 *   register that is 1 while the running iteration has consumed no row, or -1 where an iteration
 *   cannot be empty
 * @param endsWhenEmpty
 *   an empty iteration ends the loop below the lower bound, too
 */
final class Loop(
    val lower: Int,
    val upper: Int,
    val greedy: Boolean,
    val counter: Int,
    val emptyFlag: Int,
    val endsWhenEmpty: Boolean
) {

  /** Program counters; filled in once the body is compiled. */
  var body: Int   = -1
  var decide: Int = -1
  var exit: Int   = -1
}

/**
 * A PERMUTE.
 *
 * The register holds what remains: the set of remaining elements as bits; or, where `ordered`, the
 * whole remaining order as digits of base `size + 1`, next element lowest. A set is enough where
 * no element but the last can match in more than one way, since then no choice inside an element
 * comes before the choice of the element after it; else the expansion's order (all matches of the
 * first permutation before any of the second) makes the thread commit to a permutation at the
 * start.
 */
final class Permute(val size: Int, val ordered: Boolean, val register: Int) {
  val elements: Array[Int] = new Array[Int](size)
  var next: Int            = -1
  var exit: Int            = -1
}

/**
 * A compiled pattern.
 *
 * @param instructions
 *   by program counter
 * @param entry
 *   where a match starts
 * @param registers
 *   number of registers (counters, flags, PERMUTE states) of a thread
 * @param emptyFlags
 *   the registers that are flags of empty iterations: all 0 once a row is consumed
 * @param usesEnd
 *   whether `$` stands in the pattern: it must be known whether a row follows
 */
final class Program(
    val instructions: Array[Instruction],
    val entry: Int,
    val registers: Int,
    val emptyFlags: Array[Int],
    val usesEnd: Boolean
) {

  /**
   * For each program counter, an index into [[reachableSets]]: the variables that a thread there
   * can still test. Two threads at one place merge if their slots agree on what these need.
   */
  val (reachable: Array[Int], reachableSets: Array[Set[Int]]) = Program.reachability(instructions)
}

object Program {
  import Instruction._

  /** Where an instruction can lead. */
  private def successors(instruction: Instruction): Seq[Int] = instruction match {
    case Consume(_, _, next)   => Seq(next)
    case Branch(targets)       => targets.toSeq
    case AssertStart(next)     => Seq(next)
    case AssertEnd(next)       => Seq(next)
    case LoopEnter(loop)       => Seq(loop.body)
    case LoopDecide(loop)      => Seq(loop.body, loop.exit)
    case LoopBack(loop)        => Seq(loop.decide, loop.exit)
    case PermuteEnter(permute) => Seq(permute.next)
    case PermuteNext(permute)  => permute.elements.toSeq :+ permute.exit
    case Accept                => Nil
  }

  private def reachability(instructions: Array[Instruction]): (Array[Int], Array[Set[Int]]) = {
    val next = instructions.map(successors)
    val sets = instructions.map {
      case Consume(variable, _, _) => Set(variable)
      case _                       => Set.empty[Int]
    }
    var changed = true
    while (changed) {
      changed = false
      // Successors were mostly compiled first: this order settles in a few rounds.
      for (at <- sets.indices) {
        val union = next(at).foldLeft(sets(at))((set, to) => set ++ sets(to))
        if (union.size != sets(at).size) {
          sets(at) = union
          changed = true
        }
      }
    }
    val distinct = sets.distinct
    (sets.map(distinct.indexOf(_)), distinct)
  }
}
