package org.matchrecognize.spark.pattern.program

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{Quantifier, RowPattern}
import org.matchrecognize.spark.pattern.program.Instruction._
import org.matchrecognize.spark.reference.RandomPatterns

/** Paths that are computed once, against a stack of places that are left one by one. */
class FixedPathsSuite extends AnyFunSuite {

  private def endsPath(instruction: Instruction): Boolean = instruction match {
    case _: Consume | Accept => true
    case _                   => false
  }

  /** Where paths end by a stack; places that were left already are not left again. */
  private def byStack(program: Program, start: Int, left: Set[Int]): Seq[Int] = {
    val closure = new Closure(program)
    val seen    = mutable.Set.empty ++ left
    val ends    = mutable.ArrayBuffer[Int]()
    closure.push(start, closure.noRegisters)
    while (!closure.isEmpty) {
      closure.pop()
      if (seen.add(closure.at)) {
        if (endsPath(program.instructions(closure.at))) ends += closure.at
        closure.leave(atStart = false, atEnd = false)
      }
    }
    ends.toSeq
  }

  private def byList(program: Program, paths: FixedPaths, left: Set[Int]): Seq[Int] = {
    val seen = mutable.Set.empty ++ left
    val ends = mutable.ArrayBuffer[Int]()
    var i    = 0
    while (i < paths.size) {
      val at = paths.places(i)
      assert(paths.isConsume(i) == program.instructions(at).isInstanceOf[Consume])
      assert(paths.isAccept(i) == (program.instructions(at) == Accept))
      if (!seen.add(at)) i = paths.after(i)
      else {
        if (endsPath(program.instructions(at))) ends += at
        i += 1
      }
    }
    ends.toSeq
  }

  test("random patterns: the ends of the paths in the same order, whatever was left before") {
    var fixed = 0
    var other = 0
    for (seed <- 1L to 1000L) {
      val random  = new Random(seed)
      val pattern = new RandomPatterns(random, variableCount = 3).next(1 + random.nextInt(8))
      val program = ProgramCompiler.compile(pattern)
      for (start <- program.instructions.collect { case consume: Consume => consume.next }) {
        val paths = FixedPaths.from(program, start)
        if (paths == null) other += 1
        else {
          fixed += 1
          for (share <- Seq(0.0, 0.2, 0.6)) {
            val left = program.instructions.indices.filter(_ => random.nextDouble() < share).toSet
            assert(
              byList(program, paths, left) == byStack(program, start, left),
              s"seed $seed, place $start, left $left: $pattern")
          }
        }
      }
    }
    info(s"$fixed fixed, $other others")
    assert(fixed > 2000 && other > 1000)
  }

  private val a = RowPattern.Variable(0)

  private def afterA(rest: RowPattern): FixedPaths = {
    val program = ProgramCompiler.compile(RowPattern.Concatenation(Seq(a, rest)))
    val next    = program.instructions(program.entry).asInstanceOf[Consume].next
    FixedPaths.from(program, next)
  }

  test(
    "counts, flags of empty iterations and anchors are not fixed, and long lists are not kept") {
    def times(pattern: RowPattern, quantifier: Quantifier) =
      RowPattern.Quantified(pattern, quantifier)
    def optional(n: Int) =
      RowPattern.Concatenation(Seq.fill(n)(times(RowPattern.Variable(1), Quantifier.optional)))
    assert(afterA(times(a, Quantifier.plus)) != null)
    assert(afterA(times(a, Quantifier.between(2, 3))) == null)
    assert(afterA(times(optional(2), Quantifier.star)) == null)
    assert(afterA(RowPattern.PartitionEnd()) == null)
    // A choice and a variable each, and the end of the match.
    assert(afterA(optional(7)).size == 15)
    assert(afterA(optional(8)) == null)
  }
}
