package org.matchrecognize.spark.parser.grammar

import java.util.Locale

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import org.antlr.v4.runtime.Token

import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.ExpressionContext

import org.matchrecognize.spark.errors.{ClauseErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.parser.clause.{
  ClauseScope,
  KeySyntax,
  MatchRecognizeClause,
  MeasureSyntax,
  OrderSyntax
}
import org.matchrecognize.spark.parser.tokens.{Name, TokenCursor}
import org.matchrecognize.spark.pattern.{RowPattern, RowsPerMatch}
import org.matchrecognize.spark.text.{Span, Spelling}

/**
 * The clause's grammar by hand descent:
 * {{{
 *   [ PARTITION BY expression [[AS] name] [, ...] ]
 *   [ ORDER BY expression [[AS] name] [ASC|DESC] [NULLS FIRST|LAST] [, ...] ]
 *   [ MEASURES expression [AS] name [, ...] ]
 *   [ ONE ROW PER MATCH ... | ALL ROWS PER MATCH ... ]
 *   [ AFTER MATCH ... ]
 *   PATTERN ( row_pattern ) [ WITHIN interval ]
 *   [ SUBSET name = ( variable [, ...] ) [, ...] ]
 *   [ DEFINE variable AS condition [, ...] ]
 * }}}
 * Expressions are read by Spark's parser at their place, so their grammar and their positions are
 * Spark's own.
 */
final private[parser] class ClauseGrammar(cursor: TokenCursor, scope: ClauseScope) {

  private val entries     = new EntryList(cursor)
  private val options     = new OptionGrammar(cursor)
  private val functions   = new FunctionMarking(cursor, scope)
  private val spans       = mutable.Map.empty[String, Span]
  private var partition   = Seq.empty[KeySyntax]
  private var order       = Seq.empty[OrderSyntax]
  private var measures    = Seq.empty[MeasureSyntax]
  private var rows        = Option.empty[RowsPerMatch]
  private var skip        = Option.empty[SkipSyntax]
  private var pattern     = Option.empty[RowPattern]
  private var patternOpen = Option.empty[Int]
  private var bounds      = Seq.empty[ExpressionContext]
  private var within      = Option.empty[ExpressionContext]
  private var subsets     = Seq.empty[SubsetSyntax]
  private var definitions = Seq.empty[(Name, ExpressionContext)]

  /** Reads all parts up to the closing parenthesis. */
  def clause(keyword: Token): MatchRecognizeClause = {
    var last = Option.empty[ClausePart]
    while (!cursor.atEnd) {
      val part = ClausePart.at(cursor, 1).getOrElse(entries.unexpected(last))
      checkOrder(part, last)
      val first = cursor.token(1)
      read(part)
      spans(part.words.head) = cursor.span(first, cursor.previous)
      last = Some(part)
    }
    if (cursor.token(1).getType == Token.EOF) {
      patternOpen.foreach(refuseUnclosed)
      cursor.fail(ClauseErrors.Unterminated, cursor.span(keyword))
    }
    val rowPattern = pattern.getOrElse(
      cursor.fail(
        ClauseErrors.MissingPattern,
        cursor.span(keyword),
        "position" -> partBeforePattern.fold("MATCH_RECOGNIZE (")(_.name)))
    val agreement = new VariableAgreement(cursor, scope)
    agreement.checkSubsets(subsets)
    val defined    = agreement.checkDefinitions(definitions)
    val afterMatch = skip.map(agreement.afterMatch)
    checkOptions(rowPattern)
    MatchRecognizeClause(
      keyword,
      cursor.next(),
      cursor.text,
      partition,
      order,
      measures,
      rows.getOrElse(RowsPerMatch.OneRow()),
      afterMatch,
      rowPattern,
      bounds,
      within,
      scope,
      defined,
      spans.toMap,
      functions.calls,
      None
    )
  }

  /** The last part that comes before PATTERN in the order of the parts. */
  private def partBeforePattern: Option[ClausePart] = ClausePart.all
    .filter(part => part.order < ClausePart.Pattern.order && spans.contains(part.words.head))
    .lastOption

  private def checkOrder(part: ClausePart, last: Option[ClausePart]): Unit =
    last.filter(_.order >= part.order).foreach { previous =>
      val span = cursor.span(cursor.token(1), cursor.token(part.words.count(_ != "(")))
      if (spans.contains(part.words.head) || previous.order == part.order)
        cursor.fail(
          ClauseErrors.RepeatedPart,
          span,
          "part" -> (if (part.order == ClausePart.OneRow.order) "ONE ROW | ALL ROWS PER MATCH"
                     else part.name))
      else
        cursor.fail(
          ClauseErrors.WrongOrder,
          span,
          "found"    -> part.name,
          "previous" -> previous.name)
    }

  private def read(part: ClausePart): Unit = {
    part match {
      case ClausePart.PartitionBy => keywords(part); partition = entries.of(part)(key())
      case ClausePart.OrderBy     => keywords(part); order = entries.of(part)(orderItem())
      case ClausePart.Measures    => keywords(part); measures = entries.of(part)(measure())
      case ClausePart.OneRow      => rows = Some(options.oneRow())
      case ClausePart.AllRows     => rows = Some(options.allRows())
      case ClausePart.AfterMatch  => skip = Some(options.afterMatch())
      case ClausePart.Pattern     => readPattern()
      case ClausePart.Within      => readWithin()
      case ClausePart.Subset      => keywords(part); subsets = entries.of(part)(subset())
      case ClausePart.Define      => keywords(part); definitions = entries.of(part)(definition())
    }
    // The next part or the end must follow. Otherwise the mistake is best explained here.
    if (!cursor.atEnd && ClausePart.at(cursor, 1).isEmpty) entries.unexpected(Some(part))
  }

  private def keywords(part: ClausePart): Unit = part.words.foreach(_ => cursor.next())

  /** `PATTERN ( row_pattern )` */
  private def readPattern(): Unit = {
    keywords(ClausePart.Pattern)
    val open    = cursor.index - 1
    val grammar = new RowPatternGrammar(cursor, scope)
    try pattern = Some(grammar.pattern())
    catch {
      case e: ParseException =>
        // Words are variables: a DEFINE that is read as pattern shows at the first of its signs only.
        refuseUnclosed(open)
        throw e
    }
    bounds = grammar.bounds
    patternOpen = Some(open)
    cursor.patternRead = true
  }

  private def refuseUnclosed(open: Int): Unit =
    cursor.refuseUnclosed(open, "The parenthesis after PATTERN")

  /** `WITHIN interval` */
  private def readWithin(): Unit = {
    keywords(ClausePart.Within)
    val first = cursor.token(1)
    within = Some(expression(ClausePart.Within))
    val value = cursor.fragment(cursor.span(first, cursor.previous))
    // What follows must be the next part or the end. A unit is neither.
    if (!ClausePart.endsAt(cursor, 1) && !TokenCursor.isName(first))
      ClauseGrammar.unit(cursor.word(1)).foreach { unit =>
        cursor.next()
        val other = cursor.token(1)
        while (!ClausePart.endsAt(cursor, 1)) cursor.next()
        val more =
          if (cursor.previous.getTokenIndex < other.getTokenIndex) ""
          else " " + cursor.fragment(cursor.span(other, cursor.previous))
        val span = cursor.span(first, cursor.previous)
        cursor.fail(
          ClauseErrors.WithinWithoutInterval,
          span,
          "found"    -> cursor.fragment(span),
          "interval" -> s"INTERVAL $value $unit$more")
      }
  }

  /** `expression [[AS] name]` */
  private def key(): KeySyntax =
    KeySyntax(expression(ClausePart.PartitionBy), entries.optionalName())

  /** `expression [[AS] name] [ASC|DESC] [NULLS FIRST|LAST]` */
  private def orderItem(): OrderSyntax = {
    functions.markProctime()
    val ordered    = KeySyntax(expression(ClausePart.OrderBy), entries.optionalName())
    val descending = cursor.accept("DESC") || { cursor.accept("ASC"); false }
    val nullsFirst =
      if (cursor.accept("NULLS", "FIRST")) Some(true)
      else if (cursor.accept("NULLS", "LAST")) Some(false)
      else None
    OrderSyntax(ordered, descending, nullsFirst)
  }

  /** `expression [AS] name` */
  private def measure(): MeasureSyntax = {
    val first = cursor.token(1)
    functions.mark(ClausePart.Measures)
    val expression = this.expression(ClausePart.Measures)
    val last       = cursor.previous
    val name       = entries.optionalName().getOrElse {
      val span = cursor.span(first, last)
      if (!cursor.atEnd && cursor.word(1) != "," && ClausePart.at(cursor, 1).isEmpty)
        entries.unexpected(Some(ClausePart.Measures))
      cursor.fail(ClauseErrors.MissingMeasureName, span, "measure" -> cursor.fragment(span))
    }
    MeasureSyntax(expression, name)
  }

  /** `name = ( variable [, ...] )` */
  private def subset(): SubsetSyntax = {
    val name = entries.name("the name of the SUBSET")
    entries.expect("=")
    entries.expect("(")
    val members = ArrayBuffer(entries.name("a variable"))
    while (cursor.accept(",")) members += entries.name("a variable")
    entries.expect(")")
    SubsetSyntax(name, members.toSeq)
  }

  /** `variable AS condition` */
  private def definition(): (Name, ExpressionContext) = {
    val name = entries.name("a variable")
    if (!cursor.accept("AS"))
      cursor.fail(ClauseErrors.MissingDefineAs, name.span, "variable" -> name.value)
    functions.mark(ClausePart.Define)
    name -> expression(ClausePart.Define)
  }

  /** Any expression of Spark's, by Spark's parser. */
  private def expression(part: ClausePart): ExpressionContext = {
    if (cursor.atEnd || cursor.ahead(",") || cursor.ahead("AS"))
      cursor.failHere(
        ClauseErrors.MissingExpression,
        "part"  -> part.name,
        "found" -> cursor.show(cursor.token(1)))
    val first = cursor.index
    try cursor.parse(_.expression())
    catch {
      case e: ParseException if MatchRecognizeErrors.isOfSpark(e) =>
        explain(first)
        throw e
    }
  }

  /** Tells of an expression that Spark cannot read what is missing, where that is plain. */
  private def explain(first: Int): Unit = {
    def text(i: Int) = if (i < cursor.all.size) cursor.all.get(i).getText else ""
    var depth        = 0
    var i            = first
    while (i < cursor.all.size - 1 && depth >= 0 && !(depth == 0 && text(i) == ",")) {
      text(i) match {
        case "(" =>
          cursor.refuseUnclosed(i, "The parenthesis")
          depth += 1
        case ")" => depth -= 1
        case operator
            if FunctionMarking.isBinary(operator.toUpperCase(Locale.ROOT)) &&
              Set(")", ",", "<EOF>")(text(i + 1)) =>
          entries.missingOperand(cursor.all.get(i), cursor.all.get(i + 1))
        case _ =>
      }
      i += 1
    }
  }

  /** Rules between the parts. */
  private def checkOptions(rowPattern: RowPattern): Unit = {
    val rowsSpan = spans.get("ALL").orElse(spans.get("ONE")).getOrElse(spans("PATTERN"))
    if (rows.exists(_.showUnmatched) &&
      RowPattern.exists(rowPattern)(_.isInstanceOf[RowPattern.Exclusion]))
      cursor.fail(ClauseErrors.UnmatchedWithExclusion, rowsSpan)
    if (rows.exists(_.showTimeouts) && within.isEmpty)
      cursor.fail(ClauseErrors.TimeoutsWithoutWithin, rowsSpan)
    if (within.nonEmpty && order.isEmpty)
      cursor.fail(ClauseErrors.WithinWithoutOrder, spans("WITHIN"))
    if (within.nonEmpty && order.head.descending)
      cursor.fail(ClauseErrors.WithinDescending, spans("ORDER"))
  }
}

private[parser] object ClauseGrammar {

  private val units =
    Seq("WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "MONTH", "YEAR")

  private val shortUnits = Map(
    "D"    -> "DAYS",
    "H"    -> "HOURS",
    "HR"   -> "HOURS",
    "HRS"  -> "HOURS",
    "MIN"  -> "MINUTES",
    "MINS" -> "MINUTES",
    "SEC"  -> "SECONDS",
    "SECS" -> "SECONDS",
    "S"    -> "SECONDS",
    "MS"   -> "MILLISECONDS"
  )

  /** The unit of time that a word is, or was probably meant to be. */
  def unit(word: String): Option[String] = {
    val known = units ++ units.map(_ + "S")
    known.find(_ == word).orElse(shortUnits.get(word)).orElse(Spelling.meant(word, known))
  }
}
