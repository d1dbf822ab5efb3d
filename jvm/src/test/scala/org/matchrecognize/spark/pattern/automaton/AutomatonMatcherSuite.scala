package org.matchrecognize.spark.pattern.automaton

import java.lang.management.ManagementFactory

import com.sun.management.ThreadMXBean
import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AutomatonEngine, GivenConditions, Quantifier, RowPattern}
import org.matchrecognize.spark.pattern.matching.{PackedNumbers, RowVerdicts}
import org.matchrecognize.spark.pattern.program.{Path, Positions, ProgramCompiler}
import org.matchrecognize.spark.reference.{PatternCase, PatternEngineChecks}
import org.matchrecognize.spark.robustness.Fuzz

/** The automaton against enumeration in preferment order, and its time on hostile shapes. */
class AutomatonMatcherSuite extends AnyFunSuite {

  private val decided: Seq[PatternCase.Kind] =
    Seq(PatternCase.Kind.RowLocal, PatternCase.Kind.Bounded)

  test("random patterns") {
    val (reports, seeds) = Fuzz.batches(inGate = 125, size = 200)(
      PatternEngineChecks.check(new AutomatonEngine, _, decided))
    val (cases, matches) = (reports.map(_.cases).sum, reports.map(_.matches).sum)
    info(s"$seeds: $cases cases, $matches matches")
    assert(
      Fuzz.isAsked || cases > 40000 && matches > 25000 && reports.map(_.noMatches).sum > 10000)
  }

  test("the blocks of a long partition join: a match over all of it, and one over its end") {
    val rows    = 5 * LiveSets.blockSize + 3
    val a       = RowPattern.Variable(0)
    val b       = RowPattern.Variable(1)
    val matcher = automaton(
      RowPattern.Concatenation(
        Seq(a, RowPattern.Quantified(a, Quantifier.star), b, RowPattern.PartitionEnd())),
      rows,
      (variable, row) => if (variable == 0) row < rows - 1 else row == rows - 1
    )
    matcher.begin(0, 1)
    assert(matcher.matchEnd == rows)
    matcher.begin(rows - 2, 1)
    assert(
      matcher.matchEnd == rows && Seq(0, 1).map(matcher.labels(2)).map(Path.variable) == Seq(
        0,
        1))
    assert(matcher.nextStart(rows - 1) == rows)
  }

  test("states that are ever new: a long counted loop in a long partition") {
    val rows    = 60000
    val a       = RowPattern.Variable(0)
    val b       = RowPattern.Variable(1)
    val pattern =
      RowPattern.Concatenation(Seq(RowPattern.Quantified(a, Quantifier.between(1500, 1500)), b))
    val random  = new scala.util.Random(7)
    val isB     = Array.fill(rows)(random.nextInt(4) == 0)
    val matcher = automaton(pattern, rows, (variable, row) => variable == 0 || isB(row))
    // Every row is an A: a match starts wherever the row 1500 rows on is a B.
    for (start <- 0 until rows by 997) {
      matcher.begin(start, 1)
      val expected = start + 1500 < rows && isB(start + 1500)
      assert(matcher.hasMatch == expected, start)
    }
  }

  test("sets of positions take bounded memory where each row is of a class of its own") {
    val variables = 0 until 16
    val all       = RowPattern.Alternation(variables.map(RowPattern.Variable(_)))
    val pattern   = RowPattern.Concatenation(
      Seq(RowPattern.Quantified(all, Quantifier.plus), RowPattern.Variable(15)))
    val sets = new LiveSets(
      Positions.of(ProgramCompiler.compile(pattern)).toOption.get,
      new RowVerdicts {
        override def classify(rows: Long): Boolean                    = true
        override def classOf(row: Long): Int                          = row.toInt
        override def satisfies(rowClass: Int, variable: Int): Boolean =
          (rowClass >> variable & 1) != 0
      },
      () => ()
    )
    val thread = ManagementFactory.getThreadMXBean.asInstanceOf[ThreadMXBean]
    val before = thread.getThreadAllocatedBytes(Thread.currentThread.getId)
    assert(sets.prepare(40000))
    val megabytes =
      (thread.getThreadAllocatedBytes(Thread.currentThread.getId) - before) >> 20
    info(s"$megabytes MB")
    assert(megabytes < 400)
  }

  private def automaton(pattern: RowPattern, rows: Int, test: (Int, Int) => Boolean) = {
    val positions = Positions.of(ProgramCompiler.compile(pattern)).toOption.get
    val verdicts  = new RowVerdicts {
      override def classify(rows: Long): Boolean = true
      override def classOf(row: Long): Int       =
        (0 to 1).map(v => if (test(v, row.toInt)) 1 << v else 0).sum
      override def satisfies(rowClass: Int, variable: Int): Boolean =
        (rowClass >> variable & 1) == 1
    }
    val matcher = new AutomatonMatcher[String](
      RowAutomaton(positions, verdicts, bound = None, decides = true),
      GivenConditions.AlwaysTrue,
      Some(PackedNumbers.onHeap()),
      () => ())
    assert(matcher.prepare(rows))
    matcher
  }
}
