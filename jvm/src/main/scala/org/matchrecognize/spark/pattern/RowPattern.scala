package org.matchrecognize.spark.pattern

import scala.collection.mutable

import org.matchrecognize.spark.text.Span

/**
 * A row pattern as the user wrote it: PATTERN's content, with variables as integers (the index in
 * the clause's list of primary variables) and the place of each node in the text.
 *
 * Nothing here is unrolled: a bound is a number however large, PERMUTE holds its elements once.
 */
sealed trait RowPattern {
  def span: Span
}

object RowPattern {

  /** `A`: one row mapped to a primary variable. */
  final case class Variable(id: Int, span: Span = Span.none) extends RowPattern

  /** `p q ...`: two elements or more, one after the other. */
  final case class Concatenation(elements: Seq[RowPattern], span: Span = Span.none)
      extends RowPattern

  /** `p | q | ...`: two alternatives or more, the left preferred. */
  final case class Alternation(alternatives: Seq[RowPattern], span: Span = Span.none)
      extends RowPattern

  /** `p+`, `p{2,5}?`, `p+??{V}`: an element under one quantifier. */
  final case class Quantified(element: RowPattern, quantifier: Quantifier, span: Span = Span.none)
      extends RowPattern

  /** `()`: matches no row. */
  final case class Empty(span: Span = Span.none) extends RowPattern

  /** `^`: no row of the partition precedes. */
  final case class PartitionStart(span: Span = Span.none) extends RowPattern

  /** `$`: no row of the partition follows. */
  final case class PartitionEnd(span: Span = Span.none) extends RowPattern

  /** `PERMUTE(p, q, ...)`: all elements in any order, in lexicographic preference. */
  final case class Permutation(elements: Seq[RowPattern], span: Span = Span.none)
      extends RowPattern

  /** `{- p -}`: matched, not output. */
  final case class Exclusion(element: RowPattern, span: Span = Span.none) extends RowPattern

  /** `[^B]` (extension): the next row is not a B; consumes nothing. */
  final case class Absence(variable: Int, span: Span = Span.none) extends RowPattern

  /**
   * `{- X*? -} [^B]` (extension): no row passed over before the next element's row is a B. Only
   * [[GapAbsences]] makes it, where a gap follows it or the pattern ends.
   *
   * @param gap
   *   X, to which no row is mapped
   */
  final case class GapAbsence(gap: Int, variable: Int, span: Span = Span.none) extends RowPattern

  /**
   * `{- X*? -}` or `{- X* -}` in the flink dialect: rows may be passed over before the element that
   * follows. Only [[FlinkPattern]] makes it.
   *
   * @param variable
   *   X, to which no row is mapped
   * @param anywhere
   *   the gap may end at any row that the element accepts (`{- X* -}`); else at the first
   */
  final case class Gap(variable: Int, anywhere: Boolean, span: Span = Span.none)
      extends RowPattern

  /** The direct parts of a pattern. */
  def children(pattern: RowPattern): Seq[RowPattern] = pattern match {
    case Concatenation(elements, _)   => elements
    case Alternation(alternatives, _) => alternatives
    case Quantified(element, _, _)    => Seq(element)
    case Permutation(elements, _)     => elements
    case Exclusion(element, _)        => Seq(element)
    case _: Variable | _: Empty | _: PartitionStart | _: PartitionEnd | _: Absence |
        _: GapAbsence | _: Gap =>
      Nil
  }

  /** True if `test` holds for the pattern or any part of it. */
  def exists(pattern: RowPattern)(test: RowPattern => Boolean): Boolean =
    test(pattern) || children(pattern).exists(exists(_)(test))

  /** The pattern and all its parts. */
  def parts(pattern: RowPattern): Seq[RowPattern] =
    pattern +: children(pattern).flatMap(parts)

  /** How often a variable is in the pattern, other than as one that must not occur. */
  def occurrences(pattern: RowPattern, id: Int): Int = parts(pattern).count {
    case Variable(other, _) => other == id
    case _                  => false
  }

  /** The element that the parameter of this index bounds. */
  def boundedBy(pattern: RowPattern, parameter: Int): Option[RowPattern] = pattern match {
    case Quantified(_, quantifier, _)
        if Seq(quantifier.lower, quantifier.upper).contains(
          QuantifierBound.Parameter(parameter)) =>
      Some(pattern)
    case _ => children(pattern).flatMap(boundedBy(_, parameter)).headOption
  }

  /** Whether the pattern can match without a row. */
  def nullable(pattern: RowPattern): Boolean = minRows(pattern) == 0

  /** How many rows a match has at least. */
  def minRows(pattern: RowPattern): Long = pattern match {
    case _: Variable                                      => 1
    case Alternation(alternatives, _)                     => alternatives.map(minRows).min
    case _: Concatenation | _: Permutation | _: Exclusion =>
      children(pattern).map(minRows).foldLeft(0L)(added)
    case Quantified(element, quantifier, _) =>
      (minRows(element), quantifier.lower) match {
        case (rows, QuantifierBound.Count(n)) => math.min(rows, Int.MaxValue) * n
        case _                                => 0
      }
    case _: Empty | _: PartitionStart | _: PartitionEnd | _: Absence | _: GapAbsence | _: Gap => 0
  }

  /**
   * By variable, how many rows of the match are before a row that is tested for it, at least.
   * Variables that are not in the pattern are missing.
   */
  def rowsBefore(pattern: RowPattern): Map[Int, Long] = {
    val found                                   = mutable.Map.empty[Int, Long]
    def test(variable: Int, before: Long): Unit =
      found(variable) = math.min(before, found.getOrElse(variable, before))
    def walk(part: RowPattern, before: Long): Unit = part match {
      case Variable(id, _)            => test(id, before)
      case Absence(variable, _)       => test(variable, before)
      case GapAbsence(_, variable, _) => test(variable, before)
      case Concatenation(elements, _) =>
        elements.foldLeft(before) { (sum, element) =>
          walk(element, sum)
          added(sum, minRows(element))
        }
        ()
      case Quantified(element, quantifier, _) =>
        quantifier.stop.foreach(test(_, before))
        walk(element, before)
      case _ => children(part).foreach(walk(_, before))
    }
    walk(pattern, 0)
    found.toMap
  }

  /** How many rows a match can have at most; Long.MaxValue if there is no bound. */
  def maxRows(pattern: RowPattern): Long = pattern match {
    case _: Variable                                      => 1
    case Alternation(alternatives, _)                     => alternatives.map(maxRows).max
    case _: Concatenation | _: Permutation | _: Exclusion =>
      children(pattern).map(maxRows).foldLeft(0L)(added)
    case Quantified(element, quantifier, _) =>
      (maxRows(element), quantifier.upper) match {
        case (0, _)                                                   => 0
        case (_, _) if quantifier.loose                               => Long.MaxValue
        case (rows, QuantifierBound.Count(n)) if rows <= Int.MaxValue => rows * n
        case _                                                        => Long.MaxValue
      }
    case _: Gap => Long.MaxValue
    case _: Empty | _: PartitionStart | _: PartitionEnd | _: Absence | _: GapAbsence => 0
  }

  /** The variables that more than one row of a match can be mapped to. */
  def repeated(pattern: RowPattern): Set[Int] = {
    val found                                       = mutable.BitSet.empty
    def variables(part: RowPattern): mutable.BitSet = part match {
      case Variable(id, _)                    => mutable.BitSet(id)
      case Quantified(element, quantifier, _) =>
        val once = variables(element)
        if (quantifier.upper != QuantifierBound.Count(1)) found |= once
        once
      case other =>
        val isChoice = other.isInstanceOf[Alternation]
        val all      = mutable.BitSet.empty
        children(other).foreach { child =>
          val own = variables(child)
          if (!isChoice) own.foreach(v => if (all(v)) found += v)
          all |= own
        }
        all
    }
    variables(pattern)
    found.toSet
  }

  /** The elements of a sequence, those of its parentheses among them. */
  def flat(elements: Seq[RowPattern]): Seq[RowPattern] = elements.flatMap {
    case Concatenation(inner, _) => flat(inner)
    case other                   => Seq(other)
  }

  /**
   * The variable that the pattern begins with, if it is a plain element there (unquantified,
   * outside exclusion, alternation and PERMUTE), and the elements after it.
   */
  def beginning(pattern: RowPattern): Option[(Variable, Seq[RowPattern])] =
    flat(Seq(pattern)) match {
      case (first: Variable) +: rest => Some((first, rest))
      case _                         => None
    }

  private def added(a: Long, b: Long): Long = if (a > Long.MaxValue - b) Long.MaxValue else a + b

  /** The pattern with `f` applied to each quantifier, for instance to bind its parameters. */
  def mapQuantifiers(pattern: RowPattern)(f: Quantifier => Quantifier): RowPattern =
    mapChildren(pattern)(mapQuantifiers(_)(f)) match {
      case loop: Quantified => loop.copy(quantifier = f(loop.quantifier))
      case other            => other
    }

  /** The pattern with its elements changed. */
  def mapChildren(pattern: RowPattern)(f: RowPattern => RowPattern): RowPattern = pattern match {
    case Concatenation(elements, span)         => Concatenation(elements.map(f), span)
    case Alternation(alternatives, span)       => Alternation(alternatives.map(f), span)
    case Quantified(element, quantifier, span) => Quantified(f(element), quantifier, span)
    case Permutation(elements, span)           => Permutation(elements.map(f), span)
    case Exclusion(element, span)              => Exclusion(f(element), span)
    case _: Variable | _: Empty | _: PartitionStart | _: PartitionEnd | _: Absence |
        _: GapAbsence | _: Gap =>
      pattern
  }

  /** The pattern in SQL, variables shown by `name`. */
  def sql(pattern: RowPattern, name: Int => String): String = {
    // How tightly an operator binds: an operand that binds less needs parentheses.
    def strength(p: RowPattern): Int = p match {
      case _: Alternation   => 0
      case _: Concatenation => 1
      case _: Quantified    => 2
      case _: Variable | _: Empty | _: PartitionStart | _: PartitionEnd | _: Permutation |
          _: Exclusion | _: Absence | _: GapAbsence | _: Gap =>
        3
    }
    def within(p: RowPattern, least: Int): String =
      if (strength(p) < least) s"(${show(p)})" else show(p)
    def show(p: RowPattern): String = p match {
      case Variable(id, _)                    => name(id)
      case Concatenation(elements, _)         => elements.map(within(_, 2)).mkString(" ")
      case Alternation(alternatives, _)       => alternatives.map(show).mkString(" | ")
      case Quantified(element, quantifier, _) =>
        // Spark takes ${3} for a variable, and replaces it before anything reads the text.
        (within(element, 3) + quantifier.sql(name)).replace("${", "$ {")
      case Empty(_)                     => "()"
      case PartitionStart(_)            => "^"
      case PartitionEnd(_)              => "$"
      case Permutation(elements, _)     => elements.map(show).mkString("PERMUTE(", ", ", ")")
      case Exclusion(element, _)        => s"{- ${show(element)} -}"
      case Absence(variable, _)         => s"[^${name(variable)}]"
      case Gap(variable, anywhere, _)   => s"{- ${name(variable)}*${if (anywhere) "" else "?"} -}"
      case GapAbsence(gap, variable, _) => s"{- ${name(gap)}*? -} [^${name(variable)}]"
    }
    show(pattern)
  }
}

/** A bound of a quantifier. */
sealed trait QuantifierBound {

  /** The number of iterations; the largest Int if there is no bound. */
  def count: Int = this match {
    case QuantifierBound.Count(value) => value
    case QuantifierBound.Unbounded    => Int.MaxValue
    case QuantifierBound.Parameter(_) =>
      throw new IllegalStateException("a parameter has no value yet")
  }
}

object QuantifierBound {

  /** A number of iterations. */
  final case class Count(value: Int) extends QuantifierBound

  /** No upper bound. */
  case object Unbounded extends QuantifierBound

  /** A parameter marker, an index in the clause's list of bound expressions, until it is bound. */
  final case class Parameter(index: Int) extends QuantifierBound
}

/**
 * How often an element repeats.
 *
 * @param lower
 *   least number of iterations
 * @param upper
 *   greatest number of iterations
 * @param greedy
 *   more iterations preferred; else fewer
 * @param loose
 *   (extension `??`, `???`) rows may be passed over between iterations
 * @param stop
 *   (extension `q{V}`) the variable that no row of the loop satisfies
 */
final case class Quantifier(
    lower: QuantifierBound,
    upper: QuantifierBound,
    greedy: Boolean = true,
    loose: Boolean = false,
    stop: Option[Int] = None
) {

  def sql(name: Int => String): String = {
    def bound(b: QuantifierBound): String = b match {
      case QuantifierBound.Count(value) => value.toString
      case QuantifierBound.Unbounded    => ""
      case QuantifierBound.Parameter(_) => "?"
    }
    val repetition = (lower, upper) match {
      case (QuantifierBound.Count(0), QuantifierBound.Unbounded) => "*"
      case (QuantifierBound.Count(1), QuantifierBound.Unbounded) => "+"
      case (QuantifierBound.Count(0), QuantifierBound.Count(1))  => "?"
      case (low, high) if low == high                            => s"{${bound(low)}}"
      case (low, high) => s"{${bound(low)},${bound(high)}}"
    }
    val marks = (if (loose) "??" else "") + (if (greedy) "" else "?")
    repetition + marks + stop.map(v => s"{${name(v)}}").getOrElse("")
  }
}

object Quantifier {
  val star: Quantifier     = Quantifier(QuantifierBound.Count(0), QuantifierBound.Unbounded)
  val plus: Quantifier     = Quantifier(QuantifierBound.Count(1), QuantifierBound.Unbounded)
  val optional: Quantifier = Quantifier(QuantifierBound.Count(0), QuantifierBound.Count(1))

  def between(lower: Int, upper: Int): Quantifier =
    Quantifier(QuantifierBound.Count(lower), QuantifierBound.Count(upper))
}
