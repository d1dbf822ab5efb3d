package org.matchrecognize.spark.causes

import org.apache.spark.sql.catalyst.expressions.Attribute

import org.matchrecognize.spark.logical.{ClauseVariant, MatchRecognize}

/**
 * What the user may have meant by a clause that matches nothing: the clause with one part changed,
 * for each mistake that is common.
 */
private[spark] object Variants {

  /** How many are tried at most, and how many conditions they have together: the cost has a bound. */
  private val most           = 100
  private val mostConditions = 3000

  /**
   * @param columns
   *   the columns that the user sees
   */
  def of(clause: MatchRecognize, columns: Seq[Attribute]): Seq[ClauseVariant] = {
    val change = new ChangedClause(clause)
    val all    = new ConditionSlips(change, columns).variants ++
      new OtherOrder(change).variants ++
      new OtherRows(change, columns).variants ++
      new OtherPattern(change).variants ++
      new LooserConditions(change).variants
    all.take(math.min(most, mostConditions / math.max(1, clause.conditions.size)))
  }
}
