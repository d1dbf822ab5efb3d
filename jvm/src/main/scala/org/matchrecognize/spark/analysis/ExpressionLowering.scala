package org.matchrecognize.spark.analysis

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  And,
  Attribute,
  CurrentTimestamp,
  Expression,
  Generator,
  If,
  InSubquery,
  Literal,
  Or,
  OuterReference,
  PythonUDAF,
  SubqueryExpression,
  WindowExpression
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
import org.matchrecognize.spark.expressions.NavigationKind.{First, Last, Prev}
import org.matchrecognize.spark.pattern.RowVariable

/**
 * Lowers a resolved expression of DEFINE or MEASURES: each column becomes a [[RowColumn]] that
 * says from which row it is taken, each aggregate a [[RowAggregate]] over the rows of its variable.
 */
final private[analysis] class ExpressionLowering(
    place: ExpressionLowering.Place,
    rowLocal: RowLocalColumns) {
  import ExpressionLowering._

  /** Lowers a whole measure. */
  def measure(e: Expression): Expression = ConstantErrors.defer(lower(Replacements.inline(e)))

  /** Lowers a whole condition. */
  def condition(e: Expression): Expression =
    ConstantErrors.defer(lowerCondition(Replacements.inline(e)))

  /** Where NULL is as good as FALSE. */
  private def lowerCondition(e: Expression): Expression = e match {
    case _: And | _: Or => CurrentOrigin.withOrigin(e.origin)(e.mapChildren(lowerCondition))
    case in: InSubquery =>
      CurrentOrigin.withOrigin(e.origin)(lowerRowLocal(in, nullIsFalse = true))
    case _ => lower(e)
  }

  private def lower(e: Expression): Expression = CurrentOrigin.withOrigin(e.origin) {
    e match {
      case navigation: Navigation                                   => lowerNavigation(navigation)
      case _ if ofMatch.isDefinedAt(e)                              => ofMatch(e)
      case WrittenColumn(column)                                    => lower(column)
      case WithSemantics(semantics, aggregate: AggregateExpression) =>
        lowerAggregate(aggregate, Some(semantics))
      case WithSemantics(semantics, other) =>
        throw error(
          FunctionErrors.SemanticsNotAllowed,
          e,
          "semantics" -> semantics.sql,
          "found"     -> toPrettySQL(other),
          "cure"      -> s"Leave ${semantics.sql} out.")
      case aggregate: AggregateExpression   => lowerAggregate(aggregate, None)
      case _ if RowLocalColumns.isNeeded(e) => lowerRowLocal(e)
      case _                                =>
        refuse(e)
        column(e, current).getOrElse(e.mapChildren(lower))
    }
  }

  /** The functions that say something of the whole match, or nothing of it. */
  private val ofMatch: PartialFunction[Expression, Expression] = {
    case MatchRowtime(_) =>
      val last = RowAnchor.Mapped(MappedEnd.Last, None, 0, semanticsOf(Some(Semantics.Final)))
      RowColumn(RowTarget(last), place.firstKey.get)
    case MatchTimedOut() =>
      if (place.showTimeouts) MatchTimedOut() else Literal.FalseLiteral
    case MatchProctime() => CurrentTimestamp()
  }

  /** The last row mapped to a variable, up to the current row. */
  private def current(variable: Option[RowVariable]): RowTarget =
    RowTarget(RowAnchor.Mapped(MappedEnd.Last, variable, 0, Semantics.Running))

  /** What takes its value from the row that `target` gives for its variable; else None. */
  private def column(
      e: Expression,
      target: Option[RowVariable] => RowTarget): Option[Expression] = e match {
    case QualifiedReference(variable, child) =>
      Some(takeColumns(child, target(Some(variable))))
    case attribute: Attribute  => Some(RowColumn(target(None), attribute))
    case Classifier(variable)  => Some(RowLabel(target(variable)))
    case MatchSequenceNumber() => Some(RowSequenceNumber(target(None)))
    case Alias(child, _)       => Some(lower(child))
    case _                     => None
  }

  private def takeColumns(e: Expression, target: RowTarget): Expression =
    CurrentOrigin.withOrigin(e.origin) {
      refuse(e)
      e match {
        case attribute: Attribute => RowColumn(target, attribute)
        case other                => other.mapChildren(takeColumns(_, target))
      }
    }

  private def lowerNavigation(navigation: Navigation): Expression = {
    val (inner, target) = destination(navigation)
    onRow(inner, target)
  }

  /** The navigation that holds the argument, and the row that the argument is taken from. */
  private def destination(navigation: Navigation): (Navigation, RowTarget) = {
    val offset = constantOffset(navigation)
    (navigation.kind, navigation.argument) match {
      case (First | Last, _) => (navigation, RowTarget(anchor(navigation, offset)))
      case (kind, inner: Navigation) if inner.kind == First || inner.kind == Last =>
        (inner, RowTarget(anchor(inner, constantOffset(inner)), physical(kind, offset)))
      case (kind, _) =>
        (navigation, current(variableOf(navigation)).copy(physical = physical(kind, offset)))
    }
  }

  private def physical(kind: NavigationKind, offset: Int): Long =
    if (kind == Prev) -offset.toLong else offset.toLong

  private def anchor(navigation: Navigation, offset: Int): RowAnchor = {
    val variable  = variableOf(navigation)
    val semantics = semanticsOf(navigation.semantics)
    val end       = if (navigation.kind == First) MappedEnd.First else MappedEnd.Last
    RowAnchor.Mapped(end, variable, offset, semantics)
  }

  /** What must be evaluated beneath the clause: all that it uses must come from one row. */
  private def lowerRowLocal(e: Expression, nullIsFalse: Boolean = false): Expression = {
    checkDeterministic(e)
    val targets                                                        = ArrayBuffer[RowTarget]()
    def strip(part: Expression, target: Option[RowTarget]): Expression = part match {
      case QualifiedReference(variable, child) if target.isEmpty =>
        strip(child, Some(current(Some(variable))))
      case QualifiedReference(_, child) => strip(child, target)
      case attribute: Attribute         =>
        targets += target.getOrElse(current(None))
        attribute
      case navigation: Navigation if target.isEmpty =>
        val (inner, there) = destination(navigation)
        strip(inner.argument, Some(there))
      case _: Navigation | _: AggregateExpression | _: Classifier | _: MatchFunction |
          _: MatchRowtime | _: WithSemantics =>
        throw notOfOneRow(e)
      case other =>
        refuse(other)
        other.mapChildren(strip(_, target))
    }
    val stripped              = e.mapChildren(strip(_, None))
    def on(target: RowTarget) = RowColumn(target, rowLocal.column(stripped, nullIsFalse))
    def mayLackItsRow(target: RowTarget) = place != InDefine || target != current(None)
    targets.distinct.toSeq match {
      case Seq() => ValueWithoutRow(stripped).getOrElse(on(current(None)))
      // What a condition takes for FALSE may be NULL.
      case Seq(target) if !nullIsFalse && mayLackItsRow(target) =>
        ValueWithoutRow(stripped)
          .fold[Expression](on(target))(If(RowExists(target), on(target), _))
      case Seq(target) => on(target)
      case _           => throw notOfOneRow(e)
    }
  }

  /** Inside a navigation or an aggregate the row is given; the call's variable is checked there. */
  private def rowLocalColumn(e: Expression): Attribute = {
    def strip(part: Expression): Expression = part match {
      case QualifiedReference(_, child) => strip(child)
      case _: Navigation | _: AggregateExpression | _: Classifier | _: MatchFunction |
          _: MatchRowtime =>
        throw notOfOneRow(e)
      case other =>
        refuse(other)
        other.mapChildren(strip)
    }
    checkDeterministic(e)
    rowLocal.column(e.mapChildren(strip))
  }

  private def notOfOneRow(e: Expression): Throwable =
    error(AnalysisErrors.NotOfOneRow, e, "call" -> RowLocalColumns.describe(e))

  /** The argument on one row; NULL as a whole if there is no such row (semantics.md: Navigation). */
  private def onRow(navigation: Navigation, target: RowTarget): Expression = {
    def lowerArgument(e: Expression): Expression = CurrentOrigin.withOrigin(e.origin) {
      e match {
        case inner: Navigation =>
          throw error(
            AnalysisErrors.WrongNesting,
            inner,
            "inner"    -> call(inner),
            "outer"    -> navigation.kind.sql,
            "argument" -> "...")
        case inner: AggregateExpression =>
          throw error(
            AnalysisErrors.AggregateInNavigation,
            inner,
            "inner" -> toPrettySQL(inner),
            "outer" -> navigation.kind.sql)
        case _ if ofMatch.isDefinedAt(e)      => ofMatch(e)
        case WithSemantics(_, inner)          => lowerArgument(inner)
        case _ if RowLocalColumns.isNeeded(e) => RowColumn(target, rowLocalColumn(e))
        case _                                =>
          refuse(e)
          column(e, _ => target).getOrElse(e.mapChildren(lowerArgument))
      }
    }
    lowerArgument(navigation.argument) match {
      case value @ RowColumn(`target`, _)               => value
      case value @ (_: RowLabel | _: RowSequenceNumber) => value
      case value => If(RowExists(target), value, Literal.create(null, value.dataType))
    }
  }

  private def lowerAggregate(
      aggregate: AggregateExpression,
      semantics: Option[Semantics]): Expression = {
    val function = aggregate.aggregateFunction
    function match {
      case python: PythonUDAF =>
        throw error(AnalysisErrors.PythonAggregate, aggregate, "function" -> python.name)
      case _ => UnsupportedParts.refuse(aggregate)
    }
    val arguments = function.children ++ aggregate.filter
    val variable  = oneVariable(aggregate, arguments, function.prettyName)
    def lowerArgument(e: Expression): Expression = CurrentOrigin.withOrigin(e.origin) {
      e match {
        case QualifiedReference(_, child) => lowerArgument(child)
        case Classifier(_)                => AddedRowLabel()
        case MatchSequenceNumber()        => AddedRowSequenceNumber()
        case Alias(child, _)              => lowerArgument(child)
        case inner: Navigation            =>
          throw error(
            AnalysisErrors.NavigationInAggregate,
            inner,
            "inner" -> call(inner),
            "outer" -> function.prettyName)
        case inner: AggregateExpression =>
          throw error(
            AnalysisErrors.NestedAggregate,
            inner,
            "inner" -> toPrettySQL(inner),
            "outer" -> function.prettyName)
        case MatchProctime()                   => CurrentTimestamp()
        case MatchTimedOut() | _: MatchRowtime =>
          throw error(
            AnalysisErrors.MatchFunctionInAggregate,
            e,
            "function" -> e.sql,
            "outer"    -> function.prettyName)
        case _ if RowLocalColumns.isNeeded(e) => rowLocalColumn(e)
        case _                                =>
          refuse(e)
          e.mapChildren(lowerArgument)
      }
    }
    RowAggregate(
      variable,
      semanticsOf(semantics),
      function.mapChildren(lowerArgument).asInstanceOf[AggregateFunction],
      aggregate.isDistinct,
      aggregate.filter.map(lowerArgument).toSeq
    )
  }

  private def semanticsOf(written: Option[Semantics]): Semantics =
    (place, written) match {
      // With ONE ROW PER MATCH the current row is the last.
      case (InMeasures(true, _, _), Some(Semantics.Final)) => Semantics.Final
      case _                                               => Semantics.Running
    }

  private def variableOf(navigation: Navigation): Option[RowVariable] =
    oneVariable(navigation, Seq(navigation.argument), navigation.kind.sql)

  /** The one variable that all columns of a call carry (semantics.md: One variable per call). */
  private def oneVariable(
      e: Expression,
      arguments: Seq[Expression],
      name: String): Option[RowVariable] = {
    val variables = arguments.flatMap(variablesIn).distinct
    if (variables.size > 1) {
      throw error(
        AnalysisErrors.MixedVariables,
        e,
        "call"      -> name,
        "variables" -> variables
          .map(_.fold("no variable")(_.name))
          .sorted
          .mkString(" and "))
    }
    variables.headOption.flatten
  }

  private def variablesIn(e: Expression): Seq[Option[RowVariable]] = e match {
    case QualifiedReference(variable, _) => Seq(Some(variable))
    // CLASSIFIER() is of all rows, like a plain column (ISO 19075-5, 5.9).
    case Classifier(variable) => Seq(variable)
    case _: Attribute         => Seq(None)
    // Refused or looked at where it is lowered.
    case _: Navigation | _: AggregateExpression | _: MatchRowtime => Nil
    case other => other.children.flatMap(variablesIn)
  }

  private def constantOffset(navigation: Navigation): Int = {
    def wrong(condition: ErrorCondition, more: (String, String)*) = {
      val parameters =
        Seq("offset" -> toPrettySQL(navigation.offset), "call" -> navigation.kind.sql) ++ more
      error(condition, navigation.offset, parameters: _*)
    }
    val offset = navigation.offset match {
      case WrittenColumn(variable) => variable
      // Spark 4.0 binds what EXECUTE IMMEDIATE ... USING 2 AS n says as it stands, alias and all.
      case Alias(value, _) => value
      case other           => other
    }
    if (!offset.foldable) throw wrong(AnalysisErrors.OffsetNotConstant)
    offset.eval() match {
      case n @ (_: Byte | _: Short | _: Int | _: Long)
          if n.asInstanceOf[Number].longValue >= 0 &&
            n.asInstanceOf[Number].longValue <= maxOffset =>
        n.asInstanceOf[Number].intValue
      case _ => throw wrong(AnalysisErrors.OffsetOutOfRange, "max" -> maxOffset.toString)
    }
  }

  private def refuse(e: Expression): Unit = e match {
    case window: WindowExpression =>
      throw error(
        AnalysisErrors.WindowFunction,
        window,
        "call"  -> toPrettySQL(window.windowFunction),
        "place" -> place.toString)
    case generator: Generator =>
      throw error(
        AnalysisErrors.Generator,
        e,
        "call"  -> toPrettySQL(generator),
        "place" -> place.toString)
    case outer: OuterReference =>
      throw error(AnalysisErrors.OuterReference, outer, "column" -> outer.name)
    // What it refers to outside are its children.
    case subquery: SubqueryExpression if subquery.children.nonEmpty =>
      throw error(
        AnalysisErrors.CorrelatedSubquery,
        subquery,
        "columns" -> subquery.children.flatMap(_.references.map(_.name)).distinct.mkString(", "),
        "place"   -> place.toString
      )
    case _ =>
      checkDeterministic(e)
      UnsupportedParts.refuse(e)
  }

  private def checkDeterministic(e: Expression): Unit =
    if (!e.deterministic && e.children.forall(_.deterministic)) {
      throw error(
        AnalysisErrors.Nondeterministic,
        e,
        "call"  -> toPrettySQL(e),
        "place" -> place.toString)
    }

  private def call(navigation: Navigation): String = s"${navigation.kind.sql}(...)"

  private def error(
      condition: ErrorCondition,
      at: Expression,
      parameters: (String, String)*): Throwable =
    MatchRecognizeErrors.analysis(condition, at.origin, parameters: _*)
}

private[analysis] object ExpressionLowering {

  /** Where an expression stands. */
  sealed trait Place {

    /** What MEASURES knows of the clause. */
    def firstKey: Option[Attribute] = None
    def showTimeouts: Boolean       = false
  }

  case object InDefine extends Place {
    override def toString: String = "DEFINE"
  }

  /**
   * @param allRows
   *   whether each row of a match is put out
   * @param firstKey
   *   the first column of ORDER BY
   * @param showTimeouts
   *   whether partial matches that ran out of time are put out
   */
  final case class InMeasures(
      allRows: Boolean,
      override val firstKey: Option[Attribute],
      override val showTimeouts: Boolean)
      extends Place {
    override def toString: String = "MEASURES"
  }

  /** Rows that a navigation can be away: the rows in between must be held. */
  val maxOffset: Int = Int.MaxValue - 1
}
