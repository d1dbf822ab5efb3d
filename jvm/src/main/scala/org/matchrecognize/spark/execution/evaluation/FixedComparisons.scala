package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  GenericInternalRow,
  MutableProjection
}
import org.apache.spark.sql.types.{DataType, Decimal, DecimalType}

import org.matchrecognize.spark.conditions.{FixedCondition, Signs}
import org.matchrecognize.spark.execution.slots.{
  EvaluationUnit,
  Numbered,
  SlotLayout,
  SlotLayoutBuilder,
  Slots
}
import org.matchrecognize.spark.expressions.{OrderedDoubles, RowAnchor, RowTarget}
import org.matchrecognize.spark.pattern.matching.{
  ComparedCondition,
  ComparedConditions,
  KeyRange,
  RowKeys
}

/**
 * Evaluates both sides of [[FixedCondition]]s: that of the row once for each row, the other one once
 * for the slots of a thread that waits.
 *
 * @param conditions
 *   by variable
 * @param takeMemory
 *   see [[RowKeys]]
 * @param poll
 *   called now and then: throws if the task is to end
 */
final private[execution] class FixedComparisons(
    conditions: IndexedSeq[Option[FixedCondition]],
    unit: EvaluationUnit,
    layout: SlotLayout,
    context: PartitionContext,
    window: RowWindow,
    takeMemory: Long => Boolean,
    poll: () => Unit) {

  /** What is compared of a row, a column of the keys each. */
  private val sides = new Numbered[Expression]

  private val bound: IndexedSeq[Option[ComparedCondition[Slots]]] = conditions.map(_.map(bind))

  private def bind(condition: FixedCondition): ComparedCondition[Slots] = condition match {
    case FixedCondition.All(Seq(part)) => bind(part)
    case FixedCondition.All(parts)     => ComparedCondition.All(parts.map(bind).toIndexedSeq)
    case FixedCondition.Any(parts)     => ComparedCondition.Any(parts.map(bind).toIndexedSeq)
    case comparison @ FixedCondition.Comparison(row, fixed, signs) =>
      new ComparedCondition.Comparison(
        sides.numberOf(unit.bind(row).expression),
        new FixedBound(unit.bind(fixed).expression, signs, comparison.firsts))
  }

  val changes: ComparedConditions[Slots] =
    new ComparedConditions(bound, new RowKeys(sides.all.size, new KeysOfRows, takeMemory))

  /** Reads the rows' sides, before the search tests them. */
  final private class KeysOfRows extends RowKeys.Source {
    private val row  = new KeyRow(sides.all.map(_.dataType))
    private val read = MutableProjection.create(sides.all).target(row)

    override def read(index: Long, into: RowKeys.Keys): Boolean = {
      if ((index & TestingAhead.pollMask) == 0) poll()
      FixedComparisons.succeeds {
        row.into = into
        window.at(index)
        read(window)
      }
    }
  }

  /** The other side. */
  final private class FixedBound(side: Expression, signs: Signs, firsts: Seq[RowTarget])
      extends ComparedCondition.Bound[Slots] {
    private val entries = firsts
      .map(target => SlotLayoutBuilder.entryOf(layout, target) -> target.anchor)
      .toArray

    override def find(slots: Slots, row: Long, into: KeyRange): Boolean =
      entries.forall { case (entry, anchor) => isMapped(entry, anchor, slots, row) } &&
        FixedComparisons.succeeds {
          context.at(row, slots)
          val value = side.eval(context)
          if (value == null) into.setEmpty()
          else {
            val key = FixedComparisons.key(value, side.dataType)
            into.compare(key, signs.less, signs.equal, signs.greater)
          }
        }

    /** Whether the row is there that an anchor counts to from the first. */
    private def isMapped(entry: Int, anchor: RowAnchor, slots: Slots, row: Long): Boolean =
      anchor match {
        case RowAnchor.Mapped(_, None, offset, _) => context.startRow + offset <= row
        case _                                    => entry >= 0 && slots.rows(entry) >= 0
      }
  }
}

private object FixedComparisons {

  /** Whether an evaluation succeeds: an error is raised if the search comes to it. */
  def succeeds(evaluation: => Unit): Boolean =
    try {
      evaluation
      true
    } catch { case FailedEvaluation() => false }

  /** Numbers in the order in which Spark compares the values. */
  def key(value: Any, dataType: DataType): Long = value match {
    case b: Boolean => key(b)
    case n: Byte    => n.toLong
    case n: Short   => n.toLong
    case n: Int     => n.toLong
    case n: Long    => n
    case x: Float   => key(x.toDouble)
    case x: Double  => key(x)
    case d: Decimal => key(d, dataType.asInstanceOf[DecimalType])
    case other      => throw new IllegalStateException(s"no key for a ${other.getClass}")
  }

  def key(value: Boolean): Long = if (value) 1L else 0L

  def key(x: Double): Long = OrderedDoubles.key(x)

  def key(d: Decimal, dataType: DecimalType): Long =
    if (d.scale == dataType.scale) d.toUnscaledLong
    else d.toJavaBigDecimal.setScale(dataType.scale).unscaledValue.longValueExact
}

/** Takes values as a row, and keeps their keys. */
final private class KeyRow(types: Seq[DataType]) extends GenericInternalRow(new Array[Any](0)) {
  private val typeOf     = types.toArray
  var into: RowKeys.Keys = _

  private def set(i: Int, key: Long): Unit = {
    into.keys(i) = key
    into.isNull(i) = false
  }

  override def setNullAt(i: Int): Unit                  = into.isNull(i) = true
  override def setBoolean(i: Int, value: Boolean): Unit = set(i, FixedComparisons.key(value))
  override def setByte(i: Int, value: Byte): Unit       = set(i, value.toLong)
  override def setShort(i: Int, value: Short): Unit     = set(i, value.toLong)
  override def setInt(i: Int, value: Int): Unit         = set(i, value.toLong)
  override def setLong(i: Int, value: Long): Unit       = set(i, value)
  override def setFloat(i: Int, value: Float): Unit = set(i, FixedComparisons.key(value.toDouble))
  override def setDouble(i: Int, value: Double): Unit = set(i, FixedComparisons.key(value))
  override def setDecimal(i: Int, value: Decimal, precision: Int): Unit = update(i, value)
  override def update(i: Int, value: Any): Unit                         =
    if (value == null) setNullAt(i) else set(i, FixedComparisons.key(value, typeOf(i)))
}
