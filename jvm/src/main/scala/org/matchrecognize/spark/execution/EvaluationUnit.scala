package org.matchrecognize.spark.execution

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, If, Literal}
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate

import org.matchrecognize.spark.conditions.DividedCondition
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.{PrimaryVariable, RowVariable}

/** Which aggregate, and up to which row. */
final private[execution] case class AggregateView(aggregate: Int, semantics: Semantics)

/**
 * What one expression asks for, as indexes in its [[EvaluationUnit]].
 *
 * @param numbers
 *   whether it asks for the place of a row in its match
 */
final private[execution] case class Uses(
    frames: Set[Int],
    labels: Set[Int],
    views: Set[Int],
    numbers: Boolean,
    expression: Expression)

/** What the parts of a [[DividedCondition]] ask for. */
final private[execution] case class DividedUses(local: Option[Uses], rest: Option[Uses]) {
  def parts: Seq[Uses] = local.toSeq ++ rest
}

/**
 * Expressions that are evaluated on one [[PartitionContext]]: binds them, and collects the frames,
 * the aggregates and the labels that they ask for together.
 */
final private[execution] class EvaluationUnit(
    input: Seq[Attribute],
    variables: Seq[PrimaryVariable]) {
  private val frameTargets  = ArrayBuffer[RowTarget]()
  private val aggregateList = ArrayBuffer[RowAggregate]()
  private val viewList      = ArrayBuffer[AggregateView]()
  private val everyVariable = RowVariable("*", variables.indices)

  /** Frames whose label is asked for. */
  private val labelled = ArrayBuffer[Int]()

  /** Whether the place of a row in its match is asked for. */
  private var numbered = false

  def frames: Seq[RowTarget]        = frameTargets.toSeq
  def aggregates: Seq[RowAggregate] = aggregateList.toSeq
  def views: Seq[AggregateView]     = viewList.toSeq
  def labelledFrames: Seq[Int]      = labelled.toSeq
  def asksForNumbers: Boolean       = numbered

  /** Binds an expression; a condition as [[TestedRow]] rewrote it. */
  def bind(e: Expression): Uses = {
    val used       = ArrayBuffer[Int]()
    val usedLabels = ArrayBuffer[Int]()
    val usedViews  = ArrayBuffer[Int]()
    val numbers    = e.exists(_.isInstanceOf[RowSequenceNumber])
    numbered = numbered || numbers || e.exists(_.isInstanceOf[AddedRowSequenceNumber])

    def frame(target: RowTarget): Int = {
      val index = indexOf(frameTargets, target)
      used += index
      index
    }
    def label(target: RowTarget): Expression = target match {
      case RowTarget(RowAnchor.First(None, offset, semantics), 0) =>
        label(RowTarget(RowAnchor.First(Some(everyVariable), offset, semantics)))
      case RowTarget(RowAnchor.Last(None, offset, semantics), 0) =>
        label(RowTarget(RowAnchor.Last(Some(everyVariable), offset, semantics)))
      case there =>
        val index = frame(there)
        if (!labelled.contains(index)) labelled += index
        usedLabels += index
        FrameLabel(index)
    }
    def view(aggregate: RowAggregate): Expression = {
      val slot  = indexOf(aggregateList, aggregate.copy(semantics = Semantics.Running))
      val index = indexOf(viewList, AggregateView(slot, aggregate.semantics))
      usedViews += index
      aggregateList(slot).function match {
        case function: DeclarativeAggregate =>
          // The fields are those of the equal aggregate that was seen first.
          val fields = function.aggBufferAttributes.map(_.exprId).zipWithIndex.toMap
          function.evaluateExpression.transform {
            case a: Attribute if fields.contains(a.exprId) =>
              BufferColumn(index, fields(a.exprId), a.dataType)
          }
        case function => ContextAggregate(index, function.dataType)
      }
    }
    def column(target: RowTarget, e: Expression): Expression = e match {
      case attribute: Attribute =>
        val ordinal = input.indexWhere(_.exprId == attribute.exprId)
        if (target == RowTarget(RowAnchor.Output)) {
          OutputColumn(ordinal, attribute.dataType, attribute.nullable)
        } else {
          FrameColumn(frame(target), ordinal, attribute.dataType)
        }
      // The optimizer may have put an expression in the place of the column.
      case other =>
        If(
          FrameExists(frame(target)),
          other.transform { case a: Attribute => column(target, a) },
          Literal.create(null, other.dataType))
    }
    def bound(e: Expression): Expression = e match {
      case RowColumn(target, child)  => column(target, child)
      case RowLabel(target)          => label(target)
      case RowExists(target)         => FrameExists(frame(target))
      case RowSequenceNumber(target) => FrameSequenceNumber(frame(target))
      case MatchNumber()             => ContextMatchNumber()
      case MatchTimedOut()           => ContextTimedOut()
      case aggregate: RowAggregate   => view(aggregate)
      case other                     => other.mapChildren(bound)
    }
    val expression = bound(e)
    Uses(used.toSet, usedLabels.toSet, usedViews.toSet, numbers, expression)
  }

  /** Binds the parts of a condition. */
  def bind(condition: DividedCondition): DividedUses =
    DividedUses(condition.local.map(bind(_)), condition.rest.map(bind(_)))

  private def indexOf[T](list: ArrayBuffer[T], item: T): Int = {
    val index = list.indexOf(item)
    if (index >= 0) index
    else {
      list += item
      list.size - 1
    }
  }
}
