package org.matchrecognize.spark.pattern

import org.matchrecognize.spark.pattern.automaton.{AutomatonMatcher, RowAutomaton}
import org.matchrecognize.spark.pattern.matching.{
  BoundedVariables,
  Horizons,
  Limits,
  PackedNumbers,
  RowConditions,
  RowVerdicts,
  SettledLabels
}
import org.matchrecognize.spark.pattern.program.{Path, Positions, ProgramCompiler}
import org.matchrecognize.spark.pattern.threads.ThreadMatcher
import org.matchrecognize.spark.reference.{PatternEngine, TooManySteps}

/** Slots of the tests: the labels so far, the last first. */
final private[pattern] class Labels(val list: List[Int])

/**
 * Conditions given as a function; `view` is all of the labels that they can look at, and `rowLocal`
 * says that it is nothing.
 */
private[pattern] class GivenConditions(
    satisfies: (Int, Int, IndexedSeq[Int]) => Boolean,
    view: List[Int] => Any,
    rowLocal: Boolean = false)
    extends RowConditions[Labels] {
  override def beginPartition(): Unit                               = ()
  override def begin(row: Long, matchNumber: Long): Labels          = new Labels(Nil)
  override def beginAlone(row: Long, matchNumber: Long): Labels     = new Labels(Nil)
  override def map(variable: Int, row: Long, slots: Labels): Labels =
    if (satisfies(variable, row.toInt, seen(slots))) {
      extend(variable, row, slots)
    } else {
      null
    }
  private def seen(slots: Labels): IndexedSeq[Int] =
    if (rowLocal) Vector.empty else slots.list.reverse.toIndexedSeq
  override def extend(variable: Int, row: Long, slots: Labels): Labels =
    new Labels(variable :: slots.list)
  override def sameFuture(reachable: Int, a: Labels, b: Labels): Boolean =
    rowLocal || view(a.list) == view(b.list)
  override def futureHash(reachable: Int, slots: Labels): Int =
    if (rowLocal) 0 else view(slots.list).hashCode
  override def hasFuture(reachable: Int): Boolean      = !rowLocal
  override def dependsOnStart(reachable: Int): Boolean = false
  override def skipTarget(slots: Labels): Long         = -1
}

private[pattern] object GivenConditions {

  /** Every row satisfies every variable, and nothing is kept. */
  object AlwaysTrue extends RowConditions[String] {
    override def beginPartition(): Unit                                    = ()
    override def begin(row: Long, matchNumber: Long): String               = ""
    override def beginAlone(row: Long, matchNumber: Long): String          = ""
    override def map(variable: Int, row: Long, slots: String): String      = slots
    override def extend(variable: Int, row: Long, slots: String): String   = slots
    override def sameFuture(reachable: Int, a: String, b: String): Boolean = true
    override def futureHash(reachable: Int, slots: String): Int            = 0
    override def hasFuture(reachable: Int): Boolean                        = false
    override def dependsOnStart(reachable: Int): Boolean                   = false
    override def skipTarget(slots: String): Long                           = -1
  }
}

/** Conditions on the row alone, given as a function. */
final private[pattern] class GivenVerdicts(rows: Int, variables: Int, test: (Int, Int) => Boolean)
    extends RowVerdicts {
  private val masks   = (0 until rows).map(r => (0 until variables).filter(test(_, r)).toSet)
  private val classes = masks.distinct

  override def classify(rows: Long): Boolean = true
  override def classOf(row: Long): Int       = classes.indexOf(masks(row.toInt))
  override def satisfies(rowClass: Int, variable: Int): Boolean = classes(rowClass)(variable)
}

/**
 * The thread matcher with the reference's interface; `view` as in [[GivenConditions]], `together`
 * as in [[Limits]].
 */
final private[pattern] class ThreadEngine(view: List[Int] => Any, together: Option[Int] = None)
    extends PatternEngine {
  override def firstMatch(
      pattern: RowPattern,
      variableCount: Int,
      rowCount: Int,
      start: Int,
      satisfies: (Int, Int, IndexedSeq[Int]) => Boolean): Option[Seq[(Int, Boolean)]] = {
    val matcher = new ThreadMatcher[Labels](
      ProgramCompiler.compile(pattern),
      new GivenConditions(satisfies, view),
      // Looked for so often that short matches have some.
      new SettledLabels(Some(PackedNumbers.onHeap()), every = 2),
      // Conditions on all labels keep thousands of paths apart.
      new Limits(1000000000, () => (), together = together),
      remembersFailures = false
    )
    matcher.begin(start, 1)
    var row = start.toLong
    while (row >= 0) {
      while (matcher.isRunning && row < rowCount)
        row = matcher.step(row, row == rowCount - 1, row == rowCount - 1)
      row = matcher.goBack()
    }
    if (matcher.exceeded) throw new IllegalStateException("the budget is too small")
    MatcherAnswer.of(start, matcher.matchEnd, matcher.labels)
  }
}

/** The automaton behind the reference's interface, for rows within reach of their start row. */
final private[pattern] class AutomatonEngine extends PatternEngine {
  override def firstMatch(
      pattern: RowPattern,
      variableCount: Int,
      rowCount: Int,
      start: Int,
      satisfies: (Int, Int, IndexedSeq[Int]) => Boolean): Option[Seq[(Int, Boolean)]] = {
    // Loops of permutations in each other can have more positions than the automaton takes.
    val positions =
      Positions.of(ProgramCompiler.compile(pattern)).getOrElse(throw new TooManySteps)
    def from(start: Int, variable: Int, row: Int) =
      satisfies(variable, row, Vector.fill(row - start)(0))
    val local = (variable: Int, row: Int) => (0 to row).exists(from(_, variable, row))
    // A start row beyond whose reach a variable's row lies shows the bound.
    val beyond =
      for {
        row      <- 0 until rowCount
        variable <- 0 until variableCount if local(variable, row)
        start    <- 0 to row if !from(start, variable, row)
      } yield (variable, row, start)
    val horizons = new Horizons {
      override def prepare(rows: Long, isAsked: Long => Boolean): Boolean = true
      override def of(start: Long): Long                                  =
        (rowCount +: beyond.filter(_._3 == start).map(_._2)).min.toLong
    }
    val bounded = (0 until variableCount).map(v => beyond.exists(_._1 == v))
    val matcher = new AutomatonMatcher[Labels](
      RowAutomaton(
        positions,
        new GivenVerdicts(rowCount, variableCount, local),
        Some(BoundedVariables(horizons, bounded, bounded)).filter(_ => beyond.nonEmpty),
        decides = true),
      new GivenConditions(satisfies, identity),
      Some(PackedNumbers.onHeap()),
      () => ()
    )
    matcher.prepare(rowCount)
    matcher.begin(start, 1)
    if (matcher.hasMatch != (matcher.nextStart(start) == start)) {
      throw new IllegalStateException("the next start disagrees")
    }
    MatcherAnswer.of(start, matcher.matchEnd, matcher.labels)
  }
}

private object MatcherAnswer {

  /** The labels of the match from `start` to `end`; none if the end is -1. */
  def of(start: Int, end: Long, labels: Int => Int => Int): Option[Seq[(Int, Boolean)]] =
    if (end < 0) None
    else {
      val length = (end - start).toInt
      Some(
        (0 until length)
          .map(labels(length))
          .map(label => (Path.variable(label), Path.excluded(label))))
    }
}
