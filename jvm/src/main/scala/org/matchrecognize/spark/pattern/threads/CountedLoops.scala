package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.program.{Instruction, Loop, Program}
import org.matchrecognize.spark.pattern.program.Instruction._

/** The loops of a program that count their iterations, and what they count up to. */
private[pattern] object CountedLoops {

  /**
   * Whether [[JointSearch]] can follow a program, and a loop of it has a bound of at least `count`.
   * With smaller ones, threads of different start rows soon merge or fail.
   *
   * Registers must be counters, or flags of empty iterations. What a PERMUTE has left is neither.
   * The next row, and the end of the partition, must not matter: no anchor `$`, no absence, no stop
   * condition, no loose loop, and nothing of the flink dialect.
   */
  def areLarge(program: Program, count: Int): Boolean =
    program.flink.isEmpty && program.instructions.forall(isPlain) &&
      program.instructions.exists {
        case LoopDecide(loop) => bound(loop) >= count
        case _                => false
      }

  /** The greatest count of a loop that makes a difference; 0 if nothing is counted. */
  private def bound(loop: Loop): Int =
    if (loop.counter < 0) 0 else if (loop.upper == Int.MaxValue) loop.lower else loop.upper

  private def isPlain(instruction: Instruction): Boolean = instruction match {
    case consume: Consume              => consume.barred.isEmpty && consume.passing.isEmpty
    case LoopEnter(loop)               => isPlain(loop)
    case LoopDecide(loop)              => isPlain(loop)
    case LoopBack(loop)                => isPlain(loop)
    case _: Branch | _: AssertStart    => true
    case Accept                        => true
    case _: AssertEnd | _: PermuteNext => false
    case _: PermuteEnter | _: Look     => false
    case _: Watch | _: Await | Settle  => false
    case _: LeaveLoop | _: LeftBelow   => false
  }

  private def isPlain(loop: Loop): Boolean = loop.beyond < 0 && loop.fullExit < 0
}
