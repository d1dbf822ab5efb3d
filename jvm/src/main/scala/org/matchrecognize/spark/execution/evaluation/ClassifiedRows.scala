package org.matchrecognize.spark.execution.evaluation

import java.util.{Arrays, HashMap}

import org.apache.spark.sql.catalyst.expressions.{BasePredicate, Expression}

import org.matchrecognize.spark.execution.slots.Interner
import org.matchrecognize.spark.pattern.matching.{PackedNumbers, RowVerdicts}
import org.matchrecognize.spark.pattern.program.Words

/**
 * The conditions of all variables, each once: two variables often have the same. Conditions that
 * differ in the order of their parts are not the same, since they can fail at different rows.
 *
 * @param byVariable
 *   None where it is always true
 */
final private[execution] class DistinctConditions(byVariable: IndexedSeq[Option[Expression]]) {
  private val numbered = new Interner[Any]

  /** By variable, the number of its condition; -1 where it is always true. */
  val of: Array[Int] = byVariable.zipWithIndex.map { case (condition, variable) =>
    condition.fold(-1)(e => numbered.numberOf(if (e.deterministic) e else variable))
  }.toArray

  val size: Int = numbered.all.size

  /** By number, a variable that has the condition. */
  val variables: Seq[Int] = (0 until size).map(of.indexOf(_))
}

/**
 * Tests each row of a partition once for all variables, and keeps its class. It reads the rows from
 * their store once the partition is complete.
 *
 * @param expressions
 *   by variable, its condition, evaluated on the window
 * @param classes
 *   keeps the classes of the rows
 * @param ahead
 *   tests them
 */
final private[execution] class ClassifiedRows(
    conditions: DistinctConditions,
    expressions: IndexedSeq[Option[Expression]],
    window: RowWindow,
    classes: PackedNumbers,
    ahead: TestingAhead)
    extends RowVerdicts {

  /** The classes met so far. */
  private val known = new RowClasses

  /** What the row tested satisfies, a bit a condition. */
  private val mask = new Array[Long](math.max(1, (conditions.size + 63) >> 6))

  /** By condition. Each is tested alone, as a search tests it. */
  private val tests: Array[BasePredicate] =
    ManyConditions.predicates(conditions.variables.map(expressions(_)))

  override def classify(rows: Long): Boolean = {
    classes.clear()
    ahead(rows) { row =>
      Arrays.fill(mask, 0L)
      window.at(row)
      var i = 0
      while (i < tests.length) {
        if (tests(i).eval(window)) mask(i >> 6) |= 1L << i
        i += 1
      }
      classes.append(known.of(mask))
    }
  }

  override def classOf(row: Long): Int = classes(row)

  override def satisfies(rowClass: Int, variable: Int): Boolean = {
    val condition = conditions.of(variable)
    condition < 0 || known.satisfies(rowClass, condition)
  }
}

/**
 * Numbers what rows satisfy, a bit a condition: rows that satisfy the same are of one class.
 * Classes are numbered as they are met, for all partitions of a task.
 */
final private[evaluation] class RowClasses {
  import RowClasses._

  private val numbers = new HashMap[Words, Integer]
  private var masks   = new Array[Array[Long]](16)

  /** The class that was found last, as which neighbours often are, and its mask. */
  private var last     = 0
  private var lastMask = new Array[Long](0)

  /** The class of rows that satisfy these. */
  def of(mask: Array[Long]): Int = {
    if (!Arrays.equals(mask, lastMask)) {
      val known = numbers.get(new Words(mask))
      last = if (known != null) known else add(mask.clone())
      lastMask = masks(last)
    }
    last
  }

  private def add(mask: Array[Long]): Int = {
    val number = numbers.size
    if (number > maxClasses) throw TooMany
    numbers.put(new Words(mask), number)
    if (number == masks.length) masks = Arrays.copyOf(masks, number * 2)
    masks(number) = mask
    number
  }

  def satisfies(rowClass: Int, condition: Int): Boolean =
    (masks(rowClass)(condition >> 6) & 1L << condition) != 0
}

private object RowClasses {
  private val maxClasses = 1 << 15

  /** More classes than are worth an automaton. */
  private object TooMany extends RuntimeException(null, null, false, false)
}
