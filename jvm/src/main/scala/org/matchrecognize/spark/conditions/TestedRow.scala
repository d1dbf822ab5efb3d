package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern._

/**
 * Conditions as seen from the row that is tested: what is known of the rows mapped before it from
 * the pattern alone is said by its distance from there.
 *
 *   - While v is tested, the last row mapped to v is the row that is tested.
 *   - Where each row that can come before a v is mapped to w, `LAST(w.x)` is `PREV(x)`; so is
 *     `LAST(x, 1)` where a row of the match always comes before v.
 */
final private[spark] class TestedRow(
    variables: Seq[PrimaryVariable],
    positions: Option[Positions]) {

  /** By variable, those of the rows that can come just before it in a match. */
  private val before: IndexedSeq[Set[Int]] = variables.indices.map { v =>
    positions.fold(Set.empty[Int]) { all =>
      all.variables.indices
        .filter(p => (all.after(p) ++ all.afterLast(p)).exists(is(all, _, v)))
        .map(all.variables(_))
        .toSet
    }
  }

  /** Whether a match can begin with the variable. */
  private val first: IndexedSeq[Boolean] = variables.indices.map(v =>
    positions.forall(all => (all.entry ++ all.entryAtStart).exists(is(all, _, v))))

  private def is(all: Positions, way: Int, variable: Int) =
    way != Positions.accepted && all.variables(way) == variable

  def rewrite(condition: Expression, variable: Int): Expression = condition.transform {
    case RowColumn(target, e) => RowColumn(seen(target, variable), e)
    case RowLabel(target)     =>
      val there = seen(target, variable)
      if (there == TestedRow.itself) {
        Literal(UTF8String.fromString(variables(variable).name), StringType)
      } else {
        RowLabel(there)
      }
    case RowExists(target) =>
      val there = seen(target, variable)
      if (there == TestedRow.itself) Literal.TrueLiteral else RowExists(there)
    case RowSequenceNumber(target) => RowSequenceNumber(seen(target, variable))
  }

  private def seen(target: RowTarget, variable: Int): RowTarget = target.anchor match {
    case RowAnchor.Last(Some(of), 0, _) if of.contains(variable) =>
      TestedRow.itself.copy(physical = target.physical)
    case RowAnchor.Last(Some(of), 0, _) if follows(variable, of) => back(target)
    case RowAnchor.Last(Some(of), 1, _) if of.contains(variable) && follows(variable, of) =>
      back(target)
    case RowAnchor.Last(None, 1, _) if !first(variable) => back(target)
    case _                                              => target
  }

  /** Whether the row before one of the variable is always there, and mapped to `of`. */
  private def follows(variable: Int, of: RowVariable): Boolean =
    !first(variable) && before(variable).forall(of.contains)

  private def back(target: RowTarget): RowTarget =
    TestedRow.itself.copy(physical = target.physical - 1)
}

private[spark] object TestedRow {
  val itself: RowTarget = RowTarget(RowAnchor.Last(None, 0, Semantics.Running))
}
