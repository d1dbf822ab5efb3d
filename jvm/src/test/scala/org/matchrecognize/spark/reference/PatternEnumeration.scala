package org.matchrecognize.spark.reference

import scala.collection.mutable.ArrayBuffer
import scala.util.control.NoStackTrace

import org.matchrecognize.spark.pattern.RowPattern

/** One row of a match: the primary variable that it is mapped to, and whether it is output. */
final case class Mapping(variable: Int, excluded: Boolean) {
  def isPassedOver: Boolean = this == Mapping.passedOver
}

object Mapping {

  /** A row between rows of a match that is mapped to nothing. */
  val passedOver: Mapping = Mapping(-1, excluded = true)
}

/** The enumeration of a case takes too long; the case is skipped and counted. */
final class TooManySteps extends RuntimeException("too many steps") with NoStackTrace

/**
 * All matches of a row pattern at a start row, in the order of preferment, straight from the
 * definition (semantics.md: Preference, Empty iterations and Event extensions). Exponential; for
 * small cases only.
 *
 * A pattern is a function from a parse so far to the list of its continuations, the preferred
 * ones first; so concatenation is `flatMap`, alternation is `++`, and a match is the first
 * element. A row is tested as soon as it is mapped, with the row itself counting as mapped, and a
 * parse whose row fails is dropped at once: no longer parse could save it. A parse that needs a
 * row where there is none within the bound is a live partial match.
 *
 * @param rowCount
 *   rows of the partition, numbered from 0
 * @param satisfies
 *   (variable, row, variables of the rows before it from the start row on, -1 where one is passed
 *   over) => may the row be mapped to the variable
 * @param stepBudget
 *   tests and loop steps before [[TooManySteps]] is raised
 * @param isDefined
 *   whether a variable has a definition; one that has none can make a gap
 * @param horizon
 *   of a start row: the first row that is beyond the bound
 */
final class PatternEnumeration(
    rowCount: Int,
    satisfies: (Int, Int, IndexedSeq[Int]) => Boolean,
    stepBudget: Int = PatternEnumeration.defaultStepBudget,
    isDefined: Int => Boolean = _ => true,
    horizon: Int => Int = _ => Int.MaxValue,
    dialect: Dialect = Dialect.Standard
) {
  import Element._
  import PatternEnumeration.{Left, Parse, Place}

  private val flink    = dialect == Dialect.Flink
  private var steps    = 0
  private var bound    = rowCount
  private val partials = ArrayBuffer.empty[IndexedSeq[Mapping]]

  /** The matches at a start row, preferred first; a match may occur more than once. */
  def matches(pattern: RowPattern, start: Int): Iterator[IndexedSeq[Mapping]] = {
    bound = math.min(rowCount, horizon(start))
    partials.clear()
    val all = parses(read(pattern, isDefined), Place(), Parse(start, Vector.empty))
      // (F) At the end of the pattern a greedy loop takes while it can.
      .filterNot(_.left.exists(_.couldGoOn))
      .filter(keepsAbsent)
    if (flink) all.toVector.sortBy(_.completes).iterator.map(_.mappings) else all.map(_.mappings)
  }

  /** The match at a start row, if there is one. */
  def firstMatch(pattern: RowPattern, start: Int): Option[IndexedSeq[Mapping]] = {
    val all = matches(pattern, start)
    if (all.hasNext) Some(all.next()) else None
  }

  /** The live partial matches at a start row, each set of mappings once, preferred first. */
  def livePartials(pattern: RowPattern, start: Int): Seq[IndexedSeq[Mapping]] = {
    matches(pattern, start).foreach(_ => ())
    PatternEnumeration.distinct(partials.toVector)
  }

  private def parses(element: Element, place: Place, parse: Parse): Iterator[Parse] =
    element match {
      case Row(id)            => row(id, place, parse)
      case Sequence(elements) =>
        elements.foldLeft(Iterator.single(parse)) { (parsed, part) =>
          parsed.flatMap(before => parses(part, place, before).map(afterElement(part, _)))
        }
      case Choice(branches)      => branches.iterator.flatMap(parses(_, place, parse))
      case loop: Loop            => new Iterations(loop, place).from(parse, done = 0)
      case Excluded(inside)      => parses(inside, place.copy(excluded = true), parse)
      case NoRow                 => Iterator.single(parse)
      case AtStart               => only(parse, parse.next == 0)
      case AtEnd                 => only(parse, parse.next == rowCount)
      case NotNext(b)            => notNext(b, parse)
      case NotUpToNext(b, true)  => notToTheEnd(b, parse)
      case NotUpToNext(b, false) => Iterator.single(parse.copy(barred = parse.barred + b))
      case Gap(_, any) if flink  => Iterator.single(parse.copy(gap = Some(any)))
      case Gap(variable, any)    => gapRows(variable, any, place, parse)
    }

  private def only(parse: Parse, holds: Boolean): Iterator[Parse] =
    if (holds) Iterator.single(parse) else Iterator.empty

  /** A gap, or what it bars, belongs to the element after it, and goes with it. */
  private def afterElement(part: Element, parse: Parse): Parse = part match {
    case _: NotUpToNext  => parse
    case _: Gap if flink => parse
    case _               => parse.copy(barred = Set.empty, gap = None)
  }

  /** Whether the next row, which is within the bound, is an instance of the variable. */
  private def is(variable: Int, parse: Parse): Boolean = {
    step()
    satisfies(variable, parse.next, parse.labels)
  }

  /**
   * Whether it is an instance of one of several. It is tested for all of them, also after one that it
   * satisfies: a search may test any.
   */
  private def isAny(variables: Iterable[Int], parse: Parse): Boolean =
    variables.toVector.map(is(_, parse)).contains(true)

  /** Whether there is a next row within the bound; a parse that needs one where none is waits. */
  private def hasNext(parse: Parse): Boolean = {
    if (parse.next >= bound) partials += PatternEnumeration.mapped(parse.mappings)
    parse.next < bound
  }

  /** One row, after a gap if one is open. (F) Before the first row of a match a gap is void. */
  private def row(variable: Int, place: Place, parse: Parse): Iterator[Parse] = parse.gap match {
    case Some(any) if parse.mappings.nonEmpty => afterGap(variable, any, place, parse)
    case _ => if (hasNext(parse)) taken(variable, place, parse) else Iterator.empty
  }

  private def taken(variable: Int, place: Place, parse: Parse): Iterator[Parse] =
    only(
      parse.take(Mapping(variable, place.excluded)),
      is(variable, parse) && !isAny(place.stops ++ parse.left.map(_.variable), parse))

  /** (F) A reluctant gap ends at the first row that the variable accepts, a greedy one anywhere. */
  private def afterGap(variable: Int, any: Boolean, place: Place, parse: Parse): Iterator[Parse] =
    if (!hasNext(parse)) Iterator.empty
    else {
      val here = taken(variable, place, parse)
      if (!any && is(variable, parse)) here
      else here ++ passOver(parse).flatMap(afterGap(variable, any, place, _))
    }

  /** (F) A row of a gap is no B of `{- X*? -} [^B]`, and no row that a greedy loop left. */
  private def passOver(parse: Parse): Iterator[Parse] =
    only(parse.passOver, !isAny(parse.barred ++ parse.left.map(_.variable), parse))

  /** A gap in the standard dialect: rows mapped to its variable. */
  private def gapRows(
      variable: Int,
      any: Boolean,
      place: Place,
      parse: Parse): Iterator[Parse] = {
    step()
    def more: Iterator[Parse] =
      if (!hasNext(parse)) Iterator.empty
      else
        only(
          parse.add(Mapping(variable, excluded = true)),
          !isAny(place.stops ++ parse.barred, parse)
        ).flatMap(gapRows(variable, any, place, _))
    if (any) more ++ Iterator.single(parse) else Iterator.single(parse) ++ more
  }

  /**
   * `[^B]`. (F) It needs a next row within the bound, and completes on it. A loop before it is not
   * at the end of the pattern: it need not take while it can.
   */
  private def notNext(b: Int, parse: Parse): Iterator[Parse] =
    if (flink) {
      only(
        parse.copy(lookedAt = parse.next, left = parse.left.map(_.copy(couldGoOn = false))),
        hasNext(parse) && !isAny(b +: parse.left.map(_.variable), parse)
      )
    } else {
      only(parse, parse.next >= bound || !is(b, parse))
    }

  /**
   * `{- X*? -} [^B]` at the end: no row up to the bound is a B. (F) Nor one that a greedy loop left,
   * which is not at the end of the pattern then. After a loop that could have taken more it needs a
   * next row, as `[^B]` does.
   */
  private def notToTheEnd(b: Int, parse: Parse): Iterator[Parse] =
    only(
      parse.copy(
        absent = (parse.absent :+ b) ++ parse.left.map(_.variable),
        lookedAt = bound,
        left = Vector.empty),
      !parse.leftBelow || hasNext(parse))

  /** Whether no row from the next one up to the bound is what must be absent at the end. */
  private def keepsAbsent(parse: Parse): Boolean =
    parse.absent.isEmpty || Iterator
      .iterate(parse)(_.passOver)
      .takeWhile(_.next < bound)
      .forall(!isAny(parse.absent, _))

  /** `element{lower,upper}`; unrolled step by step, each step counts the iterations done. */
  final private class Iterations(loop: Loop, outside: Place) {
    private val stop  = loop.quantifier.stop
    private val place = outside.copy(stops = outside.stops ++ stop)

    /** (F) What no row of an iteration beyond the first may be. */
    private val taking = loop.notBetween.filter(_ => loop.variable.nonEmpty)

    def from(parse: Parse, done: Int): Iterator[Parse] = {
      step()
      if (done < loop.lower) {
        again(parse, done)
      } else if (loop.upper.exists(done >= _)) {
        Iterator.single(leave(parse, couldGoOn = false))
      } else if (flink) {
        flinkChoice(parse, done)
      } else if (loop.quantifier.greedy) {
        again(parse, done) ++ Iterator.single(parse)
      } else {
        Iterator.single(parse) ++ again(parse, done)
      }
    }

    /** (F) Every loop is read as greedy. */
    private def flinkChoice(parse: Parse, done: Int): Iterator[Parse] = {
      val goesOn = parse.next >= bound || loop.notNext.forall { b =>
        // A greedy loop over one variable goes on if the row is also its variable.
        !is(b, parse) || loop.isGreedy && loop.variable.exists(is(_, parse))
      }
      def couldGoOn = goesOn && loop.isGreedy && iteration(parse, done).hasNext
      (if (goesOn) again(parse, done) else Iterator.empty) ++
        Iterator.single(parse).map(leave(_, couldGoOn).copy(leftBelow = true))
    }

    /** (F) What a greedy loop over one variable forbids once it is left. */
    private def leave(parse: Parse, couldGoOn: Boolean): Parse = {
      val stopped = parse.next < bound && stop.exists(is(_, parse))
      if (flink && loop.isGreedy && !stopped) {
        parse.copy(left = parse.left ++ loop.variable.map(Left(_, couldGoOn)))
      } else parse
    }

    /** One more iteration; one without a row ends the loop if that reaches the lower bound. */
    private def again(parse: Parse, done: Int): Iterator[Parse] =
      iteration(parse, done).flatMap { after =>
        val consumedNoRow = after.next == parse.next
        if (consumedNoRow && done + 1 >= loop.lower) {
          val below = flink && !loop.upper.contains(done + 1)
          Iterator.single(after.copy(leftBelow = after.leftBelow || below))
        } else from(after, done + 1)
      }

    private def iteration(parse: Parse, done: Int): Iterator[Parse] = {
      val begin =
        if (loop.quantifier.loose && done > 0) between(parse) else Iterator.single(parse)
      val ofBody = if (flink && done > 0) place.copy(stops = place.stops ++ taking) else place
      begin.flatMap(parses(loop.body, ofBody, _)).map(_.copy(gap = None))
    }

    /**
     * Passes over the rows up to the first that the body can begin with. (F) None is one that a greedy
     * loop at the end of the iteration before has left.
     */
    private def between(parse: Parse): Iterator[Parse] =
      if (!hasNext(parse)) Iterator.empty
      else if (is(loop.first, parse)) Iterator.single(parse)
      else {
        val no   = stop ++ (if (flink) loop.notBetween else None)
        val left = parse.left.map(_.variable)
        only(parse.passOver, !isAny(no ++ left, parse)).flatMap(between)
      }
  }

  private def step(): Unit = {
    steps += 1
    if (steps > stepBudget) throw new TooManySteps
  }
}

object PatternEnumeration {
  val defaultStepBudget: Int = 20000

  /**
   * @param excluded
   *   within `{- -}`
   * @param stops
   *   the stop variables of the loops around
   */
  final private case class Place(excluded: Boolean = false, stops: Set[Int] = Set.empty)

  /**
   * (F) A greedy loop that was left.
   *
   * @param couldGoOn
   *   one more iteration was possible
   */
  final private case class Left(variable: Int, couldGoOn: Boolean)

  /**
   * The rows mapped so far; the next row to map is `start + mappings.size`. What else it holds is
   * about the rows between the last one mapped and the next.
   *
   * @param barred
   *   what no row passed over may be: B of `{- X*? -} [^B]`
   * @param absent
   *   what no row from the next one up to the bound may be
   * @param gap
   *   (F) a gap is open; true if it may end anywhere
   * @param left
   *   (F) greedy loops left since the last row
   * @param lookedAt
   *   (F) the last row that an absence has looked at
   * @param leftBelow
   *   (F) since the last row a loop was left below its upper bound, `?` among them
   */
  final private case class Parse(
      start: Int,
      mappings: Vector[Mapping],
      barred: Set[Int] = Set.empty,
      absent: Vector[Int] = Vector.empty,
      gap: Option[Boolean] = None,
      left: Vector[Left] = Vector.empty,
      lookedAt: Int = -1,
      leftBelow: Boolean = false) {
    def next: Int                     = start + mappings.size
    def labels: Vector[Int]           = mappings.map(_.variable)
    def add(mapping: Mapping): Parse  = copy(mappings = mappings :+ mapping)
    def passOver: Parse               = add(Mapping.passedOver)
    def take(mapping: Mapping): Parse = Parse(start, mappings :+ mapping, lookedAt = lookedAt)

    /** (F) The row on which the match is complete. */
    def completes: Int = math.max(next - 1, lookedAt)
  }

  /** Up to the last row that is mapped. */
  private def mapped(mappings: Vector[Mapping]): Vector[Mapping] =
    mappings.take(mappings.lastIndexWhere(!_.isPassedOver) + 1)

  /** Each set of mappings once. */
  def distinct(all: Seq[IndexedSeq[Mapping]]): Seq[IndexedSeq[Mapping]] =
    all.foldLeft(Vector.empty[IndexedSeq[Mapping]]) { (seen, mappings) =>
      if (seen.exists(_.map(_.variable) == mappings.map(_.variable))) seen else seen :+ mappings
    }

  /** PERMUTE's meaning: the alternation of all k! concatenations, in lexicographic order. */
  def expand(elements: Seq[RowPattern]): RowPattern = {
    val orders       = lexicographic(elements.indices.toList)
    val alternatives = orders.map { order =>
      concatenation(order.map(elements(_)))
    }
    if (alternatives.size == 1) alternatives.head else RowPattern.Alternation(alternatives)
  }

  private def concatenation(elements: Seq[RowPattern]): RowPattern =
    if (elements.size == 1) elements.head else RowPattern.Concatenation(elements)

  private def lexicographic(indices: List[Int]): List[List[Int]] =
    if (indices.isEmpty) {
      List(Nil)
    } else {
      indices.flatMap(first => lexicographic(indices.filter(_ != first)).map(first :: _))
    }
}
