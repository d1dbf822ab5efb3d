package org.matchrecognize.spark.pattern.search

import java.io.{ByteArrayOutputStream, ObjectOutputStream}

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AfterMatch, GivenConditions, Labels, RowVariable}
import org.matchrecognize.spark.pattern.matching.{Limits, PackedNumbers, SearchResult}
import org.matchrecognize.spark.pattern.program.{Path, ProgramCompiler}
import org.matchrecognize.spark.reference.{PatternCase, RandomSeed}
import org.matchrecognize.spark.robustness.Fuzz

/**
 * A partition that is cut into ranges, each searched as if a search began there, and joined, has the
 * results of one search of all rows: what `execution` does with tasks, without Spark.
 */
class JoinedRangesSuite extends AnyFunSuite {
  import JoinedRangesSuite._

  test("random partitions, cut into ranges at random rows") {
    val (outcomes, seeds)            = Fuzz.batches(inGate = 60, size = 100, nightly = 360)(check)
    def of(what: Outcome => Boolean) = outcomes.flatten.count(what)
    val joined                       = of(_.isJoined)
    info(
      s"$seeds: ${of(_ => true)} cases, $joined joined with ${outcomes.flatten.map(_.results).sum} " +
        s"results, ${of(_.isCrossed)} with a match across a border, ${of(_.hasFailed)} failed ahead")
    if (!Fuzz.isAsked) {
      val all = of(_ => true)
      assert(all > 15000 && joined > all / 4 && joined < all)
      assert(of(_.isCrossed) > all / 4 && of(_.hasFailed) > all / 8)
    }
  }

  test("all matches of a start row take as much room in the notes as one") {
    val found = new FoundResults(0)
    for (i <- 0 until 100000) found.add(i / 50000L, i / 50000L + 1, i.toLong, isMatch = true)
    found.reach(2, 100000)
    assert(found.rowsTo(1) == 50000 && found.matchesTo(1) == 50000)
    assert(found.rowsTo(2) == 100000 && found.visits(1) && found.visits(2))
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(found)
    assert(bytes.size < 10000)
  }
}

private object JoinedRangesSuite {
  import PartitionSearchSuite.{drawKeys, kinds, view, Keys}

  /**
   * @param results
   *   how many there are, if the ranges were joined
   */
  final case class Outcome(
      isJoined: Boolean,
      isCrossed: Boolean,
      hasFailed: Boolean,
      results: Int)

  private val maxSteps = 100000L

  /** A result: what, its start row, its number, and its variables by row. */
  final case class Found(kind: String, start: Long, number: Long, rows: Seq[Int])

  final class ConditionFailed extends RuntimeException

  /**
   * How a clause is searched.
   *
   * @param fails
   *   the variable and the row of a test that fails with an error
   */
  final case class Setup(drawn: PatternCase, kind: PatternCase.Kind, options: SearchOptions)(
      val keys: Option[Keys],
      fails: Option[(Int, Int)]) {

    /** The variable to which AFTER MATCH skips. */
    private val target: Int = options.afterMatch match {
      case AfterMatch.ToFirst(variable, _) => variable.members.head
      case AfterMatch.ToLast(variable, _)  => variable.members.head
      case _                               => -1
    }

    /** A search of the rows from one on. */
    def open(base: Int, maxSteps: Long): PartitionSearch[Labels] = {
      val conditions = new GivenConditions(
        (variable, row, labels) =>
          if (fails.contains((variable, base + row))) throw new ConditionFailed
          else drawn.conditions.satisfies(variable, base + row, labels),
        view(kind)
      ) {
        private var start = 0L

        override def begin(row: Long, matchNumber: Long): Labels = {
          start = row
          super.begin(row, matchNumber)
        }

        override def skipTarget(slots: Labels): Long = {
          val row = options.afterMatch match {
            case _: AfterMatch.ToFirst => slots.list.reverse.indexOf(target)
            case _                     => slots.list.reverse.lastIndexOf(target)
          }
          if (row < 0) -1L else start + row
        }
      }
      new PartitionSearch[Labels](
        ProgramCompiler.compile(drawn.pattern),
        conditions,
        Some(PackedNumbers.onHeap()),
        options,
        new Limits(maxSteps, () => ()),
        None,
        keys.map(_.from(base))
      )
    }
  }

  /** A search, and what it has found. */
  final class Run(setup: Setup, base: Int, first: Long, covered: Long, maxSteps: Long) {
    private val search = setup.open(base, maxSteps)
    val notes          = new FoundResults(covered)
    val results        = ArrayBuffer.empty[Found]
    var hasFailed      = false
    search.startAt(first, covered)

    /** The start row that is not decided, and how many rows from there on are in matches. */
    def start: Long       = search.start
    def coveredRows: Long = search.coveredRows

    /** Goes on with so many rows. */
    def advance(rows: Long, complete: Boolean, within: Long = Long.MaxValue): Unit = {
      var ended  = hasFailed
      def next() =
        try search.advance(rows, complete)
        catch { case _: ConditionFailed => SearchResult.Failed(null) }
      while (!ended)
        next() match {
          case result @ (SearchResult.Match | SearchResult.TimedOut) =>
            val labels = (0 until (search.end - search.start).toInt).map(search.matchLabels)
            add(result.toString, search.matchNumber, labels.map(Path.variable), within)
          case SearchResult.Unmatched => add("unmatched", 0L, Nil, within)
          case SearchResult.Failed(_) =>
            hasFailed = true
            ended = true
          case SearchResult.NeedsRows | SearchResult.Done => ended = true
        }
    }

    private def add(kind: String, number: Long, rows: Seq[Int], within: Long): Unit = {
      notes.add(search.start, search.sameFrom, results.size.toLong, kind != "unmatched", within)
      results += Found(kind, base + search.start, number, rows)
      ()
    }
  }

  def check(seeds: Seq[Long]): Seq[Outcome] =
    for (seed <- seeds; kind <- kinds) yield check(seed, kind)

  private def check(seed: Long, kind: PatternCase.Kind): Outcome = {
    val random  = RandomSeed(seed, s"ranges $kind")
    val options = drawOptions(random, PatternCase.random(seed, kind).variableCount)
    val grows   = kind == PatternCase.Kind.WholeHistory || options.afterMatch == AfterMatch.NoSkip
    val drawn   = PatternCase.random(
      seed,
      kind,
      4 + random.nextInt(if (grows) 12 else if (random.nextInt(9) > 0) 20 else 60))
    val keys  = if (random.nextInt(4) == 0) Some(drawKeys(random, drawn.rowCount)) else None
    val setup =
      Setup(drawn, kind, options.copy(showTimeouts = keys.nonEmpty && random.nextBoolean()))(
        keys,
        if (random.nextInt(3) > 0) None
        else Some((random.nextInt(drawn.variableCount), random.nextInt(drawn.rowCount)))
      )
    val whole = new Run(setup, 0, 0L, 0L, maxSteps)
    whole.advance(drawn.rowCount.toLong, complete = true)
    val borders = (0 +: Seq.fill(1 << random.nextInt(6))(
      random.nextInt(drawn.rowCount))).distinct.sorted :+ drawn.rowCount
    val firstStart      = 1 + random.nextInt(2)
    val kept            = if (random.nextInt(3) > 0) 64 else 1 + random.nextInt(4)
    val (ahead, joined) = new Ranges(setup, borders, firstStart, kept).search()
    joined.foreach { results =>
      if (whole.hasFailed || results != whole.results)
        throw new AssertionError(
          s"seed $seed $kind: $setup, ${setup.keys}, borders $borders, $kept rows kept\n" +
            s"expected ${whole.results.mkString("\n  ")}\nfound ${results.mkString("\n  ")}")
    }
    val isCrossed = whole.results.exists(found =>
      borders.exists(border => found.start < border && border < found.start + found.rows.size))
    Outcome(joined.nonEmpty, isCrossed, ahead.exists(_.hasFailed), joined.fold(0)(_.size))
  }

  private def drawOptions(random: Random, variables: Int): SearchOptions = {
    val variable = RowVariable("V", Seq(random.nextInt(variables)))
    val after    = random.nextInt(6) match {
      case 0 => AfterMatch.NoSkip
      case 1 => AfterMatch.ToNextRow
      case 2 => AfterMatch.ToFirst(variable)
      case 3 => AfterMatch.ToLast(variable)
      case _ => AfterMatch.PastLastRow
    }
    SearchOptions(
      after,
      relaxedSkip = random.nextBoolean(),
      unmatchedRows = random.nextBoolean(),
      conditionLookAhead = 0,
      outputLookAhead = random.nextInt(3) / 2,
      lookBack = 0)
  }

  /**
   * @param borders
   *   the first rows of all ranges, and the number of rows
   * @param firstStart
   *   the first start row of each range but the first one
   * @param kept
   *   how many rows are kept at each end of a range
   */
  final private class Ranges(setup: Setup, borders: Seq[Int], firstStart: Int, kept: Int) {
    private val count = borders.size - 1

    /** A part of the budget of one search of all rows. */
    private val steps = maxSteps / (2 * count)

    private def rowsOf(range: Int): Int = borders(range + 1) - borders(range)

    /** What was found ahead, and what all have found together, if they could be joined. */
    def search(): (Seq[Run], Option[Seq[Found]]) = {
      val ahead    = (0 until count).map(searchAhead)
      val meetings = (1 until count).map(range => meet(ahead(range - 1), ahead(range), range))
      if (ahead.exists(_.hasFailed) || meetings.exists(_.isEmpty)) (ahead, None)
      else {
        var matches = ahead.head.notes.matches
        val results = ArrayBuffer(ahead.head.results.take(ahead.head.notes.rows.toInt).toSeq: _*)
        def add(found: Iterable[Found], more: Long): Unit = {
          results ++= found.map(f => if (f.number > 0) f.copy(number = f.number + more) else f)
          ()
        }
        ahead.tail.zip(meetings.flatten).foreach { case (run, (across, meeting)) =>
          add(across.results.take(meeting.added.toInt), matches)
          add(
            run.results.slice(meeting.from.toInt, meeting.until.toInt),
            matches + meeting.moreMatches)
          matches += meeting.matches
        }
        (ahead, Some(results.toSeq))
      }
    }

    private def searchAhead(range: Int): Run = {
      val first  = if (range == 0) 0L else firstStart.toLong
      val run    = new Run(setup, borders(range), first, first, steps)
      val rows   = rowsOf(range).toLong
      val isLast = range == count - 1
      run.advance(rows, isLast, math.min(rows, kept.toLong))
      run.notes.reach(if (isLast) rows else run.start, run.results.size.toLong)
      run
    }

    /** The search across the beginning of a range, if it meets that of the range. */
    private def meet(before: Run, ahead: Run, range: Int): Option[(Run, Meeting)] = {
      val back = math.min(before.start, firstStart.toLong)
      val from = before.start - back
      val rows = rowsOf(range - 1) - from
      if (before.start < (if (range == 1) 0 else firstStart) || rows > kept) None
      else {
        val across =
          new Run(setup, borders(range - 1) + from.toInt, back, back + before.coveredRows, steps)
        val meeting = new Meeting(across.notes, ahead.notes, rows)
        var taken   = 0L
        def meets   = {
          across.advance(rows + taken, complete = false)
          !across.hasFailed && meeting.by(across.start, across.results.size.toLong)
        }
        var isMet = meets
        while (!isMet && taken < math.min(kept, rowsOf(range))) {
          taken += 1
          isMet = meets
        }
        if (!isMet && range == count - 1 && taken == rowsOf(range)) {
          across.advance(rows + taken, complete = true)
          meeting.atEnd(taken, across.results.size.toLong)
          isMet = true
        }
        if (isMet && !across.hasFailed) Some((across, meeting)) else None
      }
    }
  }
}
