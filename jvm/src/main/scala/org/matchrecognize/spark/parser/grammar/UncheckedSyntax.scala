package org.matchrecognize.spark.parser.grammar

import org.matchrecognize.spark.parser.tokens.Name
import org.matchrecognize.spark.pattern.AfterMatch

/** SUBSET name = (members), not yet compared with PATTERN. */
final private[parser] case class SubsetSyntax(name: Name, members: Seq[Name])

/** AFTER MATCH, not yet compared with PATTERN. */
sealed private[parser] trait SkipSyntax

private[parser] object SkipSyntax {

  /** Where no variable is named. */
  final case class Fixed(afterMatch: AfterMatch) extends SkipSyntax

  /** SKIP TO [FIRST|LAST] variable. */
  final case class ToVariable(variable: Name, first: Boolean) extends SkipSyntax
}
