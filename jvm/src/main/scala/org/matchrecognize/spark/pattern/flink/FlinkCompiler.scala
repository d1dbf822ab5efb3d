package org.matchrecognize.spark.pattern.flink

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.{Quantifier, RowPattern}
import org.matchrecognize.spark.pattern.RowPattern._
import org.matchrecognize.spark.pattern.program.{
  Bar,
  Continuation,
  FirstCompletion,
  Loop,
  PermuteTooLarge,
  Program,
  ProgramBuilder
}
import org.matchrecognize.spark.pattern.program.Instruction._

/**
 * Compiles a pattern of the flink dialect ([[FlinkPattern.resolved]]), from its end to its start as
 * [[ProgramCompiler]] does.
 *
 *   - Every loop is read as greedy; of the threads the one that is complete first has the match.
 *   - A gap opens the element after it: the first row of that element may lie after rows that are
 *     passed over. So the first iteration of a loop is compiled apart from the others.
 *   - A greedy loop that is left bars its variable's rows, up to the next row that is mapped: a
 *     register says so ([[Instruction.LeaveLoop]]).
 *   - At the end of the pattern it takes while it can. Where rows are passed over before its next
 *     iteration, whether it can shows in the rows that follow ([[Continuation]]).
 *   - `{- X*? -} [^B]` at the end needs a next row after a loop that could have taken more: a
 *     register says that one was left below its upper bound ([[Instruction.LeftBelow]]).
 *   - `[^B]` waits for the row that it tests, and completes a match on it: a register says that
 *     a row was looked at since the last was mapped. The thread then waits at the end of the match
 *     ([[EndOfMatch]]).
 */
final class FlinkCompiler private () extends ProgramBuilder(FlinkCompiler.maxInstructions) {
  import FlinkCompiler._

  private val bars          = ArrayBuffer[Bar]()
  private val continuations = ArrayBuffer[Continuation]()

  /** Says that a row was looked at since the last was mapped. */
  private val lookedAt = register()

  /** Says that a loop was left below its upper bound since the last row; -1 if it is not needed. */
  private var leftBelow = -1

  private def program(pattern: RowPattern): Program = {
    val entry =
      compile(pattern, emit(EndOfMatch), Region(excluded = false, Nil, last = true), None)
    built(
      entry,
      Some(FirstCompletion(lookedAt, leftBelow, bars.toSeq, continuations.toSeq)),
      leastRows = RowPattern.minRows(pattern))
  }

  private def compile(
      pattern: RowPattern,
      next: Int,
      region: Region,
      opening: Option[Opening]): Int = pattern match {
    case Variable(id, _)              => consume(id, next, region, opening)
    case Concatenation(elements, _)   => sequence(elements, next, region, opening)
    case Alternation(alternatives, _) =>
      emit(Branch(alternatives.map(compile(_, next, region, opening)).toArray))
    case Permutation(elements, span) if elements.size <= maxPermuted =>
      // Of places, since two elements may be equal.
      emit(Branch(elements.indices.permutations.map { order =>
        sequence(order.map(elements(_)), next, region, opening)
      }.toArray))
    case Permutation(elements, span) =>
      throw PermuteTooLarge(elements.size, maxPermuted, span)
    case Exclusion(element, _) =>
      compile(element, next, region.copy(excluded = true), opening)
    case Quantified(element, quantifier, _) =>
      quantified(element, quantifier, next, region, opening, None)
    case Absence(variable, _) => emit(Await(variable, next))
    case PartitionStart(_)    => emit(AssertStart(next))
    case PartitionEnd(_)      => emit(AssertEnd(next))
    case _: Empty             => next
    // Nothing follows it that it could open.
    case _: Gap                     => next
    case GapAbsence(_, variable, _) => watch(Seq(variable), next)
  }

  private def watch(barred: Seq[Int], next: Int): Int = {
    if (leftBelow < 0) leftBelow = register()
    emit(Watch(barred, next))
  }

  private def consume(id: Int, next: Int, region: Region, opening: Option[Opening]): Int =
    emit(
      Consume(
        id,
        region.excluded,
        next,
        region.stops,
        opening.map(_.barred),
        opening.exists(_.anywhere)))

  /**
   * Gaps and absences over gaps belong to the element after them. A gap after the last element has
   * no effect.
   */
  private def sequence(
      elements: Seq[RowPattern],
      next: Int,
      region: Region,
      opening: Option[Opening]): Int = {
    var before = elements.reverse.toList.dropWhile(_.isInstanceOf[Gap])

    /** The variables of the absences over gaps that come next, in their order. */
    def absences(): List[GapAbsence] = {
      val (found, rest) = before.span(_.isInstanceOf[GapAbsence])
      before = rest
      found.collect { case absence: GapAbsence => absence }.reverse
    }
    def barred(absences: List[GapAbsence]) = absences.map(_.variable)

    val trailing = absences()
    var at       = if (trailing.isEmpty) next else watch(barred(trailing), next)
    var last     = region.last
    var follows  = trailing.headOption: Option[RowPattern]
    while (before.nonEmpty) {
      val element = before.head
      before = before.tail
      val gap = before.headOption.collect { case gap: Gap => gap }
      if (gap.nonEmpty) before = before.tail
      val over  = absences()
      val opens = gap
        .map(gap => Opening(gap.anywhere, barred(over)))
        .orElse(if (before.isEmpty) opening else None)
      val here = region.copy(last = last)
      at = element match {
        case Quantified(body, quantifier, _) =>
          quantified(body, quantifier, at, here, opens, follows)
        case _ => compile(element, at, here, opens)
      }
      last &&= RowPattern.nullable(element)
      follows = over.headOption.orElse(gap).orElse(Some(element))
    }
    at
  }

  /** @param follows what directly follows the loop */
  private def quantified(
      body: RowPattern,
      quantifier: Quantifier,
      next: Int,
      region: Region,
      opening: Option[Opening],
      follows: Option[RowPattern]): Int = {
    val lower  = quantifier.lower.count
    val upper  = quantifier.upper.count
    val inside = region.stopping(quantifier.stop.toSeq)
    val greedy =
      if (FlinkPattern.isGreedyLoop(quantifier)) Some(body.asInstanceOf[Variable].id) else None
    // Before an iteration beyond the lower bound.
    def tested(at: Int): Int = follows match {
      case Some(Absence(b, _)) => emit(Look(b, at, greedy))
      case _                   => at
    }
    val early = if (region.last && leftBelow >= 0) emit(LeftBelow(next)) else next
    if (lower == 1 && upper == 1) compile(body, next, inside, opening)
    else if (lower == 0 && upper == 1)
      emit(Branch(Array(tested(compile(body, next, inside, opening)), early)))
    else {
      val counted = lower > 1 || upper != Int.MaxValue
      val loop    = new Loop(
        lower,
        upper,
        greedy = true,
        if (counted) register() else -1,
        emptyFlag(body),
        endsWhenEmpty = false)
      // Of `{- X*? -} [^B]` after the loop.
      val absent  = follows.collect { case GapAbsence(_, b, _) => b }.toSeq
      val between =
        if (!quantifier.loose) None
        else
          Some(Opening(anywhere = false, quantifier.stop.toSeq ++ absent))
      // No row of a later iteration is a B of `{- X*? -} [^B]`.
      val later = body match {
        case _: Variable => inside.stopping(absent)
        case _           => inside
      }
      val bar = greedy.map(Bar(register(), _))
      bars ++= bar
      // After the loop, where rows may be passed over before an iteration more as `opening` says.
      def left(canGoOn: Boolean, opening: Option[Opening], more: Region): Int = {
        val to = if (canGoOn) early else next
        bar.fold(to)(leave(_, canGoOn, opening, more, to))
      }
      def leave(
          b: Bar,
          canGoOn: Boolean,
          opening: Option[Opening],
          more: Region,
          to: Int): Int = {
        val continuation = opening.filter(_ => canGoOn && region.last).map { gap =>
          Continuation(register(), b, more.stops, gap.barred, gap.anywhere)
        }
        continuations ++= continuation
        emit(LeaveLoop(b, quantifier.stop.toSeq, more.stops, canGoOn, continuation, to))
      }
      loop.exit = left(canGoOn = true, between, later)
      loop.fullExit = if (upper == Int.MaxValue) loop.exit else left(canGoOn = false, None, later)
      loop.decide = emit(LoopDecide(loop))
      val back = emit(LoopBack(loop))
      loop.body = compile(body, back, inside, opening)
      loop.again =
        if (between == opening && later == inside) loop.body
        else compile(body, back, later, between)
      loop.beyond = tested(loop.again)
      val enter = emit(LoopEnter(loop))
      def none  =
        if (between == opening && later == inside) loop.exit
        else left(canGoOn = true, opening, inside)
      if (lower > 0) enter else emit(Branch(Array(tested(enter), none)))
    }
  }
}

object FlinkCompiler {

  /** Compiles a pattern as [[FlinkPattern]] resolves it. */
  def compile(pattern: RowPattern): Program = new FlinkCompiler().program(pattern)

  /** Elements of a PERMUTE, which is compiled as its orders. */
  val maxPermuted = 5

  /** A loose loop within another doubles the copies of its body, and a PERMUTE has its orders. */
  val maxInstructions = 100000

  /**
   * The place of a part of the pattern.
   *
   * @param stops
   *   what no row that it takes is
   * @param last
   *   a match can end after it without another row
   */
  final private case class Region(excluded: Boolean, stops: Seq[Int], last: Boolean) {
    def stopping(variables: Seq[Int]): Region = copy(stops = (stops ++ variables).distinct)
  }

  /**
   * A gap before a row.
   *
   * @param anywhere
   *   it may end at any row that the variable accepts; else at the first
   * @param barred
   *   what no row passed over is
   */
  final private case class Opening(anywhere: Boolean, barred: Seq[Int])
}
