package org.matchrecognize.spark.pattern.matching

/** What a search found next. */
sealed trait Found

object Found {

  /** A match; an empty one if `end` equals the start row. Read it off the search. */
  case object Match extends Found

  /** A partial match that waited for a row when the bound had passed. Read it off the search. */
  case object TimedOut extends Found

  /** The start row begins no match and no match covers it. */
  case object Unmatched extends Found

  /** Nothing yet: more rows must come first. */
  case object NeedsRows extends Found

  /** Nothing more in this partition. */
  case object Done extends Found

  /** The search cannot continue. */
  final case class Failed(failure: Failure) extends Found
}
