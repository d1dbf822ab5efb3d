package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.{PrimaryVariable, RowVariable}

/**
 * Rows mapped to any variable, some way from the first or the last: `FIRST(x, 2)`. They are found
 * by counting rows, but where a pattern passes over rows they are those of the union of all
 * variables.
 */
private[analysis] object AnyVariable {

  /** The expression with that union named. */
  def named(e: Expression, variables: Seq[PrimaryVariable]): Expression = {
    val every = Some(RowVariable("*", variables.indices))

    def there(target: RowTarget): RowTarget = target.anchor match {
      case RowAnchor.First(None, offset, semantics) if offset > 0 =>
        target.copy(anchor = RowAnchor.First(every, offset, semantics))
      case RowAnchor.Last(None, offset, semantics) if offset > 0 =>
        target.copy(anchor = RowAnchor.Last(every, offset, semantics))
      case _ => target
    }
    e.transform {
      case RowColumn(target, child)  => RowColumn(there(target), child)
      case RowLabel(target)          => RowLabel(there(target))
      case RowExists(target)         => RowExists(there(target))
      case RowSequenceNumber(target) => RowSequenceNumber(there(target))
    }
  }
}
