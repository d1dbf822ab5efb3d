package org.matchrecognize.spark.pattern.threads

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import org.matchrecognize.spark.pattern.{AfterMatch, Quantifier, QuantifierBound, RowPattern}
import org.matchrecognize.spark.pattern.keys.{
  ComparedCondition,
  ComparedConditions,
  KeyRange,
  RowKeys
}
import org.matchrecognize.spark.pattern.matching.{
  Failure,
  Limits,
  PackedNumbers,
  RowConditions,
  SearchResult,
  WithinBound
}
import org.matchrecognize.spark.pattern.program.{Path, ProgramCompiler}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}
import org.matchrecognize.spark.reference.{PatternText, RandomPatterns, TooManySteps}

/** Random partitions of numbers, and conditions that compare them, for searches that skip rows. */
private[pattern] object SkippedRowsCase {

  /** Variable 0 is what others are compared with. */
  val variables = 4

  final case class Signs(less: Boolean, equal: Boolean, greater: Boolean) {

    /** Nothing compares to NULL. */
    def holds(value: Option[Long], other: Option[Long]): Boolean = (value, other) match {
      case (Some(a), Some(b)) => if (a < b) less else if (a > b) greater else equal
      case _                  => false
    }
  }

  object Signs {
    private val all = IndexedSeq(
      Signs(less = true, equal = false, greater = false),
      Signs(less = true, equal = true, greater = false),
      Signs(less = false, equal = true, greater = true),
      Signs(less = false, equal = false, greater = true),
      Signs(less = false, equal = true, greater = false),
      Signs(less = true, equal = false, greater = true)
    )
    def random(random: Random): Signs = all(random.nextInt(all.size))
  }

  /** Numbers by column and row; None is NULL. */
  final case class Data(value: IndexedSeq[IndexedSeq[Option[Long]]]) {
    def size: Int = value.head.size

    /** Keys that are read from rows, but for those that fail; in so many bytes of memory. */
    def keys(fails: Int => Boolean, memory: Long = Long.MaxValue): RowKeys = {
      var left = memory
      new RowKeys(
        value.size,
        (row: Long, into: RowKeys.Keys) => {
          for (column <- value.indices) {
            val found = value(column)(row.toInt)
            into.isNull(column) = found.isEmpty
            into.keys(column) = found.getOrElse(7L)
          }
          !fails(row.toInt)
        },
        bytes => {
          left -= bytes
          left >= 0
        }
      )
    }

    def someKey(random: Random): Long =
      value.head(random.nextInt(size)).getOrElse(random.nextInt(5).toLong) + random.nextInt(3) - 1
  }

  object Data {

    /** Two columns: runs that fall or rise, random walks, few different numbers; some NULLs. */
    def random(random: Random, size: Int): Data =
      Data(IndexedSeq.fill(2)(column(random, size)))

    private def column(random: Random, size: Int): IndexedSeq[Option[Long]] = {
      val kind  = random.nextInt(6)
      val nulls = if (random.nextInt(3) == 0) 2 + random.nextInt(30) else 0
      val turn  = 1 + random.nextInt(200)
      var value = 0L
      IndexedSeq.tabulate(size) { row =>
        value = kind match {
          case 0 => value - random.nextInt(2)
          case 1 => if (row % turn == 0) random.nextInt(1000).toLong else value - 1
          case 2 => value + random.nextInt(5) - 2
          case 3 => random.nextInt(3).toLong
          case 4 => if (random.nextInt(turn) == 0) random.nextInt(4).toLong else value
          case _ =>
            Seq(Long.MinValue, Long.MinValue + 1, 0L, Long.MaxValue)(random.nextInt(4))
        }
        if (nulls > 0 && random.nextInt(nulls) == 0) None else Some(value)
      }
    }
  }

  /** Slots: the last row of variable 0 and the first of variable 1; -1 for none. */
  final class Anchors(val lastOfFirst: Long, val firstOfSecond: Long)

  /** What a number is compared with. */
  sealed trait Other
  object Other {
    final case class Constant(value: Long) extends Other
    case object LastOfFirst                extends Other
    case object FirstOfSecond              extends Other
  }

  sealed trait Condition
  object Condition {
    final case class Test(column: Int, signs: Signs, other: Other) extends Condition
    final case class All(parts: IndexedSeq[Condition])             extends Condition
    final case class Any(parts: IndexedSeq[Condition])             extends Condition

    val always: Condition = All(IndexedSeq.empty)

    def random(random: Random, variable: Int, depth: Int): Condition =
      if (depth > 0 && random.nextInt(3) == 0) {
        val parts = IndexedSeq.fill(2)(Condition.random(random, variable, depth - 1))
        if (random.nextBoolean()) All(parts) else Any(parts)
      } else {
        val other = random.nextInt(6) match {
          case 0                  => Other.Constant(random.nextInt(5).toLong - 2)
          case 1                  => Other.FirstOfSecond
          case _ if variable == 0 => Other.Constant(random.nextInt(900).toLong)
          case _                  => Other.LastOfFirst
        }
        Test(random.nextInt(2), Signs.random(random), other)
      }
  }

  /** Conditions by variable. */
  final class Comparing(val conditions: IndexedSeq[Condition]) {

    /** Whether a row satisfies a variable, after slots that count it. */
    def holds(variable: Int, data: Data, row: Long, anchors: Anchors): Boolean =
      holds(conditions(variable), data, row, anchors)

    private def holds(c: Condition, data: Data, row: Long, anchors: Anchors): Boolean = c match {
      case Condition.All(parts)                 => parts.forall(holds(_, data, row, anchors))
      case Condition.Any(parts)                 => parts.exists(holds(_, data, row, anchors))
      case Condition.Test(column, signs, other) =>
        val values = data.value(column)
        signs.holds(
          values(row.toInt),
          other match {
            case Other.Constant(value) => Some(value)
            case Other.LastOfFirst     => valueAt(values, anchors.lastOfFirst)
            case Other.FirstOfSecond   => valueAt(values, anchors.firstOfSecond)
          }
        )
    }

    private def valueAt(values: IndexedSeq[Option[Long]], row: Long): Option[Long] =
      if (row < 0) None else values(row.toInt)

    /** A variable and a row, where a test can fail. */
    def drawError(random: Random, rows: Int): Set[(Int, Int)] =
      Set(random.nextInt(variables) -> random.nextInt(rows))
        .filter { case (variable, _) => conditions(variable) != Condition.always }

    /** The same, as the search reads them; of some variables it knows nothing but by tests. */
    def changes(data: Data, keys: RowKeys, untold: Set[Int]): ComparedConditions[Anchors] =
      new ComparedConditions(
        conditions.zipWithIndex.map { case (c, v) =>
          if (untold(v)) None else Some(compared(c, v, data))
        },
        keys)

    private def compared(c: Condition, variable: Int, data: Data): ComparedCondition[Anchors] =
      c match {
        case Condition.All(parts) => ComparedCondition.All(parts.map(compared(_, variable, data)))
        case Condition.Any(parts) => ComparedCondition.Any(parts.map(compared(_, variable, data)))
        case Condition.Test(column, signs, other) =>
          new ComparedCondition.Comparison(
            column,
            (anchors: Anchors, _: Long, into: KeyRange) => {
              val values = data.value(column)
              val found  = other match {
                case Other.Constant(value) => Some(value)
                case Other.LastOfFirst     => valueAt(values, anchors.lastOfFirst)
                case Other.FirstOfSecond   => valueAt(values, anchors.firstOfSecond)
              }
              found match {
                case Some(key) => into.compare(key, signs.less, signs.equal, signs.greater)
                case None      => into.setEmpty()
              }
              // The row tested would be the first.
              !(variable == 1 && other == Other.FirstOfSecond && anchors.firstOfSecond < 0)
            }
          )
      }

    override def toString: String = conditions.mkString("\n")
  }

  object Comparing {
    def random(random: Random): Comparing = new Comparing(
      IndexedSeq.tabulate(variables)(v =>
        if (random.nextInt(if (v == 0) 2 else 8) == 0) Condition.always
        else Condition.random(random, v, 2)))
  }

  /** Often a first row, a loop that waits and a last row. */
  def drawPattern(random: Random): RowPattern = {
    import RowPattern._
    val inner                  = new RandomPatterns(random, variables).next(1 + random.nextInt(5))
    val last                   = Variable(2 + random.nextInt(2))
    def loop(body: RowPattern) = Quantified(body, drawQuantifier(random))
    random.nextInt(6) match {
      case 0 => inner
      case 1 => Concatenation(Seq(Variable(0), inner, last))
      // Loops side by side, and one within another, that may count.
      case 2 =>
        val one = loop(Variable(1))
        val two = Seq(
          Concatenation(Seq(one, loop(Variable(2)))),
          Alternation(Seq(one, loop(Variable(2)))),
          loop(Alternation(Seq(one, Variable(2)))),
          loop(Concatenation(Seq(Variable(1 + random.nextInt(2)), one)))
        )
        Concatenation(Seq(Variable(0), two(random.nextInt(two.size)), last))
      case _ =>
        Concatenation(
          Seq(
            Variable(0),
            loop(Variable(1 + random.nextInt(2))),
            if (random.nextInt(3) == 0) inner else last))
    }
  }

  /** Of a loop in which a search may wait for long. */
  private def drawQuantifier(random: Random): Quantifier = {
    val lower = if (random.nextBoolean()) random.nextInt(3) else random.nextInt(30)
    val upper = random.nextInt(3) match {
      case 0 => QuantifierBound.Count(lower + 1 + random.nextInt(3))
      case 1 => QuantifierBound.Count(lower + 1 + random.nextInt(60))
      case _ => QuantifierBound.Unbounded
    }
    random.nextInt(4) match {
      case 0 => Quantifier.plus
      case 1 => Quantifier.star
      case _ => Quantifier(QuantifierBound.Count(lower), upper, random.nextInt(4) > 0)
    }
  }

  def describe(pattern: RowPattern): String = RowPattern.sql(pattern, PatternText.variableName)

  final case class Event(kind: String, start: Int, end: Int, labels: Seq[(Int, Boolean)])

  final case class Found(events: Seq[Event], steps: Long)

  /**
   * How a partition is searched.
   *
   * @param labels
   *   whether labels are kept
   * @param arriving
   *   whether rows come one by one
   * @param within
   *   how far from its first row a match can go, in rows
   * @param errors
   *   variables and rows whose test fails
   * @param memory
   *   bytes for keys
   * @param untold
   *   variables of whose conditions nothing is known but by tests
   */
  final case class Setup(
      after: AfterMatch,
      labels: Boolean,
      arriving: Boolean,
      within: Option[Int],
      errors: Set[(Int, Int)],
      memory: Long = Long.MaxValue,
      untold: Set[Int] = Set.empty)

  object Setup {
    val plain: Setup =
      Setup(AfterMatch.PastLastRow, labels = true, arriving = false, None, Set.empty)

    def random(random: Random, size: Int): Setup = Setup(
      if (random.nextBoolean()) AfterMatch.PastLastRow else AfterMatch.ToNextRow,
      random.nextBoolean(),
      random.nextInt(3) == 0,
      if (random.nextInt(3) == 0) Some(random.nextInt(size)) else None,
      Set.empty,
      if (random.nextInt(8) == 0) random.nextInt(10000).toLong else Long.MaxValue,
      random.nextInt(4) match {
        case 0 => (0 until variables).toSet
        case 1 => Set(random.nextInt(variables))
        case _ => Set.empty
      }
    )
  }

  final class FailedTest(val variable: Int, val row: Int) extends RuntimeException

  final private class ComparingRows(comparing: Comparing, data: Data, errors: Set[(Int, Int)])
      extends RowConditions[Anchors] {
    private val none                                                    = new Anchors(-1, -1)
    override def beginPartition(): Unit                                 = ()
    override def begin(row: Long, matchNumber: Long): Anchors           = none
    override def beginAlone(row: Long, matchNumber: Long): Anchors      = none
    override def map(variable: Int, row: Long, slots: Anchors): Anchors = {
      if (errors((variable, row.toInt))) throw new FailedTest(variable, row.toInt)
      val mapped = extend(variable, row, slots)
      if (comparing.holds(variable, data, row, mapped)) mapped else null
    }
    override def extend(variable: Int, row: Long, slots: Anchors): Anchors =
      if (variable == 0) new Anchors(row, slots.firstOfSecond)
      else if (variable == 1 && slots.firstOfSecond < 0) new Anchors(slots.lastOfFirst, row)
      else slots
    override def sameFuture(reachable: Int, a: Anchors, b: Anchors): Boolean =
      a.lastOfFirst == b.lastOfFirst && a.firstOfSecond == b.firstOfSecond
    override def futureHash(reachable: Int, slots: Anchors): Int =
      31 * slots.lastOfFirst.toInt + slots.firstOfSecond.toInt
    override def hasFuture(reachable: Int): Boolean      = true
    override def dependsOnStart(reachable: Int): Boolean = false
    override def skipTarget(slots: Anchors): Long        = -1
  }

  final private class Distance(most: Int) extends WithinBound {
    private var start                         = 0L
    override def begin(row: Long): Boolean    = { start = row; true }
    override def contains(row: Long): Boolean = row - start <= most
  }

  /**
   * Searches a partition.
   *
   * @param skips
   *   whether rows can be skipped
   * @param budget
   *   beyond which the search ends with TooManySteps
   */
  def searchRows(
      pattern: RowPattern,
      data: Data,
      comparing: Comparing,
      setup: Setup,
      skips: Boolean,
      budget: Long = Long.MaxValue): Found = {
    val failing = setup.errors.map(_._2)
    val search  = new PartitionSearch[Anchors](
      ProgramCompiler.compile(pattern),
      new ComparingRows(comparing, data, setup.errors),
      if (setup.labels) Some(PackedNumbers.onHeap()) else None,
      SearchOptions(setup.after, false, false, 0, 0, 0),
      new Limits(budget, () => ()),
      None,
      setup.within.map(new Distance(_)),
      if (skips) Some(comparing.changes(data, data.keys(failing, setup.memory), setup.untold))
      else None
    )
    val events    = ArrayBuffer[Event]()
    var available = if (setup.arriving) 0 else data.size
    var done      = false
    search.reset()
    while (!done)
      try
        search.advance(
          math.min(available, data.size).toLong,
          complete = !setup.arriving || available > data.size) match {
          case SearchResult.Match =>
            val length = (search.end - search.start).toInt
            val labels =
              if (!setup.labels) Nil
              else
                (0 until length)
                  .map(search.matchLabels)
                  .map(label => (Path.variable(label), Path.excluded(label)))
            events += Event("match", search.start.toInt, search.end.toInt, labels)
          case SearchResult.NeedsRows => available += 1
          case SearchResult.Done      => done = true
          // The budget bounds the states that are remembered, too.
          case SearchResult.Failed(_: Failure.TooManySteps | _: Failure.TooManyStates) =>
            throw new TooManySteps
          case other => throw new IllegalStateException(other.toString)
        }
      catch {
        case failed: FailedTest =>
          events += Event(s"failed at ${failed.variable}, ${failed.row}", -1, -1, Nil)
          done = true
      }
    Found(events.toSeq, search.steps)
  }
}
