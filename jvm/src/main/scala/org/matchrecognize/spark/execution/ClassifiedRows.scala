package org.matchrecognize.spark.execution

import java.util.HashMap

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.BasePredicate

import org.matchrecognize.spark.pattern.{RowVerdicts, SmallNumbers}

/**
 * Tests each row of a partition once for all variables.
 *
 * @param predicates
 *   by variable; null if it is always true
 * @param slots
 *   those of a match without rows: what the row alone decides asks for none
 * @param classes
 *   keeps the classes of the rows
 */
final private[execution] class ClassifiedRows(
    predicates: Array[BasePredicate],
    context: PartitionContext,
    slots: Slots,
    classes: SmallNumbers)
    extends RowVerdicts {

  private val tested: Array[Int] = predicates.indices.filter(predicates(_) != null).toArray

  /** Classes by what their rows satisfy, a bit a tested variable. */
  private val numbers = new HashMap[ClassifiedRows.Mask, Integer]
  private var masks   = new Array[Array[Long]](16)

  /** By variable, its bit; -1 if it is always true. */
  private val bitOf: Array[Int] = predicates.indices.map(tested.indexOf(_)).toArray

  private val words = math.max(1, (tested.length + 63) >> 6)

  /** The class that was found last: neighbours are often alike. */
  private var lastMask: Array[Long] = _
  private var lastClass             = 0

  override def classify(rows: Long): Boolean = {
    classes.clear()
    // As in a match that began with the partition: each row tested lies in it.
    context.begin(0, 0)
    try {
      var row  = 0L
      val mask = new Array[Long](words)
      while (row < rows) {
        test(row, mask)
        val found = classOf(mask)
        if (found > ClassifiedRows.maxClasses) throw ClassifiedRows.TooMany
        classes.append(found)
        row += 1
      }
      true
    } catch {
      // Whether the search ever tests what failed, only the search can say.
      case NonFatal(_) => false
    }
  }

  private def test(row: Long, mask: Array[Long]): Unit = {
    java.util.Arrays.fill(mask, 0L)
    context.at(row, slots)
    var i = 0
    while (i < tested.length) {
      if (predicates(tested(i)).eval(context)) mask(i >> 6) |= 1L << i
      i += 1
    }
  }

  private def classOf(mask: Array[Long]): Int =
    if (lastMask != null && java.util.Arrays.equals(mask, lastMask)) lastClass
    else {
      val known = numbers.get(new ClassifiedRows.Mask(mask))
      lastClass = if (known != null) known else add(mask.clone())
      lastMask = masks(lastClass)
      lastClass
    }

  private def add(mask: Array[Long]): Int = {
    val number = numbers.size
    numbers.put(new ClassifiedRows.Mask(mask), number)
    if (number == masks.length) masks = java.util.Arrays.copyOf(masks, number * 2)
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
    override val hashCode: Int               = java.util.Arrays.hashCode(words)
    override def equals(other: Any): Boolean = other match {
      case that: Mask => java.util.Arrays.equals(words, that.words)
      case _          => false
    }
  }
}
