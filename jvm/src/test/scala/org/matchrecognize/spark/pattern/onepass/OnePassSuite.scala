package org.matchrecognize.spark.pattern.onepass

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AfterMatch, GivenConditions, Labels, RowPattern}
import org.matchrecognize.spark.pattern.matching.{Limits, PackedNumbers, SearchResult}
import org.matchrecognize.spark.pattern.program.{Path, Positions, Program, ProgramCompiler}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}
import org.matchrecognize.spark.reference.RandomPatterns
import org.matchrecognize.spark.robustness.Fuzz

/** The one-pass automaton against the threads, on patterns that it takes. */
class OnePassSuite extends AnyFunSuite {
  import OnePassSuite._

  test("random patterns whose variables exclude each other") {
    check(2000, exclusive = true, fails = false)
  }

  test("random patterns and any rows") {
    check(500, exclusive = false, fails = false)
  }

  test("conditions that fail: the same matches come before the error, or there is none") {
    check(2000, exclusive = true, fails = true)
  }

  test("conditions that read the rows of their match") {
    check(700, exclusive = false, fails = false, readMatch = 0.5)
  }

  test("conditions that read the rows of their match and fail") {
    check(500, exclusive = false, fails = true, readMatch = 0.5)
  }

  test("a search that has met an error finds no match any more") {
    // B A | PERMUTE(B, B, A): the search from row 0, which mapped A and B, fails at row 2. There the
    // search from row 1 would find B A, had it not met an error when it tested A at row 1.
    val (a, b)  = (RowPattern.Variable(0), RowPattern.Variable(1))
    val pattern = RowPattern.Alternation(
      Seq(RowPattern.Concatenation(Seq(b, a)), RowPattern.Permutation(Seq(b, b, a))))
    val (yes, no, failed) = (Verdict.True, Verdict.False, Verdict.Failed)
    val rows              = Vector(Vector(yes, no), Vector(failed, yes), Vector(yes, no))
    val compared          = Comparison(pattern, 2, exclusive = true, fails = true, Set.empty)
    val found = compared.outcomes(rows.size, (variable, row, _) => rows(row)(variable))
    assert(found.contains(Outcome(Nil, failed = true) -> Outcome(Nil, failed = true)))
  }

  /** Compares on random cases, of which the gate draws at least so many that are for one pass. */
  private def check(
      atLeast: Int,
      exclusive: Boolean,
      fails: Boolean,
      readMatch: Double = 0): Unit = {
    val (taken, seeds) = Fuzz.batches(inGate = 20, size = 1000, share = 0.2, first = 1) { batch =>
      batch.count(seed => agrees(new Random(seed), exclusive, fails, readMatch))
    }
    info(s"$seeds: ${taken.sum} patterns for one pass")
    assert(Fuzz.isAsked || taken.sum > atLeast)
  }
}

private object OnePassSuite {

  /** What a search did: matches, as start row and labels, and whether it ended with an error. */
  final private case class Outcome(matches: Seq[(Long, Seq[Int])], failed: Boolean)

  final private class TestFailed extends RuntimeException

  /** The verdict of a variable at a row, given the variables of the rows before in its match. */
  private type Tested = (Int, Int, IndexedSeq[Int]) => Verdict

  /**
   * Compares on a random case; false if its pattern is not for one pass.
   *
   * @param readMatch
   *   how many of the conditions read the rows of their match
   */
  private def agrees(
      random: Random,
      exclusive: Boolean,
      fails: Boolean,
      readMatch: Double): Boolean = {
    val variables = 1 + random.nextInt(4)
    val pattern   =
      if (random.nextInt(4) == 0) words(random, variables)
      else new RandomPatterns(random, variables).next(2 + random.nextInt(6))
    val readsMatch = (0 until variables).filter(_ => random.nextDouble() < readMatch).toSet
    val compared   = Comparison(pattern, variables, exclusive, fails, readsMatch)
    // A pattern takes longer to compile than to search for in a table.
    Seq.fill(8)(random.nextLong()).forall { seed =>
      val random = new Random(seed)
      val rows   = Vector.fill(1 + random.nextInt(10))(row(random, variables, exclusive, fails))
      val salt   = random.nextInt()
      val tested: Tested = (variable, row, before) =>
        if (readsMatch(variable)) {
          val own = new Random((variable, row, before, salt).hashCode)
          this.row(own, 1, exclusive = false, fails).head
        } else rows(row)(variable)
      compared.outcomes(rows.size, tested).exists { case (found, expected) =>
        assert(
          found == expected,
          s"${RowPattern.sql(pattern, _.toString)} on $rows, $readsMatch with $salt: $found, " +
            s"not $expected")
        true
      }
    }
  }

  /**
   * One of some short sequences of variables. Searches from several rows are open at once, each
   * with several threads.
   */
  private def words(random: Random, variables: Int): RowPattern = {
    def word() = RowPattern.Concatenation(
      Seq.fill(2 + random.nextInt(2))(RowPattern.Variable(random.nextInt(variables))))
    RowPattern.Alternation(Seq.fill(2 + random.nextInt(3))(word()))
  }

  /** What the automaton and the threads do, as far as a pattern is for one pass. */
  final private case class Comparison(
      pattern: RowPattern,
      variables: Int,
      exclusive: Boolean,
      fails: Boolean,
      readsMatch: Set[Int]) {
    private val program  = ProgramCompiler.compile(pattern)
    private val possible = PossibleVerdicts(
      Vector.fill(variables)(None),
      (for (v <- 0 until variables; w <- 0 until v if exclusive) yield v -> w).toSet,
      Set.empty,
      if (fails) (0 until variables).toSet else Set.empty,
      readsMatch
    )

    private val automaton = for {
      positions <- Positions.of(program).toOption
      automaton <- OnePass.of(program, positions, possible).toOption
    } yield automaton

    def outcomes(rows: Int, tested: Tested): Option[(Outcome, Outcome)] =
      automaton.map(runOnePass(_, rows, tested) -> runThreads(program, rows, tested))
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

  private def runOnePass(automaton: OnePass, rows: Int, tested: Tested): Outcome = {
    val banks                          = new Array[List[(Int, Int)]](automaton.banks)
    val matches                        = mutable.ArrayBuffer[(Long, Seq[Int])]()
    var failed                         = false
    var state                          = automaton.initial
    def mapped(bank: List[(Int, Int)]) = bank.reverse.map(_._2).toVector
    def emit(bank: Int)                = if (bank >= 0) {
      matches += (banks(bank).last._1.toLong -> mapped(banks(bank)))
    }
    for (r <- 0 until rows if !failed) {
      val needed                       = automaton.testsOfMatch(state)
      def verdict(test: Test): Verdict = {
        assert(test.bank == Test.noBank || needed(test))
        tested(test.variable, r, if (test.bank < 0) Vector.empty else mapped(banks(test.bank)))
      }
      val t = automaton.step(state, verdict)
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

  private def runThreads(program: Program, rows: Int, tested: Tested): Outcome = {
    val conditions = new GivenConditions(
      (variable, row, before) =>
        tested(variable, row, before.toVector) match {
          case Verdict.Failed => throw new TestFailed
          case verdict        => verdict == Verdict.True
        },
      identity)
    val search = new PartitionSearch[Labels](
      program,
      conditions,
      Some(PackedNumbers.onHeap()),
      SearchOptions(AfterMatch.PastLastRow, false, false, 0, 0, 0),
      new Limits(1000000, () => ()),
      None)
    val matches = mutable.ArrayBuffer[(Long, Seq[Int])]()
    val failed  =
      try {
        while (search.advance(rows, complete = true) == SearchResult.Match)
          matches += (search.start -> (0 until (search.end - search.start).toInt)
            .map(search.matchLabels)
            .map(Path.variable))
        false
      } catch { case _: TestFailed => true }
    Outcome(matches.toSeq, failed)
  }
}
