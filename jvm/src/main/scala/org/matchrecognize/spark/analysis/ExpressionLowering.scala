package org.matchrecognize.spark.analysis

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  And,
  Attribute,
  CurrentTimestamp,
  Expression,
  If,
  InSubquery,
  Literal,
  Or,
  PythonUDAF
}
import org.apache.spark.sql.catalyst.expressions.aggregate.{
  AggregateExpression,
  AggregateFunction
}
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{
  AnalysisErrors,
  ErrorCondition,
  FunctionErrors,
  MatchRecognizeErrors
}
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.RowVariable

/**
 * Lowers a resolved expression of DEFINE or MEASURES: each column becomes a [[RowColumn]] that
 * says from which row it is taken, each aggregate a [[RowAggregate]] over the rows of its variable.
 */
final private[analysis] class ExpressionLowering(
    scope: LoweringScope,
    columnsBelow: ColumnsBelow) {

  private val navigations = new Navigations(scope)
  private val refused     = new RefusedExpressions(scope)
  import navigations.{current, destination}

  /** Lowers a whole measure. */
  def measure(e: Expression): Expression = lowered(e, new OnCurrentRow(None))

  /** Lowers a whole condition. */
  def condition(e: Expression): Expression = lowered(e, InCondition)

  private def lowered(e: Expression, context: Context): Expression =
    ConstantErrors.defer(StoredTypes.derive(lower(Replacements.inline(e), context)))

  /** The only traversal: what a part of an expression becomes depends on its context. */
  private def lower(e: Expression, context: Context): Expression =
    CurrentOrigin.withOrigin(e.origin) {
      e match {
        case QualifiedReference(variable, child) => lower(child, context.of(variable))
        case attribute: Attribute                => context.column(attribute)
        case Classifier(variable)                => context.label(variable)
        case MatchSequenceNumber()               => context.sequenceNumber
        case _: MatchFunction | _: MatchRowtime  => context.ofMatch(e)
        case navigation: Navigation              => context.navigation(navigation)
        case call: WithSemantics                 => context.withSemantics(call)
        case aggregate: AggregateExpression      => context.aggregate(aggregate, None)
        case alias: Alias                        => context.alias(alias)
        case WrittenColumn(column)               => lower(column, context)
        case _ if ColumnsBelow.isNeeded(e)       => context.callBelow(e)
        case _                                   => lowerParts(e, context)
      }
    }

  /** An expression that has the same meaning in each context, of parts that may not. */
  private def lowerParts(e: Expression, context: Context): Expression = {
    refused.refuse(e)
    e.mapChildren(lower(_, context.within(e)))
  }

  /** From which rows a part of an expression takes its values, and what it must not hold. */
  sealed private trait Context {

    /** The context of the column that a variable is written before. */
    def of(variable: RowVariable): Context

    /** The context of the parts of an expression. */
    def within(e: Expression): Context = {
      val _ = e
      this
    }

    def column(attribute: Attribute): Expression
    def label(variable: Option[RowVariable]): Expression
    def sequenceNumber: Expression

    /** The functions that say something of the whole match, or nothing of it. */
    def ofMatch(function: Expression): Expression = function match {
      case _: MatchRowtime =>
        val semantics = scope.semantics(Some(Semantics.Final))
        val last      = RowAnchor.Mapped(MappedEnd.Last, None, 0, semantics)
        RowColumn(RowTarget(last), scope.firstKey.get)
      case MatchTimedOut() if !scope.showTimeouts => Literal.FalseLiteral
      case MatchProctime()                        => CurrentTimestamp()
      case other                                  => other
    }

    def navigation(navigation: Navigation): Expression
    def aggregate(aggregate: AggregateExpression, semantics: Option[Semantics]): Expression

    /** RUNNING or FINAL before a call that is no navigation. */
    def withSemantics(call: WithSemantics): Expression = call match {
      case WithSemantics(semantics, aggregate: AggregateExpression) =>
        this.aggregate(aggregate, Some(semantics))
      case WithSemantics(semantics, other) =>
        throw error(
          FunctionErrors.SemanticsNotAllowed,
          call,
          "semantics"  -> semantics.sql,
          "found"      -> toPrettySQL(other),
          "suggestion" -> s"Remove ${semantics.sql}.")
    }

    def alias(alias: Alias): Expression = lower(alias.child, this)

    /** What Spark must evaluate below the clause. */
    def callBelow(e: Expression): Expression
  }

  /**
   * Outside any call: values are taken from the last row mapped to their variable.
   *
   * @param written
   *   the variable that is written before the column
   */
  private class OnCurrentRow(written: Option[RowVariable]) extends Context {
    override def of(variable: RowVariable): Context       = new OnCurrentRow(Some(variable))
    override def column(attribute: Attribute): Expression = RowColumn(current(written), attribute)
    override def label(variable: Option[RowVariable]): Expression = RowLabel(current(variable))
    override def sequenceNumber: Expression = RowSequenceNumber(current(None))

    override def navigation(navigation: Navigation): Expression = {
      val (inner, target) = destination(navigation)
      onRow(inner, target)
    }

    override def aggregate(
        aggregate: AggregateExpression,
        semantics: Option[Semantics]): Expression =
      lowerAggregate(aggregate, semantics)

    override def callBelow(e: Expression): Expression = onItsRow(e, nullIsFalse = false)
  }

  /** A condition, or a part of one where NULL is as good as FALSE. */
  private object InCondition extends OnCurrentRow(None) {
    override def within(e: Expression): Context = e match {
      case _: And | _: Or => this
      case _              => new OnCurrentRow(None)
    }
    override def callBelow(e: Expression): Expression =
      onItsRow(e, nullIsFalse = e.isInstanceOf[InSubquery])
  }

  /** The argument of a navigation: all values are taken from the row that it leads to. */
  final private class InNavigation(outer: Navigation, target: RowTarget) extends Context {
    override def of(variable: RowVariable): Context               = this
    override def column(attribute: Attribute): Expression         = RowColumn(target, attribute)
    override def label(variable: Option[RowVariable]): Expression = RowLabel(target)
    override def sequenceNumber: Expression                       = RowSequenceNumber(target)

    override def navigation(navigation: Navigation): Expression =
      throw error(
        AnalysisErrors.WrongNesting,
        navigation,
        "inner" -> shown(navigation),
        "outer" -> outer.kind.sql)

    override def aggregate(
        aggregate: AggregateExpression,
        semantics: Option[Semantics]): Expression =
      throw error(
        AnalysisErrors.AggregateInNavigation,
        aggregate,
        "inner" -> toPrettySQL(aggregate),
        "outer" -> outer.kind.sql)

    override def callBelow(e: Expression): Expression = RowColumn(target, onGivenRow(e))
  }

  /** The argument of an aggregate: columns are those of the row that is being added. */
  final private class InAggregate(outer: String) extends Context {
    override def of(variable: RowVariable): Context       = this
    override def column(attribute: Attribute): Expression = CharPadding.withoutLength(attribute)
    override def label(variable: Option[RowVariable]): Expression = AddedRowLabel()
    override def sequenceNumber: Expression                       = AddedRowSequenceNumber()

    override def ofMatch(function: Expression): Expression = function match {
      case MatchTimedOut() | _: MatchRowtime =>
        throw error(
          AnalysisErrors.MatchFunctionInAggregate,
          function,
          "function" -> function.sql,
          "outer"    -> outer)
      case other => super.ofMatch(other)
    }

    override def navigation(navigation: Navigation): Expression =
      throw error(
        AnalysisErrors.NavigationInAggregate,
        navigation,
        "inner" -> shown(navigation),
        "outer" -> outer)

    override def aggregate(
        aggregate: AggregateExpression,
        semantics: Option[Semantics]): Expression =
      throw error(
        AnalysisErrors.NestedAggregate,
        aggregate,
        "inner" -> toPrettySQL(aggregate),
        "outer" -> outer)

    override def callBelow(e: Expression): Expression = onGivenRow(e)
  }

  /**
   * The arguments of a call that Spark evaluates below the clause, on one row: columns stay columns
   * of the input, and nothing else depends on the match.
   */
  private class BelowClause(ofRow: Expression) extends Context {
    override def of(variable: RowVariable): Context       = this
    override def column(attribute: Attribute): Expression = CharPadding.withoutLength(attribute)
    override def label(variable: Option[RowVariable]): Expression = throw notOfOneRow
    override def sequenceNumber: Expression                       = throw notOfOneRow
    override def ofMatch(function: Expression): Expression        = throw notOfOneRow
    override def navigation(navigation: Navigation): Expression   = throw notOfOneRow

    override def aggregate(
        aggregate: AggregateExpression,
        semantics: Option[Semantics]): Expression = throw notOfOneRow

    override def withSemantics(call: WithSemantics): Expression = throw notOfOneRow

    override def alias(alias: Alias): Expression      = lowerParts(alias, this)
    override def callBelow(e: Expression): Expression = lowerParts(e, this)

    final def notOfOneRow: Throwable =
      error(AnalysisErrors.NotOfOneRow, ofRow, "call" -> ColumnsBelow.describe(ofRow))
  }

  /** As [[BelowClause]], where the columns of the call say which row that is. */
  final private class BelowOnOwnRow(whole: Expression) extends BelowClause(whole) {

    /** The rows that the columns are taken from. */
    val targets: mutable.LinkedHashSet[RowTarget] = mutable.LinkedHashSet.empty

    override def of(variable: RowVariable): Context = on(current(Some(variable)))

    override def column(attribute: Attribute): Expression = {
      targets += current(None)
      attribute
    }

    override def navigation(navigation: Navigation): Expression = {
      val (inner, target) = destination(navigation)
      lower(inner.argument, on(target))
    }

    private def on(target: RowTarget): Context = new BelowClause(whole) {
      override def column(attribute: Attribute): Expression = {
        targets += target
        attribute
      }
    }
  }

  /** A call that Spark evaluates below the clause, where all that it reads must be of one row. */
  private def onItsRow(e: Expression, nullIsFalse: Boolean): Expression = {
    refused.checkDeterministic(e)
    val context               = new BelowOnOwnRow(e)
    val below                 = e.mapChildren(lower(_, context))
    def on(target: RowTarget) = RowColumn(target, columnsBelow.column(below, nullIsFalse))
    def mayLackItsRow(target: RowTarget) =
      scope != LoweringScope.InDefine || target != current(None)
    context.targets.toSeq match {
      case Seq() => ValueWithoutRow(below).getOrElse(on(current(None)))
      // What a condition takes for FALSE may be NULL.
      case Seq(target) if !nullIsFalse && mayLackItsRow(target) =>
        ValueWithoutRow(below)
          .fold[Expression](on(target))(If(RowExists(target), on(target), _))
      case Seq(target) => on(target)
      case _           => throw context.notOfOneRow
    }
  }

  /** Inside a navigation or an aggregate the row is given; the call's variable is checked there. */
  private def onGivenRow(e: Expression): Attribute = {
    refused.checkDeterministic(e)
    columnsBelow.column(e.mapChildren(lower(_, new BelowClause(e))))
  }

  /** The argument on one row; NULL as a whole if there is no such row (semantics.md: Navigation). */
  private def onRow(navigation: Navigation, target: RowTarget): Expression =
    lower(navigation.argument, new InNavigation(navigation, target)) match {
      case value @ RowColumn(`target`, _)               => value
      case value @ (_: RowLabel | _: RowSequenceNumber) => value
      case value => If(RowExists(target), value, Literal.create(null, value.dataType))
    }

  private def lowerAggregate(
      aggregate: AggregateExpression,
      semantics: Option[Semantics]): Expression = {
    val function = aggregate.aggregateFunction
    function match {
      case python: PythonUDAF =>
        throw error(AnalysisErrors.PythonAggregate, aggregate, "function" -> python.name)
      case _ =>
    }
    val arguments = function.children ++ aggregate.filter
    val variable  = navigations.oneVariable(aggregate, arguments, function.prettyName)
    val context   = new InAggregate(function.prettyName)
    RowAggregate(
      variable,
      scope.semantics(semantics),
      function.mapChildren(lower(_, context)).asInstanceOf[AggregateFunction],
      aggregate.isDistinct,
      aggregate.filter.map(lower(_, context)).toSeq
    )
  }

  private def shown(navigation: Navigation): String = s"${navigation.kind.sql}(...)"

  private def error(
      condition: ErrorCondition,
      at: Expression,
      parameters: (String, String)*): Throwable =
    MatchRecognizeErrors.analysis(condition, at.origin, parameters: _*)
}
