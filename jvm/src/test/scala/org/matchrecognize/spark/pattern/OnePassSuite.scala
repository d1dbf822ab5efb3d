package org.matchrecognize.spark.pattern

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.matching.{Limits, SearchResult, SmallNumbers}
import org.matchrecognize.spark.pattern.onepass.{OnePass, PossibleVerdicts, Verdict}
import org.matchrecognize.spark.pattern.program.{Path, Positions, Program, ProgramCompiler}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}
import org.matchrecognize.spark.reference.RandomPatterns

/** The one-pass automaton against the threads, on patterns that it takes. */
class OnePassSuite extends AnyFunSuite {
  import OnePassSuite._

  test("random patterns whose variables exclude each other") {
    val taken =
      (1 to 20000).count(seed => agrees(new Random(seed), exclusive = true, fails = false))
    assert(taken > 2000)
  }

  test("random patterns and any rows") {
    val taken =
      (1 to 20000).count(seed => agrees(new Random(seed), exclusive = false, fails = false))
    assert(taken > 500)
  }

  test("conditions that fail: the same matches come before the error, or there is none") {
    val taken =
      (1 to 20000).count(seed => agrees(new Random(seed), exclusive = true, fails = true))
    assert(taken > 2000)
  }
}

private object OnePassSuite {

  /** What a search did: matches, as start row and labels, and whether it ended with an error. */
  final private case class Outcome(matches: Seq[(Long, Seq[Int])], failed: Boolean)

  final private class TestFailed extends RuntimeException

  /** Compares on a random case; false if its pattern is not for one pass. */
  private def agrees(random: Random, exclusive: Boolean, fails: Boolean): Boolean = {
    val variables = 1 + random.nextInt(4)
    val pattern   = new RandomPatterns(random, variables).next(2 + random.nextInt(6))
    val rows      = Vector.fill(1 + random.nextInt(10))(row(random, variables, exclusive, fails))
    val program   = ProgramCompiler.compile(pattern)
    val possible  = new PossibleVerdicts(
      Vector.fill(variables)(None),
      (for (v <- 0 until variables; w <- 0 until v if exclusive) yield v -> w).toSet,
      Set.empty,
      if (fails) (0 until variables).toSet else Set.empty)
    Positions.of(program).exists { positions =>
      OnePass.of(program, positions, possible) match {
        case Left(_)          => false
        case Right(automaton) =>
          val found    = runOnePass(automaton, rows)
          val expected = runThreads(program, rows)
          assert(
            found == expected,
            s"${RowPattern.sql(pattern, _.toString)} on $rows: $found, not $expected")
          true
      }
    }
  }

  private def row(random: Random, variables: Int, exclusive: Boolean, fails: Boolean) = {
    val all =
      if (exclusive) {
        val one = random.nextInt(variables + 1)
        IndexedSeq.tabulate(variables)(v => if (v == one) Verdict.True else Verdict.False)
      } else {
        IndexedSeq.fill(variables)(if (random.nextInt(5) < 3) Verdict.True else Verdict.False)
      }
    if (fails && random.nextInt(6) == 0) all.updated(random.nextInt(variables), Verdict.Failed)
    else all
  }

  private def runOnePass(automaton: OnePass, rows: Seq[IndexedSeq[Verdict]]): Outcome = {
    val banks           = new Array[List[(Int, Int)]](automaton.banks)
    val matches         = mutable.ArrayBuffer[(Long, Seq[Int])]()
    var failed          = false
    var state           = automaton.initial
    def emit(bank: Int) = if (bank >= 0) {
      val mapped = banks(bank).reverse
      matches += (mapped.head._1.toLong -> mapped.map(_._2))
    }
    for ((verdicts, r) <- rows.zipWithIndex if !failed) {
      val t = automaton.step(state, verdicts)
      emit(t.emitBefore)
      for ((from, to) <- t.copies) banks(to) = banks(from)
      for (m <- t.mappings)
        banks(m.bank) = (r -> m.variable) :: (if (m.fresh) Nil else banks(m.bank))
      emit(t.emitAfter)
      failed = t.fails
      state = t.target
    }
    if (!failed) {
      emit(automaton.pendingAtEnd(state))
      failed = automaton.failsAtEnd(state)
    }
    Outcome(matches.toSeq, failed)
  }

  private def runThreads(program: Program, rows: Seq[IndexedSeq[Verdict]]): Outcome = {
    val conditions = new GivenConditions(
      (variable, row, _) =>
        rows(row)(variable) match {
          case Verdict.Failed => throw new TestFailed
          case verdict        => verdict == Verdict.True
        },
      _ => 0)
    val search = new PartitionSearch[Labels](
      program,
      conditions,
      Some(SmallNumbers.onHeap()),
      SearchOptions(AfterMatch.PastLastRow, false, false, 0, 0, 0),
      new Limits(1000000, () => ()),
      None)
    val matches = mutable.ArrayBuffer[(Long, Seq[Int])]()
    val failed  =
      try {
        while (search.advance(rows.size, complete = true) == SearchResult.Match)
          matches += (search.start -> (0 until (search.end - search.start).toInt)
            .map(search.matchLabels)
            .map(Path.variable))
        false
      } catch { case _: TestFailed => true }
    Outcome(matches.toSeq, failed)
  }
}
