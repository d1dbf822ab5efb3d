package org.matchrecognize.spark.pattern

import org.matchrecognize.spark.text.Span

/** What ALL ROWS PER MATCH does with empty matches and with rows that no match covers. */
sealed trait EmptyMatches

object EmptyMatches {
  case object Show extends EmptyMatches
  case object Omit extends EmptyMatches

  /** Empty matches are shown and so are unmatched rows. */
  case object WithUnmatchedRows extends EmptyMatches
}

/** ONE ROW or ALL ROWS PER MATCH. */
sealed trait RowsPerMatch {

  /** (extension) SHOW TIMEOUT MATCHES. */
  def showTimeouts: Boolean

  /** WITH UNMATCHED ROWS. */
  def showUnmatched: Boolean
  def sql: String
}

object RowsPerMatch {
  final case class OneRow(showTimeouts: Boolean = false) extends RowsPerMatch {
    override def showUnmatched: Boolean = false
    override def sql: String            =
      "ONE ROW PER MATCH" + (if (showTimeouts) " SHOW TIMEOUT MATCHES" else "")
  }

  final case class AllRows(
      emptyMatches: EmptyMatches = EmptyMatches.Show,
      showTimeouts: Boolean = false
  ) extends RowsPerMatch {
    override def showUnmatched: Boolean = emptyMatches == EmptyMatches.WithUnmatchedRows
    override def sql: String            = {
      val empty = emptyMatches match {
        case EmptyMatches.Show              => " SHOW EMPTY MATCHES"
        case EmptyMatches.Omit              => " OMIT EMPTY MATCHES"
        case EmptyMatches.WithUnmatchedRows => " WITH UNMATCHED ROWS"
      }
      "ALL ROWS PER MATCH" + empty + (if (showTimeouts) " SHOW TIMEOUT MATCHES" else "")
    }
  }
}

/**
 * Where the search continues after a non-empty match.
 *
 * @param target
 *   the variable that it names, and where
 */
sealed abstract class AfterMatch(val sql: String, val target: Option[(RowVariable, Span)] = None)
    extends Serializable

object AfterMatch {
  case object PastLastRow extends AfterMatch("SKIP PAST LAST ROW")
  case object ToNextRow   extends AfterMatch("SKIP TO NEXT ROW")
  final case class ToFirst(variable: RowVariable, span: Span = Span.none)
      extends AfterMatch(s"SKIP TO FIRST ${variable.name}", Some(variable -> span))

  /** SKIP TO LAST v, and SKIP TO v. */
  final case class ToLast(variable: RowVariable, span: Span = Span.none)
      extends AfterMatch(s"SKIP TO LAST ${variable.name}", Some(variable -> span))

  /** (extension) every match of every start row. */
  case object NoSkip extends AfterMatch("NO SKIP")
}
