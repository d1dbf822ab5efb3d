package org.matchrecognize.spark.streaming

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

import org.matchrecognize.spark.execution.{MatchPlan, PartitionMatcher, StateSeal}

/**
 * What a [[KeyedMatcher]] leaves of one key for the next micro-batch: the state of the matcher, and
 * the rows that wait for their turn. Times are those of the [[Clock]].
 */
private[streaming] trait KeyState {

  /** Restores the matcher, if the key has a state. Called first, and once for a micro-batch. */
  def restore(matcher: PartitionMatcher): Unit

  /** Takes out the rows that wait for this time or an earlier one, in no order. */
  def takeDue(clock: Long): Iterable[UnsafeRow]

  /**
   * Adds a row that waits; it is copied.
   *
   * @param due
   *   the first time at which it need not wait
   */
  def add(row: UnsafeRow, due: Long): Unit

  /** How many rows wait. */
  def size: Long

  /** The first time at which a row need not wait. */
  def earliest: Option[Long]

  /**
   * Saves the matcher and the rows that wait.
   *
   * @param wakeAt
   *   the first time at which the key is called though no row of it comes
   */
  def save(matcher: PartitionMatcher, wakeAt: Option[Long]): Unit

  /** Leaves nothing of the key. */
  def remove(): Unit
}

private[streaming] object KeyState {

  /** Rows of a key can be read as rows of the same key with the same columns only. */
  def shape(plan: MatchPlan, columns: Seq[Attribute]): Int =
    StateSeal.shape(described(plan.partition), described(columns))

  private def described(columns: Seq[Attribute]): String = columns
    .map(c => s"${c.name.toLowerCase(Locale.ROOT)} ${c.dataType.catalogString}")
    .mkString(",")
}
