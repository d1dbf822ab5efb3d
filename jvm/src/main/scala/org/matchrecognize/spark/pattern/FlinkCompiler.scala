package org.matchrecognize.spark.pattern

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.Instruction._
import org.matchrecognize.spark.pattern.RowPattern._

/**
 * Compiles a pattern of the flink dialect ([[FlinkPattern.resolved]]), from its end to its start as
 * [[ProgramCompiler]] does.
 *
 *   - Every loop is read as greedy; of the threads the one that accepts first has the match.
 *   - A gap opens the element behind it: the first row of that element may lie behind rows that are
 *     passed over. So the first iteration of a loop is compiled apart from the others.
 *   - A greedy loop that is left bars its variable's rows, up to the next row that is mapped: a
 *     register says so ([[Instruction.LeaveLoop]]).
 *   - `[^B]` waits for the row that it looks at, and completes a match on it: a register says that
 *     a row was looked at since the last was mapped, and the thread settles for a row ([[Settle]]).
 */
final private[pattern] class FlinkCompiler {
  import FlinkCompiler._

  private val code       = ArrayBuffer[Instruction]()
  private val emptyFlags = ArrayBuffer[Int]()
  private val bars       = ArrayBuffer[Bar]()

  /** Register 0: a row was looked at since the last was mapped. */
  private var registers = 1

  private def emit(instruction: Instruction): Int = {
    code += instruction
    code.size - 1
  }

  private def register(): Int = {
    registers += 1
    registers - 1
  }

  def program(pattern: RowPattern): Program = {
    val entry = compile(pattern, emit(Settle(emit(Accept))), Region(excluded = false, Nil), None)
    new Program(
      code.toArray,
      entry,
      registers,
      emptyFlags.toArray,
      Some(FirstCompletion(lookedAt, bars.toSeq)))
  }

  private def compile(
      pattern: RowPattern,
      next: Int,
      region: Region,
      opening: Option[Opening]): Int = pattern match {
    case Variable(id, _)              => consume(id, next, region, opening)
    case Concatenation(elements, _)   => sequence(elements.toList, next, region, opening)
    case Alternation(alternatives, _) =>
      emit(Branch(alternatives.map(compile(_, next, region, opening)).toArray))
    case Permutation(elements, span) if elements.size <= maxPermuted =>
      emit(Branch(elements.permutations.map { order =>
        sequence(order.toList, next, region, opening)
      }.toArray))
    case Permutation(elements, span) =>
      throw PatternLimit(PatternLimit.PermuteTooLarge(elements.size, maxPermuted), span)
    case Exclusion(element, _) =>
      compile(element, next, region.copy(excluded = true), opening)
    case Quantified(element, quantifier, _) =>
      quantified(element, quantifier, next, region, opening, None)
    case Absence(variable, _) => emit(Await(variable, next))
    case PartitionStart(_)    => emit(AssertStart(next))
    case PartitionEnd(_)      => emit(AssertEnd(next))
    case _: Empty             => next
    // Nothing stands behind it that it could open.
    case _: Gap                     => next
    case GapAbsence(_, variable, _) => emit(Watch(Seq(variable), next))
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

  /** Gaps and absences over gaps belong to the element behind them. */
  private def sequence(
      elements: List[RowPattern],
      next: Int,
      region: Region,
      opening: Option[Opening]): Int = {
    val (absences, behind) = elements.span(_.isInstanceOf[GapAbsence])
    val barred             = absences.collect { case GapAbsence(_, variable, _) => variable }
    behind match {
      case Nil if barred.isEmpty                   => next
      case Nil                                     => emit(Watch(barred, next))
      case Gap(_, anywhere, _) :: element :: after =>
        one(element, after, next, region, Some(Opening(anywhere, barred)))
      case element :: after => one(element, after, next, region, opening)
    }
  }

  private def one(
      element: RowPattern,
      after: List[RowPattern],
      next: Int,
      region: Region,
      opening: Option[Opening]): Int = {
    val behind = sequence(after, next, region, None)
    element match {
      case Quantified(body, quantifier, _) =>
        quantified(body, quantifier, behind, region, opening, after.headOption)
      case _ => compile(element, behind, region, opening)
    }
  }

  /** @param follows what stands directly behind the loop */
  private def quantified(
      body: RowPattern,
      quantifier: Quantifier,
      next: Int,
      region: Region,
      opening: Option[Opening],
      follows: Option[RowPattern]): Int = {
    val lower  = count(quantifier.lower)
    val upper  = count(quantifier.upper)
    val inside = region.stopping(quantifier.stop.toSeq)
    val greedy =
      if (FlinkPattern.isGreedyLoop(quantifier)) Some(body.asInstanceOf[Variable].id) else None
    // In front of an iteration beyond the lower bound.
    def tested(at: Int): Int = follows match {
      case Some(Absence(b, _)) => emit(Look(b, at, greedy))
      case _                   => at
    }
    if (lower == 1 && upper == 1) compile(body, next, inside, opening)
    else if (lower == 0 && upper == 1)
      emit(Branch(Array(tested(compile(body, next, inside, opening)), next)))
    else {
      val counted   = lower > 1 || upper != Int.MaxValue
      val emptyFlag = if (ProgramCompiler.nullable(body)) register() else -1
      if (emptyFlag >= 0) emptyFlags += emptyFlag
      val loop = new Loop(
        lower,
        upper,
        greedy = true,
        if (counted) register() else -1,
        emptyFlag,
        endsWhenEmpty = false)
      val bar = greedy.map(Bar(register(), _))
      bars ++= bar
      def left(canGoOn: Boolean): Int = bar.fold(next)(b =>
        emit(LeaveLoop(b, quantifier.stop.toSeq, region.stops, canGoOn, next)))
      loop.exit = left(canGoOn = true)
      loop.fullExit = if (upper == Int.MaxValue) loop.exit else left(canGoOn = false)
      loop.decide = emit(LoopDecide(loop))
      val back    = emit(LoopBack(loop))
      val between =
        if (!quantifier.loose) None
        else
          Some(
            Opening(
              anywhere = false,
              quantifier.stop.toSeq ++ follows.collect { case GapAbsence(_, b, _) => b }))
      loop.body = compile(body, back, inside, opening)
      loop.again = if (between == opening) loop.body else compile(body, back, inside, between)
      loop.beyond = tested(loop.again)
      val enter = emit(LoopEnter(loop))
      if (lower > 0) enter else emit(Branch(Array(tested(enter), loop.exit)))
    }
  }

  private def count(bound: Bound): Int = bound match {
    case Bound.Count(value) => value
    case Bound.Unbounded    => Int.MaxValue
    case Bound.Parameter(_) => throw new IllegalStateException("a bound is not bound")
  }
}

private[pattern] object FlinkCompiler {

  /** Elements of a PERMUTE, which is compiled as its orders. */
  val maxPermuted = 5

  /** The register that says that a row was looked at. */
  val lookedAt = 0

  /** What holds for the rows that a part of the pattern takes. */
  final private case class Region(excluded: Boolean, stops: Seq[Int]) {
    def stopping(variables: Seq[Int]): Region = copy(stops = (stops ++ variables).distinct)
  }

  /**
   * A gap in front of a row.
   *
   * @param anywhere
   *   it may end at any row that the variable accepts; else at the first
   * @param barred
   *   what no row passed over is
   */
  final private case class Opening(anywhere: Boolean, barred: Seq[Int])
}
