package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.InternalRow

import org.matchrecognize.spark.execution.partitions.PartitionedRows

/** Pulls output rows from a [[PartitionMatcher]], where no code is generated. */
final private[execution] class MatchIterator(input: PartitionedRows, matcher: PartitionMatcher)
    extends Iterator[InternalRow] {
  private var finished = false

  /** Whether the matcher is at a row that was not returned yet. */
  private var found = false

  override def hasNext: Boolean = {
    while (!found && !finished) {
      found = matcher.next()
      if (!found) feed()
    }
    found || { found = matcher.next(); found }
  }

  private def feed(): Unit =
    if (input.next()) matcher.append(input.row, input.beginsPartition)
    else {
      matcher.finish()
      finished = true
    }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("end of the matches")
    found = false
    matcher.row
  }
}
