package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/**
 * Reads a row pattern, so that tests of the reference show patterns as users
 * write them without the parser that is under test. Variables are single letters, `A` is 0.
 */
object PatternText {

  def parse(text: String): RowPattern = new Reader(text).pattern()

  /** `A` for 0, `B` for 1, ... */
  def variableName(id: Int): String = ('A' + id).toChar.toString

  /**
   * The mappings of a match as text: `A B`, excluded rows in small letters, `-` for a row passed
   * over, `()` if empty.
   */
  def show(mappings: Seq[Mapping]): String =
    if (mappings.isEmpty) "()" else mappings.map(show).mkString(" ")

  private def show(mapping: Mapping): String = mapping match {
    case Mapping.passedOver      => "-"
    case Mapping(variable, true) => variableName(variable).toLowerCase
    case Mapping(variable, _)    => variableName(variable)
  }

  private val token =
    """\s*(PERMUTE\b|[A-Z]|\{-|-\}|\{[A-Z]\}|\{\s*\d*\s*,?\s*\d*\s*\}|[()\[\]|,^$*+?])""".r

  final private class Reader(text: String) {
    private val tokens = token.findAllMatchIn(text).map(_.group(1).filterNot(_ == ' ')).toVector
    require(
      tokens.mkString == text.filterNot(_.isWhitespace),
      s"not a pattern: $text, read as ${tokens.mkString(" ")}"
    )
    private var at = 0

    def pattern(): RowPattern = {
      val result = alternation()
      require(at == tokens.size, s"unexpected ${tokens(at)} in $text")
      result
    }

    private def peek: String                 = if (at < tokens.size) tokens(at) else ""
    private def take(): String               = { at += 1; tokens(at - 1) }
    private def expect(symbol: String): Unit =
      require(take() == symbol, s"expected $symbol in $text")

    private def separated(separator: String): Seq[RowPattern] = {
      var found = Vector(if (separator == "|") concatenation() else alternation())
      while (peek == separator) {
        at += 1
        found :+= (if (separator == "|") concatenation() else alternation())
      }
      found
    }

    private def alternation(): RowPattern = {
      val alternatives = separated("|")
      if (alternatives.size == 1) alternatives.head else RowPattern.Alternation(alternatives)
    }

    private def concatenation(): RowPattern = {
      var elements = Vector(quantified())
      while (!Set("", ")", "|", ",", "-}")(peek)) elements :+= quantified()
      if (elements.size == 1) elements.head else RowPattern.Concatenation(elements)
    }

    private def quantified(): RowPattern = {
      val element = primary()
      repetition() match {
        case Some((lower, upper)) =>
          val marks      = tokens.drop(at).takeWhile(_ == "?").size
          val quantifier =
            Quantifier(lower, upper, greedy = marks % 2 == 0, loose = marks >= 2)
          at += marks
          RowPattern.Quantified(element, quantifier.copy(stop = stop()))
        case None => element
      }
    }

    private def stop(): Option[Int] =
      if (peek.matches("\\{[A-Z]\\}")) Some(take()(1) - 'A') else None

    private def repetition(): Option[(QuantifierBound, QuantifierBound)] = peek match {
      case "*" => at += 1; Some((QuantifierBound.Count(0), QuantifierBound.Unbounded))
      case "+" => at += 1; Some((QuantifierBound.Count(1), QuantifierBound.Unbounded))
      case "?" => at += 1; Some((QuantifierBound.Count(0), QuantifierBound.Count(1)))
      case bounds if bounds.startsWith("{") && bounds != "{-" =>
        at += 1
        val inside = bounds.drop(1).dropRight(1)
        val comma  = inside.indexOf(',')
        val lower  = if (comma < 0) inside else inside.take(comma)
        val upper  = if (comma < 0) inside else inside.drop(comma + 1)
        Some(
          (
            QuantifierBound.Count(if (lower.isEmpty) 0 else lower.toInt),
            if (upper.isEmpty) QuantifierBound.Unbounded else QuantifierBound.Count(upper.toInt)
          )
        )
      case _ => None
    }

    private def primary(): RowPattern = take() match {
      case "(" if peek == ")" => at += 1; RowPattern.Empty()
      case "("                => val inside = alternation(); expect(")"); inside
      case "^"                => RowPattern.PartitionStart()
      case "$"                => RowPattern.PartitionEnd()
      case "["                =>
        expect("^")
        val looked = take().head - 'A'
        expect("]")
        RowPattern.Absence(looked)
      case "{-"      => val inside = alternation(); expect("-}"); RowPattern.Exclusion(inside)
      case "PERMUTE" =>
        expect("(")
        val elements = separated(",")
        expect(")")
        if (elements.size == 1) elements.head else RowPattern.Permutation(elements)
      case letter if letter.matches("[A-Z]") => RowPattern.Variable(letter.head - 'A')
      case other => throw new IllegalArgumentException(s"unexpected $other in $text")
    }
  }
}
