package org.matchrecognize.spark.execution.evaluation

import java.util.{Arrays, HashMap}

import org.apache.spark.sql.catalyst.expressions.{BasePredicate, Expression, UnsafeRow}

import org.matchrecognize.spark.execution.registers.RowTests
import org.matchrecognize.spark.execution.slots.Interner
import org.matchrecognize.spark.pattern.matching.{PackedNumbers, RowVerdicts}

/**
 * Tests each row of a partition once for all variables, and keeps its class.
 *
 * @param classes
 *   keeps the classes of the rows
 */
abstract private[execution] class ClassifiedRows(
    conditions: DistinctConditions,
    classes: PackedNumbers)
    extends RowVerdicts {

  /** The classes met so far. */
  final protected val known = new RowClasses(conditions.size)

  /** Another partition begins. */
  def begin(): Unit

  /** The next row of the partition has arrived. */
  def append(row: UnsafeRow): Unit

  final override def classOf(row: Long): Int = classes(row)

  final override def satisfies(rowClass: Int, variable: Int): Boolean = {
    val condition = conditions.of(variable)
    condition < 0 || known.satisfies(rowClass, condition)
  }
}

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
 * Reads the rows from their store once the partition is complete.
 *
 * @param expressions
 *   by variable, its condition, evaluated on the window
 * @param ahead
 *   tests them
 */
final private[execution] class ClassifiedAtEnd(
    conditions: DistinctConditions,
    expressions: IndexedSeq[Option[Expression]],
    window: RowWindow,
    classes: PackedNumbers,
    ahead: TestingAhead)
    extends ClassifiedRows(conditions, classes) {

  /** What the row tested satisfies, a bit a condition. */
  private val mask = new Array[Long](math.max(1, (conditions.size + 63) >> 6))

  /** By condition. Each is tested alone, as a search tests it. */
  private val tests: Array[BasePredicate] =
    ManyConditions.predicates(conditions.variables.map(expressions(_)))

  override def begin(): Unit = ()

  override def append(row: UnsafeRow): Unit = ()

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
}

/**
 * Tests rows when they arrive: they are not read again for it.
 *
 * @param remembersErrors
 *   whether an error of a condition stays with its row; otherwise no condition can fail
 * @param poll
 *   called now and then: throws if the task is to end
 */
final private[execution] class ClassifiedOnArrival(
    conditions: DistinctConditions,
    tests: RowTests,
    classes: PackedNumbers,
    remembersErrors: Boolean,
    poll: () => Unit)
    extends ClassifiedRows(conditions, classes) {

  private var arrived = 0L

  /** A condition failed at a row of the partition: no more rows of it are tested. */
  private var hasFailed = false

  override def begin(): Unit = {
    tests.begin()
    classes.clear()
    arrived = 0
    hasFailed = false
  }

  override def append(row: UnsafeRow): Unit = {
    if ((arrived & TestingAhead.pollMask) == 0) poll()
    arrived += 1
    if (!hasFailed) {
      if (tests.ahead == 0) {
        test(row)
        if (!hasFailed) tests.remember(row)
      } else {
        tests.remember(row)
        if (arrived > tests.ahead) test(row)
      }
    }
  }

  private def test(row: UnsafeRow): Unit =
    try classes.append(known.of(tests.test(row)))
    catch { case FailedEvaluation() if remembersErrors => hasFailed = true }

  override def classify(rows: Long): Boolean = {
    // A row is tested when as many rows have followed as conditions look ahead: NULLs, at the end.
    while (!hasFailed && arrived < tests.ahead) {
      tests.pass()
      arrived += 1
    }
    while (!hasFailed && classes.size < rows) {
      tests.pass()
      test(null)
    }
    !hasFailed
  }
}

/**
 * Numbers what rows satisfy, a bit a condition: rows that satisfy the same are of one class.
 * Classes are numbered as they are met, for all partitions of a task.
 */
final private[evaluation] class RowClasses(conditions: Int) {
  import RowClasses._

  private val numbers = new HashMap[Mask, Integer]
  private var masks   = new Array[Array[Long]](16)

  /** By mask the class, or -1; null if there are too many masks. */
  private val few: Array[Int] =
    if (conditions > fewConditions) null
    else {
      val classes = new Array[Int](1 << conditions)
      Arrays.fill(classes, -1)
      classes
    }

  private val word = new Array[Long](1)

  /** The class that was found last, as which neighbours often are, and its mask. */
  private var last     = 0
  private var lastMask = new Array[Long](0)

  /** The class of rows that satisfy these of at most 64 conditions. */
  def of(mask: Long): Int =
    if (few != null && few(mask.toInt) >= 0) few(mask.toInt)
    else {
      word(0) = mask
      val found = of(word)
      if (few != null) few(mask.toInt) = found
      found
    }

  /** The class of rows that satisfy these. */
  def of(mask: Array[Long]): Int = {
    if (!Arrays.equals(mask, lastMask)) {
      val known = numbers.get(new Mask(mask))
      last = if (known != null) known else add(mask.clone())
      lastMask = masks(last)
    }
    last
  }

  private def add(mask: Array[Long]): Int = {
    val number = numbers.size
    if (number > maxClasses) throw TooMany
    numbers.put(new Mask(mask), number)
    if (number == masks.length) masks = Arrays.copyOf(masks, number * 2)
    masks(number) = mask
    number
  }

  def satisfies(rowClass: Int, condition: Int): Boolean =
    (masks(rowClass)(condition >> 6) & 1L << condition) != 0
}

private[execution] object RowClasses {
  private val fewConditions = 12

  /** The conditions of which rows can never be of too many classes. */
  val countedConditions  = 15
  private val maxClasses = 1 << countedConditions

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
