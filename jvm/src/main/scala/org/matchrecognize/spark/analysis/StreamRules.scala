package org.matchrecognize.spark.analysis

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Ascending, Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreePattern
import org.apache.spark.sql.catalyst.util.toPrettySQL
import org.apache.spark.sql.types.{StringType, TimestampType}

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.{MatchRecognize, UnresolvedMatchRecognize, Watermarks}
import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}
import org.matchrecognize.spark.pattern.RowPattern._
import org.matchrecognize.spark.text.Span

/**
 * Refuses clauses over a streaming table whose matches could never be final (streaming.md:
 * Requirements).
 *
 * @param ctes
 *   the common tables of the statement, by Spark's numbers
 */
final private[analysis] class StreamRules(
    clause: UnresolvedMatchRecognize,
    node: MatchRecognize,
    ctes: Map[Long, LogicalPlan]) {

  def check(): Unit = {
    if (!node.clause.isByArrival) checkOrder()
    clause.conditions.foreach(checkTimes)
    parts(node.clause.pattern).collectFirst { case end: PartitionEnd => end }.foreach { end =>
      refuse(end, "$", "a stream has no last row", "Remove $.")
    }
    if (node.clause.within.isEmpty) {
      if (node.clause.flinkDialect) checkLast() else { checkAnywhere(); checkLast() }
    }
  }

  /** The current time would differ from micro-batch to micro-batch. */
  private def checkTimes(condition: Expression): Unit = condition.foreach {
    case time if isCurrentTime(time) =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.Nondeterministic,
        time.origin,
        "call"  -> toPrettySQL(time),
        "place" -> LoweringScope.InDefine.toString)
    case _ =>
  }

  private def isCurrentTime(e: Expression): Boolean =
    e.containsPattern(TreePattern.CURRENT_LIKE) && e.resolved && e.dataType != StringType &&
      !e.children.exists(_.containsPattern(TreePattern.CURRENT_LIKE))

  /** Rows are searched in the order of their event time. */
  private def checkOrder(): Unit = node.order.headOption match {
    case None =>
      wrongOrder(
        node.clause.pattern.span,
        "there is no ORDER BY",
        watermarkColumn.getOrElse("the event time"))
    case Some(first) =>
      val span   = clause.keySpans(clause.partition.size)
      val key    = toPrettySQL(clause.order.head.child)
      val column = first.child.asInstanceOf[Attribute]
      if (!isEventTime(column)) {
        watermarkColumn match {
          case None if hasWatermark(column) =>
            wrongOrder(
              span,
              s"$key is not a timestamp",
              "the timestamp that it was computed from")
          case None =>
            throw MatchRecognizeErrors.analysisAt(
              AnalysisErrors.StreamWithoutWatermark,
              clause.origin,
              span,
              "key"    -> key,
              "column" -> key)
          case Some(time) => wrongOrder(span, s"the first key of ORDER BY is $key", time)
        }
      }
      if (first.direction != Ascending) wrongOrder(span, s"$key is descending", key)
  }

  private def wrongOrder(span: Span, reason: String, column: String): Unit =
    throw MatchRecognizeErrors.analysisAt(
      AnalysisErrors.StreamOrder,
      clause.origin,
      span,
      "reason" -> reason,
      "column" -> column)

  private def watermarkColumn: Option[String] =
    node.child.output.find(isEventTime).map(_.name)

  /** A table can have got the metadata of a stream that was written to it. */
  private def hasWatermark(column: Attribute): Boolean = Watermarks.has(column) && hasOperator

  private lazy val hasOperator = Watermarks.areIn(node.child, ctes)

  /** What `window(ts, ...)` returns has the watermark of `ts`, too. */
  private def isEventTime(column: Attribute): Boolean =
    column.dataType == TimestampType && hasOperator &&
      EventTimes.timed(column, node.child, ctes).nonEmpty

  /** Loops that a later row can always extend, where the longest match is preferred. */
  private def checkAnywhere(): Unit =
    parts(node.clause.pattern)
      .collectFirst { case loop: Quantified if isEndless(loop) => loop }
      .foreach(refuseLoop)

  /** The same at the end of the pattern, where both dialects take rows as long as they can. */
  private def checkLast(): Unit =
    lasts(node.clause.pattern).foreach {
      case loop: Quantified if isEndless(loop) => refuseLoop(loop)
      case absence: GapAbsence                 =>
        refuse(
          absence,
          sql(absence),
          s"a row of ${sql(Variable(absence.variable))} can still follow",
          "Add WITHIN, which limits the time in which no such row may follow."
        )
      case _ =>
    }

  private def refuseLoop(loop: Quantified): Unit =
    refuse(
      loop,
      sql(loop),
      "any later row can extend it, and the longest match is preferred",
      if (loop.quantifier.loose && loop.quantifier.stop.isEmpty)
        "Add WITHIN, an upper bound or a stop condition, or make the loop reluctant."
      else "Add WITHIN, an upper bound or a condition, or make the loop reluctant."
    )

  /** Whether a loop prefers more rows without end, and any row serves. */
  private def isEndless(loop: Quantified): Boolean = {
    val Quantifier(_, upper, greedy, loose, stop) = loop.quantifier
    greedy && upper == QuantifierBound.Unbounded &&
    (loose && stop.isEmpty || RowPattern.maxRows(loop.element) > 0 && takesAnyRow(loop.element))
  }

  private def isTrue(condition: Expression): Boolean =
    condition.foldable && Try(condition.eval()).toOption.contains(true)

  /** Whether rows of any kind can be mapped to a pattern. */
  private def takesAnyRow(pattern: RowPattern): Boolean = pattern match {
    case Variable(id, _)                                  => isTrue(node.conditions(id))
    case Alternation(alternatives, _)                     => alternatives.exists(takesAnyRow)
    case _: Concatenation | _: Permutation | _: Exclusion =>
      children(pattern).forall(takesAnyRow)
    case Quantified(element, quantifier, _) =>
      quantifier.lower == QuantifierBound.Count(0) || takesAnyRow(element)
    case _: Empty | _: Gap                                                => true
    case _: PartitionStart | _: PartitionEnd | _: Absence | _: GapAbsence => false
  }

  /** The elements that a match can end with. */
  private def lasts(pattern: RowPattern): Seq[RowPattern] = pattern match {
    case Concatenation(elements, _) =>
      val (optional, others) = elements.reverse.span(RowPattern.nullable)
      (optional ++ others.take(1)).flatMap(lasts)
    case loop @ Quantified(element, _, _) => loop +: lasts(element)
    case leaf if children(leaf).isEmpty   => Seq(leaf)
    case other                            => children(other).flatMap(lasts)
  }

  private def sql(pattern: RowPattern): String =
    RowPattern.sql(pattern, node.clause.variables(_).name)

  private def refuse(at: RowPattern, part: String, reason: String, suggestion: String): Unit =
    throw MatchRecognizeErrors.analysisAt(
      AnalysisErrors.StreamNeverFinal,
      clause.origin,
      at.span,
      "part"       -> part,
      "reason"     -> reason,
      "suggestion" -> suggestion)
}
