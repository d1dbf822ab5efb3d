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
 * A test of a row for a variable's condition.
 *
 * @param bank
 *   of the match under way that the condition reads, or [[Test.noBank]]
 */
final case class Test(variable: Int, bank: Int)

object Test {

  /** In the place of a bank: the row begins a match, or the condition reads none. */
  val noBank: Int = -1
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
 * @param readsMatch
 *   by variable: its condition reads rows that were mapped before. Nothing is known of it in advance
 */
final case class PossibleVerdicts(
    constant: IndexedSeq[Option[Boolean]],
    disjoint: Set[(Int, Int)],
    implies: Set[(Int, Int)],
    fallible: Set[Int],
    readsMatch: Set[Int]) {

  /** Whether any condition can fail with an error. */
  val canFail: Boolean = constant.indices.exists(v => constant(v).isEmpty && fallible(v))

  /** The variables whose verdict depends on the row. */
  val open: Seq[Int] = constant.indices.filter(constant(_).isEmpty)

  /** The test of a variable's condition for the match in a bank. */
  def test(variable: Int, bank: Int): Test =
    Test(variable, if (readsMatch(variable)) bank else Test.noBank)

  /** The tests of all conditions that are not constant, with so many banks. */
  def tests(banks: Int): Seq[Test] =
    for (v <- open; bank <- Test.noBank until (if (readsMatch(v)) banks else 0))
      yield Test(v, bank)

  /**
   * Calls `use` with each combination of verdicts that it distinguishes by the tests that it asks
   * for, until it returns an obstacle; returns that.
   */
  def walk(use: (Test => Verdict) => Option[String]): Option[String] = {
    val todo                     = mutable.Stack[Map[Test, Verdict]](Map.empty)
    var obstacle: Option[String] = None
    while (obstacle.isEmpty && todo.nonEmpty) {
      val known = todo.pop()
      try obstacle = use(verdict(known, _))
      catch {
        case undecided: Undecided =>
          val values = Seq(Verdict.True, Verdict.False) ++
            (if (fallible(undecided.test.variable)) Seq(Verdict.Failed) else Nil)
          values.foreach(value => todo.push(known + (undecided.test -> value)))
      }
    }
    obstacle
  }

  private def verdict(known: Map[Test, Verdict], test: Test): Verdict =
    constant(test.variable)
      .map(if (_) Verdict.True else Verdict.False)
      .orElse(known.get(test))
      .orElse(forced(known, test.variable))
      .getOrElse(throw new Undecided(test))

  private def forced(known: Map[Test, Verdict], variable: Int): Option[Verdict] = {
    def exists(verdict: Verdict)(holds: Int => Boolean) =
      known.exists { case (other, value) => value == verdict && holds(other.variable) }
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

  final private class Undecided(val test: Test) extends RuntimeException(null, null, false, false)
}
