package org.matchrecognize.spark.pattern.matching

/**
 * The search for all results of one start row, one after the other: with AFTER MATCH NO SKIP its
 * matches, and with SHOW TIMEOUT MATCHES its time-outs after them.
 */
private[pattern] trait StartMatches[S <: AnyRef] extends StartSearch[S] {
  import StartMatches._

  /** Continues to the next match. */
  def next(rows: RowsToCome): Progress

  /** Matches of the start row so far, without the empty one. */
  def found: Long

  /** Whether a partial match that was not returned times out, once there are no more matches. */
  def hasTimedOut: Boolean

  /** The row after the last that this partial match has mapped. */
  def partialEnd: Long

  /** What was found is this partial match. */
  def timeOut(): Unit

  /** Writes the place of the search, once [[next]] has said that a row must come first. */
  def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit

  /** Continues from where [[write]] left off. */
  def read(in: StateInput, start: Long, slotsReader: SlotsReader[S]): Unit
}

private[pattern] object StartMatches {

  /** How far a search has come. */
  sealed trait Progress

  object Progress {

    /** At the next match. */
    case object Match extends Progress

    /** A row must come first. */
    case object NeedsRow extends Progress

    /** There are no more matches. */
    case object Exhausted extends Progress

    /** A budget is spent. */
    case object Exceeded extends Progress
  }

  /** What is known of the next row of a path. */
  trait RowsToCome {

    /** Whether it has not come yet, or what its test looks at has not. */
    def isMissing(row: Long): Boolean

    /** Whether it exists, within the bound; read if it is not missing. */
    def isThere(row: Long): Boolean

    /** Whether no row of the partition follows; read only if the program uses the end. */
    def isLast(row: Long): Boolean

    /** Whether no row follows that is within the bound, as [[isLast]]. */
    def isOver(row: Long): Boolean
  }
}
