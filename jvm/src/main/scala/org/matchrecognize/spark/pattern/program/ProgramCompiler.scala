package org.matchrecognize.spark.pattern.program

import org.matchrecognize.spark.pattern.{Quantifier, RowPattern}
import org.matchrecognize.spark.pattern.program.Instruction._
import org.matchrecognize.spark.pattern.program.ProgramCompiler.Region

/**
 * Compiles a [[RowPattern]] to a [[Program]]. Each part is compiled against the place where the
 * match continues after it, so code is emitted from the end to the start. The size of the program
 * is linear in the size of the pattern, whatever its bounds.
 */
final class ProgramCompiler private () extends ProgramBuilder(limit = Int.MaxValue) {

  private def program(pattern: RowPattern): Program =
    built(
      compile(pattern, emit(Accept), Region(excluded = false, Nil)),
      flink = None,
      leastRows = RowPattern.minRows(pattern))

  /** The place where a thread matches `pattern` and then continues at `next`. */
  private def compile(pattern: RowPattern, next: Int, region: Region): Int = pattern match {
    case RowPattern.Variable(id, _) => emit(Consume(id, region.excluded, next, region.barred))
    case RowPattern.Concatenation(elements, _)   => sequence(elements, next, region)
    case RowPattern.Alternation(alternatives, _) =>
      emit(Branch(alternatives.map(compile(_, next, region)).toArray))
    case RowPattern.Empty(_)              => next
    case RowPattern.PartitionStart(_)     => emit(AssertStart(next))
    case RowPattern.PartitionEnd(_)       => emit(AssertEnd(next))
    case RowPattern.Exclusion(element, _) => compile(element, next, region.copy(excluded = true))
    case permutation: RowPattern.Permutation           => permute(permutation, next, region)
    case RowPattern.Quantified(element, quantifier, _) =>
      quantified(element, quantifier, next, region)
    case RowPattern.Absence(variable, _) => emit(Look(variable, next))
    case _: RowPattern.GapAbsence        => sequence(Seq(pattern), next, region)
    case _: RowPattern.Gap               =>
      throw new IllegalStateException("a gap is an element in the flink dialect only")
  }

  /**
   * Absences over a gap bar the rows of the gap that follows them; at the end of the pattern
   * all rows that follow.
   */
  private def sequence(elements: Seq[RowPattern], next: Int, region: Region): Int =
    elements.lastIndexWhere(_.isInstanceOf[RowPattern.GapAbsence]) match {
      case -1 =>
        elements.foldRight(next)((element, after) => compile(element, after, region))
      case last =>
        val (absences, before) = elements.take(last + 1).reverse.span {
          case _: RowPattern.GapAbsence => true
          case _                        => false
        }
        val barred = absences.reverse.collect { case RowPattern.GapAbsence(_, v, _) => v }
        val after  = elements.drop(last + 1) match {
          case gap +: rest =>
            compile(gap, sequence(rest, next, region), region.barring(barred))
          case _ => emit(Watch(barred, next))
        }
        sequence(before.reverse, after, region)
    }

  private def quantified(
      element: RowPattern,
      quantifier: Quantifier,
      next: Int,
      region: Region
  ): Int = {
    val lower  = quantifier.lower.count
    val upper  = quantifier.upper.count
    val inside = region.barring(quantifier.stop.toSeq)
    if (lower == 1 && upper == 1) {
      compile(element, next, inside)
    } else if (lower == 0 && upper == 1) {
      choice(compile(element, next, inside), next, quantifier.greedy)
    } else if (quantifier.loose) {
      looseLoop(element, quantifier, next, inside)
    } else {
      loop(element, lower, upper, quantifier.greedy, next, inside)
    }
  }

  /** Into an element or past it. */
  private def choice(body: Int, next: Int, greedy: Boolean): Int =
    emit(Branch(if (greedy) Array(body, next) else Array(next, body)))

  private def loop(
      element: RowPattern,
      lower: Int,
      upper: Int,
      greedy: Boolean,
      next: Int,
      region: Region
  ): Int = {
    // `p*` and `p+` need no counter: after an iteration the lower bound is always reached.
    val counted = lower > 1 || upper != Int.MaxValue
    val flag    = emptyFlag(element)
    val loop    = new Loop(
      lower,
      upper,
      greedy,
      if (counted) register() else -1,
      flag,
      endsWhenEmpty = flag >= 0 && NestedLoops.endsWhenEmpty(element))
    loop.exit = next
    loop.decide = emit(LoopDecide(loop))
    loop.body = compile(element, emit(LoopBack(loop)), region)
    loop.again = loop.body
    if (lower == 1 && !counted) emit(LoopEnter(loop)) else loop.decide
  }

  /**
   * A loop between whose iterations rows are passed over. Its body begins with a variable, so it
   * is never empty, and all iterations but the first continue alike after that variable's row.
   */
  private def looseLoop(
      element: RowPattern,
      quantifier: Quantifier,
      next: Int,
      region: Region): Int = {
    val lower         = quantifier.lower.count
    val upper         = quantifier.upper.count
    val (first, rest) = RowPattern
      .beginning(element)
      .getOrElse(throw new IllegalStateException("the body of a loose loop has no first row"))
    val counted = lower > 1 || upper != Int.MaxValue
    val loop    = new Loop(
      lower,
      upper,
      quantifier.greedy,
      if (counted) register() else -1,
      emptyFlag = -1,
      endsWhenEmpty = false)
    loop.exit = next
    loop.decide = emit(LoopDecide(loop))
    val strict =
      Consume(
        first.id,
        region.excluded,
        sequence(rest, emit(LoopBack(loop)), region),
        region.barred)
    loop.body = emit(strict)
    // What the loops around take is barred by their stops; a row passed over is not taken.
    loop.again = emit(strict.copy(passing = Some(quantifier.stop.toSeq)))
    val enter = emit(LoopEnter(loop))
    if (lower == 0) choice(enter, next, quantifier.greedy) else enter
  }

  private def permute(permutation: RowPattern.Permutation, next: Int, region: Region): Int = {
    val elements = permutation.elements
    val ordered  = elements.size > 2 && !elements.forall(ProgramCompiler.hasOnePath)
    val limit    = if (ordered) Permutations.limit else ProgramCompiler.permuteLimit
    if (elements.size > limit) {
      throw PermuteTooLarge(elements.size, limit, permutation.span)
    }
    val permute = new Permute(elements.size, ordered, register())
    permute.exit = next
    permute.next = emit(PermuteNext(permute))
    elements.zipWithIndex.foreach { case (element, i) =>
      permute.elements(i) = compile(element, permute.next, region)
    }
    emit(PermuteEnter(permute))
  }
}

object ProgramCompiler {

  /** Elements of a PERMUTE whose state is a set of bits. */
  val permuteLimit = 30

  /** What holds for the rows that a part of the pattern takes. */
  final private case class Region(excluded: Boolean, barred: Seq[Int]) {
    def barring(variables: Seq[Int]): Region = copy(barred = (barred ++ variables).distinct)
  }

  /** Compiles a pattern without parameters, whose gaps are known ([[GapAbsences]]). */
  def compile(pattern: RowPattern): Program =
    new ProgramCompiler().program(NestedLoops.flatten(pattern))

  /** Whether there is nothing to choose inside: from one row on it matches in one way or none. */
  private def hasOnePath(pattern: RowPattern): Boolean = pattern match {
    case _: RowPattern.Alternation | _: RowPattern.Permutation => false
    case RowPattern.Quantified(element, quantifier, _)         =>
      quantifier.lower == quantifier.upper && hasOnePath(element)
    case _: RowPattern.Concatenation | _: RowPattern.Exclusion =>
      RowPattern.children(pattern).forall(hasOnePath)
    case _: RowPattern.Variable | _: RowPattern.Empty | _: RowPattern.PartitionStart |
        _: RowPattern.PartitionEnd | _: RowPattern.Absence | _: RowPattern.GapAbsence |
        _: RowPattern.Gap =>
      true
  }
}
