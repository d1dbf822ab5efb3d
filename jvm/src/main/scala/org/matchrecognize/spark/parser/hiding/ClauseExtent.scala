package org.matchrecognize.spark.parser.hiding

/**
 * The place of a clause in a list of visible tokens, by index.
 *
 * @param keyword
 *   the word MATCH_RECOGNIZE; `keyword + 1` is its parenthesis
 * @param close
 *   the parenthesis that closes it; None where the tokens end before
 * @param last
 *   its last token, that of its alias if it has one
 */
final private[parser] case class ClauseExtent(
    keyword: Int,
    close: Option[Int],
    alias: Option[AliasExtent],
    last: Int)

private[parser] object ClauseExtent {
  val Keyword = "MATCH_RECOGNIZE"
}

/**
 * The output alias.
 *
 * @param name
 *   index of the name
 * @param nameEnd
 *   of its last token, another one for `IDENTIFIER('m')`
 * @param columns
 *   indexes of the parentheses around the column names
 */
final private[parser] case class AliasExtent(
    name: Int,
    nameEnd: Int,
    columns: Option[(Int, Int)]) {
  def last: Int = columns.fold(nameEnd)(_._2)
}
