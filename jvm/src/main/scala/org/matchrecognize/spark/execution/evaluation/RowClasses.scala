package org.matchrecognize.spark.execution.evaluation

import java.util.{Arrays, HashMap}

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

  /** Whether rows of a class satisfy a condition. */
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
