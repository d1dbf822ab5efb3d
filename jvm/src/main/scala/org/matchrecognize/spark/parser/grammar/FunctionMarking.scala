package org.matchrecognize.spark.parser.grammar

import java.util.Locale

import scala.collection.mutable.ArrayBuffer

import org.antlr.v4.runtime.{CommonToken, Token}

import org.apache.spark.sql.catalyst.parser.SqlBaseParser

import org.matchrecognize.spark.errors.{AnalysisErrors, FunctionErrors}
import org.matchrecognize.spark.expressions.Semantics
import org.matchrecognize.spark.parser.clause.{
  AggregateToken,
  CallToken,
  ClauseScope,
  FunctionToken,
  MatchFunctionWord,
  WrittenSemantics
}
import org.matchrecognize.spark.parser.tokens.TokenCursor
import org.matchrecognize.spark.text.Span

/**
 * Marks, before Spark's parser reads an expression of DEFINE or MEASURES, the calls that mean
 * something else here: our functions, and any call after RUNNING or FINAL.
 *
 * Only plain names before a parenthesis are ours; back-quoted and qualified ones, and all within a
 * subquery, stay Spark's.
 */
final private[parser] class FunctionMarking(cursor: TokenCursor, scope: ClauseScope) {

  /** The calls that follow RUNNING or FINAL. */
  private val written = ArrayBuffer.empty[CallToken]

  def calls: Seq[CallToken] = written.toSeq

  /** Marks the expression that begins at the cursor. */
  def mark(part: ClausePart): Unit = {
    val stop = expressionEnd(part)
    var i    = cursor.index
    while (i < stop) {
      if (text(i) == "(" && Subqueries.beginsAt(token, i + 1)) i = closing(i, stop)
      else
        semanticsAt(i) match {
          case Some(semantics) if callAt(i + 1, stop) =>
            markWithSemantics(i, stop, semantics, part)
            // The call's name is marked with it.
            i += 1
          case Some(semantics) if misplacedAt(i, part) => misplaced(i, semantics, part)
          case _                                       =>
            if (text(i + 1) == "(" && !isQualified(i)) {
              if (part == ClausePart.Define) refuseInDefine(i, stop)
              markFunction(i, stop, None)
            }
        }
      i += 1
    }
  }

  /** Marks MATCH_PROCTIME() where an item of ORDER BY begins with it. */
  def markProctime(): Unit = {
    val i = cursor.index
    if (word(i) == MatchFunctionWord.MatchProctime.word && text(i + 1) == "(")
      markFunction(i, i + 1, None)
  }

  /**
   * Where marking must stop: the entry's comma, or the next part. An expression cannot hold
   * `PATTERN (` unless it begins with it.
   */
  private def expressionEnd(part: ClausePart): Int = {
    val end   = cursor.all.size - 2
    var i     = cursor.index
    var depth = 0
    def done  = depth == 0 && (text(i) == "," ||
      (part == ClausePart.Measures && i > cursor.index && word(i) == "PATTERN" && text(
        i + 1) == "("))
    while (i < end && !done) {
      if (FunctionMarking.opening(text(i))) depth += 1
      else if (FunctionMarking.closing(text(i))) depth -= 1
      i += 1
    }
    i
  }

  private def markWithSemantics(
      i: Int,
      stop: Int,
      semantics: Semantics,
      part: ClausePart): Unit = {
    val keyword = token(i)
    if (semantics == Semantics.Final && part == ClausePart.Define)
      cursor.fail(AnalysisErrors.FinalInDefine, cursor.span(keyword))
    val call = i + 1
    val mark = WrittenSemantics(semantics, keyword)
    // Spark's grammar does not see the word; the list's numbering must stay, hence hidden.
    keyword.asInstanceOf[CommonToken].setChannel(Token.HIDDEN_CHANNEL)
    val plain = text(call + 1) == "("
    if (!(plain && markFunction(call, stop, Some(mark)))) {
      val aggregate = new AggregateToken(token(call), mark)
      written += aggregate
      cursor.all.set(call, aggregate)
    }
  }

  /** Marks a call of ours, `name (`. */
  private def markFunction(i: Int, stop: Int, semantics: Option[WrittenSemantics]): Boolean =
    MatchFunctionWord.of(word(i)).exists { function =>
      refuseNullTreatment(i, stop)
      val marked = new FunctionToken(token(i), function, scope, semantics)
      if (semantics.isDefined) written += marked
      cursor.all.set(i, marked)
      true
    }

  /** What only a match that has ended can tell, and what has nothing to do with one. */
  private def refuseInDefine(i: Int, stop: Int): Unit =
    MatchFunctionWord.of(word(i)).flatMap(FunctionMarking.onlyInMeasures.get).foreach {
      suggestion =>
        cursor.fail(
          FunctionErrors.OnlyInMeasures,
          cursor.span(token(i), token(closing(i + 1, stop))),
          "function"   -> word(i),
          "suggestion" -> suggestion)
    }

  /** `FIRST(x IGNORE NULLS)`: Spark's grammar would only say that it did not expect IGNORE. */
  private def refuseNullTreatment(i: Int, stop: Int): Unit = {
    val close = closing(i + 1, stop)
    if (word(close - 1) == "NULLS" && FunctionMarking.nullTreatment(word(close - 2)))
      cursor.fail(
        FunctionErrors.IgnoreNulls,
        cursor.span(token(close - 2), token(close - 1)),
        "function" -> word(i),
        "option"   -> s"${word(close - 2)} NULLS")
  }

  private def semanticsAt(i: Int): Option[Semantics] =
    if (isQualified(i)) None
    else
      word(i) match {
        case "RUNNING" => Some(Semantics.Running)
        case "FINAL"   => Some(Semantics.Final)
        case _         => None
      }

  /** `name (` or `qualifier.name (`. */
  private def callAt(i: Int, stop: Int): Boolean = {
    var k = i
    while (k + 2 < stop && isName(k) && text(k + 1) == "." && isName(k + 2)) k += 2
    k < stop && isName(k) && text(k + 1) == "("
  }

  /** FINAL before a column. Spark's grammar would read a column `final` and a stray word. */
  private def misplacedAt(i: Int, part: ClausePart): Boolean =
    isName(i + 1) && {
      val following = text(i + 2)
      following == "." || word(i + 2) == "AS" ||
      (part == ClausePart.Define && following != "," && following != ")")
    }

  private def misplaced(i: Int, semantics: Semantics, part: ClausePart): Nothing = {
    var last = i + 1
    while (text(last + 1) == "." && isName(last + 2)) last += 2
    val column = cursor.fragment(cursor.span(token(i + 1), token(last)))
    cursor.fail(
      FunctionErrors.SemanticsNotAllowed,
      Span(token(i).getStartIndex, token(last).getStopIndex),
      "semantics"  -> semantics.sql,
      "found"      -> column,
      "suggestion" -> (if (semantics == Semantics.Final && part == ClausePart.Define)
                         "Remove FINAL."
                       else s"Write ${semantics.sql} LAST($column).")
    )
  }

  /** A name, and not a word that occurs between two expressions. */
  private def isName(i: Int): Boolean =
    TokenCursor.isName(token(i)) && !FunctionMarking.isOperator(word(i))

  private def isQualified(i: Int): Boolean = i > 0 && text(i - 1) == "."

  private def closing(open: Int, stop: Int): Int = Subqueries.closing(token, open, stop)

  private def token(i: Int): Token = cursor.all.get(math.max(0, math.min(i, cursor.all.size - 1)))
  private def text(i: Int): String = token(i).getText
  private def word(i: Int): String = TokenCursor.word(token(i))
}

private[parser] object FunctionMarking {
  private val opening       = Set("(", "[")
  private val closing       = Set(")", "]")
  private val nullTreatment = Set("IGNORE", "RESPECT")

  /** Functions that DEFINE does not take, with what to write instead. */
  private val onlyInMeasures: Map[MatchFunctionWord, String] = Map(
    MatchFunctionWord.MatchTimedOut ->
      "Remove it: while a condition is tested, the match has not ended.",
    MatchFunctionWord.MatchRowtime ->
      "Write the first column of ORDER BY, which is the time of the tested row.",
    MatchFunctionWord.MatchProctime ->
      ("Over a table, write current_timestamp(). Over a stream, write ORDER BY MATCH_PROCTIME() " +
        "AS arrived, and arrived in DEFINE.")
  )

  /** True for a word that occurs between expressions or after one, and is not a name. */
  def isOperator(word: String): Boolean = operators(word)

  /** True for an operator between two expressions. */
  def isBinary(word: String): Boolean = binary(word)

  private val binary =
    ("AND OR = == <> != < > <= >= <=> + - / % || & ^ DIV LIKE ILIKE RLIKE REGEXP IN " +
      "BETWEEN IS").split(' ').toSet

  /** Words after which a parenthesis is no call's: `final IN (1, 2)` is about a column. */
  private val operators =
    ("AND AS BETWEEN DIV ELSE END ESCAPE ILIKE IN IS LIKE NOT OR REGEXP RLIKE THEN " +
      "WHEN COLLATE ASC DESC NULLS ONE ALL AFTER PATTERN").split(' ').toSet
}

/** Finds subqueries among tokens: nothing in them is this clause's. */
private[parser] object Subqueries {

  /** True if a query begins at index `i`, directly after an opening parenthesis. */
  def beginsAt(token: Int => Token, i: Int): Boolean = token(i).getType match {
    case SqlBaseParser.SELECT => true
    // All others can be columns, and FROM a word in TRIM(FROM x).
    case SqlBaseParser.VALUES =>
      !isCall(token(i - 2)) && !afterColumn(TokenCursor.word(token(i + 1)))
    case SqlBaseParser.FROM =>
      !isCall(token(i - 2)) && (isName(token(i + 1)) || token(i + 1).getText == "(")
    case SqlBaseParser.TABLE | SqlBaseParser.WITH => isName(token(i + 1))
    // ((SELECT ...) UNION ...), but not ((SELECT ...) + 1)
    case SqlBaseParser.LEFT_PAREN =>
      beginsAt(token, i + 1) && goesOn(token(closing(token, i) + 1))
    case _ => false
  }

  private def isName(token: Token): Boolean =
    TokenCursor.isName(token) && !FunctionMarking.isOperator(TokenCursor.word(token))

  /** Whether a parenthesis after it is that of a function's arguments. */
  private def isCall(token: Token): Boolean =
    isName(token) && !beforeQuery(TokenCursor.word(token))

  private val beforeQuery = Set("CASE", "DISTINCT", "EXISTS")

  /** What follows a column, and cannot begin a value. */
  private def afterColumn(word: String): Boolean =
    Set(")", "]", ",", ".", "[")(word) || FunctionMarking.isBinary(word) && !Set("+", "-")(word)

  private def goesOn(after: Token): Boolean =
    after.getText == ")" || words.contains(after.getText.toUpperCase(Locale.ROOT))

  /** What can follow a query in parentheses within a query. */
  private val words =
    ("UNION EXCEPT MINUS INTERSECT ORDER SORT CLUSTER DISTRIBUTE LIMIT OFFSET WINDOW " +
      "|>").split(' ').toSet

  /** The index of the parenthesis that closes the one at `open`, or of the last token. */
  def closing(token: Int => Token, open: Int, stop: Int = Int.MaxValue): Int = {
    var i     = open
    var depth = 0
    while ({
      depth += (token(i).getType match {
        case SqlBaseParser.LEFT_PAREN  => 1
        case SqlBaseParser.RIGHT_PAREN => -1
        case _                         => 0
      })
      depth > 0 && i + 1 < stop && token(i + 1).getType != Token.EOF
    }) i += 1
    i
  }
}
