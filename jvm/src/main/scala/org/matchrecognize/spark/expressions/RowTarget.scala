package org.matchrecognize.spark.expressions

import org.matchrecognize.spark.pattern.RowVariable

/**
 * Which row of the partition a value is taken from.
 *
 * @param anchor
 *   a row found through the match
 * @param physical
 *   distance from there in rows of the partition: PREV is negative, NEXT positive
 */
final case class RowTarget(anchor: RowAnchor, physical: Long = 0) {

  /** In DEFINE, whether it is found without the rows mapped before: the row tested, or near it. */
  def isRowLocal: Boolean = anchor == RowAnchor.Last(None, 0, Semantics.Running)

  override def toString: String = physical match {
    case 0          => anchor.toString
    case n if n < 0 => s"PREV($anchor, ${-n})"
    case n          => s"NEXT($anchor, $n)"
  }
}

/** A row found through the match. */
sealed trait RowAnchor

object RowAnchor {

  /** The row mapped to `variable` (to any, if None) that has `offset` such rows before it. */
  final case class First(variable: Option[RowVariable], offset: Int, semantics: Semantics)
      extends RowAnchor {
    override def toString: String = show("FIRST", variable, offset, semantics)
  }

  /** The row mapped to `variable` (to any, if None) that has `offset` such rows after it. */
  final case class Last(variable: Option[RowVariable], offset: Int, semantics: Semantics)
      extends RowAnchor {
    override def toString: String = show("LAST", variable, offset, semantics)
  }

  /** The row that is emitted; with ONE ROW PER MATCH the first. */
  case object Output extends RowAnchor {
    override def toString: String = "OUTPUT"
  }

  private def show(
      name: String,
      variable: Option[RowVariable],
      offset: Int,
      semantics: Semantics): String =
    s"${semantics.sql} $name(${variable.map(_.name).getOrElse("*")}, $offset)"
}
