package org.matchrecognize.spark.pattern.matching

/** Why a search stopped. */
sealed trait SearchResult

object SearchResult {

  /** A match; an empty one if it ends where it starts. Read it from the search. */
  case object Match extends SearchResult

  /** A partial match that waited for a row when the bound had passed. Read it from the search. */
  case object TimedOut extends SearchResult

  /** The start row begins no match and no match covers it. */
  case object Unmatched extends SearchResult

  /** Nothing yet: more rows must come first. */
  case object NeedsRows extends SearchResult

  /** Nothing more: of this partition, or of this start row. */
  case object Done extends SearchResult

  /** The search cannot continue. */
  final case class Failed(failure: Failure) extends SearchResult
}
