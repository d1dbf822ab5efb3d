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
      case anchor @ RowAnchor.Mapped(_, None, offset, _) if offset > 0 =>
        target.copy(anchor = anchor.copy(variable = every))
      case _: RowAnchor.Mapped | RowAnchor.Output => target
    }
    e.transform { case value: RowValue => value.of(there(value.target)) }
  }
}
