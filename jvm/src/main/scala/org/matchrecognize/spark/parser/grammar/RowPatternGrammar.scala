package org.matchrecognize.spark.parser.grammar

import scala.collection.mutable.ArrayBuffer

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.SqlBaseParser
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.ExpressionContext

import org.matchrecognize.spark.errors.{ClauseErrors, PatternErrors}
import org.matchrecognize.spark.parser.clause.ClauseScope
import org.matchrecognize.spark.parser.tokens.{Name, TokenCursor}
import org.matchrecognize.spark.pattern.{NameIndex, PrimaryVariable, RowPattern}
import org.matchrecognize.spark.pattern.RowPattern._
import org.matchrecognize.spark.text.Span

/**
 * The grammar of PATTERN's content by recursive descent:
 * {{{
 *   pattern:       sequence [ | sequence ...]
 *   sequence:      element [element ...]
 *   element:       primary [quantifier]
 *   primary:       variable | ( ) | ( pattern ) | ^ | $ | PERMUTE ( pattern [, pattern ...] )
 *                | {- pattern -} | [^ variable ]
 * }}}
 * Words are taken as they come: every word but `PERMUTE (` is a variable, whatever Spark reserves.
 */
final private[parser] class RowPatternGrammar(cursor: TokenCursor, scope: ClauseScope) {

  /** Far beyond what a person writes; 500 levels were too much for a stack of one megabyte. */
  final private val MaxDepth = 128

  private val variables   = ArrayBuffer.empty[PrimaryVariable]
  private val names       = new NameIndex(scope.same)
  private val mapped      = ArrayBuffer.empty[Int]
  private val lookedAt    = ArrayBuffer.empty[(Int, Span)]
  private val quantifiers = new QuantifierGrammar(cursor, look)

  /** Levels of parentheses, exclusions and PERMUTE around the current place. */
  private var depth = 0

  /** True within an exclusion: one around the other excludes no more. */
  private var excluding = false

  /** The parameter markers that are bounds, in order. */
  def bounds: Seq[ExpressionContext] = quantifiers.parameters.toSeq

  /** `row_pattern )`, after `PATTERN (`; tells the scope its variables. */
  def pattern(): RowPattern = {
    val open = cursor.previous
    if (cursor.ahead(")"))
      cursor.fail(PatternErrors.EmptyPattern, cursor.span(open, cursor.token(1)))
    val content = alternation()
    close(open, ")")
    scope.variables = variables.toSeq
    scope.mapped = mapped.toSet
    scope.lookedAt = lookedAt.toSeq
    content
  }

  /** `sequence [ | sequence ...]` */
  private def alternation(): RowPattern = {
    val first        = cursor.token(1)
    val alternatives = ArrayBuffer(sequence())
    while (cursor.accept("|")) alternatives += sequence()
    if (alternatives.size == 1) alternatives.head
    else Alternation(alternatives.toSeq, cursor.span(first, cursor.previous))
  }

  /** `element [element ...]` */
  private def sequence(): RowPattern = {
    val first    = cursor.token(1)
    val elements = ArrayBuffer.empty[RowPattern]
    while (!endsSequence) elements += element()
    if (elements.isEmpty) missingElement()
    if (elements.size == 1) elements.head
    else Concatenation(elements.toSeq, cursor.span(first, cursor.previous))
  }

  private def endsSequence: Boolean =
    cursor.atEnd || cursor.ahead(")") || cursor.ahead("|") || cursor.ahead(",") ||
      cursor.ahead("-", "}") || cursor.ahead("}") || cursor.ahead("]")

  private def missingElement(): Nothing =
    Seq(cursor.previous, cursor.token(1)).find(_.getText == "|") match {
      case Some(bar) => cursor.fail(PatternErrors.EmptyAlternative, cursor.span(bar))
      case None      => unexpected("a pattern")
    }

  /** `primary [quantifier]` */
  private def element(): RowPattern = {
    val first   = cursor.token(1)
    val primary = this.primary()
    def text    = cursor.fragment(cursor.span(first, cursor.previous))
    primary match {
      case _: Absence =>
        if (quantifiers.isAhead)
          cursor.failHere(
            PatternErrors.AbsenceQuantified,
            "quantifier" -> cursor.token(1).getText)
        primary
      case _ =>
        quantifiers.optional(text) match {
          case Some(quantifier) =>
            val span = cursor.span(first, cursor.previous)
            if (quantifier.loose && RowPattern.beginning(primary).isEmpty)
              cursor.fail(PatternErrors.LooseLoopBody, span, "loop" -> cursor.fragment(span))
            Quantified(primary, quantifier, span)
          case None => primary
        }
    }
  }

  private def primary(): RowPattern = {
    val first = cursor.token(1)
    cursor.word(1) match {
      case "("                                => group()
      case "^"                                => cursor.next(); PartitionStart(cursor.span(first))
      case "$"                                => cursor.next(); PartitionEnd(cursor.span(first))
      case "{" if cursor.word(2) == "-"       => exclusion()
      case "["                                => absence()
      case "PERMUTE" if cursor.word(2) == "(" => permutation()
      case "||"                  => cursor.fail(PatternErrors.DoubleBar, cursor.span(first))
      case "*" | "+" | "?" | "{" =>
        cursor.fail(
          PatternErrors.NothingToRepeat,
          cursor.span(first),
          "quantifier" -> first.getText)
      case word if word.startsWith("/*") =>
        cursor.fail(PatternErrors.HintInPattern, cursor.span(first))
      case word if word.startsWith("$") =>
        cursor.fail(PatternErrors.DollarQuote, cursor.span(first), "found" -> first.getText)
      case _ if cursor.isName(1) => variable()
      case _                     =>
        cursor.refuseString(1)
        unexpected("a variable, (, ^, $, PERMUTE(, {- or [^")
    }
  }

  private def variable(): RowPattern = {
    val name = cursor.takeName()
    val id   = use(name)
    mapped += id
    Variable(id, name.span)
  }

  /** `( )` or `( pattern )` */
  private def group(): RowPattern = {
    val open = cursor.next()
    if (cursor.accept(")")) Empty(cursor.span(open, cursor.previous))
    else {
      val content = nested(open)(alternation())
      close(open, ")")
      content
    }
  }

  /** `PERMUTE ( pattern [, pattern ...] )`; of one element it is that element. */
  private def permutation(): RowPattern = {
    val first = cursor.next()
    val open  = cursor.next()
    if (cursor.ahead(")"))
      cursor.fail(PatternErrors.EmptyPermute, cursor.span(first, cursor.token(1)))
    val elements = nested(open) {
      val all = ArrayBuffer(alternation())
      while (cursor.accept(",")) all += alternation()
      all.toSeq
    }
    close(open, ")")
    if (elements.size == 1) elements.head
    else Permutation(elements, cursor.span(first, cursor.previous))
  }

  /** `{- pattern -}`; within another one it is the pattern alone. */
  private def exclusion(): RowPattern = {
    val open = cursor.next()
    cursor.next()
    if (cursor.ahead("-", "}"))
      cursor.fail(PatternErrors.EmptyExclusion, cursor.span(open, cursor.token(2)))
    val outermost = !excluding
    excluding = true
    val content = nested(open)(alternation())
    if (outermost) excluding = false
    if (!cursor.ahead("-", "}")) unclosed(open, "{-", "-}")
    cursor.next()
    cursor.next()
    if (outermost) Exclusion(content, cursor.span(open, cursor.previous)) else content
  }

  /** `[^ variable ]` */
  private def absence(): RowPattern = {
    val open = cursor.next()
    if (!cursor.accept("^")) unexpected("^ (as in [^B])")
    cursor.refuseString(1)
    if (!cursor.isName(1) || cursor.word(2) != "]") notOneVariable(open)
    val name = cursor.takeName()
    cursor.next()
    Absence(look(name), cursor.span(open, cursor.previous))
  }

  private def notOneVariable(open: Token): Nothing = {
    var k = 1
    while (!cursor.atEnd(k) && cursor.word(k) != "]") k += 1
    val content = cursor.span(cursor.token(1), cursor.token(math.max(1, k - 1)))
    cursor.fail(
      PatternErrors.AbsenceNotVariable,
      cursor.span(open, cursor.token(k)),
      "found" -> (if (k == 1) "nothing" else cursor.fragment(content)))
  }

  /** Returns the id of the variable at this place: a new one at its first occurrence. */
  private def use(name: Name): Int = names.find(name.value).getOrElse {
    val shown = scope.shown(name)
    names.add(shown)
    variables += PrimaryVariable(shown, name.span)
    variables.size - 1
  }

  /** The id of a variable that a row is only held against. */
  private def look(name: Name): Int = {
    val id = use(name)
    lookedAt += id -> name.span
    id
  }

  private def nested[T](open: Token)(body: => T): T = {
    depth += 1
    if (depth > MaxDepth)
      cursor.fail(ClauseErrors.NestedTooDeep, cursor.span(open), "limit" -> MaxDepth.toString)
    val result = body
    depth -= 1
    result
  }

  private def close(open: Token, closing: String): Unit =
    if (!cursor.accept(closing)) unclosed(open, open.getText, closing)

  private def unclosed(open: Token, opening: String, closing: String): Nothing =
    cursor.word(1) match {
      case "," => unexpected(s"the next element or $closing: a comma is allowed only in PERMUTE")
      case found @ ("}" | "]") =>
        cursor.failHere(
          PatternErrors.UnmatchedClosing,
          "found"   -> found,
          "opening" -> (if (found == "]") "[^" else "{"))
      case "-" =>
        cursor.failHere(PatternErrors.UnmatchedClosing, "found" -> "-}", "opening" -> "{-")
      case _ =>
        cursor.fail(
          PatternErrors.MissingClosing,
          cursor.span(open),
          "opening" -> opening,
          "closing" -> closing,
          "found"   -> cursor.show(cursor.token(1)))
    }

  private def unexpected(expected: String): Nothing =
    if (cursor.token(1).getType == SqlBaseParser.UNRECOGNIZED || !cursor.atEnd)
      cursor.failHere(
        PatternErrors.UnexpectedInPattern,
        "found"    -> cursor.show(cursor.token(1)),
        "expected" -> expected)
    else
      cursor.fail(
        PatternErrors.UnexpectedInPattern,
        cursor.span(cursor.previous),
        "found"    -> "the end",
        "expected" -> expected)
}
