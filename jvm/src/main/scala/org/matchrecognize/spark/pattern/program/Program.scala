package org.matchrecognize.spark.pattern.program

import scala.collection.immutable.BitSet
import scala.collection.mutable

/**
 * One instruction of a compiled pattern. Only at a [[Resting]] one a thread takes rows; all others
 * decide, before the next row, where the thread continues. Several alternatives are listed in
 * preference order: this file and [[ProgramCompiler]] are the one definition of preference.
 */
sealed trait Instruction

/** An instruction at which a thread rests before a row. */
sealed trait Resting extends Instruction

object Instruction {

  /**
   * Map the next row to `variable`, then continue at `next`.
   *
   * @param barred
   *   variables that the row must not satisfy (stop conditions, an absence over a gap)
   * @param passing
   *   where given, a row that does not satisfy `variable` is passed over: it is mapped to nothing,
   *   and the thread rests here. The row must not satisfy the variables given. No row is passed
   *   over before the first of a match
   * @param anywhere
   *   a row that satisfies `variable` is passed over, too: the thread continues both ways
   */
  final case class Consume(
      variable: Int,
      excluded: Boolean,
      next: Int,
      barred: Seq[Int] = Nil,
      passing: Option[Seq[Int]] = None,
      anywhere: Boolean = false)
      extends Resting

  /**
   * Look at rows, none of which is of the match, as long as there are any: none satisfies one of
   * `barred`. At the end of the partition the thread continues at `next`.
   */
  final case class Watch(barred: Seq[Int], next: Int) extends Resting

  /**
   * Continue if the next row does not satisfy `variable`, or if there is none; or if it satisfies
   * `unless`.
   */
  final case class Look(variable: Int, next: Int, unless: Option[Int] = None) extends Instruction

  /**
   * (flink) Continue if there is a next row, and it does not satisfy `variable`; rest until it is
   * there.
   */
  final case class Await(variable: Int, next: Int) extends Resting

  /**
   * (flink) After a greedy loop over one variable: from now on no row is an instance of it, up to
   * and with the next row mapped; unless the next row is a stop.
   *
   * @param stop
   *   the loop's own stop
   * @param barred
   *   what the loop could not take because of the loops around it
   * @param canGoOn
   *   another iteration is allowed: if the next row is one, the loop is not left
   * @param continuation
   *   where given, another iteration may begin after rows that are passed over
   */
  final case class LeaveLoop(
      bar: Bar,
      stop: Seq[Int],
      barred: Seq[Int],
      canGoOn: Boolean,
      continuation: Option[Continuation],
      next: Int)
      extends Instruction

  /**
   * (flink) After a loop that is left below its upper bound, `?` among them: a [[Watch]] that comes
   * before the next row mapped needs a next row.
   */
  final case class LeftBelow(next: Int) extends Instruction

  /**
   * (flink) A match ends here. Where a row was looked at since the last was mapped, it is complete
   * on that row; and it is one once no loop that was left since then can continue.
   */
  case object EndOfMatch extends Resting

  /** Continue at each target, the first preferred. */
  final case class Branch(targets: Array[Int]) extends Instruction

  /** Continue if no row of the partition precedes. */
  final case class AssertStart(next: Int) extends Instruction

  /** Continue if no row of the partition follows. */
  final case class AssertEnd(next: Int) extends Instruction

  /** Into the first iteration of a loop whose later iterations are decided on otherwise. */
  final case class LoopEnter(loop: Loop) extends Instruction

  /**
   * Before an iteration of a loop: enter the body, leave, or both in preference order, by the
   * number of iterations so far.
   */
  final case class LoopDecide(loop: Loop) extends Instruction

  /**
   * After each iteration: count it and decide again; an iteration that consumed no row ends the
   * loop once the lower bound is reached (semantics.md: Empty iterations).
   */
  final case class LoopBack(loop: Loop) extends Instruction

  /** Into a PERMUTE: all its elements remain. */
  final case class PermuteEnter(permute: Permute) extends Instruction

  /** Into the next element of a PERMUTE, or after it when none remains. */
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

  /** (flink) The place of an iteration beyond the lower bound; -1 where it is any other's. */
  var beyond: Int = -1

  /** (flink) The place after the loop once the upper bound is reached; -1 where it is [[exit]]. */
  var fullExit: Int = -1

  /**
   * Program counters; filled in once the body is compiled: of the first iteration, of a later one
   * (another place where rows may be passed over before it), of the decision, and after the loop.
   */
  var body: Int   = -1
  var again: Int  = -1
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
 * (flink) A register that is not 0 from where a greedy loop over a variable was left to the next
 * row mapped: it holds the ordinal of that loop among those left since the last row.
 */
final case class Bar(register: Int, variable: Int)

/**
 * (flink) A register that is 1 while a greedy loop that was left, and that a match can end with,
 * might continue after rows that are passed over.
 *
 * @param bar
 *   the loop's
 * @param stops
 *   what the row that it continues with must not be
 * @param barred
 *   what no row passed over is
 * @param anywhere
 *   a row that the loop cannot take is passed over though it is its variable's
 */
final case class Continuation(
    register: Int,
    bar: Bar,
    stops: Seq[Int],
    barred: Seq[Int],
    anywhere: Boolean)

/**
 * (flink) The match is the one that is complete first.
 *
 * @param lookedAt
 *   the register that is 1 if a row was looked at since the last was mapped
 * @param leftBelow
 *   the register that is 1 from where a loop was left below its upper bound to the next row; -1
 *   if it is not needed
 */
final case class FirstCompletion(
    lookedAt: Int,
    leftBelow: Int,
    bars: Seq[Bar],
    continuations: Seq[Continuation])

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
 * @param leastRows
 *   how many rows a match has at least
 */
final class Program(
    val instructions: Array[Instruction],
    val entry: Int,
    val registers: Int,
    val emptyFlags: Array[Int],
    val flink: Option[FirstCompletion] = None,
    val leastRows: Long = 0
) {
  import Instruction._

  /** Whether the next row is looked at before it is offered. */
  val looksAtNext: Boolean = instructions.exists {
    case _: Look | _: Await | _: LeaveLoop => true
    case _                                 => false
  }

  /**
   * By program counter: whether a thread that maps a row there may ask about the row after it, or
   * may end a match.
   */
  private lazy val pathsAfter: Array[Program.PathsAfter] =
    instructions.map {
      case consume: Consume => Program.pathsAfter(instructions, consume.next)
      case _                => Program.PathsAfter(ask = true, accept = true)
    }

  /** Whether a search may ask about its start row before the row is offered. */
  val asksFirst: Boolean = looksAtNext && Program.pathsAfter(instructions, entry).ask

  /** Whether a thread that rests at `at` may ask about the row after the next. */
  def asksAfter(at: Int): Boolean = pathsAfter(at).ask

  /** Whether a thread that rests at `at` may end a match with the next row. */
  def acceptsAfter(at: Int): Boolean = pathsAfter(at).accept

  /** The variables for which a row can be tested where a thread rests. */
  def tested(at: Instruction): Seq[Int] = at match {
    case consume: Consume => consume.variable +: (consume.barred ++ consume.passing.toSeq.flatten)
    case Watch(barred, _) => barred
    case _                => Nil
  }

  /** Its loops whose iterations are counted or can be empty. */
  def loops: Seq[Loop] = instructions.toSeq.collect { case LoopBack(loop) => loop }

  /** The places in the body of a loop. */
  def body(loop: Loop): BitSet = {
    val found   = mutable.BitSet(loop.body)
    val pending = mutable.Stack(loop.body)
    while (pending.nonEmpty)
      instructions(pending.pop()) match {
        case LoopBack(other) if other eq loop => // the end of the body
        case inside => Program.successors(inside).filter(found.add).foreach(pending.push)
      }
    BitSet.empty ++ found
  }

  /** Whether a match depends on being the first row of the partition. */
  def usesStart: Boolean = instructions.exists {
    case AssertStart(_) => true
    case _              => false
  }

  /** Whether it must be known, before the next row, if there is one. */
  val usesEnd: Boolean = instructions.exists {
    case AssertEnd(_) | _: Watch => true
    case _                       => looksAtNext
  }

  /**
   * Whether rows can be mapped to nothing between those of a match, or between its last
   * and one that is looked at.
   */
  val passesOver: Boolean = instructions.exists {
    case consume: Consume => consume.passing.nonEmpty
    case _: Watch         => true
    case _                => false
  }

  /**
   * What a thread does besides taking rows by their variables alone; None for the standard's
   * patterns.
   */
  val extension: Option[String] = flink
    .map(_ => "the flink dialect")
    .orElse(instructions.collectFirst {
      case _: Look                                      => "[^ ] looks at the next row"
      case _: Watch                                     => "[^ ] looks at all rows that follow"
      case consume: Consume if consume.passing.nonEmpty => "a loose loop passes over rows"
      case consume: Consume if consume.barred.nonEmpty  =>
        "rows are barred by [^ ] or by a stop of a loop"
    })

  /**
   * Whether the pattern asks nothing of a row but whether it satisfies a variable: then the search
   * may skip rows.
   */
  def canSkipRows: Boolean = !usesEnd && extension.isEmpty

  /**
   * For each program counter, an index into [[reachableSets]]: the variables that a thread there
   * can still test. Two threads at one place merge if their slots agree on what these need.
   */
  val (reachable: Array[Int], reachableSets: Array[BitSet]) = Program.reachability(instructions)
}

object Program {
  import Instruction._

  /** Where an instruction can lead. */
  private def successors(instruction: Instruction): Seq[Int] = instruction match {
    case consume: Consume  => Seq(consume.next)
    case Watch(_, next)    => Seq(next)
    case look: Look        => Seq(look.next)
    case Await(_, next)    => Seq(next)
    case leave: LeaveLoop  => Seq(leave.next)
    case LeftBelow(next)   => Seq(next)
    case Branch(targets)   => targets.toSeq
    case AssertStart(next) => Seq(next)
    case AssertEnd(next)   => Seq(next)
    case LoopEnter(loop)   => Seq(loop.body)
    case LoopDecide(loop) => Seq(loop.again, loop.exit, loop.beyond, loop.fullExit).filter(_ >= 0)
    case LoopBack(loop)   => Seq(loop.decide, loop.exit)
    case PermuteEnter(permute) => Seq(permute.next)
    case PermuteNext(permute)  => permute.elements.toSeq :+ permute.exit
    case EndOfMatch | Accept   => Nil
  }

  /** What threads may do before they rest again. */
  final private case class PathsAfter(ask: Boolean, accept: Boolean)

  private def pathsAfter(instructions: Array[Instruction], from: Int): PathsAfter = {
    val seen    = mutable.BitSet(from)
    val pending = mutable.Stack(from)
    var ask     = false
    var accept  = false
    while (pending.nonEmpty)
      instructions(pending.pop()) match {
        case _: Look | _: LeaveLoop | _: AssertEnd | _: Await | _: Watch => ask = true
        case Accept                                                      => accept = true
        case _: Resting                                                  =>
        case other => successors(other).filter(seen.add).foreach(pending.push)
      }
    PathsAfter(ask, accept)
  }

  /** Sets are bits: `V0 V1 ... V999` has a set for each variable, of all that follow. */
  private def reachability(instructions: Array[Instruction]): (Array[Int], Array[BitSet]) = {
    val next = instructions.map(successors)
    // A bar is read wherever a row is taken, passed over or watched.
    val left = BitSet.empty ++
      instructions.collect { case leave: LeaveLoop => leave.bar.variable }
    // Whether a loop continues is read where a match has ended, all bars before it included.
    val open = instructions.collect { case LeaveLoop(_, _, _, _, Some(c), _) =>
      left ++ c.stops ++ c.barred
    }
    val ended               = open.foldLeft(BitSet.empty)(_ | _)
    val sets: Array[BitSet] = instructions.map {
      case Consume(variable, _, _, barred, passing, _) =>
        left ++ barred ++ passing.toSeq.flatten + variable
      case Watch(barred, _)          => left ++ barred
      case EndOfMatch                => ended
      case Look(variable, _, unless) => BitSet.empty ++ unless + variable
      case Await(variable, _)        => left + variable
      case leave: LeaveLoop          => left ++ leave.stop ++ leave.barred
      case _                         => BitSet.empty
    }
    var changed = true
    while (changed) {
      changed = false
      // Successors were mostly compiled first: this order settles in a few rounds.
      for (at <- sets.indices) {
        val union = next(at).foldLeft(sets(at))((set, to) => set | sets(to))
        if (union.size != sets(at).size) {
          sets(at) = union
          changed = true
        }
      }
    }
    // A Scala set is hashed by its elements one by one.
    val numbers  = mutable.HashMap[java.util.BitSet, Int]()
    val distinct = mutable.ArrayBuffer[BitSet]()
    val indexes  = sets.map { set =>
      numbers.getOrElseUpdate(
        java.util.BitSet.valueOf(set.toBitMask), {
          distinct += set
          distinct.size - 1
        })
    }
    (indexes, distinct.toArray)
  }
}
