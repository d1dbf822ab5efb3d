package org.matchrecognize.spark.pattern.program

import org.matchrecognize.spark.text.Span

/** A pattern that cannot be compiled; `span` is the part that is to blame. */
final case class PatternLimit(limit: PatternLimit.Kind, span: Span)
    extends RuntimeException(limit.toString)

object PatternLimit {
  sealed trait Kind

  /** More elements in a PERMUTE than its state can hold. */
  final case class PermuteTooLarge(size: Int, limit: Int) extends Kind
}
