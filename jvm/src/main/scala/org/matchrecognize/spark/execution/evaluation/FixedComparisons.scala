package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  GenericInternalRow,
  MutableProjection
}
import org.apache.spark.sql.types.{DataType, Decimal}

import org.matchrecognize.spark.conditions.FixedCondition
import org.matchrecognize.spark.execution.slots.{
  EvaluationUnit,
  Interner,
  SlotLayout,
  SlotLayoutBuilder,
  Slots
}
import org.matchrecognize.spark.expressions.{RowAnchor, ValueKeys}
import org.matchrecognize.spark.pattern.keys.{
  ComparedCondition,
  ComparedConditions,
  KeyRange,
  RowKeys
}

/**
 * Evaluates [[FixedCondition]]s: the row's value once for each row, what it is compared with once for
 * the slots of a thread that waits.
 *
 * @param conditions
 *   by variable
 * @param acquireMemory
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
    acquireMemory: Long => Boolean,
    poll: () => Unit) {

  /** What is compared of a row, a column of the keys each. */
  private val sides = new Interner[Expression]

  private val compared: IndexedSeq[Option[ComparedCondition[Slots]]] = conditions.map(_.map(bind))

  private def bind(condition: FixedCondition): ComparedCondition[Slots] = condition match {
    case FixedCondition.All(Seq(part)) => bind(part)
    case FixedCondition.All(parts)     => ComparedCondition.All(parts.map(bind).toIndexedSeq)
    case FixedCondition.Any(parts)     => ComparedCondition.Any(parts.map(bind).toIndexedSeq)
    case value: FixedCondition.OfValue =>
      new ComparedCondition.Comparison(
        sides.numberOf(unit.bind(value.row).expression),
        value match {
          case comparison: FixedCondition.Comparison => new ComparisonOperand(comparison)
          case threshold: FixedCondition.Threshold   => new ThresholdOperand(threshold)
        }
      )
  }

  val changes: ComparedConditions[Slots] =
    new ComparedConditions(compared, new RowKeys(sides.all.size, new KeysOfRows, acquireMemory))

  /** Reads the rows' sides, before the search tests them. */
  final private class KeysOfRows extends RowKeys.Source {
    private val row  = new KeyRow(sides.all.map(_.dataType))
    private val read = MutableProjection.create(sides.all).target(row)

    override def read(index: Long, into: RowKeys.Keys): Boolean = {
      if ((index & TestingAhead.pollMask) == 0) poll()
      FailedEvaluation.isNone {
        row.into = into
        window.at(index)
        read(window)
      }
    }
  }

  /** What the row's value is compared with. */
  abstract private class FixedOperand(condition: FixedCondition.OfValue)
      extends ComparedCondition.Operand[Slots] {
    private val entries = condition.firsts
      .map(target => SlotLayoutBuilder.entryOf(layout, target) -> target.anchor)
      .toArray

    /** What stays the same, once the context is at the slots. */
    protected val fixed: Seq[Expression] = condition.fixed.map(unit.bind(_).expression)

    override def find(slots: Slots, row: Long, into: KeyRange): Boolean = {
      var isFound = false
      entries.forall { case (entry, anchor) => isMapped(entry, anchor, slots, row) } &&
      FailedEvaluation.isNone {
        context.at(row, slots)
        isFound = find(row, into)
      } && isFound
    }

    protected def find(row: Long, into: KeyRange): Boolean

    /** Whether the row is there that an anchor counts to from the first. */
    private def isMapped(entry: Int, anchor: RowAnchor, slots: Slots, row: Long): Boolean =
      anchor match {
        case RowAnchor.Mapped(_, None, offset, _) => context.startRow + offset <= row
        case _                                    => entry >= 0 && slots.rows(entry) >= 0
      }
  }

  final private class ComparisonOperand(comparison: FixedCondition.Comparison)
      extends FixedOperand(comparison) {
    private val dataType = comparison.other.dataType
    private val isExact  = ValueKeys.areExact(dataType)
    import comparison.signs.{equal, greater, less}

    override protected def find(row: Long, into: KeyRange): Boolean = {
      val value = fixed.head.eval(context)
      if (value == null) into.setEmpty()
      else {
        val key = ValueKeys.key(value, dataType)
        into.compare(key, less, equal, greater)
        if (!isExact) into.exclude(key, key)
      }
      true
    }
  }

  final private class ThresholdOperand(threshold: FixedCondition.Threshold)
      extends FixedOperand(threshold) {
    private val side  = unit.bind(threshold.row).expression
    private val range = new MonotoneKeyRange(threshold.function, side.dataType, fixed.size)

    override protected def find(row: Long, into: KeyRange): Boolean = {
      val values = fixed.map(_.eval(context))
      window.at(row)
      val tested = side.eval(window)
      tested != null && range.find(values, ValueKeys.key(tested, side.dataType), into)
    }
  }
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
  override def setBoolean(i: Int, value: Boolean): Unit = set(i, ValueKeys.key(value))
  override def setByte(i: Int, value: Byte): Unit       = set(i, value.toLong)
  override def setShort(i: Int, value: Short): Unit     = set(i, value.toLong)
  override def setInt(i: Int, value: Int): Unit         = set(i, value.toLong)
  override def setLong(i: Int, value: Long): Unit       = set(i, value)
  override def setFloat(i: Int, value: Float): Unit     = set(i, ValueKeys.key(value.toDouble))
  override def setDouble(i: Int, value: Double): Unit   = set(i, ValueKeys.key(value))
  override def setDecimal(i: Int, value: Decimal, precision: Int): Unit = update(i, value)
  override def update(i: Int, value: Any): Unit                         =
    if (value == null) setNullAt(i) else set(i, ValueKeys.key(value, typeOf(i)))
}
