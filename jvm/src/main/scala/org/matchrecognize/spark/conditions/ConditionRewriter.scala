package org.matchrecognize.spark.conditions

import scala.collection.immutable.BitSet
import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.{PrimaryVariable, RowVariable}
import org.matchrecognize.spark.pattern.program.Positions

/**
 * Rewrites conditions as seen from the row that is tested: what is known of the rows mapped before
 * it from the pattern alone is said by its distance from there.
 *
 *   - While v is tested, the last row mapped to v is the row that is tested.
 *   - Where each row that can come before a v is mapped to w, `LAST(w.x)` is `PREV(x)`; so is
 *     `LAST(x, 1)` where a row of the match always comes before v.
 */
final private[spark] class ConditionRewriter(
    variables: Seq[PrimaryVariable],
    positions: Option[Positions]) {

  private val names: Array[UTF8String] =
    variables.map(v => UTF8String.fromString(v.name)).toArray

  /** By variable, those of the rows that can come just before it in a match. */
  private lazy val before: Array[mutable.BitSet] = {
    val found = Array.fill(names.length)(mutable.BitSet.empty)
    positions.foreach { all =>
      for {
        p    <- all.variables.indices
        next <- all.after(p) ++ all.afterLast(p) if next != Positions.accepted
      } found(all.variables(next)) += all.variables(p)
    }
    found
  }

  /** The variables that a match can begin with; None if that can be any. */
  private lazy val firsts: Option[BitSet] = positions.map(all =>
    BitSet.empty ++ (all.entry ++ all.entryAtStart)
      .filter(_ != Positions.accepted)
      .map(all.variables(_)))

  private def first(variable: Int): Boolean = firsts.forall(_(variable))

  def rewrite(condition: Expression, variable: Int): Expression = condition.transform {
    case value: RowValue =>
      value.of(seen(value.target, variable)) match {
        case RowLabel(RowTarget.tested)  => Literal(names(variable), StringType)
        case RowExists(RowTarget.tested) => Literal.TrueLiteral
        case other                       => other
      }
  }

  private def seen(target: RowTarget, variable: Int): RowTarget = target.anchor match {
    case RowAnchor.Mapped(MappedEnd.Last, Some(of), 0, _) if of.contains(variable) =>
      RowTarget.tested.copy(physical = target.physical)
    case RowAnchor.Mapped(MappedEnd.Last, Some(of), 0, _) if follows(variable, of) =>
      back(target)
    case RowAnchor.Mapped(MappedEnd.Last, Some(of), 1, _)
        if of.contains(variable) && follows(variable, of) =>
      back(target)
    case RowAnchor.Mapped(MappedEnd.Last, None, 1, _) if !first(variable) => back(target)
    case _: RowAnchor.Mapped | RowAnchor.Output                           => target
  }

  /** Whether the row before one of the variable is always there, and mapped to `of`. */
  private def follows(variable: Int, of: RowVariable): Boolean =
    !first(variable) && before(variable).forall(of.contains)

  private def back(target: RowTarget): RowTarget =
    RowTarget.tested.copy(physical = target.physical - 1)
}
