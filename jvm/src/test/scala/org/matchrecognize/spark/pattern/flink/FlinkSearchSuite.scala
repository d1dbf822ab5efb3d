package org.matchrecognize.spark.pattern.flink

import scala.collection.mutable.ArrayBuffer

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  GivenConditions,
  Labels,
  Quantifier,
  RowPattern
}
import org.matchrecognize.spark.pattern.matching.{
  Failure,
  Limits,
  PackedNumbers,
  SearchResult,
  StateInput,
  StateOutput,
  WithinBound
}
import org.matchrecognize.spark.pattern.program.{GapAbsences, Path, Program}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}
import org.matchrecognize.spark.reference.{
  Dialect,
  Mapping,
  PatternCase,
  PatternEnumeration,
  PatternRules,
  RandomContiguity,
  RandomSeed,
  TooManySteps
}
import org.matchrecognize.spark.robustness.Fuzz

/**
 * The search of whole partitions in the flink dialect, with time-outs and with AFTER MATCH NO SKIP,
 * against what follows from enumeration; rows come at once or one by one, and the search may be cut.
 */
class FlinkSearchSuite extends AnyFunSuite {
  import FlinkSearchSuite._

  test("random partitions") {
    val (reports, seeds) = Fuzz.batches(inGate = 70, size = 500)(check)
    val found            = reports.flatten.groupBy(_._1).map(e => e._1 -> e._2.map(_._2).sum)
    info(s"$seeds: $found")
    if (!Fuzz.isAsked) {
      assert(found("match") > 25000 && found("unmatched") > 8000 && found("timed out") > 8000)
      // Several of a start row.
      assert(found("matches") > 1200 && found("time-outs") > 1200)
      // Of a loose loop before a last [^B], which the match does not wait for.
      assert(found("looking") > 40)
    }
  }

  test("a long sequence compiles") {
    val elements = Seq.fill(10000)(Seq(gap(1), RowPattern.Variable(0))).flatten
    val program  = FlinkCompiler.compile(RowPattern.Concatenation(elements))
    // With the end of the match.
    assert(program.instructions.length == 10001)
  }

  test("a gap at the end of the pattern has no effect, after an absence either") {
    val elements                        = Seq(RowPattern.Variable(0), RowPattern.GapAbsence(1, 2))
    def compiled(elements: RowPattern*) =
      FlinkCompiler.compile(RowPattern.Concatenation(elements)).instructions.toSeq
    assert(compiled(elements :+ gap(3): _*) == compiled(elements: _*))
    assert(compiled(elements.head, gap(3)) == compiled(elements.head))
  }

  private def gap(variable: Int) = RowPattern.Gap(variable, anywhere = false)

  /** What NO SKIP finds in so many rows that satisfy every variable, up to its end or a failure. */
  private def everything(pattern: RowPattern, rows: Int, limits: Limits): Seq[SearchResult] = {
    val search = new PartitionSearch[String](
      FlinkCompiler.compile(pattern),
      GivenConditions.AlwaysTrue,
      Some(PackedNumbers.onHeap()),
      SearchOptions(AfterMatch.NoSkip, false, false, 0, 0, 0),
      limits,
      None
    )
    Iterator
      .continually(search.advance(rows.toLong, complete = true))
      .takeWhile(_ != SearchResult.Done)
      .take(1000)
      .toList
  }

  private val a = RowPattern.Variable(0)

  test("the paths of one match become one, whatever their number") {
    // 2^20 paths that take 20 rows, all with the same mappings.
    val loop = RowPattern.Quantified(
      RowPattern.Alternation(Seq(a, a)),
      Quantifier.plus.copy(greedy = false))
    assert(
      everything(loop, 20, new Limits(100000, () => ())) == Seq.fill(210)(SearchResult.Match))
  }

  test("more matches of a start row than there may be, more paths than there may be") {
    val loop   = RowPattern.Quantified(a, Quantifier.plus.copy(greedy = false))
    val few    = new Limits(100000, () => (), maxMatches = 3)
    val failed = SearchResult.Failed(Failure.TooManyMatches(0, 3))
    assert(everything(loop, 4, few).take(4) == Seq.fill(3)(SearchResult.Match) :+ failed)
    // Each row is an A or a B: 2^30 mappings wait for a third variable, and all are requested.
    val either = RowPattern.Quantified(
      RowPattern.Alternation(Seq(a, RowPattern.Variable(1))),
      Quantifier.between(30, 30))
    val found = everything(either, 40, new Limits(100000000, () => ())).head
    assert(found.toString == "Failed(TooManyStates(0,100000,Some(0)))")
  }
}

private object FlinkSearchSuite {

  /** Something found: what, its start row, its number, and what each row is mapped to. */
  final case class Event(kind: String, start: Int, number: Long, rows: Seq[(Int, Boolean)])

  /** Whether a pattern has `[^B]` directly after a greedy loose loop, as its last element. */
  private def endsLooking(pattern: RowPattern): Boolean = pattern match {
    case RowPattern.Concatenation(elements, _) =>
      RowPattern.flat(elements).takeRight(2) match {
        case Seq(RowPattern.Quantified(_, q, _), _: RowPattern.Absence) => q.loose && q.greedy
        case _                                                          => false
      }
    case _ => false
  }

  /** The options of a search; `within` is a number of rows after the first. */
  final case class Setup(
      after: AfterMatch,
      unmatched: Boolean,
      timeouts: Boolean,
      within: Option[Int])

  private val kinds =
    Seq(PatternCase.Kind.RowLocal, PatternCase.Kind.Counting, PatternCase.Kind.WholeHistory)

  /** How often something was found, by its kind. */
  def check(seeds: Seq[Long]): Map[String, Int] = {
    val found = scala.collection.mutable.Map[String, Int]().withDefaultValue(0)
    for (seed <- seeds; kind <- kinds)
      try {
        val events = checkCase(seed, kind)
        events.foreach(e => found(e.kind) += 1)
        if (endsLooking(drawPattern(seed, kind)._2) && events.exists(_.kind == "match")) {
          found("looking") += 1
        }
        val several = events.groupBy(e => (e.kind, e.start)).collect {
          case ((kind, _), all) if all.size > 1 => kind
        }
        found("matches") += several.count(_ == "match")
        found("time-outs") += several.count(_ == "timed out")
      } catch { case _: TooManySteps => }
    found.toMap.withDefaultValue(0)
  }

  private def drawSetup(random: scala.util.Random): Setup = {
    val afters = Seq(AfterMatch.PastLastRow, AfterMatch.ToNextRow, AfterMatch.NoSkip)
    Setup(
      afters(random.nextInt(3)),
      random.nextBoolean(),
      random.nextBoolean(),
      if (random.nextBoolean()) Some(random.nextInt(8)) else None)
  }

  private def drawPattern(seed: Long, kind: PatternCase.Kind): (scala.util.Random, RowPattern) = {
    val drawn   = PatternCase.random(seed, kind)
    val random  = RandomSeed(seed, s"flink $kind")
    val defined = 0 until drawn.variableCount
    val gaps    = Iterator.from(drawn.variableCount).take(4)
    val draw    = new RandomContiguity(random, defined, gaps, true, Dialect.Flink)
    (random, draw(drawn.pattern))
  }

  private def checkCase(seed: Long, kind: PatternCase.Kind): Seq[Event] = {
    val drawn             = PatternCase.random(seed, kind)
    val defined           = (0 until drawn.variableCount).toSet
    val (random, pattern) = drawPattern(seed, kind)
    if (!PatternRules.isValid(pattern, defined, Dialect.Flink)) Nil
    else {
      // Conditions see the variables of the rows that are mapped.
      def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]) =
        !defined(variable) || drawn.conditions.satisfies(variable, row, labels.filter(_ >= 0))
      val setup   = drawSetup(random)
      val cut     = if (random.nextBoolean()) Some(random) else None
      val program = {
        val known = new GapAbsences(pattern, defined).resolved
        FlinkCompiler.compile(new FlinkPattern(known, defined).resolved)
      }
      val wanted = expected(pattern, drawn.rowCount, defined, satisfies, setup)
      val gotten = found(program, drawn.rowCount, satisfies, setup, cut)
      if (gotten != wanted) {
        val shown = PatternCase(pattern, drawn.variableCount, drawn.rowCount, drawn.conditions)
        throw new AssertionError(
          s"seed $seed $kind: ${shown.copy(pattern = pattern)}, $setup\n" +
            s"expected ${wanted.mkString("\n  ")}\nfound ${gotten.mkString("\n  ")}")
      }
      wanted
    }
  }

  /** What the contract says of each start row in turn. */
  private def expected(
      pattern: RowPattern,
      rowCount: Int,
      defined: Set[Int],
      satisfies: (Int, Int, IndexedSeq[Int]) => Boolean,
      setup: Setup): Seq[Event] = {
    def enumeration = new PatternEnumeration(
      rowCount,
      satisfies,
      isDefined = defined,
      horizon = start => setup.within.fold(rowCount)(start + _ + 1),
      dialect = Dialect.Flink)
    val events                                      = ArrayBuffer[Event]()
    var start                                       = 0
    var covered                                     = 0
    var number                                      = 0L
    def put(kind: String, rows: Seq[Mapping]): Unit = {
      number += 1
      covered = math.max(covered, start + rows.size)
      events += Event(kind, start, number, rows.map(shown))
    }
    while (start < rowCount) {
      var next    = start + 1
      val matches = PatternEnumeration.distinct(enumeration.matches(pattern, start).toVector)
      val wanted  = if (setup.after == AfterMatch.NoSkip) matches else matches.take(1)
      wanted.foreach { rows =>
        put("match", rows)
        if (setup.after == AfterMatch.PastLastRow) next = start + rows.size
      }
      if (setup.timeouts && (wanted.isEmpty || setup.after == AfterMatch.NoSkip))
        enumeration.livePartials(pattern, start).foreach(put("timed out", _))
      if (setup.unmatched && start >= covered) events += Event("unmatched", start, 0, Nil)
      start = next
    }
    events.toSeq
  }

  private def shown(mapping: Mapping): (Int, Boolean) =
    (mapping.variable, !mapping.isPassedOver && mapping.excluded)

  /** A bound in rows. */
  final private class RowsWithin(most: Int) extends WithinBound {
    private var start                         = 0L
    override def begin(row: Long): Boolean    = { start = row; true }
    override def contains(row: Long): Boolean = row - start <= most
  }

  private def found(
      program: Program,
      rowCount: Int,
      satisfies: (Int, Int, IndexedSeq[Int]) => Boolean,
      setup: Setup,
      cut: Option[scala.util.Random]): Seq[Event] = {
    def open() = new PartitionSearch[Labels](
      program,
      new GivenConditions(satisfies, identity),
      Some(PackedNumbers.onHeap()),
      SearchOptions(setup.after, false, setup.unmatched, 0, 0, 0, setup.timeouts),
      new Limits(1000000000, () => ()),
      None,
      setup.within.map(new RowsWithin(_))
    )
    var search    = open()
    val events    = ArrayBuffer[Event]()
    var available = cut.fold(rowCount)(_ => 0)
    var complete  = cut.isEmpty
    var done      = false
    while (!done)
      search.advance(available.toLong, complete) match {
        case SearchResult.Match       => events += event("match", search)
        case SearchResult.TimedOut    => events += event("timed out", search)
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
          if (available < rowCount) available += 1 else complete = true
      }
    events.toSeq
  }

  private def event(kind: String, search: PartitionSearch[Labels]): Event = {
    val rows = (0 until (search.end - search.start).toInt)
      .map(search.matchLabels)
      .map(label => (Path.variable(label), Path.excluded(label)))
    if (search.slots.list.reverse != rows.map(_._1).filter(_ >= 0)) {
      throw new AssertionError(s"slots and labels differ: $rows")
    }
    Event(kind, search.start.toInt, search.matchNumber, rows)
  }
}
