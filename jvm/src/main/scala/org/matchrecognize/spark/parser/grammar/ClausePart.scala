package org.matchrecognize.spark.parser.grammar

import org.matchrecognize.spark.parser.tokens.TokenCursor

/**
 * A part of the clause.
 *
 * @param order
 *   its place among the parts
 * @param words
 *   with which it begins; the first names it in `spans`
 */
sealed abstract private[parser] class ClausePart(val order: Int, val words: String*) {

  /** How errors call it. */
  def name: String = words.filter(_ != "(").mkString(" ")

  /** True if it begins k tokens ahead; no word is reserved, so more than the first word decides. */
  def beginsAt(cursor: TokenCursor, k: Int): Boolean = cursor.aheadAt(k, words: _*)
}

private[parser] object ClausePart {
  case object PartitionBy extends ClausePart(1, "PARTITION", "BY")
  case object OrderBy     extends ClausePart(2, "ORDER", "BY")
  case object Measures    extends ClausePart(3, "MEASURES") {
    override def beginsAt(cursor: TokenCursor, k: Int): Boolean =
      cursor.aheadAt(k, "MEASURES") && startsAnEntry(cursor, k + 1)
  }
  case object OneRow extends ClausePart(4, "ONE", "ROW", "PER", "MATCH") {
    override def beginsAt(cursor: TokenCursor, k: Int): Boolean = cursor.aheadAt(k, "ONE", "ROW")
  }
  case object AllRows extends ClausePart(4, "ALL", "ROWS", "PER", "MATCH") {
    override def beginsAt(cursor: TokenCursor, k: Int): Boolean = cursor.aheadAt(k, "ALL", "ROWS")
  }
  case object AfterMatch extends ClausePart(5, "AFTER", "MATCH")
  case object Pattern    extends ClausePart(6, "PATTERN", "(")
  case object Within     extends ClausePart(7, "WITHIN") {
    override def beginsAt(cursor: TokenCursor, k: Int): Boolean =
      cursor.aheadAt(k, "WITHIN") && startsAnEntry(cursor, k + 1) &&
        (cursor.patternRead || cursor.aheadAt(k + 1, "INTERVAL"))
  }
  case object Subset extends ClausePart(8, "SUBSET") {
    override def beginsAt(cursor: TokenCursor, k: Int): Boolean =
      cursor.aheadAt(k, "SUBSET") && startsNamedEntry(cursor, k + 1, "=")
  }
  case object Define extends ClausePart(9, "DEFINE") {
    override def beginsAt(cursor: TokenCursor, k: Int): Boolean =
      cursor.aheadAt(k, "DEFINE") && startsNamedEntry(cursor, k + 1, "AS")
  }

  val all: Seq[ClausePart] = Seq(
    PartitionBy,
    OrderBy,
    Measures,
    OneRow,
    AllRows,
    AfterMatch,
    Pattern,
    Within,
    Subset,
    Define)

  /** The part that begins k tokens ahead. */
  def at(cursor: TokenCursor, k: Int): Option[ClausePart] = all.find(_.beginsAt(cursor, k))

  /** True if what is read ends k tokens ahead: at the next part, or at the end. */
  def endsAt(cursor: TokenCursor, k: Int): Boolean = cursor.atEnd(k) || at(cursor, k).isDefined

  /** What cannot follow a word that begins an entry: the word is then a name or an alias itself. */
  private val notAnEntry =
    Set(",", ".", "=", "<", ">", "<=", ">=", "<>", "!=", "AS", "ASC", "DESC", "NULLS")

  private def startsAnEntry(cursor: TokenCursor, k: Int): Boolean =
    !cursor.atEnd(k) && !notAnEntry(cursor.word(k)) && at(cursor, k).isEmpty

  /** `name =`, `name AS`; after PATTERN, where no alias can be, whatever follows the name. */
  private def startsNamedEntry(cursor: TokenCursor, k: Int, following: String): Boolean =
    startsAnEntry(cursor, k) && cursor.isName(k) &&
      (cursor.patternRead || cursor.aheadAt(k + 1, following))
}
