package org.matchrecognize.spark.pattern.keys

import org.matchrecognize.spark.pattern.matching.VerdictChanges

/**
 * A condition as comparisons of a key of the row with what the slots give. It holds where it is
 * true; of NULL and false nothing distinguishes it.
 *
 * @tparam S
 *   the slots of one thread
 */
sealed trait ComparedCondition[S <: AnyRef]

object ComparedCondition {

  /** What the key of a row is compared with. */
  trait Operand[S <: AnyRef] {

    /**
     * Finds the keys for which the comparison holds.
     *
     * @param slots
     *   those of a thread that a tested row leaves as they are
     * @param row
     *   the last row that was tested
     * @return
     *   false if they are not the same for all rows after it, or if that fails with an error
     */
    def find(slots: S, row: Long, into: KeyRange): Boolean
  }

  /** The row's key in a column is compared with an operand. */
  final class Comparison[S <: AnyRef](private[keys] val column: Int, operand: Operand[S])
      extends ComparedCondition[S] {
    private[keys] val range = new KeyRange

    /** The slots for which [[range]] was found last; null if none are. */
    private var of: S = _

    private[keys] def forget(): Unit = of = null.asInstanceOf[S]

    private[keys] def isKnown(slots: S, row: Long): Boolean = (of eq slots) || {
      val isFound = operand.find(slots, row, range)
      of = if (isFound) slots else null.asInstanceOf[S]
      isFound
    }
  }

  /** Holds where all parts do. */
  final case class All[S <: AnyRef](parts: IndexedSeq[ComparedCondition[S]])
      extends ComparedCondition[S]

  /** Holds where one of the parts does. */
  final case class Any[S <: AnyRef](parts: IndexedSeq[ComparedCondition[S]])
      extends ComparedCondition[S]
}

/**
 * Conditions whose changes are found by the keys of the rows.
 *
 * @param conditions
 *   by variable; None where the changes are not known
 */
final class ComparedConditions[S <: AnyRef](
    conditions: IndexedSeq[Option[ComparedCondition[S]]],
    keys: RowKeys)
    extends VerdictChanges[S] {
  import ComparedCondition._

  /** A row at which the verdict may be the same is offered: that is no mistake. */
  final private val mostLeaps = 16

  private val byVariable: Array[ComparedCondition[S]]  = conditions.map(_.orNull).toArray
  private val comparisons: Array[Array[Comparison[S]]] =
    conditions.map(_.toSeq.flatMap(comparisonsOf).toArray).toArray

  private def comparisonsOf(condition: ComparedCondition[S]): Seq[Comparison[S]] =
    condition match {
      case comparison: Comparison[S] => Seq(comparison)
      case All(parts)                => parts.flatMap(comparisonsOf)
      case Any(parts)                => parts.flatMap(comparisonsOf)
    }

  override def beginPartition(): Unit = {
    forget()
    keys.beginPartition()
  }

  override def begin(start: Long): Unit = {
    forget()
    keys.begin(start)
  }

  private def forget(): Unit = comparisons.foreach(_.foreach(_.forget()))

  override def firstChange(
      variable: Int,
      slots: S,
      satisfied: Boolean,
      from: Long,
      until: Long): Long =
    if (byVariable(variable) == null || !isKnown(comparisons(variable), slots, from - 1)) {
      VerdictChanges.unknown
    } else first(byVariable(variable), !satisfied, from, until)

  private def isKnown(all: Array[Comparison[S]], slots: S, row: Long): Boolean = {
    var i = 0
    while (i < all.length && all(i).isKnown(slots, row)) i += 1
    i == all.length
  }

  /** The first row with a verdict, or an earlier one. */
  private def first(
      condition: ComparedCondition[S],
      satisfied: Boolean,
      from: Long,
      until: Long): Long = condition match {
    case comparison: Comparison[S] =>
      keys.first(comparison.column, comparison.range, satisfied, from, until)
    case All(parts) =>
      if (satisfied) firstOfAll(parts, satisfied, from, until)
      else firstOfAny(parts, satisfied, from, until)
    case Any(parts) =>
      if (satisfied) firstOfAny(parts, satisfied, from, until)
      else firstOfAll(parts, satisfied, from, until)
  }

  /** The first row at which one of the parts has the verdict. */
  private def firstOfAny(
      parts: IndexedSeq[ComparedCondition[S]],
      satisfied: Boolean,
      from: Long,
      until: Long): Long = {
    var found = until
    var i     = 0
    while (i < parts.size) {
      found = first(parts(i), satisfied, from, found)
      i += 1
    }
    found
  }

  /** Before the row returned, no row has the verdict in all parts. */
  private def firstOfAll(
      parts: IndexedSeq[ComparedCondition[S]],
      satisfied: Boolean,
      from: Long,
      until: Long): Long = {
    var at    = from
    var leaps = 0
    var moved = true
    while (moved && leaps < mostLeaps) {
      val before = at
      var i      = 0
      while (i < parts.size) {
        at = first(parts(i), satisfied, at, until)
        i += 1
      }
      moved = at > before
      leaps += 1
    }
    at
  }
}
