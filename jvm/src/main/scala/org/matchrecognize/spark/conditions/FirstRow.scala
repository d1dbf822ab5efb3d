package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeMap,
  Expression,
  Literal,
  Unevaluable
}

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.logical.MatchRecognize
import org.matchrecognize.spark.pattern.{AfterMatch, RowPattern}

/**
 * The first row of the matches of a clause whose pattern begins with a plain variable that
 * occurs nowhere else: the first row of each match is mapped to it, and no other row.
 *
 * '''Filters on it.''' Under SKIP TO NEXT ROW and NO SKIP all start rows are searched, whatever is
 * found at others. What is found at one then depends on others only through MATCH_NUMBER and
 * through which rows no match covers. If no expression reads these, a start row whose matches a
 * filter drops need not be searched: so the filter can be part of the variable's condition.
 * Under other skip modes a match that is dropped hides matches, which would then be found.
 */
final private[spark] class FirstRow private (m: MatchRecognize, val variable: Int) {

  /** Whether what is found at a start row depends on no other start row. */
  def decidesAlone: Boolean = {
    val isSearchedAlways = m.clause.afterMatch match {
      case AfterMatch.ToNextRow | AfterMatch.NoSkip                              => true
      case AfterMatch.PastLastRow | _: AfterMatch.ToFirst | _: AfterMatch.ToLast => false
    }
    isSearchedAlways && !m.clause.rows.showUnmatched &&
    !MatchNumber.isIn(m.conditions ++ m.measures)
  }

  /**
   * A part of a filter above the clause, as a part of the variable's condition; None if it reads
   * more than the first row and the keys, or can fail: it would be tested where no match starts.
   */
  def seen(part: Expression): Option[Expression] = {
    val isKnown = part.references.nonEmpty && part.references.forall(columns.contains) &&
      // Only Spark's planner can evaluate subqueries and Python functions.
      !part.exists(e => e.isInstanceOf[Unevaluable] && !e.isInstanceOf[Attribute])
    if (!isKnown) None
    else {
      val condition = part.transformUp { case a: Attribute => columns(a) }
      if (Fallible(condition)) None else Some(condition)
    }
  }

  /** The columns of the clause that the first row gives, as the variable's condition sees them. */
  private lazy val columns: AttributeMap[Expression] = {
    val keys = m.partition
      .filter(key => KeyIdentity(key.dataType))
      .map(key => key -> RowColumn(RowTarget.tested, key))
    val measures = m.measures.zip(m.measureOutput).collect {
      case (measure, output) if isOfFirst(measure) => output -> seenFromFirst(measure)
    }
    AttributeMap(keys ++ measures)
  }

  private def isOfFirst(e: Expression): Boolean = e match {
    case RowColumn(target, _) => isFirst(target.anchor)
    case RowExists(target)    => isFirst(target.anchor)
    case _: Literal           => true
    case _: Unevaluable       => false
    case other                => other.children.nonEmpty && other.children.forall(isOfFirst)
  }

  private def isFirst(anchor: RowAnchor): Boolean = anchor match {
    case RowAnchor.Mapped(MappedEnd.First, None, 0, _)     => true
    case RowAnchor.Mapped(MappedEnd.First, Some(of), 0, _) => of.contains(variable)
    case RowAnchor.Mapped(MappedEnd.Last, Some(of), 0, _)  => of.members.forall(_ == variable)
    case _: RowAnchor.Mapped | RowAnchor.Output            => false
  }

  private def seenFromFirst(measure: Expression): Expression = measure.transform {
    case value: RowValue => value.of(RowTarget.tested.copy(physical = value.target.physical))
  }
}

private[spark] object FirstRow {

  /** None where the first row can be mapped to several variables, or its variable to others. */
  def of(m: MatchRecognize): Option[FirstRow] =
    RowPattern.beginning(m.clause.pattern).collect {
      case (first, others) if !others.exists(RowPattern.exists(_)(names(_, first.id))) =>
        new FirstRow(m, first.id)
    }

  /** Whether an element of a pattern, without its parts, names a variable. */
  private def names(element: RowPattern, variable: Int): Boolean = element match {
    case RowPattern.Variable(id, _)            => id == variable
    case RowPattern.Quantified(_, q, _)        => q.stop.contains(variable)
    case RowPattern.Absence(barred, _)         => barred == variable
    case RowPattern.GapAbsence(gap, barred, _) => gap == variable || barred == variable
    case RowPattern.Gap(gap, _, _)             => gap == variable
    case _: RowPattern.Concatenation | _: RowPattern.Alternation | _: RowPattern.Empty |
        _: RowPattern.PartitionStart | _: RowPattern.PartitionEnd | _: RowPattern.Permutation |
        _: RowPattern.Exclusion =>
      false
  }
}
