package org.matchrecognize.spark.pattern.threads

import org.scalactic.source.Position
import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AfterMatch, Quantifier, QuantifierBound, RowPattern}
import org.matchrecognize.spark.pattern.keys.KeyRange
import org.matchrecognize.spark.pattern.threads.SkippedRowsCase._
import org.matchrecognize.spark.reference.{PatternEnumeration, RandomSeed, TooManySteps}
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Threads that wait in a loop whose conditions compare rows with rows mapped before: the same
 * matches as by enumeration, and as by offering each row.
 */
class SkippedRowsSuite extends AnyFunSuite {
  import SkippedRowsSuite._

  test("the first row with a key in a range, or out of it") {
    for (seed <- 1L to 300L) {
      val random = RandomSeed(seed, "keys")
      val size   = 1 + random.nextInt(3000)
      val data   = Data.random(random, size)
      val closed = if (random.nextInt(4) == 0) random.nextInt(size) else size
      val keys   = data.keys(_ >= closed)
      var start  = 0
      keys.beginPartition()
      while (start < size) {
        keys.begin(start.toLong)
        for (_ <- 1 to 5) {
          val from      = start + random.nextInt(size - start)
          val until     = from + random.nextInt(size - from + 1)
          val key       = data.someKey(random)
          val signs     = Signs.random(random)
          val satisfied = random.nextBoolean()
          val range     = new KeyRange
          range.compare(key, signs.less, signs.equal, signs.greater)
          val wanted = (from until until)
            .find(row => row >= closed || signs.holds(data.value(0)(row), Some(key)) == satisfied)
            .getOrElse(until)
          val found = keys.first(0, range, satisfied, from.toLong, until.toLong)
          assert(found == wanted, s"seed $seed: $signs $key $satisfied from $from to $until")
        }
        start += 1 + random.nextInt(1 + size / 4)
      }
    }
  }

  test("random patterns on few rows: as enumerated") {
    val report = draw(inGate = 50, size = 100)(checkFew)
    assert(Fuzz.isAsked || report.cases > 3700 && report.matches > 3700)
    assert(Fuzz.isAsked || report.steps < report.allSteps)
  }

  test("random patterns on many rows: the same as by offering each row, with fewer steps") {
    val report = draw(inGate = 24, size = 50)(checkMany)
    assert(Fuzz.isAsked || report.matches > 45000 && report.errors > 45)
    assert(Fuzz.isAsked || report.steps < 0.8 * report.allSteps)
  }

  /** What the checks of the drawn seeds have found, together. */
  private def draw(inGate: Int, size: Int)(check: Seq[Long] => Report)(implicit
      test: Position): Report = {
    val (reports, seeds) = Fuzz.batches(inGate, size, share = 1.0 / 2)(check)
    info(s"$seeds: ${sum(reports)}")
    sum(reports)
  }

  import RowPattern._

  private val dip =
    Concatenation(Seq(Variable(0), Quantified(Variable(1), Quantifier.plus), Variable(2)))

  /** A row below the first, and one that is not. */
  private val below = new Comparing(
    IndexedSeq(
      Condition.always,
      Condition.Test(0, Signs(less = true, equal = false, greater = false), Other.LastOfFirst),
      Condition.Test(0, Signs(less = false, equal = true, greater = true), Other.LastOfFirst)
    ))

  test("a falling series takes some steps for each row") {
    val data  = Data(IndexedSeq(IndexedSeq.tabulate(200000)(row => Some(-row.toLong))))
    val found = searchRows(dip, data, below, Setup.plain, skips = true)
    assert(found.events == Nil)
    assert(found.steps < 200000L * 20, found.steps)
  }

  test("a falling series takes some steps for each row, whatever the bounds of the loop") {
    val data = Data(IndexedSeq(IndexedSeq.tabulate(20000)(row => Some(-row.toLong))))
    for ((lower, upper) <- Seq((1, 5000), (300, 301), (4000, 4000))) {
      val bounds  = Quantifier(QuantifierBound.Count(lower), QuantifierBound.Count(upper))
      val bounded = Concatenation(Seq(Variable(0), Quantified(Variable(1), bounds), Variable(2)))
      val found   = searchRows(bounded, data, below, Setup.plain, skips = true)
      assert(found.events == Nil)
      assert(found.steps < 20000L * 30, s"{$lower,$upper}: ${found.steps}")
    }
  }

  test("a dip of many rows, with labels and without them") {
    val data = Data(IndexedSeq(IndexedSeq.tabulate(50001)(row =>
      Some(if (row % 50000 == 0) 0L else -1L - row % 7))))
    for (labels <- Seq(true, false)) {
      val found = searchRows(dip, data, below, Setup.plain.copy(labels = labels), skips = true)
      assert(found.steps < 1000, found.steps)
      assert(found.events.map(e => (e.kind, e.start, e.end)) == Seq(("match", 0, 50001)))
      if (labels) {
        assert(
          found.events.head.labels == (0 -> false) +: Seq.fill(49999)(1 -> false) :+ (2 -> false))
      }
    }
  }

  test("a dip of which only tests tell the end: half of the steps, the same match") {
    val data = Data(IndexedSeq(IndexedSeq.tabulate(50001)(row =>
      Some(if (row % 50000 == 0) 0L else -1L - row % 7))))
    for (labels <- Seq(true, false); untold <- Seq(Set(0, 1, 2), Set(1), Set(2))) {
      val setup = Setup.plain.copy(labels = labels, untold = untold)
      val found = searchRows(dip, data, below, setup, skips = true)
      val each  = searchRows(dip, data, below, setup, skips = false)
      assert(found.events == each.events && found.events.map(_.end) == Seq(50001))
      val tests = 50000 * (untold & Set(1, 2)).size
      assert(found.steps >= tests && found.steps < tests + 1000 && 2 * tests < each.steps)
    }
  }

  test("a loop at the end of the pattern accepts the rows that it skips") {
    val falls = Concatenation(Seq(Variable(0), Quantified(Variable(1), Quantifier.plus)))
    val data  = Data(
      IndexedSeq(IndexedSeq.tabulate(60000)(row => Some(if (row < 50000) -row.toLong else 1L))))
    val setup = Setup.plain.copy(after = AfterMatch.ToNextRow, labels = false)
    val found = searchRows(falls, data, below, setup, skips = true)
    assert(found.events.map(e => (e.start, e.end)) == (0 to 49998).map(_ -> 50000))
    assert(found.steps < 50000L * 30, found.steps)
  }

  test("a state from which skipped rows lead to a match is not taken to fail") {
    val falls = Concatenation(
      Seq(Quantified(Variable(0), Quantifier.plus), Quantified(Variable(1), Quantifier.plus)))
    val data  = Data(IndexedSeq(IndexedSeq.tabulate(50)(row => Some(if (row < 3) 5L else 1L))))
    val after = new Comparing(
      IndexedSeq(
        Condition.Test(0, Signs(less = false, equal = true, greater = true), Other.Constant(3)),
        Condition.Test(0, Signs(less = true, equal = false, greater = false), Other.LastOfFirst)
      ))
    for (labels <- Seq(true, false)) {
      val setup = Setup.plain.copy(after = AfterMatch.ToNextRow, labels = labels)
      val found = searchRows(falls, data, after, setup, skips = true)
      assert(found.events.map(e => (e.start, e.end)) == Seq((0, 50), (1, 50), (2, 50)))
    }
  }
}

private object SkippedRowsSuite {

  final case class Report(cases: Int, matches: Int, errors: Int, steps: Long, allSteps: Long) {
    def +(that: Report): Report = Report(
      cases + that.cases,
      matches + that.matches,
      errors + that.errors,
      steps + that.steps,
      allSteps + that.allSteps)
  }

  private def sum(reports: Seq[Report]): Report =
    reports.foldLeft(Report(0, 0, 0, 0, 0))(_ + _)

  /** Compares with enumeration. */
  def checkFew(seeds: Seq[Long]): Report = sum(seeds.map { seed =>
    val random     = RandomSeed(seed, "few")
    val data       = Data.random(random, 2 + random.nextInt(8))
    val conditions = Comparing.random(random)
    val pattern    = drawPattern(random)
    val setup      = Setup.random(random, data.size)
    try {
      val wanted = enumerated(pattern, data, conditions, setup)
      val found  = searchRows(pattern, data, conditions, setup, skips = true)
      val each   = searchRows(pattern, data, conditions, setup, skips = false)
      compare(seed, pattern, data, conditions, setup, found.events, wanted)
      Report(1, wanted.count(_.kind == "match"), 0, found.steps, each.steps)
    } catch { case _: TooManySteps => Report(0, 0, 0, 0, 0) }
  })

  /** Compares with the search that is offered each row. */
  def checkMany(seeds: Seq[Long]): Report = sum(seeds.map { seed =>
    val random     = RandomSeed(seed, "many")
    val size       = 20 + random.nextInt(600)
    val data       = Data.random(random, size)
    val conditions = Comparing.random(random)
    val pattern    = drawPattern(random)
    // What is always true does not fail.
    val errors =
      if (random.nextInt(4) == 0) conditions.drawError(random, size) else Set.empty[(Int, Int)]
    val setup = Setup.random(random, size).copy(errors = errors)
    // Where threads remember two rows that differ, what they take can grow with the fourth power.
    val budget = 50L * 1000 * 1000
    try {
      val each  = searchRows(pattern, data, conditions, setup, skips = false, budget)
      val found = searchRows(pattern, data, conditions, setup, skips = true)
      compare(seed, pattern, data, conditions, setup, found.events, each.events)
      Report(
        1,
        each.events.count(_.kind == "match"),
        each.events.count(_.kind.startsWith("failed")),
        found.steps,
        each.steps)
    } catch { case _: TooManySteps => Report(0, 0, 0, 0, 0) }
  })

  private def compare(
      seed: Long,
      pattern: RowPattern,
      data: Data,
      conditions: Comparing,
      setup: Setup,
      found: Seq[Event],
      wanted: Seq[Event]): Unit =
    if (found != wanted) {
      throw new AssertionError(
        s"seed $seed: ${describe(pattern)}, $setup\n$conditions\n$data\n" +
          s"expected ${wanted.mkString("\n  ")}\nfound ${found.mkString("\n  ")}")
    }

  private def enumerated(
      pattern: RowPattern,
      data: Data,
      conditions: Comparing,
      setup: Setup): Seq[Event] = {
    val reference = new PatternEnumeration(
      data.size,
      (variable, row, labels) => {
        val start          = row - labels.size
        val all            = labels :+ variable
        def at(index: Int) = if (index < 0) -1L else (start + index).toLong
        conditions.holds(
          variable,
          data,
          row.toLong,
          new Anchors(at(all.lastIndexOf(0)), at(all.indexOf(1))))
      },
      horizon = start => setup.within.fold(Int.MaxValue)(start + _ + 1)
    )
    def from(start: Int): List[Event] =
      if (start >= data.size) Nil
      else
        reference.firstMatch(pattern, start) match {
          case Some(rows) =>
            val end  = start + rows.size
            val next =
              if (setup.after == AfterMatch.PastLastRow && rows.nonEmpty) end else start + 1
            val labels = if (setup.labels) rows.map(m => (m.variable, m.excluded)) else Nil
            Event("match", start, end, labels) :: from(next)
          case None => from(start + 1)
        }
    from(0)
  }
}
