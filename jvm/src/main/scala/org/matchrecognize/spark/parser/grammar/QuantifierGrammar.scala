package org.matchrecognize.spark.parser.grammar

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.parser.SqlBaseParser
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.ExpressionContext

import org.matchrecognize.spark.errors.PatternErrors
import org.matchrecognize.spark.parser.tokens.{Name, StatementTokens, TokenCursor}
import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound}
import org.matchrecognize.spark.text.Span

/**
 * {{{
 *   quantifier:  repetition [marks] [stop]
 *   repetition:  * | + | ? | {n} | {n,} | {n,m} | {,m} | {,}
 *   marks:       ? reluctant    ?? loose    ??? loose and reluctant; after the repetition ?, only ?
 *   stop:        { variable }
 * }}}
 * After `{` a minus opens an exclusion, a number, comma or marker opens bounds, a name is a stop. A
 * question mark is a parameter marker between the braces of a bound, and nowhere else. `\?` is a
 * question mark, too, never a marker: some clients take a bare one for a parameter, and put a value
 * in its place before they send the statement.
 *
 * @param look
 *   gives the id of a stop variable
 */
final private[parser] class QuantifierGrammar(cursor: TokenCursor, look: Name => Int) {

  /** The parameter markers that are bounds. */
  val parameters: ArrayBuffer[ExpressionContext] = ArrayBuffer.empty

  def isAhead: Boolean = isRepetition || isStop

  private def isRepetition: Boolean = cursor.word(1) match {
    case "*" | "+" => true
    case "{"       => cursor.word(2) != "-" && !cursor.isName(2)
    case _         => isQuestionMark
  }

  private def isQuestionMark: Boolean = cursor.ahead("?") || cursor.ahead("\\", "?")

  private def acceptQuestionMark(): Boolean = cursor.accept("?") || cursor.accept("\\", "?")

  private def isStop: Boolean = cursor.ahead("{") && cursor.isName(2)

  /** The quantifier of an element, whose text is for errors. */
  def optional(element: => String): Option[Quantifier] =
    if (isStop) {
      val name = cursor.token(2)
      cursor.fail(
        PatternErrors.StopWithoutQuantifier,
        cursor.span(cursor.token(1), cursor.token(3)),
        "variable" -> name.getText,
        "element"  -> element)
    } else if (isRepetition) Some(quantifier())
    else None

  private def quantifier(): Quantifier = {
    val first          = cursor.token(1)
    val optional       = isQuestionMark
    val (lower, upper) = repetition()
    var marks          = 0
    while (acceptQuestionMark()) marks += 1
    def written = cursor.fragment(cursor.span(first, cursor.previous))
    if (marks > (if (optional) 1 else 3))
      cursor.fail(
        PatternErrors.TooManyMarks,
        cursor.span(first, cursor.previous),
        "quantifier" -> (if (optional) "?" else first.getText),
        "suggestion" -> (if (optional) "Write at most one more: A?? prefers no row."
                         else "Write at most three: ? is reluctant, ?? is loose, ??? is both.")
      )
    val text = written
    val stop = if (isStop) Some(stopVariable(text, upper)) else None
    if (cursor.ahead("{")) cursor.refuseString(2)
    if (isRepetition || isStop)
      cursor.failHere(PatternErrors.SecondQuantifier, "quantifier" -> cursor.token(1).getText)
    // Where there is but one number of iterations, fewer and more are the same.
    val fixed = lower == upper && lower.isInstanceOf[QuantifierBound.Count]
    Quantifier(lower, upper, greedy = fixed || marks % 2 == 0, loose = marks >= 2, stop = stop)
  }

  private def repetition(): (QuantifierBound, QuantifierBound) =
    if (acceptQuestionMark()) (QuantifierBound.Count(0), QuantifierBound.Count(1))
    else
      cursor.next().getText match {
        case "*" => (QuantifierBound.Count(0), QuantifierBound.Unbounded)
        case "+" => (QuantifierBound.Count(1), QuantifierBound.Unbounded)
        case _   => bounds()
      }

  /** `n }`, `n , }`, `n , m }`, `, m }`, `, }` after `{`. */
  private def bounds(): (QuantifierBound, QuantifierBound) = {
    val open = cursor.previous
    cursor.refuseString(1)
    val first  = bound()
    val result = (first, cursor.accept(",")) match {
      case (Some(n), false) => (n, n)
      case (low, true)      =>
        (low.getOrElse(QuantifierBound.Count(0)), bound().getOrElse(QuantifierBound.Unbounded))
      case (None, false) => invalid(open.getStartIndex)
    }
    if (!cursor.accept("}")) invalid(open.getStartIndex)
    val span = Span(open.getStartIndex, cursor.previous.getStopIndex)
    result match {
      case (_, QuantifierBound.Count(0)) =>
        cursor.fail(PatternErrors.BoundTooSmall, span, "quantifier" -> cursor.fragment(span))
      case (QuantifierBound.Count(low), QuantifierBound.Count(high)) if low > high =>
        cursor.fail(
          PatternErrors.BoundsReversed,
          span,
          "quantifier" -> cursor.fragment(span),
          "lower"      -> low.toString,
          "upper"      -> high.toString)
      case _ => result
    }
  }

  /** An integer or a parameter marker. The value of a parameter may be of any integer type: `4L`. */
  private def bound(): Option[QuantifierBound] =
    if (QuantifierGrammar.integers(cursor.token(1).getType)) {
      val token = cursor.next()
      val value = BigInt(token.getText.takeWhile(_.isDigit))
      if (value > Int.MaxValue)
        cursor.fail(PatternErrors.BoundTooLarge, cursor.span(token), "bound" -> token.getText)
      Some(QuantifierBound.Count(value.toInt))
    } else if (cursor.ahead("?")) Some(parameter(1))
    else if (cursor.ahead(":") && cursor.isName(2)) Some(parameter(2))
    else None

  /** `?` or `:name`, of so many tokens. */
  private def parameter(tokens: Int): QuantifierBound = {
    // Spark's parser sees the marker alone, and makes of it what this version makes of markers.
    parameters += cursor.parseAlone(tokens)(_.expression())
    QuantifierBound.Parameter(parameters.size - 1)
  }

  private def invalid(start: Int): Nothing = {
    var k = 1
    while (!cursor.atEnd(k) && cursor.word(k) != "}" && cursor.word(k) != ")") k += 1
    val stop = if (cursor.word(k) == "}") cursor.token(k) else cursor.token(math.max(1, k - 1))
    val span = Span(start, math.max(start, stop.getStopIndex))
    cursor.fail(PatternErrors.InvalidBounds, span, "found" -> cursor.fragment(span))
  }

  /** `{ variable }` after a loop without upper bound. */
  private def stopVariable(quantifier: String, upper: QuantifierBound): Int = {
    val open = cursor.next()
    val name = cursor.takeName()
    if (!cursor.accept("}")) {
      var k = 1
      while (!cursor.atEnd(k) && cursor.word(k) != "}") k += 1
      val span = Span(open.getStartIndex, cursor.token(k).getStopIndex)
      cursor.fail(PatternErrors.StopNotVariable, span, "found" -> cursor.fragment(span))
    }
    if (upper != QuantifierBound.Unbounded)
      cursor.fail(
        PatternErrors.StopOnBoundedLoop,
        Span(open.getStartIndex, cursor.previous.getStopIndex),
        "variable"   -> name.value,
        "quantifier" -> quantifier)
    look(name)
  }
}

private[parser] object QuantifierGrammar {

  /** True for a literal that a bound can be. */
  def isBound(literal: String): Boolean = StatementTokens.of(literal) match {
    case IndexedSeq(token) => integers(token.getType)
    case _                 => false
  }

  private val integers = Set(
    SqlBaseParser.INTEGER_VALUE,
    SqlBaseParser.BIGINT_LITERAL,
    SqlBaseParser.SMALLINT_LITERAL,
    SqlBaseParser.TINYINT_LITERAL)
}
