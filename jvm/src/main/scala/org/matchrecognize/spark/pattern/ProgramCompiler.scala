package org.matchrecognize.spark.pattern

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.Instruction._

/** A pattern that cannot be compiled; `span` is the part that is to blame. */
final case class PatternLimit(limit: PatternLimit.Kind, span: Span)
    extends RuntimeException(limit.toString)

object PatternLimit {
  sealed trait Kind

  /** More elements in a PERMUTE than its state can hold. */
  final case class PermuteTooLarge(size: Int, limit: Int) extends Kind
}

/**
 * Compiles a [[RowPattern]] to a [[Program]]. Each part is compiled against the place where the
 * match goes on after it, so code is emitted from the end to the start. The size of the program is
 * linear in the size of the pattern, whatever its bounds.
 */
final class ProgramCompiler private () {
  private val code = ArrayBuffer[Instruction]()

  /** Registers given out so far. */
  private var registers = 0

  /** Those of them that are flags of empty iterations. */
  private val emptyFlags = ArrayBuffer[Int]()

  private def emit(instruction: Instruction): Int = {
    code += instruction
    code.size - 1
  }

  private def register(): Int = {
    registers += 1
    registers - 1
  }

  /** The place where a thread matches `pattern` and then goes on at `next`. */
  private def compile(pattern: RowPattern, next: Int, excluded: Boolean): Int = pattern match {
    case RowPattern.Variable(id, _)            => emit(Consume(id, excluded, next))
    case RowPattern.Concatenation(elements, _) =>
      elements.foldRight(next)((element, behind) => compile(element, behind, excluded))
    case RowPattern.Alternation(alternatives, _) =>
      emit(Branch(alternatives.map(compile(_, next, excluded)).toArray))
    case RowPattern.Empty(_)                           => next
    case RowPattern.PartitionStart(_)                  => emit(AssertStart(next))
    case RowPattern.PartitionEnd(_)                    => emit(AssertEnd(next))
    case RowPattern.Exclusion(element, _)              => compile(element, next, excluded = true)
    case permutation: RowPattern.Permutation           => permute(permutation, next, excluded)
    case RowPattern.Quantified(element, quantifier, _) =>
      quantified(element, quantifier, next, excluded)
    case RowPattern.Absence(_, _) => ProgramCompiler.unsupported("[^ ]")
  }

  private def quantified(
      element: RowPattern,
      quantifier: Quantifier,
      next: Int,
      excluded: Boolean
  ): Int = {
    if (quantifier.loose || quantifier.stop.nonEmpty) ProgramCompiler.unsupported("loose loops")
    val lower = ProgramCompiler.count(quantifier.lower)
    val upper = ProgramCompiler.count(quantifier.upper)
    if (lower == 1 && upper == 1) {
      compile(element, next, excluded)
    } else if (lower == 0 && upper == 1) {
      val body = compile(element, next, excluded)
      emit(Branch(if (quantifier.greedy) Array(body, next) else Array(next, body)))
    } else {
      loop(element, lower, upper, quantifier.greedy, next, excluded)
    }
  }

  private def loop(
      element: RowPattern,
      lower: Int,
      upper: Int,
      greedy: Boolean,
      next: Int,
      excluded: Boolean
  ): Int = {
    // `p*` and `p+` need no counter: behind an iteration the lower bound is always reached.
    val counted   = lower > 1 || upper != Int.MaxValue
    val emptyFlag = if (ProgramCompiler.nullable(element)) register() else -1
    if (emptyFlag >= 0) emptyFlags += emptyFlag
    val loop = new Loop(
      lower,
      upper,
      greedy,
      if (counted) register() else -1,
      emptyFlag,
      endsWhenEmpty = emptyFlag >= 0 && NestedLoops.endsWhenEmpty(element))
    loop.exit = next
    loop.decide = emit(LoopDecide(loop))
    loop.body = compile(element, emit(LoopBack(loop)), excluded)
    if (lower == 1 && !counted) emit(LoopEnter(loop)) else loop.decide
  }

  private def permute(permutation: RowPattern.Permutation, next: Int, excluded: Boolean): Int = {
    val elements = permutation.elements
    val ordered  = elements.size > 2 && !elements.forall(ProgramCompiler.matchesOneWay)
    val limit = if (ordered) ProgramCompiler.orderedPermuteLimit else ProgramCompiler.permuteLimit
    if (elements.size > limit) {
      throw PatternLimit(PatternLimit.PermuteTooLarge(elements.size, limit), permutation.span)
    }
    val permute = new Permute(elements.size, ordered, register())
    permute.exit = next
    permute.next = emit(PermuteNext(permute))
    elements.zipWithIndex.foreach { case (element, i) =>
      permute.elements(i) = compile(element, permute.next, excluded)
    }
    emit(PermuteEnter(permute))
  }
}

object ProgramCompiler {

  /** Elements of a PERMUTE whose state is a set of bits. */
  val permuteLimit = 30

  /** Elements of a PERMUTE that commits to an order: up to 8! threads. */
  val orderedPermuteLimit = 8

  /** Compiles a pattern without parameters and without extensions. */
  def compile(pattern: RowPattern): Program = {
    val compiler = new ProgramCompiler
    val entry    =
      compiler.compile(NestedLoops.flatten(pattern), compiler.emit(Accept), excluded = false)
    new Program(
      compiler.code.toArray,
      entry,
      compiler.registers,
      compiler.emptyFlags.toArray,
      RowPattern.exists(pattern)(_.isInstanceOf[RowPattern.PartitionEnd])
    )
  }

  private def count(bound: Bound): Int = bound match {
    case Bound.Count(value) => value
    case Bound.Unbounded    => Int.MaxValue
    case Bound.Parameter(_) => throw new IllegalStateException("a bound is not bound")
  }

  /** Whether the pattern can match without a row. */
  def nullable(pattern: RowPattern): Boolean = pattern match {
    case _: RowPattern.Variable                        => false
    case RowPattern.Concatenation(elements, _)         => elements.forall(nullable)
    case RowPattern.Alternation(alternatives, _)       => alternatives.exists(nullable)
    case RowPattern.Quantified(element, quantifier, _) =>
      quantifier.lower == Bound.Count(0) || nullable(element)
    case RowPattern.Permutation(elements, _) => elements.forall(nullable)
    case RowPattern.Exclusion(element, _)    => nullable(element)
    case _: RowPattern.Empty | _: RowPattern.PartitionStart | _: RowPattern.PartitionEnd |
        _: RowPattern.Absence =>
      true
  }

  /** Whether there is nothing to choose inside: from one row on it matches in one way or none. */
  private def matchesOneWay(pattern: RowPattern): Boolean = pattern match {
    case _: RowPattern.Alternation | _: RowPattern.Permutation => false
    case RowPattern.Quantified(element, quantifier, _)         =>
      quantifier.lower == quantifier.upper && matchesOneWay(element)
    case other => RowPattern.children(other).forall(matchesOneWay)
  }

  private def unsupported(what: String): Nothing =
    throw new IllegalStateException(s"$what is refused before a pattern is compiled")
}
