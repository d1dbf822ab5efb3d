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
  def isRowLocal: Boolean = anchor == RowAnchor.current

  override def toString: String = physical match {
    case 0          => anchor.toString
    case n if n < 0 => s"PREV($anchor, ${-n})"
    case n          => s"NEXT($anchor, $n)"
  }
}

object RowTarget {

  /** In DEFINE, the row tested. */
  val tested: RowTarget = RowTarget(RowAnchor.current)
}

/** A row found through the match. */
sealed trait RowAnchor {

  /** Whether the end of the match must be known to find it. */
  def isFinal: Boolean
}

object RowAnchor {

  /**
   * A row mapped to `variable` (to any, if None), found by counting such rows.
   *
   * @param end
   *   the row from which to count: the first of them, or the last
   * @param offset
   *   how many of them are between that end and the row: 0 for the end itself
   */
  final case class Mapped(
      end: MappedEnd,
      variable: Option[RowVariable],
      offset: Int,
      semantics: Semantics)
      extends RowAnchor {
    override def isFinal: Boolean = semantics == Semantics.Final
    override def toString: String =
      s"${semantics.sql} $end(${variable.map(_.name).getOrElse("*")}, $offset)"
  }

  /** The row that is emitted; with ONE ROW PER MATCH the first. */
  case object Output extends RowAnchor {
    override def isFinal: Boolean = false
    override def toString: String = "OUTPUT"
  }

  /** The last row mapped so far; in DEFINE, the row tested. */
  val current: RowAnchor = Mapped(MappedEnd.Last, None, 0, Semantics.Running)
}

/** The end from which the rows mapped to a variable are counted. */
sealed trait MappedEnd

object MappedEnd {
  case object First extends MappedEnd { override def toString: String = "FIRST" }
  case object Last  extends MappedEnd { override def toString: String = "LAST"  }
}
