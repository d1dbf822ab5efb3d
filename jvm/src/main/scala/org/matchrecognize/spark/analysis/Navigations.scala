package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.expressions.NavigationKind.{First, Last, Prev}
import org.matchrecognize.spark.pattern.RowVariable

/** Finds the rows that navigations lead to, and the variable that a call is about. */
final private[analysis] class Navigations(scope: LoweringScope) {

  /** Rows that a navigation can be away: the rows in between must be held. */
  final private val maxOffset = Int.MaxValue - 1

  /** The last row mapped to a variable, up to the current row. */
  def current(variable: Option[RowVariable]): RowTarget =
    RowTarget(RowAnchor.Mapped(MappedEnd.Last, variable, 0, Semantics.Running))

  /** The navigation that holds the argument, and the row that the argument is taken from. */
  def destination(navigation: Navigation): (Navigation, RowTarget) = {
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
    val end = if (navigation.kind == First) MappedEnd.First else MappedEnd.Last
    RowAnchor.Mapped(end, variableOf(navigation), offset, scope.semantics(navigation.semantics))
  }

  private def variableOf(navigation: Navigation): Option[RowVariable] =
    oneVariable(navigation, Seq(navigation.argument), navigation.kind.sql)

  /** The one variable that all columns of a call carry (semantics.md: One variable per call). */
  def oneVariable(
      e: Expression,
      arguments: Seq[Expression],
      name: String): Option[RowVariable] = {
    val variables = arguments.flatMap(variablesIn).distinct
    if (variables.size > 1) {
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.MixedVariables,
        e.origin,
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
      MatchRecognizeErrors.analysis(condition, navigation.offset.origin, parameters: _*)
    }
    val offset = navigation.offset match {
      case WrittenColumn(variable) => variable
      case other                   => WrittenConstant.unaliased(other)
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
}

/** The part of the clause that an expression is in, as far as its lowering depends on it. */
sealed private[analysis] trait LoweringScope {

  /** What the call means that was written with RUNNING, FINAL or neither. */
  def semantics(written: Option[Semantics]): Semantics = Semantics.Running

  /** What MEASURES knows of the clause. */
  def firstKey: Option[Attribute] = None
  def showTimeouts: Boolean       = false
}

private[analysis] object LoweringScope {

  case object InDefine extends LoweringScope {
    override def toString: String = "DEFINE"
  }

  /**
   * @param allRows
   *   whether each row of a match is output
   * @param firstKey
   *   the first column of ORDER BY
   * @param showTimeouts
   *   whether partial matches that ran out of time are output
   */
  final case class InMeasures(
      allRows: Boolean,
      override val firstKey: Option[Attribute],
      override val showTimeouts: Boolean)
      extends LoweringScope {

    /** With ONE ROW PER MATCH the current row is the last. */
    override def semantics(written: Option[Semantics]): Semantics =
      if (allRows) written.getOrElse(Semantics.Running) else Semantics.Running

    override def toString: String = "MEASURES"
  }
}
