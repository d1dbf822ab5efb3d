package org.matchrecognize.spark.pattern.threads

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import org.scalactic.source.Position
import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  GivenConditions,
  Labels,
  Quantifier,
  RowPattern
}
import org.matchrecognize.spark.pattern.matching.{
  Limits,
  PackedNumbers,
  SearchResult,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.{Path, ProgramCompiler}
import org.matchrecognize.spark.pattern.search.{JointOptions, PartitionSearch, SearchOptions}
import org.matchrecognize.spark.reference.{
  PatternCase,
  PatternEnumeration,
  PatternText,
  RandomLargeCounts,
  RandomSeed,
  TooManySteps
}
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Start rows searched together, in patterns with counts around the size of the partition: the same
 * results as enumeration, and as the search of each start row alone.
 */
class JointSearchSuite extends AnyFunSuite {
  import JointSearchSuite._

  test("random patterns on few rows: as enumerated") {
    val report = draw(inGate = 70, size = 100)(checkFew)
    assert(Fuzz.isAsked || report.cases > 4500 && report.matches > 5800 && report.ruledOut > 1700)
  }

  test("random patterns on many rows: the same as start rows searched alone") {
    val report = draw(inGate = 50, size = 50)(checkMany)
    assert(
      Fuzz.isAsked || report.matches > 12000 && report.ruledOut > 12000 && report.errors > 240)
  }

  /** What the checks of the drawn seeds have found, together. */
  private def draw(inGate: Int, size: Int)(check: Seq[Long] => Report)(implicit
      test: Position): Report = {
    val (reports, seeds) = Fuzz.batches(inGate, size, share = 1.0 / 2)(check)
    info(s"$seeds: ${sum(reports)}")
    sum(reports)
  }

  private def variable(id: Int): RowPattern = RowPattern.Variable(id)

  private def loop(element: RowPattern, lower: Int, upper: Int): RowPattern =
    RowPattern.Quantified(element, Quantifier.between(lower, upper))

  private def sequence(elements: RowPattern*): RowPattern = RowPattern.Concatenation(elements)

  private val (a, b, c) = (variable(0), variable(1), variable(2))

  /** Every row is an A, no row a B, and every tenth a C. */
  private def everyTenth(id: Int, row: Int): Boolean = id == 0 || id == 2 && row % 10 == 0

  /** The same with a B every 7,000 rows. */
  private def someB(id: Int, row: Int): Boolean =
    everyTenth(id, row) || id == 1 && row % 7000 == 6999

  for ((what, pattern, satisfies) <- Seq[(String, RowPattern, (Int, Int) => Boolean)](
      ("one loop", sequence(loop(a, 1000, 5000), b), everyTenth),
      ("a count beyond the rows", sequence(loop(a, Int.MaxValue, Int.MaxValue), b), everyTenth),
      ("few start rows that begin", sequence(c, loop(a, 1000, 5000), b), everyTenth),
      (
        "an alternation",
        sequence(loop(RowPattern.Alternation(Seq(a, c)), 500, 900), b),
        everyTenth),
      ("loops in a row", sequence(loop(a, 200, 300), loop(a, 500, 700), b), everyTenth),
      ("a loop in a loop", sequence(loop(sequence(loop(a, 3, 3), c), 200, 400), b), everyTenth),
      ("matches", sequence(loop(a, 500, 900), b), someB),
      ("matches with other rows before", sequence(loop(a, 500, 900), c, b), someB)
    ))
    test(s"$what: steps grow with the rows, not with rows times counts") {
      val few  = search(pattern, 20000, satisfies, pastLast, Some(JointOptions.usual))
      val many = search(pattern, 40000, satisfies, pastLast, Some(JointOptions.usual))
      info(s"${few.steps} and ${many.steps} steps")
      assert(many.steps < 2.6 * few.steps)
      assert(many.steps < 200L * 40000)
    }

  test("matches of A{500,900} B are where they are") {
    // A start row from 900 to 500 rows before a B has a match. After a B the next row starts.
    val found =
      search(sequence(loop(a, 500, 900), b), 40000, someB, pastLast, Some(JointOptions.usual))
    assert(
      found.events.map(e => (e.start, e.start + e.labels.size)) ==
        (0 until 5).map(i => (7000 * i + 6099, 7000 * (i + 1))))
    assert(found.ruledOut > 20000)
  }

  test("an error that a search comes to is raised, and one that none comes to is not") {
    // B is tested where at least 500 rows precede.
    def failing(at: Int)(id: Int, row: Int) =
      if (id == 1 && row == at) throw new FailedTest(id, row) else someB(id, row)
    val pattern = sequence(loop(a, 500, 900), b)
    val raised  = search(pattern, 12000, failing(9000), pastLast, Some(JointOptions.usual))
    assert(raised.events.map(_.kind) == Seq("match", "failed at 1, 9000"))
    // The match ends at row 6999; the next search begins after it.
    val unseen = search(pattern, 12000, failing(7000), pastLast, Some(JointOptions.usual))
    assert(unseen.events.map(_.kind) == Seq("match"))
  }

  test("the budget does not end a search of start rows together") {
    // The first start row takes 1,000 rows, each joint search at least as many.
    val pattern               = sequence(loop(a, 900, 1000), b)
    def found(maxSteps: Long) =
      search(pattern, 40000, everyTenth, pastLast, Some(JointOptions.usual), maxSteps).events
    assert(found(100000).isEmpty)
    assert(found(10000).map(_.kind) == Seq("over budget"))
  }
}

private object JointSearchSuite {

  final case class Event(kind: String, start: Int, labels: Seq[(Int, Boolean)])

  final case class Found(events: Seq[Event], ruledOut: Long, steps: Long)

  final case class Report(cases: Int, matches: Int, ruledOut: Long, errors: Int) {
    def +(that: Report): Report = Report(
      cases + that.cases,
      matches + that.matches,
      ruledOut + that.ruledOut,
      errors + that.errors)
  }

  /** Where the search continues, what is wanted, and where rows come one by one, in random turns. */
  final case class Setup(after: AfterMatch, unmatched: Boolean, cut: Option[Random])

  val pastLast: Setup = Setup(AfterMatch.PastLastRow, unmatched = false, None)

  /** So that few rows are enough. */
  private val soon = JointOptions(leastCount = 1, leastSteps = 1, leastFactor = 0)

  final class FailedTest(val variable: Int, val row: Int) extends RuntimeException

  private def drawSetup(random: Random): Setup = Setup(
    if (random.nextBoolean()) AfterMatch.PastLastRow else AfterMatch.ToNextRow,
    random.nextBoolean(),
    if (random.nextBoolean()) Some(random) else None)

  private def drawPattern(seed: Long, drawn: PatternCase): RowPattern =
    new RandomLargeCounts(RandomSeed(seed, "counts"), drawn.rowCount)(drawn.pattern)

  private def sum(reports: Seq[Report]): Report = reports.foldLeft(Report(0, 0, 0, 0))(_ + _)

  /** Compares with enumeration. */
  def checkFew(seeds: Seq[Long]): Report = sum(seeds.map { seed =>
    val random = RandomSeed(seed, "few")
    val drawn  = PatternCase.random(seed, PatternCase.Kind.RowLocal, rows = 6 + random.nextInt(7))
    val pattern = drawPattern(seed, drawn)
    val setup   = drawSetup(random)
    try {
      val wanted = expected(pattern, drawn, setup)
      val found  = search(
        pattern,
        drawn.rowCount,
        drawn.conditions.satisfies(_, _, Vector.empty),
        setup,
        Some(soon))
      compare(seed, pattern, drawn, found.events, wanted)
      Report(1, wanted.count(_.kind == "match"), found.ruledOut, 0)
    } catch { case _: TooManySteps => Report(0, 0, 0, 0) }
  })

  /** Compares with the search of each start row alone. */
  def checkMany(seeds: Seq[Long]): Report = sum(seeds.map { seed =>
    val random = RandomSeed(seed, "many")
    val drawn  =
      PatternCase.random(seed, PatternCase.Kind.RowLocal, rows = 30 + random.nextInt(90))
    val pattern    = drawPattern(seed, drawn)
    val drawnSetup = drawSetup(random)
    val factor     = random.nextInt(3).toLong
    // Most rows are alike, so that loops go far.
    val usual  = 1 + random.nextInt(20)
    val errors =
      if (random.nextInt(3) == 0) {
        Set((random.nextInt(drawn.variableCount), random.nextInt(drawn.rowCount)))
      } else {
        Set.empty[(Int, Int)]
      }
    def satisfies(variable: Int, row: Int) =
      if (errors((variable, row))) throw new FailedTest(variable, row)
      else drawn.conditions.satisfies(variable, if (row % usual == 0) row else 0, Vector.empty)
    // One in thousands of patterns takes more steps than all others together. With few steps,
    // rows that are searched together must not be what fails; a search that goes on has them anew.
    val few                             = random.nextInt(4) == 0
    val maxSteps                        = if (few) 1000L + random.nextInt(100000) else 100000000L
    val setup                           = if (few) drawnSetup.copy(cut = None) else drawnSetup
    def by(joint: Option[JointOptions]) =
      search(pattern, drawn.rowCount, satisfies, setup, joint, maxSteps)
    val alone    = by(None)
    val together = by(Some(soon.copy(leastFactor = factor)))
    // Start rows searched together may get by with a budget that is not enough for each alone. Where
    // searches are cut, each has cuts of its own, and a new budget after each.
    val spent = (alone +: setup.cut.map(_ => together).toSeq)
      .filter(_.events.lastOption.exists(_.kind == "over budget"))
    val known = (Int.MaxValue +: spent.map(_.events.size - 1)).min
    compare(seed, pattern, drawn, together.events.take(known), alone.events.take(known))
    Report(
      1,
      alone.events.count(_.kind == "match"),
      together.ruledOut,
      alone.events.count(_.kind.startsWith("failed")))
  })

  private def compare(
      seed: Long,
      pattern: RowPattern,
      drawn: PatternCase,
      found: Seq[Event],
      wanted: Seq[Event]): Unit =
    if (found != wanted) {
      throw new AssertionError(
        s"seed $seed: ${RowPattern.sql(pattern, PatternText.variableName)} over ${drawn.rowCount} " +
          s"rows; ${drawn.conditions}\nexpected ${wanted.mkString("\n  ")}\n" +
          s"found ${found.mkString("\n  ")}")
    }

  private def expected(pattern: RowPattern, drawn: PatternCase, setup: Setup): Seq[Event] = {
    val reference = new PatternEnumeration(drawn.rowCount, drawn.conditions.satisfies)
    val events    = ArrayBuffer[Event]()
    var start     = 0
    var covered   = 0
    while (start < drawn.rowCount) {
      var next = start + 1
      reference.firstMatch(pattern, start) match {
        case Some(rows) =>
          events += Event("match", start, rows.map(m => (m.variable, m.excluded)))
          covered = math.max(covered, start + rows.size)
          if (setup.after == AfterMatch.PastLastRow && rows.nonEmpty) next = start + rows.size
        case None =>
          if (setup.unmatched && start >= covered) events += Event("unmatched", start, Nil)
      }
      start = next
    }
    events.toSeq
  }

  /** Searches a partition; where rows come one by one, the search is sometimes cut. */
  def search(
      pattern: RowPattern,
      rows: Int,
      satisfies: (Int, Int) => Boolean,
      setup: Setup,
      joint: Option[JointOptions],
      maxSteps: Long = 1000000000): Found = {
    def open() = new PartitionSearch[Labels](
      ProgramCompiler.compile(pattern),
      new GivenConditions((id, row, _) => satisfies(id, row), _ => 0, rowLocal = true),
      Some(PackedNumbers.onHeap()),
      SearchOptions(setup.after, false, setup.unmatched, 0, 0, 0, jointSearch = joint),
      new Limits(maxSteps, () => ()),
      None
    )
    var current   = open()
    val events    = ArrayBuffer[Event]()
    var ruledOut  = 0L
    var steps     = 0L
    var available = if (setup.cut.isEmpty) rows else 0
    var done      = false
    def labels()  = (0 until (current.end - current.start).toInt)
      .map(current.matchLabels)
      .map(label => (Path.variable(label), Path.excluded(label)))
    current.reset()
    while (!done)
      try
        current.advance(
          math.min(available, rows).toLong,
          complete = setup.cut.isEmpty || available > rows) match {
          case SearchResult.Match     => events += Event("match", current.start.toInt, labels())
          case SearchResult.Unmatched => events += Event("unmatched", current.start.toInt, Nil)
          case SearchResult.NeedsRows =>
            if (setup.cut.exists(_.nextInt(20) == 0)) {
              ruledOut += current.ruledOutRows
              steps += current.steps
              current = again(current, open())
            }
            available += 1
          case SearchResult.Failed(_) =>
            events += Event("over budget", -1, Nil)
            done = true
          case _ => done = true
        }
      catch {
        case failed: FailedTest =>
          events += Event(s"failed at ${failed.variable}, ${failed.row}", -1, Nil)
          done = true
      }
    Found(events.toSeq, ruledOut + current.ruledOutRows, steps + current.steps)
  }

  /** Another search continues where one was cut. */
  private def again(
      search: PartitionSearch[Labels],
      other: PartitionSearch[Labels]): PartitionSearch[Labels] = {
    val out = new StateOutput()
    search.write(out, (labels: Labels) => out.writeBlock(labels.list.map(_.toByte).toArray))
    val in = new StateInput(out.toByteArray)
    other.read(in, _ => () => new Labels(in.readBlock().map(_.toInt).toList))
    other
  }
}
