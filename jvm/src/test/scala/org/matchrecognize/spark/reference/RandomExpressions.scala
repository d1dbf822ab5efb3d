package org.matchrecognize.spark.reference

import scala.util.Random

/**
 * Random conditions and measures over the columns of [[RandomTables]].
 *
 * @param names
 *   variables and SUBSETs that references may carry
 * @param inDefine
 *   no RUNNING and FINAL, which DEFINE does not need or allow
 * @param distinct
 *   whether aggregates may be over DISTINCT values
 */
final class RandomExpressions(
    random: Random,
    names: IndexedSeq[String],
    inDefine: Boolean,
    distinct: Boolean) {
  import Expression._

  /** A measure of any type. */
  def measure(): Expression = Weighted.pick(
    random,
    Seq[(Int, () => Expression)](
      6 -> (() => number(2)),
      3 -> (() => text()),
      2 -> (() => condition(2)),
      1 -> (() => MatchNumber)
    )
  )()

  /** A condition of DEFINE for a variable, biased so that it holds often. */
  def definition(variable: String): Expression = Weighted.pick(
    random,
    Seq[(Int, () => Expression)](
      6 -> (() => local()),
      4 -> (() => trend(variable)),
      3 -> (() => bounded(variable)),
      3 -> (() => near()),
      1 -> (() => Binary("AND", local(), near())),
      2 -> (() => Binary("OR", local(), condition(1))),
      1 -> (() => Binary("AND", local(), Not(condition(1)))),
      1 -> (() => condition(2))
    )
  )()

  private def local(): Expression = random.nextInt(4) match {
    case 0 => Binary(pick(">", ">=", "<="), Column("x", None), Literal(random.nextInt(4).toLong))
    case 1 => Binary("<>", Column("s", None), letter())
    case _ => Binary("OR", is("s", letter()), is("s", letter()))
  }

  /** Rising or falling, against the row before or the variable's row before. */
  private def trend(variable: String): Expression = {
    val column = pick("x", "y")
    val before =
      if (random.nextBoolean()) Physical(previous = true, Column(column, None), 1)
      else Logical(first = false, Column(column, Some(variable)), 1, Prefix.None)
    val here     = Column(column, if (random.nextBoolean()) Some(variable) else None)
    val compared = Binary(pick(">", ">=", "<", "<="), here, before)
    if (random.nextInt(3) == 0) compared else Binary("OR", compared, IsNull(before))
  }

  /** A bound on what is mapped so far. */
  private def bounded(variable: String): Expression = {
    val bound = Literal((1 + random.nextInt(3)).toLong)
    random.nextInt(4) match {
      case 0 => Binary("<=", CountRows(Some(variable), Prefix.None), bound)
      case 1 =>
        Binary("<=", CountRows(None, Prefix.None), Literal((2 + random.nextInt(4)).toLong))
      case 2 =>
        val sum = Aggregate("SUM", Column("x", qualifier()), distinct = false, None, Prefix.None)
        Binary("<", sum, Literal((4 + random.nextInt(8)).toLong))
      case _ => Binary("<=", MatchNumber, bound)
    }
  }

  /** Not far after the first row of the match, in the order of the partition. */
  private def near(): Expression = {
    val variable = if (random.nextInt(3) == 0) Some(names.head) else None
    val first    = Logical(first = true, Column("o", variable), 0, Prefix.None)
    Binary("<=", Column("o", None), Binary("+", first, Literal(2L)))
  }

  def condition(depth: Int): Expression = if (depth <= 0) {
    comparison(0)
  } else {
    random.nextInt(8) match {
      case 0 => Binary("AND", condition(depth - 1), condition(depth - 1))
      case 1 => Binary("OR", condition(depth - 1), condition(depth - 1))
      case 2 => Not(condition(depth - 1))
      case 3 => IsNull(if (random.nextBoolean()) number(depth - 1) else text())
      case _ => comparison(depth - 1)
    }
  }

  private def comparison(depth: Int): Expression = random.nextInt(5) match {
    case 0 => Binary(pick("=", "<>"), classifier(), Literal(names(random.nextInt(names.size))))
    case 1 => Binary(pick("=", "<>", "<"), text(), letter())
    case _ => Binary(pick("=", "<>", "<", "<=", ">", ">="), number(depth), number(depth))
  }

  def number(depth: Int): Expression = Weighted.pick(
    random,
    Seq[(Int, () => Expression)](
      3                         -> (() => Column(numeric(), qualifier())),
      5                         -> (() => navigation(argument(numeric(), qualifier()))),
      4                         -> (() => aggregate()),
      1                         -> (() => MatchNumber),
      1                         -> (() => constant()),
      (if (depth > 0) 2 else 0) ->
        (() => Binary(pick("+", "-", "*"), number(depth - 1), number(depth - 1))),
      (if (depth > 0) 1 else 0) -> (() => Coalesce(number(depth - 1), Literal(-1L)))
    )
  )()

  private def text(): Expression = random.nextInt(5) match {
    case 0 => Column("s", qualifier())
    case 4 => Aggregate(pick("MIN", "MAX"), Column("s", qualifier()), false, None, prefix())
    case 1 => classifier()
    case 2 => navigation(Column("s", qualifier()))
    // What PREV(CLASSIFIER(A)) means where the row is not an A is left open by the contract.
    case _ => navigation(Classifier(None))
  }

  private def classifier(): Expression = Classifier(qualifier())

  /** FIRST, LAST, PREV, NEXT, or one of the last two around one of the first two. */
  private def navigation(argument: Expression): Expression = random.nextInt(3) match {
    case 0 => logical(argument)
    case 1 => Physical(random.nextBoolean(), argument, random.nextInt(3))
    case _ => Physical(random.nextBoolean(), logical(argument), random.nextInt(3))
  }

  private def logical(argument: Expression): Expression =
    Logical(random.nextBoolean(), argument, Seq(0, 0, 1, 1, 2)(random.nextInt(5)), prefix())

  /** What a navigation or an aggregate may hold: one variable, no navigation, no aggregate. */
  private def argument(column: String, variable: Option[String]): Expression =
    random.nextInt(8) match {
      case 0 => Binary("+", Column(column, variable), Column(numeric(), variable))
      case 1 => Binary("*", Column(column, variable), Literal(2L))
      case 2 => Coalesce(Column(column, variable), Literal(-1L))
      case 3 if variable.isEmpty => constant()
      case _                     => Column(column, variable)
    }

  private def aggregate(): Expression = random.nextInt(4) match {
    case 0 => CountRows(qualifier(), prefix())
    case _ =>
      val variable = qualifier()
      val function = pick("COUNT", "SUM", "MIN", "MAX", "AVG")
      val over     =
        if (function == "COUNT" && random.nextInt(4) == 0) Column("s", variable)
        else argument(numeric(), variable)
      val filter = random.nextInt(5) match {
        case 0 => Some(Binary(pick(">", "<="), Column("x", variable), constant()))
        case 1 if variable.isEmpty =>
          Some(Binary("=", Classifier(None), Literal(names(random.nextInt(names.size)))))
        case _ => None
      }
      val ofDistinct = function == "COUNT" && random.nextInt(4) == 0 && distinct
      Aggregate(function, over, ofDistinct, filter, prefix())
  }

  private def prefix(): Prefix =
    if (inDefine) Prefix.None
    else Seq(Prefix.None, Prefix.None, Prefix.Running, Prefix.Final)(random.nextInt(4))

  private def qualifier(): Option[String] =
    if (random.nextInt(3) == 0) None else Some(names(random.nextInt(names.size)))

  private def numeric(): String      = Seq("x", "x", "y", "o")(random.nextInt(4))
  private def constant(): Expression = Literal(random.nextInt(5).toLong)
  private def letter(): Expression   = Literal(RandomTables.letters(random.nextInt(4)))
  private def is(column: String, value: Expression): Expression =
    Binary("=", Column(column, None), value)
  private def pick(operators: String*): String = operators(random.nextInt(operators.size))
}
