package org.matchrecognize.spark.execution.evaluation

import java.util.{Arrays, HashMap}

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  GenericInternalRow,
  MutableProjection
}

import org.matchrecognize.spark.pattern.matching.{RowVerdicts, SmallNumbers}

/**
 * Tests each row of a partition once for all variables.
 *
 * @param conditions
 *   by variable; None if it is always true
 * @param classes
 *   keeps the classes of the rows
 * @param ahead
 *   tests them
 */
final private[execution] class ClassifiedRows(
    conditions: IndexedSeq[Option[Expression]],
    window: RowWindow,
    classes: SmallNumbers,
    ahead: TestingAhead)
    extends RowVerdicts {

  private val tested: Array[Int] = conditions.indices.filter(conditions(_).nonEmpty).toArray

  /** What the row tested satisfies, a bit a tested variable. */
  private val mask = new Array[Long](math.max(1, (tested.length + 63) >> 6))

  /** All conditions in one piece of code. */
  private val test: MutableProjection =
    MutableProjection.create(tested.toSeq.map(conditions(_).get)).target(new VerdictRow(mask))

  /** Classes by what their rows satisfy, a bit a tested variable. */
  private val numbers = new HashMap[ClassifiedRows.Mask, Integer]
  private var masks   = new Array[Array[Long]](16)

  /** By variable, its bit; -1 if it is always true. */
  private val bitOf: Array[Int] = {
    val bits = Array.fill(conditions.size)(-1)
    tested.indices.foreach(bit => bits(tested(bit)) = bit)
    bits
  }

  /** The class that was found last: neighbours are often alike. */
  private var lastMask: Array[Long] = _
  private var lastClass             = 0

  override def classify(rows: Long): Boolean = {
    classes.clear()
    ahead(rows) { row =>
      Arrays.fill(mask, 0L)
      window.at(row)
      test(window)
      val found = classOfMask()
      if (found > ClassifiedRows.maxClasses) throw ClassifiedRows.TooMany
      classes.append(found)
    }
  }

  private def classOfMask(): Int =
    if (lastMask != null && Arrays.equals(mask, lastMask)) lastClass
    else {
      val known = numbers.get(new ClassifiedRows.Mask(mask))
      lastClass = if (known != null) known else add(mask.clone())
      lastMask = masks(lastClass)
      lastClass
    }

  private def add(mask: Array[Long]): Int = {
    val number = numbers.size
    numbers.put(new ClassifiedRows.Mask(mask), number)
    if (number == masks.length) masks = Arrays.copyOf(masks, number * 2)
    masks(number) = mask
    number
  }

  override def classOf(row: Long): Int = classes(row)

  override def satisfies(rowClass: Int, variable: Int): Boolean = {
    val bit = bitOf(variable)
    bit < 0 || (masks(rowClass)(bit >> 6) & 1L << bit) != 0
  }
}

private[execution] object ClassifiedRows {
  private val maxClasses = 1 << 15

  /** More classes than are worth an automaton. */
  private object TooMany extends RuntimeException(null, null, false, false)

  final private class Mask(val words: Array[Long]) {
    override val hashCode: Int               = Arrays.hashCode(words)
    override def equals(other: Any): Boolean = other match {
      case that: Mask => Arrays.equals(words, that.words)
      case _          => false
    }
  }
}

/** Takes verdicts as a row of booleans, and keeps which are true. */
final private class VerdictRow(mask: Array[Long]) extends GenericInternalRow(new Array[Any](0)) {
  override def setNullAt(i: Int): Unit                  = ()
  override def setBoolean(i: Int, value: Boolean): Unit = if (value) mask(i >> 6) |= 1L << i
  override def update(i: Int, value: Any): Unit         = if (value == true) setBoolean(i, true)
}
