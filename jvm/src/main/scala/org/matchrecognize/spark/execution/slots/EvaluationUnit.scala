package org.matchrecognize.spark.execution.slots

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, If, Literal}
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate

import org.matchrecognize.spark.conditions.DividedCondition
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.{PrimaryVariable, RowVariable}

/** Which aggregate, and up to which row. */
final private[execution] case class AggregateView(aggregate: Int, semantics: Semantics)

/**
 * An expression bound to an [[EvaluationUnit]], and what it reads, as indexes in the unit.
 *
 * @param numbers
 *   whether it reads the ordinal of a row in its match
 */
final private[execution] case class UnitExpression(
    frames: Set[Int],
    labels: Set[Int],
    views: Set[Int],
    numbers: Boolean,
    expression: Expression)

/** The parts of a [[DividedCondition]], bound to an [[EvaluationUnit]]. */
final private[execution] case class UnitCondition(
    local: Option[UnitExpression],
    rest: Option[UnitExpression]) {
  def parts: Seq[UnitExpression] = local.toSeq ++ rest
}

/**
 * Expressions that are evaluated on one [[PartitionContext]]: binds them, and collects the frames,
 * the aggregates and the labels that they read together.
 *
 * @param passesOver
 *   whether a match can have rows between its first and its last that are not mapped
 */
final private[execution] class EvaluationUnit(
    input: Seq[Attribute],
    variables: Seq[PrimaryVariable],
    passesOver: Boolean) {
  private val frameTargets  = new Interner[RowTarget]
  private val aggregateList = new Interner[RowAggregate]
  private val viewList      = new Interner[AggregateView]
  private val everyVariable = RowVariable("*", variables.indices)
  private val ordinals      = input.map(_.exprId).zipWithIndex.reverse.toMap

  /** Frames whose label is read. */
  private val labelled = new Interner[Int]

  /** Whether the ordinal of a row in its match is read. */
  private var numbered = false

  // Copies of what is there so far, since more may be bound: one element is read by number.
  def frames: Seq[RowTarget]        = frameTargets.all
  def aggregates: Seq[RowAggregate] = aggregateList.all
  def views: Seq[AggregateView]     = viewList.all
  def labelledFrames: Seq[Int]      = labelled.all
  def readsNumbers: Boolean         = numbered

  def frame(index: Int): RowTarget        = frameTargets(index)
  def aggregate(index: Int): RowAggregate = aggregateList(index)
  def view(index: Int): AggregateView     = viewList(index)
  def isLabelled(frame: Int): Boolean     = labelled.contains(frame)

  /** Binds an expression; a condition as [[ConditionRewriter]] rewrote it. */
  def bind(e: Expression): UnitExpression = {
    val used       = ArrayBuffer[Int]()
    val usedLabels = ArrayBuffer[Int]()
    val usedViews  = ArrayBuffer[Int]()
    val numbers    = e.exists(_.isInstanceOf[RowSequenceNumber])
    numbered = numbered || numbers || e.exists(_.isInstanceOf[AddedRowSequenceNumber])

    def frame(target: RowTarget): Int = {
      val index = frameTargets.numberOf(target)
      used += index
      index
    }
    def label(target: RowTarget): Expression = target match {
      // The row before another one is the one mapped before it: threads need not keep all labels.
      case RowTarget(anchor @ RowAnchor.Mapped(MappedEnd.Last, None, offset, _), physical)
          if physical < 0 && !passesOver && offset - physical <= Int.MaxValue =>
        label(RowTarget(anchor.copy(offset = (offset - physical).toInt)))
      case RowTarget(anchor @ RowAnchor.Mapped(_, None, _, _), 0) =>
        label(RowTarget(anchor.copy(variable = Some(everyVariable))))
      case there =>
        val index = frame(there)
        labelled.numberOf(index)
        usedLabels += index
        FrameLabel(index)
    }
    def view(aggregate: RowAggregate): Expression = {
      val slot  = aggregateList.numberOf(aggregate.copy(semantics = Semantics.Running))
      val index = viewList.numberOf(AggregateView(slot, aggregate.semantics))
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
        val ordinal = ordinals.getOrElse(attribute.exprId, -1)
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
    def ofRow(value: RowValue): Expression = value match {
      case RowColumn(target, child)  => column(target, child)
      case RowLabel(target)          => label(target)
      case RowExists(target)         => FrameExists(frame(target))
      case RowSequenceNumber(target) => FrameSequenceNumber(frame(target))
    }
    def bound(e: Expression): Expression = e match {
      case value: RowValue         => ofRow(value)
      case MatchNumber()           => ContextMatchNumber()
      case MatchTimedOut()         => ContextTimedOut()
      case aggregate: RowAggregate => view(aggregate)
      case other                   => other.mapChildren(bound)
    }
    val expression = bound(e)
    UnitExpression(used.toSet, usedLabels.toSet, usedViews.toSet, numbers, expression)
  }

  /** Binds the parts of a condition. */
  def bind(condition: DividedCondition): UnitCondition =
    UnitCondition(condition.local.map(bind(_)), condition.rest.map(bind(_)))
}

/**
 * Different items, numbered in the order in which they came. Expressions are told apart as
 * [[org.matchrecognize.spark.expressions.SameExpression]] does: by their hashes, too.
 */
final private[execution] class Interner[T] {
  private val items = ArrayBuffer[T]()

  /** By hash and item: Scala 2.12 does not compare the hashes of items in the same bucket. */
  private val numbers = mutable.HashMap[(Int, T), Int]()

  /** The number of an item, which is new if no equal one came before. */
  def numberOf(item: T): Int = numbers.getOrElseUpdate(
    key(item), {
      items += item
      items.size - 1
    })

  def apply(number: Int): T      = items(number)
  def contains(item: T): Boolean = numbers.contains(key(item))
  def all: Seq[T]                = items.toVector

  private def key(item: T): (Int, T) = (item.hashCode, item)
}
