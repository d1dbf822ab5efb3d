package org.matchrecognize.spark.parser.hiding

import java.util.Locale

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.SqlBaseParser

import org.matchrecognize.spark.parser.grammar.FunctionMarking
import org.matchrecognize.spark.parser.tokens.{StatementTokens, TokenCursor}

/**
 * Finds clauses. MATCH_RECOGNIZE is not reserved: it opens a clause only before a parenthesis with
 * what only a clause has at its first level; else it is the name of a table, column, alias or
 * function.
 */
private[parser] object ClauseFinder {

  /** True if the text holds a clause. */
  def isIn(text: String): Boolean =
    mayBeIn(text) && {
      val tokens = StatementTokens.of(text)
      !isSetting(tokens) && all(tokens).nonEmpty
    }

  /** `SET key = value`, whose value Spark does not read. */
  private def isSetting(tokens: IndexedSeq[Token]): Boolean =
    StatementTokens.word(tokens, 0) == "SET" &&
      !variables.contains(StatementTokens.word(tokens, 1))

  private val variables = Set("VAR", "VARIABLE")

  /** True if the text contains the keyword. Spark alone parses every other text. */
  def mayBeIn(text: String): Boolean =
    text.toUpperCase(Locale.ROOT).contains(ClauseExtent.Keyword)

  /** The clauses in order, without those inside of others. */
  def all(tokens: IndexedSeq[Token]): Iterator[ClauseExtent] = Iterator
    .iterate(next(tokens, 0))(_.flatMap(clause => next(tokens, clause.last + 1)))
    .takeWhile(_.isDefined)
    .flatten

  /** The first clause at or after index `from`. */
  private def next(tokens: IndexedSeq[Token], from: Int): Option[ClauseExtent] =
    (from until tokens.size)
      .find(i => isKeyword(tokens, i) && holdsParts(tokens, i + 1))
      .map(extent(tokens, _))

  /** True if the parenthesis at `open` holds what only a clause has at its first level. */
  def holdsParts(tokens: IndexedSeq[Token], open: Int): Boolean =
    StatementTokens.text(tokens, open) == "(" && {
      var depth = 1
      var k     = open + 1
      var found = startsPart(tokens, k)
      while (!found && depth > 0 && k < tokens.size) {
        StatementTokens.text(tokens, k) match {
          case "(" => depth += 1
          case ")" => depth -= 1
          case _   => found = depth == 1 && hasPartOf(tokens, k)
        }
        k += 1
      }
      found
    }

  /** True for the word MATCH_RECOGNIZE without quotes. */
  def isKeyword(tokens: IndexedSeq[Token], i: Int): Boolean =
    tokens(i).getType == SqlBaseParser.IDENTIFIER && StatementTokens.word(
      tokens,
      i) == ClauseExtent.Keyword

  /** `PATTERN (`, and `DEFINE variable AS`, which no list of arguments or names has. */
  private def hasPartOf(tokens: IndexedSeq[Token], k: Int): Boolean =
    StatementTokens.word(tokens, k) match {
      case "PATTERN" => StatementTokens.text(tokens, k + 1) == "("
      case "DEFINE"  => k + 2 < tokens.size && StatementTokens.word(tokens, k + 2) == "AS"
      case _         => false
    }

  /** First words that no list of arguments or names has. By them a missing PATTERN is reported. */
  private def startsPart(tokens: IndexedSeq[Token], k: Int): Boolean =
    partStarts(StatementTokens.word(tokens, k) -> StatementTokens.word(tokens, k + 1)) ||
      (StatementTokens.word(tokens, k) == "MEASURES" && k + 1 < tokens.size && TokenCursor.isName(
        tokens(k + 1)) &&
        !FunctionMarking.isOperator(StatementTokens.word(tokens, k + 1)))

  /** The pairs of words with which parts begin that no list of names or arguments holds. */
  val partStarts: Set[(String, String)] =
    Set("PARTITION" -> "BY", "ORDER" -> "BY", "ONE" -> "ROW", "ALL" -> "ROWS", "AFTER" -> "MATCH")

  private def extent(tokens: IndexedSeq[Token], keyword: Int): ClauseExtent =
    StatementTokens.closing(tokens, keyword + 1) match {
      case None        => ClauseExtent(keyword, None, None, tokens.size - 1)
      case Some(close) =>
        val alias = OutputAlias.after(tokens, close)
        ClauseExtent(keyword, Some(close), alias, alias.fold(close)(_.last))
    }
}

/**
 * Decides whether an alias follows the clause: `[AS] alias [(column, ...)]`.
 *
 * Spark reserves hardly a word, so `date` or even `limit` may be an alias. Its grammar decides by
 * what may follow in the whole statement; here a word that begins the next clause of a query is an
 * alias only where that clause cannot go on.
 */
private[parser] object OutputAlias {

  /** Returns the alias after the parenthesis at `close`, if there is one. */
  def after(tokens: IndexedSeq[Token], close: Int): Option[AliasExtent] = {
    val explicit = StatementTokens.word(tokens, close + 1) == "AS"
    val name     = if (explicit) close + 2 else close + 1
    if (name < tokens.size && (isString(tokens(name)) ||
        TokenCursor.isName(tokens(name)) && (explicit || isAlias(tokens, name))))
      Some(withColumns(tokens, name))
    else None
  }

  /** True for a word of which is known here when it is no alias; a test holds all of Spark's so. */
  def decides(word: String): Boolean = never(word) || followers.contains(word)

  private def withColumns(tokens: IndexedSeq[Token], name: Int): AliasExtent = {
    val nameEnd =
      if (isComputed(tokens, name)) StatementTokens.closing(tokens, name + 1).getOrElse(name)
      else name
    val columns =
      if (StatementTokens.text(tokens, nameEnd + 1) != "(") None
      else StatementTokens.closing(tokens, nameEnd + 1).map(close => (nameEnd + 1, close))
    AliasExtent(name, nameEnd, columns)
  }

  /** `IDENTIFIER('m')` and `IDENTIFIER(:m)`, from Spark 4.1 on; `identifier (a, b)` is a name. */
  private def isComputed(tokens: IndexedSeq[Token], name: Int): Boolean =
    StatementTokens.word(tokens, name) == "IDENTIFIER" &&
      StatementTokens.text(tokens, name + 1) == "(" && name + 2 < tokens.size &&
      !TokenCursor.isName(tokens(name + 2))

  /** A name in double quotes, or a mistake: no string follows a table. */
  private def isString(token: Token): Boolean =
    Set(SqlBaseParser.DOUBLEQUOTED_STRING, SqlBaseParser.STRING_LITERAL)(token.getType)

  private def isAlias(tokens: IndexedSeq[Token], i: Int): Boolean = {
    val word = StatementTokens.word(tokens, i)
    val next = StatementTokens.word(tokens, i + 1)
    tokens(i).getType match {
      case SqlBaseParser.BACKQUOTED_IDENTIFIER => true
      case SqlBaseParser.IDENTIFIER            =>
        // Another clause, or a word that an older Spark does not know as one.
        word != ClauseExtent.Keyword || next != "("
      case _ => !never(word) && !(followers.get(word).exists(_(next)))
    }
  }

  /** Spark takes none of these as a table alias without quotes (strictNonReserved). */
  private val never =
    ("ANTI CROSS EXCEPT FULL INNER INTERSECT JOIN LATERAL LEFT MINUS NATURAL ON " +
      "RIGHT SEMI SETMINUS UNION USING ASOF AS").split(' ').toSet

  /** What ends a query or goes on after a table, so that no clause can begin before it. */
  private val ends = Set("", ")", ",", ";", "|>", "<EOF>", "JOIN", "ON", "USING", "WHERE")

  private val anything: String => Boolean = next => !ends(next)

  /** LIMIT and OFFSET take a number: a word that begins another clause is none. */
  private val number: String => Boolean =
    next => !ends(next) && !Set("LIMIT", "OFFSET", "ORDER", "SORT", "GROUP", "UNION")(next)

  private def only(words: String*): String => Boolean = words.toSet

  /** Words that begin what may follow a table, and the words by which one sees that they do. */
  private val followers: Map[String, String => Boolean] = Seq(
    "WHERE HAVING QUALIFY SELECT MAP REDUCE FROM WINDOW" -> anything,
    "FOR WATERMARK SET WITH DO THEN"                     -> anything,
    "LIMIT OFFSET"                                       -> number,
    "INSERT"                                             -> only("INTO", "OVERWRITE"),
    "GROUP ORDER SORT CLUSTER DISTRIBUTE BIN"            -> only("BY"),
    "APPROX EXACT"                                       -> only("NEAREST"),
    "KEYS MATCH_CONDITION PIVOT TABLESAMPLE"             -> only("("),
    "UNPIVOT"                                            -> only("(", "INCLUDE", "EXCLUDE"),
    "WHEN"                                               -> only("MATCHED", "NOT"),
    "END" -> only("FOR", "WHILE", "LOOP", "REPEAT", "IF", "CASE")
  ).flatMap { case (words, follows) => words.split(' ').map(_ -> follows) }.toMap
}

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
