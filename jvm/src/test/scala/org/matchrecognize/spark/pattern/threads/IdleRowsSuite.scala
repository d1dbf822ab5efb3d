package org.matchrecognize.spark.pattern.threads

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AfterMatch, Quantifier, RowPattern}
import org.matchrecognize.spark.pattern.automaton.RowAutomaton
import org.matchrecognize.spark.pattern.matching.{
  Limits,
  RowConditions,
  RowVerdicts,
  SearchResult,
  WithinBound
}
import org.matchrecognize.spark.pattern.program.{Positions, ProgramCompiler}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}
import org.matchrecognize.spark.reference.{RandomPatterns, RandomSeed}

/**
 * Threads that wait for a row far away, and skip those that leave them as they are: the same
 * matches as by offering each row, and as by looking for the last row by hand.
 */
class IdleRowsSuite extends AnyFunSuite {
  import IdleRowsSuite._
  import RowPattern._

  private val start = Variable(0)
  private val gap   = Variable(1)
  private val goal  = Variable(2)

  /** Of `A Z* C`: what comes between the first row and the last. */
  private def waits(quantifier: Quantifier) =
    Concatenation(Seq(start, Quantified(gap, quantifier), goal))

  for ((name, quantifier, last) <- Seq(
      ("greedy: the last row that is greater than the first", Quantifier.star, true),
      ("reluctant: the first row", Quantifier.star.copy(greedy = false), false)
    ))
    test(s"$name, under WITHIN and without it") {
      val counts = (1L to 300L).map { seed =>
        val random = RandomSeed(seed, name)
        val rows = Rows.random(random, 200 + random.nextInt(800), kinds = 4 + random.nextInt(90))
        val within = if (random.nextBoolean()) Some(random.nextInt(rows.size)) else None
        val wanted = byHand(rows, last, within)
        val found  =
          search(rows, Waiting.standard(rows), waits(quantifier), within, byClass = true)
        assert(found.matches == wanted, s"seed $seed")
        wanted.size
      }
      info(s"${counts.sum} matches")
      assert(counts.sum > 500)
    }

  /** The successive matches of `A Z* C`, where a C is greater than the A. */
  private def byHand(rows: Rows, last: Boolean, within: Option[Int]): Seq[(Long, Long)] = {
    def ends(first: Int) =
      (first + 1 to math.min(rows.size - 1, first + within.getOrElse(rows.size)))
        .filter(row => rows.kind(row) == 2 && rows.value(row) > rows.value(first))
    def from(row: Int): List[(Long, Long)] = (row until rows.size).iterator
      .filter(rows.kind(_) == 0)
      .flatMap(first =>
        (if (last) ends(first).lastOption else ends(first).headOption).map(first -> _))
      .take(1)
      .toList
      .flatMap { case (first, end) => (first.toLong, end + 1L) :: from(end + 1) }
    from(0)
  }

  test("random patterns: what offering each row finds, with fewer steps") {
    var (matches, fewer, all) = (0L, 0L, 0L)
    for (seed <- 1L to 3000L) {
      val random  = RandomSeed(seed, "idle")
      val rows    = Rows.random(random, 20 + random.nextInt(600), kinds = 2 + random.nextInt(80))
      val waiting = Waiting.random(random, rows)
      val inner   =
        new RandomPatterns(random, variables, exclusions = false).next(1 + random.nextInt(5))
      val pattern = if (random.nextBoolean()) Concatenation(Seq(start, inner, goal)) else inner
      val within  = if (random.nextInt(3) == 0) Some(random.nextInt(rows.size)) else None
      if (Positions.of(ProgramCompiler.compile(pattern)).isRight) {
        val wanted = search(rows, waiting, pattern, within, byClass = false)
        val found  = search(rows, waiting, pattern, within, byClass = true)
        assert(found.matches == wanted.matches, s"seed $seed: $pattern, $waiting")
        matches += found.matches.size
        fewer += found.steps
        all += wanted.steps
      }
    }
    info(s"$matches matches, $fewer steps instead of $all")
    // Start rows without a match are skipped, too: that alone leaves 51 of 100.
    assert(matches > 20000 && fewer < all * 0.47)
  }

  test("long waits of many start rows take a small part of their rows") {
    val size = 1000000
    val rows = new Rows(
      Vector.tabulate(size)(row =>
        if (row % 1000 == 0) 0 else if (row == size - 1) 2 else 3 + row % 7),
      Vector.tabulate(size)(row => if (row == size - 1) 0 else 1))
    val found = search(rows, Waiting.standard(rows), waits(Quantifier.star), None, byClass = true)
    assert(found.matches.isEmpty)
    // Of each start row, some ways at nine rows: one of each of the eight kinds, and the last.
    assert(found.steps < 1000L * 9 * 10, found.steps)
    assert(found.looks < 10L * size, found.looks)
  }

  test("more classes than have a bit") {
    val rows = new Rows(
      Vector.tabulate(5000)(row => if (row == 0) 0 else if (row == 4999) 2 else 3 + row % 150),
      Vector.tabulate(5000)(identity))
    val found = search(rows, Waiting.standard(rows), waits(Quantifier.star), None, byClass = true)
    assert(found.matches == Seq((0L, 5000L)))
  }
}

private object IdleRowsSuite {
  val variables = 5

  /** A partition: what kind its rows are of, and a number. */
  final class Rows(val kind: IndexedSeq[Int], val value: IndexedSeq[Int]) {
    def size: Int = kind.size
  }

  object Rows {

    /** Starts and goals are rare. */
    def random(random: Random, size: Int, kinds: Int): Rows = new Rows(
      Vector.fill(size)(
        if (random.nextInt(10) == 0) random.nextInt(3) else random.nextInt(kinds)),
      Vector.fill(size)(random.nextInt(100)))
  }

  /**
   * Conditions on the kind of a row; some also compare its number with that of the row that was
   * mapped to variable 0 last, which the slots keep.
   *
   * @param local
   *   by variable, the kinds; None for all
   * @param compares
   *   by variable
   */
  final class Waiting(rows: Rows, local: Seq[Option[Set[Int]]], compares: Seq[Boolean])
      extends RowConditions[java.lang.Long] {
    def isLocally(variable: Int, kind: Int): Boolean      = local(variable).forall(_(kind))
    override def beginPartition(): Unit                   = ()
    override def begin(row: Long, matchNumber: Long)      = -1L
    override def beginAlone(row: Long, matchNumber: Long) = -1L
    override def map(variable: Int, row: Long, anchor: java.lang.Long): java.lang.Long = {
      val isGreater = !compares(variable) || anchor >= 0 &&
        rows.value(row.toInt) > rows.value(anchor.toInt)
      if (!isGreater || !isLocally(variable, rows.kind(row.toInt))) null
      else extend(variable, row, anchor)
    }
    override def extend(variable: Int, row: Long, anchor: java.lang.Long): java.lang.Long =
      if (variable == 0) row else anchor
    override def sameFuture(reachable: Int, a: java.lang.Long, b: java.lang.Long): Boolean =
      a == b
    override def futureHash(reachable: Int, anchor: java.lang.Long): Int = anchor.hashCode
    override def hasFuture(reachable: Int): Boolean                      = true
    override def dependsOnStart(reachable: Int): Boolean                 = false
    override def leavesNoTrace(variable: Int): Boolean    = variable != 0 && !compares(variable)
    override def skipTarget(anchor: java.lang.Long): Long = -1
    override def toString: String                         = s"kinds $local, compare $compares"
  }

  object Waiting {

    /** 0 is a start, 1 any row, 2 a goal that is greater than the start. */
    def standard(rows: Rows): Waiting =
      new Waiting(rows, Seq(Some(Set(0)), None, Some(Set(2))), Seq(false, false, true))

    def random(random: Random, rows: Rows): Waiting = new Waiting(
      rows,
      (0 until variables).map(v =>
        if (v > 0 && random.nextInt(3) == 0) None
        else if (random.nextBoolean()) Some(Set(v))
        else Some((0 to 80).filter(_ => random.nextInt(3) > 0).toSet)),
      (0 until variables).map(v => v > 0 && random.nextInt(3) == 0)
    )
  }

  /**
   * The result of a search.
   *
   * @param matches
   *   the first row of each match, and the row after its last
   * @param looks
   *   how often the class of a row was read
   */
  final case class Result(matches: Seq[(Long, Long)], steps: Long, looks: Long)

  /**
   * @param within
   *   how far from its first row a match can go, in rows
   * @param byClass
   *   whether the classes of the rows are known
   */
  def search(
      rows: Rows,
      conditions: Waiting,
      pattern: RowPattern,
      within: Option[Int],
      byClass: Boolean): Result = {
    val program = ProgramCompiler.compile(pattern)
    val classes = rows.kind.distinct.zipWithIndex.toMap
    val kinds   = rows.kind.distinct
    val numbers = rows.kind.map(classes).toArray
    var looks   = 0L
    object Kinds extends RowVerdicts {
      override def classify(rows: Long): Boolean = true
      override def classOf(row: Long): Int       = {
        looks += 1
        numbers(row.toInt)
      }
      override def satisfies(rowClass: Int, variable: Int): Boolean =
        conditions.isLocally(variable, kinds(rowClass))
    }
    val automaton = RowAutomaton(Positions.of(program).toOption.get, Kinds, None, decides = false)
    val search    = new PartitionSearch[java.lang.Long](
      program,
      conditions,
      None,
      SearchOptions(AfterMatch.PastLastRow, false, false, 0, 0, 0),
      new Limits(Long.MaxValue, () => ()),
      Some(automaton).filter(_ => byClass),
      within.map(new Distance(_))
    )
    val found = Iterator
      .continually(search.advance(rows.size.toLong, complete = true))
      .takeWhile(_ != SearchResult.Done)
      .map {
        case SearchResult.Match => (search.start, search.end)
        case other              => throw new IllegalStateException(other.toString)
      }
      .toList
    Result(found, search.steps, looks)
  }

  final private class Distance(most: Int) extends WithinBound {
    private var start                         = 0L
    override def begin(row: Long): Boolean    = { start = row; true }
    override def contains(row: Long): Boolean = row - start <= most
  }
}
