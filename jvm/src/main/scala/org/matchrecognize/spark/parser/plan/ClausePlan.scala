package org.matchrecognize.spark.parser.plan

import java.util.Locale

import org.antlr.v4.runtime.ParserRuleContext

import org.apache.spark.sql.catalyst.analysis.{
  ExpressionWithUnresolvedIdentifier,
  UnresolvedFunction,
  UnresolvedSubqueryColumnAliases
}
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Descending,
  Expression,
  NullsFirst,
  NullsLast,
  SortOrder
}
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.IdentifierSeqContext
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, SubqueryAlias}
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.matchrecognize.SessionSettings

import org.matchrecognize.spark.errors.{AnalysisErrors, FunctionErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions.{MatchRowtime, TimeWindowCall}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize
import org.matchrecognize.spark.parser.clause.{CallToken, MatchRecognizeClause, OrderSyntax}
import org.matchrecognize.spark.parser.tokens.TokenCursor
import org.matchrecognize.spark.text.Span

/**
 * Builds the plan of one clause.
 *
 * @param ofSpark
 *   Spark's builder of expressions
 * @param namesOf
 *   Spark's builder of names
 */
final private[parser] class ClausePlan(
    clause: MatchRecognizeClause,
    ofSpark: ParserRuleContext => Expression,
    namesOf: IdentifierSeqContext => Seq[String]) {

  private val references = new VariableReferences(clause)

  private def expressionOf(context: ParserRuleContext): Expression =
    TimeWindowCalls.hideIn(ofSpark(context))

  /**
   * The clause on top of its input, under its alias. Without one, it gets the alias that Spark gives
   * a subquery: otherwise Spark would look for columns in the clause's input.
   */
  def on(input: LogicalPlan): LogicalPlan = {
    val plan = CurrentOrigin.withOrigin(origin)(matchRecognize(input))
    clause.alias.fold(SubqueryAlias(SubqueryAlias.generateSubqueryName(), plan)) { alias =>
      val columns = alias.columns.map(list => namesOf(list.identifierSeq))
      SubqueryAlias(
        name(alias.name),
        columns.fold(plan)(UnresolvedSubqueryColumnAliases(_, plan)))
    }
  }

  /** The clause's place, in the text that all positions in it count in. */
  private def origin: Origin = CurrentOrigin.get.copy(
    line = Some(clause.keyword.getLine),
    startPosition = Some(clause.keyword.getCharPositionInLine),
    startIndex = Some(clause.keyword.getStartIndex),
    stopIndex = Some(clause.close.getStopIndex),
    sqlText = Some(clause.text)
  )

  private def matchRecognize(input: LogicalPlan): LogicalPlan = {
    // Spark's error would say only that it does not support some operator.
    if (SessionSettings.singlePassAnalyzer(SQLConf.get))
      throw MatchRecognizeErrors.parse(
        AnalysisErrors.SinglePassAnalyzer,
        clause.text,
        TokenCursor.span(clause.keyword))
    val plan = UnresolvedMatchRecognize(
      partition = clause.partition.map(key => references.inKey(expressionOf(key.expression))),
      partitionNames = clause.partition.map(_.name.map(name)),
      order = clause.order.map(sortOrder),
      orderNames = clause.order.map(_.key.name.map(name)),
      keySpans = (clause.partition ++ clause.order.map(_.key)).map(key => spanOf(key.expression)),
      measures =
        clause.measures.map(m => rowtimes(references.inMeasure(expressionOf(m.expression)))),
      measureNames = clause.measures.map(measure => name(measure.name)),
      rows = clause.rows,
      afterMatch = clause.afterMatch,
      pattern = clause.pattern,
      bounds = clause.bounds.map(expressionOf(_)),
      within = clause.within.map(expressionOf(_)).toSeq,
      variables = clause.scope.variables,
      unions = clause.scope.unions,
      defined = clause.definitions.map(_.variable),
      conditions = clause.definitions.map(d => references.inCondition(expressionOf(d.condition))),
      conditionTexts = clause.definitions.map(d => textOf(d.condition)),
      spans = clause.spans,
      child = input
    )
    clause.calls.find(!_.used).foreach(refuseSemantics)
    plan
  }

  /** MATCH_ROWTIME() has the type of the first key, which Spark must know while it resolves. */
  private def rowtimes(measure: Expression): Expression = measure.transform {
    case call @ MatchRowtime(Nil) =>
      clause.order.headOption match {
        case Some(item) => MatchRowtime(Seq(references.inKey(expressionOf(item.key.expression))))
        case None       =>
          throw MatchRecognizeErrors.analysis(AnalysisErrors.OrderOfRowtime, call.origin)
      }
  }

  /** An expression as the user wrote it, in one line. */
  private def textOf(context: ParserRuleContext): String =
    TokenCursor.fragment(context.getStart, spanOf(context)).replaceAll("\\s+", " ")

  private def spanOf(context: ParserRuleContext): Span =
    Span(context.getStart.getStartIndex, context.getStop.getStopIndex)

  /** `expression [ASC|DESC] [NULLS FIRST|LAST]` */
  private def sortOrder(item: OrderSyntax): SortOrder = {
    val child     = references.inKey(expressionOf(item.key.expression))
    val direction = if (item.descending) Descending else Ascending
    val nulls     = item.nullsFirst match {
      case Some(true)  => NullsFirst
      case Some(false) => NullsLast
      case None        => direction.defaultNullOrdering
    }
    CurrentOrigin.withOrigin(child.origin)(SortOrder(child, direction, nulls, Seq.empty))
  }

  /** RUNNING or FINAL before what Spark's grammar does not read as a function's call. */
  private def refuseSemantics(call: CallToken): Unit = call.written.foreach { written =>
    throw MatchRecognizeErrors.parse(
      FunctionErrors.SemanticsNotAllowed,
      clause.text,
      Span(written.token.getStartIndex, call.getStopIndex),
      "semantics"  -> written.semantics.sql,
      "found"      -> call.getText,
      "suggestion" -> s"Remove ${written.semantics.sql}."
    )
  }

  private def name(context: IdentifierSeqContext): String = namesOf(context).head
}

/** Hides calls of the functions for time windows from Spark's rules. */
private[parser] object TimeWindowCalls {
  private val names = Set("window", "session_window", "window_time")

  def hideIn(e: Expression): Expression = e.transformUp {
    case call: UnresolvedFunction if names(nameOf(call)) && isPlain(call) =>
      CurrentOrigin.withOrigin(call.origin)(TimeWindowCall(nameOf(call), call.arguments))
    case identifier: ExpressionWithUnresolvedIdentifier =>
      IdentifierClause.andThen(identifier)(hideIn)
  }

  private def nameOf(call: UnresolvedFunction): String =
    if (call.nameParts.size == 1) call.nameParts.head.toLowerCase(Locale.ROOT) else ""

  /** Spark refuses the others. IGNORE NULLS is a Boolean, and from 4.2 on an Option. */
  private def isPlain(call: UnresolvedFunction): Boolean =
    !call.isDistinct && call.filter.isEmpty && Set[Any](false, None)(call.ignoreNulls)
}
