package org.matchrecognize.spark.pattern.search

import scala.collection.mutable.ArrayBuffer

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  GivenConditions,
  GivenVerdicts,
  Labels,
  Quantifier,
  RowPattern
}
import org.matchrecognize.spark.pattern.automaton.RowAutomaton
import org.matchrecognize.spark.pattern.matching.{
  BoundedVariables,
  Failure,
  Horizons,
  Limits,
  PackedNumbers,
  SearchResult,
  StateInput,
  StateOutput,
  WithinBound
}
import org.matchrecognize.spark.pattern.program.{Path, Positions, ProgramCompiler}
import org.matchrecognize.spark.reference.{
  Mapping,
  PatternCase,
  PatternEnumeration,
  RandomSeed,
  TooManySteps
}
import org.matchrecognize.spark.robustness.Fuzz

/**
 * The search of whole partitions under WITHIN, with time-outs and with AFTER MATCH NO SKIP, against
 * what follows from enumeration; rows come at once or one by one, and the search may be cut.
 */
class PartitionSearchSuite extends AnyFunSuite {
  import PartitionSearchSuite._

  test("random partitions") {
    val (reports, seeds)         = Fuzz.batches(inGate = 110, size = 100)(check)
    def found(what: String): Int = reports.map(_.found(what)).sum
    info(s"$seeds: ${reports.map(_.cases).sum} cases")
    // A kind of outcome that hardly comes proves little.
    if (!Fuzz.isAsked) {
      assert(reports.map(_.cases).sum > 27000)
      assert(found("match") > 27000 && found("unmatched") > 8000 && found("timed out") > 2700)
      assert(reports.map(_.several).sum > 2700)
    }
  }

  test(
    "start rows learn from each other: the same as where a bound that nothing reaches forbids it") {
    val matches = (1L to 3000L).map { seed =>
      val random = RandomSeed(seed, "long")
      val kind   = kinds(random.nextInt(2))
      val drawn  = PatternCase.random(seed, kind, rows = 40 + random.nextInt(40))
      val after  = if (random.nextInt(4) == 0) AfterMatch.ToNextRow else AfterMatch.PastLastRow
      val setup  =
        Setup(after, random.nextBoolean(), timeouts = false, whole = false, drawTogether(random))
      val wanted = found(drawn, Some(Keys.alike(drawn.rowCount)), kind, setup, None)
      val cut    = if (random.nextInt(3) == 0) Some(random) else None
      assert(found(drawn, None, kind, setup, cut) == wanted, s"seed $seed: $drawn, $setup")
      wanted.count(_.kind == "match")
    }
    info(s"${matches.sum} matches")
    assert(matches.sum > 20000)
  }

  test("the paths of one match become one, whatever their number") {
    // 2^20 paths that take 20 rows, all with the same mappings.
    val a       = RowPattern.Variable(0)
    val pattern = RowPattern.Quantified(RowPattern.Alternation(Seq(a, a)), Quantifier.plus)
    val search  = new PartitionSearch[String](
      ProgramCompiler.compile(pattern),
      GivenConditions.AlwaysTrue,
      Some(PackedNumbers.onHeap()),
      SearchOptions(AfterMatch.NoSkip, false, false, 0, 0, 0),
      new Limits(100000, () => ()),
      None
    )
    val lengths = Iterator
      .continually(search.advance(20, complete = true))
      .takeWhile(_ == SearchResult.Match)
      .map(_ => search.end - search.start)
      .toList
    assert(lengths == (0 to 19).flatMap(start => (20 - start) to 1 by -1))
  }

  test("more matches of a start row than there may be") {
    val a       = RowPattern.Variable(0)
    val pattern = RowPattern.Quantified(a, Quantifier.plus)
    val search  = new PartitionSearch[String](
      ProgramCompiler.compile(pattern),
      GivenConditions.AlwaysTrue,
      None,
      SearchOptions(AfterMatch.NoSkip, false, false, 0, 0, 0),
      new Limits(100000, () => (), maxMatches = 3),
      None
    )
    val found = (1 to 5).map(_ => search.advance(4, complete = true))
    assert(found.take(3).forall(_ == SearchResult.Match))
    assert(found(3) == SearchResult.Failed(Failure.TooManyMatches(0, 3)))
  }
}

private[search] object PartitionSearchSuite {

  /** Something found: what, its start row, its number, and variable and exclusion by row. */
  final case class Event(kind: String, start: Int, number: Long, rows: Seq[(Int, Boolean)])

  final case class Report(cases: Int, found: Map[String, Int], several: Int)

  /** How to search: the options, whether by automaton, and how many threads continue together. */
  final case class Setup(
      after: AfterMatch,
      unmatched: Boolean,
      timeouts: Boolean,
      whole: Boolean,
      together: Option[Int] = None)

  /** So few threads go on together that others wait. */
  private def drawTogether(random: scala.util.Random): Option[Int] =
    if (random.nextBoolean()) Some(1 + random.nextInt(3)) else None

  val kinds: Seq[PatternCase.Kind] =
    Seq(PatternCase.Kind.RowLocal, PatternCase.Kind.Counting, PatternCase.Kind.WholeHistory)

  def check(seeds: Seq[Long]): Report = {
    var cases   = 0
    var several = 0
    val found   = scala.collection.mutable.Map[String, Int]().withDefaultValue(0)
    for (seed <- seeds; kind <- kinds)
      try {
        val events = checkCase(seed, kind)
        cases += 1
        events.foreach(e => found(e.kind) += 1)
        several += events.groupBy(_.start).count(_._2.size > 1)
      } catch { case _: TooManySteps => }
    Report(cases, found.toMap, several)
  }

  /** The keys of the rows, ascending, those without one first or last; and WITHIN's bound. */
  final class Keys(keys: IndexedSeq[Option[Int]], most: Int) extends WithinBound with Horizons {
    private var start = 0

    def within(start: Int, row: Int): Boolean =
      (for (a <- keys(start); b <- keys(row)) yield b - a <= most).getOrElse(false)

    /** The first row that is too far from the start row. */
    def end(start: Int): Int =
      (start until keys.size).find(!within(start, _)).getOrElse(keys.size)

    override def begin(row: Long): Boolean = {
      start = row.toInt
      keys(start).nonEmpty
    }
    override def contains(row: Long): Boolean                           = within(start, row.toInt)
    override def prepare(rows: Long, isAsked: Long => Boolean): Boolean = true
    override def of(start: Long): Long                                  = end(start.toInt).toLong
    override def toString: String = s"keys $keys within $most"

    /** Of the rows from one on. */
    def from(row: Int): Keys = new Keys(keys.drop(row), most)
  }

  object Keys {

    /** Equal keys: no bound ends a search. */
    def alike(rows: Int): Keys = new Keys(Vector.fill(rows)(Some(0)), 0)
  }

  def drawKeys(random: scala.util.Random, rows: Int): Keys = {
    val nulls   = if (random.nextInt(3) == 0) random.nextInt(rows + 1) else 0
    val numbers = Seq.fill(rows - nulls)(random.nextInt(10)).sorted.map(Option(_))
    val none    = Seq.fill(nulls)(Option.empty[Int])
    new Keys(
      (if (random.nextBoolean()) none ++ numbers else numbers ++ none).toIndexedSeq,
      random.nextInt(11))
  }

  private def checkCase(seed: Long, kind: PatternCase.Kind): Seq[Event] = {
    val drawn  = PatternCase.random(seed, kind)
    val random = RandomSeed(seed, s"search $kind")
    val bound  = if (random.nextInt(3) > 0) Some(drawKeys(random, drawn.rowCount)) else None
    val keys   = bound.getOrElse(Keys.alike(drawn.rowCount))
    val setup  = drawSetup(random, kind, bound.nonEmpty)
    val wanted = expected(drawn, keys, setup)
    val cut    = if (setup.whole) None else Some(random)
    val gotten = found(drawn, bound, kind, setup, cut)
    if (gotten != wanted) {
      throw new AssertionError(
        s"seed $seed $kind: $drawn, $keys, $setup\nexpected ${wanted.mkString("\n  ")}\n" +
          s"found ${gotten.mkString("\n  ")}")
    }
    wanted
  }

  private def drawSetup(
      random: scala.util.Random,
      kind: PatternCase.Kind,
      bounded: Boolean): Setup = {
    val unmatched = random.nextBoolean()
    if (kind == PatternCase.Kind.RowLocal && random.nextBoolean()) {
      val after =
        if (random.nextBoolean()) AfterMatch.PastLastRow else AfterMatch.ToNextRow
      Setup(after, unmatched, timeouts = false, whole = true)
    } else {
      val all = Seq(AfterMatch.PastLastRow, AfterMatch.ToNextRow, AfterMatch.NoSkip)
      Setup(
        all(random.nextInt(3)),
        unmatched,
        bounded && random.nextBoolean(),
        whole = false,
        drawTogether(random))
    }
  }

  /** What the contract says of each start row in turn. */
  private def expected(drawn: PatternCase, keys: Keys, setup: Setup): Seq[Event] = {
    val events                                      = ArrayBuffer[Event]()
    var start                                       = 0
    var covered                                     = 0
    var number                                      = 0L
    def put(kind: String, rows: Seq[Mapping]): Unit = {
      number += 1
      covered = math.max(covered, start + rows.size)
      events += Event(kind, start, number, rows.map(m => (m.variable, m.excluded)))
    }
    while (start < drawn.rowCount) {
      var next    = start + 1
      val matches = if (keys.within(start, start)) enumerate(drawn, keys, start) else Nil
      val wanted  =
        if (setup.after == AfterMatch.NoSkip) matches.filter(_.nonEmpty) else matches.take(1)
      val partial =
        if (setup.timeouts && matches.isEmpty) livePartial(drawn, keys, start) else None
      wanted.foreach { rows =>
        put("match", rows)
        if (setup.after == AfterMatch.PastLastRow && rows.nonEmpty) next = start + rows.size
      }
      if (wanted.isEmpty && partial.nonEmpty) put("timed out", partial.get)
      else if (wanted.isEmpty && setup.unmatched && start >= covered)
        events += Event("unmatched", start, 0, Nil)
      start = next
    }
    events.toSeq
  }

  /** All matches of a start row, each set of mappings once, the preferred first. */
  private def enumerate(drawn: PatternCase, keys: Keys, start: Int): Seq[IndexedSeq[Mapping]] = {
    def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]) =
      keys.within(start, row) && drawn.conditions.satisfies(variable, row, labels)
    new PatternEnumeration(drawn.rowCount, satisfies)
      .matches(drawn.pattern, start)
      .toSeq
      .foldLeft(Vector.empty[IndexedSeq[Mapping]]) { (seen, rows) =>
        if (seen.exists(_.map(_.variable) == rows.map(_.variable))) seen else seen :+ rows
      }
  }

  /** The rows of the first partial match, by preference, that reaches a row beyond the bound. */
  private def livePartial(drawn: PatternCase, keys: Keys, start: Int): Option[Seq[Mapping]] = {
    val end = keys.end(start)
    if (end == start) None
    else {
      var live = Option.empty[Seq[Int]]
      def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]): Boolean =
        if (row < end) drawn.conditions.satisfies(variable, row, labels)
        else {
          if (live.isEmpty) live = Some(labels)
          false
        }
      // One row more, so that what waits at the end of the partition shows.
      val isAtEnd = end == drawn.rowCount
      if (isAtEnd && RowPattern.exists(drawn.pattern)(_.isInstanceOf[RowPattern.PartitionEnd]))
        throw new TooManySteps
      val rows = drawn.rowCount + (if (isAtEnd) 1 else 0)
      new PatternEnumeration(rows, satisfies).matches(drawn.pattern, start).foreach(_ => ())
      live.map(_.map(Mapping(_, excluded = false)))
    }
  }

  /** What of the labels the conditions of a case look at. */
  def view(kind: PatternCase.Kind): List[Int] => Any = kind match {
    case PatternCase.Kind.RowLocal => _ => 0
    case PatternCase.Kind.Counting => _.groupBy(identity).map(e => e._1 -> e._2.size)
    case _                         => identity
  }

  private def found(
      drawn: PatternCase,
      bound: Option[Keys],
      kind: PatternCase.Kind,
      setup: Setup,
      cut: Option[scala.util.Random]): Seq[Event] = {
    val keys   = bound.getOrElse(Keys.alike(drawn.rowCount))
    def open() = {
      val program   = ProgramCompiler.compile(drawn.pattern)
      val positions = Positions.of(program).getOrElse(throw new TooManySteps)
      val automaton = RowAutomaton(
        positions,
        new GivenVerdicts(
          drawn.rowCount,
          drawn.variableCount,
          (variable, row) => drawn.conditions.satisfies(variable, row, Vector.empty)),
        Some(
          BoundedVariables(
            keys,
            Vector.fill(drawn.variableCount)(true),
            Vector.fill(drawn.variableCount)(false))),
        decides = true
      )
      new PartitionSearch[Labels](
        program,
        new GivenConditions(drawn.conditions.satisfies, view(kind)),
        Some(PackedNumbers.onHeap()),
        SearchOptions(setup.after, false, setup.unmatched, 0, 0, 0, setup.timeouts),
        // Conditions on all labels keep thousands of paths apart.
        new Limits(1000000000, () => (), together = setup.together),
        if (setup.whole) Some(automaton) else None,
        bound
      )
    }
    var search    = open()
    val events    = ArrayBuffer[Event]()
    var available = cut.fold(drawn.rowCount)(_ => 0)
    var complete  = cut.isEmpty
    var done      = false
    while (!done)
      search.advance(available.toLong, complete) match {
        case SearchResult.Match       => events += event("match", search, setup, drawn)
        case SearchResult.TimedOut    => events += event("timed out", search, setup, drawn)
        case SearchResult.Unmatched   => events += Event("unmatched", search.start.toInt, 0, Nil)
        case SearchResult.Done        => done = true
        case SearchResult.Failed(why) => throw new IllegalStateException(why.toString)
        case SearchResult.NeedsRows   =>
          if (cut.exists(_.nextInt(3) == 0)) {
            val out = new StateOutput()
            search.write(
              out,
              (labels: Labels) => out.writeBlock(labels.list.map(_.toByte).toArray))
            search = open()
            val in = new StateInput(out.toByteArray)
            search.read(in, _ => () => new Labels(in.readBlock().map(_.toInt).toList))
          }
          if (available < drawn.rowCount) available += 1 else complete = true
      }
    events.toSeq
  }

  private def event(
      kind: String,
      search: PartitionSearch[Labels],
      setup: Setup,
      drawn: PatternCase): Event = {
    val rows = (0 until (search.end - search.start).toInt)
      .map(search.matchLabels)
      .map(label => (Path.variable(label), kind == "match" && Path.excluded(label)))
    if (search.slots.list.reverse != rows.map(_._1)) {
      throw new AssertionError(s"slots and labels differ: $drawn, $setup")
    }
    Event(kind, search.start.toInt, search.matchNumber, rows)
  }
}
