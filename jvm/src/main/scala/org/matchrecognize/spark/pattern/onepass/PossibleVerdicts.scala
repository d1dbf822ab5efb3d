package org.matchrecognize.spark.pattern.onepass

import scala.collection.mutable

/** The result of testing a row for a variable's condition. */
sealed trait Verdict

object Verdict {
  case object True extends Verdict

  /** False or NULL. */
  case object False extends Verdict

  /** An error. */
  case object Failed extends Verdict
}

/**
 * The verdicts that one row can have, as far as the conditions alone show.
 *
 * @param constant
 *   by variable: the verdict that every row has, if one is known
 * @param disjoint
 *   by two variables: no row satisfies both
 * @param implies
 *   by two variables: a row that satisfies the first satisfies the second
 * @param fallible
 *   by variable: its condition can fail with an error
 */
final case class PossibleVerdicts(
    constant: IndexedSeq[Option[Boolean]],
    disjoint: Set[(Int, Int)],
    implies: Set[(Int, Int)],
    fallible: Set[Int]) {

  /** Whether any condition can fail with an error. */
  val canFail: Boolean = constant.indices.exists(v => constant(v).isEmpty && fallible(v))

  /** The variables whose verdict depends on the row. */
  val open: Seq[Int] = constant.indices.filter(constant(_).isEmpty)

  /**
   * Calls `use` with each combination of verdicts that it distinguishes by the variables that it
   * reads.
   */
  def walk(use: (Int => Verdict) => Any): Unit = {
    val todo = mutable.Stack[Map[Int, Verdict]](Map.empty)
    while (todo.nonEmpty) {
      val known = todo.pop()
      try {
        use(verdict(known, _))
        ()
      } catch {
        case undecided: Undecided =>
          val values = Seq(Verdict.True, Verdict.False) ++
            (if (fallible(undecided.variable)) Seq(Verdict.Failed) else Nil)
          values.foreach(value => todo.push(known + (undecided.variable -> value)))
      }
    }
  }

  private def verdict(known: Map[Int, Verdict], variable: Int): Verdict =
    constant(variable)
      .map(if (_) Verdict.True else Verdict.False)
      .orElse(known.get(variable))
      .orElse(forced(known, variable))
      .getOrElse(throw new Undecided(variable))

  private def forced(known: Map[Int, Verdict], variable: Int): Option[Verdict] = {
    def exists(verdict: Verdict)(test: Int => Boolean) =
      known.exists { case (other, value) => value == verdict && test(other) }
    if (fallible(variable)) {
      None
    } else if (exists(Verdict.True)(other =>
        disjoint(variable -> other) || disjoint(other -> variable))) {
      Some(Verdict.False)
    } else if (exists(Verdict.True)(other => implies(other -> variable))) {
      Some(Verdict.True)
    } else if (exists(Verdict.False)(other => implies(variable -> other))) {
      Some(Verdict.False)
    } else {
      None
    }
  }

  final private class Undecided(val variable: Int)
      extends RuntimeException(null, null, false, false)
}
