package org.matchrecognize.spark.pattern

import java.util.TreeMap

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

/**
 * A primary variable: a name in PATTERN. Its id is its index in the order of first
 * occurrence.
 *
 * @param name
 *   what CLASSIFIER() gives: upper case for an unquoted name, as written for a back-quoted one
 *   (all as written with `spark.sql.caseSensitive=true`)
 * @param span
 *   the first occurrence in PATTERN
 */
final case class PrimaryVariable(name: String, span: Span = Span.none)

/**
 * What a reference such as `A.price` is qualified with: a primary variable, or the union of
 * several under a SUBSET's name.
 *
 * @param name
 *   as shown to users
 * @param members
 *   ids of the primary variables, ascending, no id twice
 */
final case class RowVariable(name: String, members: Seq[Int]) {
  def contains(variable: Int): Boolean = members.contains(variable)
}

/** SUBSET name = (members): a union variable. */
final case class UnionVariable(name: String, members: Seq[Int], span: Span = Span.none)

/**
 * Finds names by what they are called, in little time however many there are.
 *
 * @param same
 *   whether two names are the same: equal, or equal but for their case
 */
final class NameIndex(same: (String, String) => Boolean) {

  /** By names that are equal but for their case, which `same` may tell apart. */
  private val similar = new TreeMap[String, List[(String, Int)]](String.CASE_INSENSITIVE_ORDER)
  private var count   = 0

  /** Adds a name; its number is how many were added before it. */
  def add(name: String): Unit = {
    similar.put(name, similar.getOrDefault(name, Nil) :+ (name -> count))
    count += 1
  }

  /** The number of the first name that is the same. */
  def find(name: String): Option[Int] =
    similar.getOrDefault(name, Nil).collectFirst {
      case (other, number) if same(other, name) => number
    }
}

object NameIndex {

  def of(names: Iterable[String], same: (String, String) => Boolean): NameIndex = {
    val index = new NameIndex(same)
    names.foreach(index.add)
    index
  }
}
