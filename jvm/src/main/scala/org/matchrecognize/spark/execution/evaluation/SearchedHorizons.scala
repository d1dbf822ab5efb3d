package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder, UnsafeRow}

import org.matchrecognize.spark.conditions.{Fallible, StartBound, UnsharedCode}
import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.logical.Within
import org.matchrecognize.spark.pattern.matching.{Horizons, WithinBound}

/** [[Horizons]] that are searched for among the rows, near the one found last. */
abstract private[execution] class SearchedHorizons extends Horizons {
  protected var rows    = 0L
  private var lastFound = 0L

  /** Whether no bound fails that a search reads. */
  protected def prepare(isAsked: Long => Boolean): Boolean

  /** Takes the bound of a match that starts at a row; false if no row is within it. */
  protected def begin(start: Long): Boolean

  /** Whether a row, from the first row of the match on, is within the bound taken. */
  protected def contains(index: Long): Boolean

  final override def prepare(rows: Long, isAsked: Long => Boolean): Boolean = {
    this.rows = rows
    lastFound = 0
    prepare(isAsked)
  }

  final override def of(start: Long): Long =
    if (begin(start)) {
      lastFound = search(start, math.max(start, lastFound))
      lastFound
    } else {
      start
    }

  private def isWithin(index: Long): Boolean = index < rows && contains(index)

  /** Rows within the bound come first: looks for the end of them, ever farther from a guess. */
  private def search(start: Long, guess: Long): Long = {
    var within = start
    var beyond = rows
    var step   = 1L
    if (isWithin(guess)) {
      within = guess + 1
      while (within < beyond && within + step - 1 < beyond && isWithin(within + step - 1)) {
        within += step
        step *= 2
      }
      beyond = math.min(beyond, within + step - 1)
    } else {
      beyond = guess
      while (beyond - step >= within && !isWithin(beyond - step)) {
        beyond -= step
        step *= 2
      }
      within = math.max(within, beyond - step + 1)
    }
    // Every row before `within` is within the bound, none from `beyond` on.
    while (within < beyond) {
      val middle = (within + beyond) >>> 1
      if (isWithin(middle)) within = middle + 1 else beyond = middle
    }
    beyond
  }
}

/**
 * The [[Horizons]] of a [[StartBound]] in a task.
 *
 * @param bound
 *   its expression, evaluated on the window at the row
 * @param input
 *   the columns of the store's rows
 * @param ahead
 *   evaluates bounds that can fail
 */
final private[execution] class StartHorizons(
    spec: StartBound,
    bound: Expression,
    input: Seq[Attribute],
    store: PartitionRows,
    window: RowWindow,
    ahead: TestingAhead)
    extends SearchedHorizons {

  private val column  = input.indexWhere(_.exprId == spec.key.exprId)
  private val project = UnsharedCode.projection(Seq(bound))
  private val size    = spec.key.dataType.defaultSize
  private val row     = store.newRow()
  private var atBound = 0L

  override protected def prepare(isAsked: Long => Boolean): Boolean =
    !Fallible(spec.bound) || ahead(rows)(start => if (isAsked(start)) boundAt(start))

  override protected def begin(start: Long): Boolean = {
    val found = boundAt(start)
    val hasIt = !found.isNullAt(0)
    if (hasIt) atBound = WholeNumber.at(found, 0, size)
    hasIt
  }

  private def boundAt(start: Long): UnsafeRow = {
    window.at(start)
    project(window)
  }

  override protected def contains(index: Long): Boolean = {
    store.get(index, row)
    // Rows without a key satisfy no condition with the bound: they count with the end they lie at.
    if (row.isNullAt(column)) spec.nullsFirst
    else {
      val distance = java.lang.Long.compare(WholeNumber.at(row, column, size), atBound)
      distance == 0 && spec.inclusive || distance != 0 && distance < 0 == spec.ascending
    }
  }
}

/** WITHIN in a task: where the rows within the bound of a match end. */
final private[execution] class WithinRows(
    within: Within,
    order: SortOrder,
    input: Seq[Attribute],
    store: PartitionRows)
    extends SearchedHorizons
    with WithinBound {

  private val distance = {
    val ordinal = input.indexWhere(a => order.child.semanticEquals(a))
    WithinDistance.of(within, ordinal, order.child.dataType)
  }
  private val row = store.newRow()

  /** The watermark of a stream, in microseconds: rows that come are later. */
  var watermark: Long = Long.MinValue

  /** The watermark at which no row that comes is within the bound of the match. */
  def deadline: Option[Long] = distance.lastTime

  override def hasPassed: Boolean = watermark > Long.MinValue && deadline.exists(_ <= watermark)

  /** No bound fails. */
  override protected def prepare(isAsked: Long => Boolean): Boolean = true

  override def begin(start: Long): Boolean = {
    store.get(start, row)
    val hasKey = !distance.isNull(row)
    if (hasKey) distance.begin(row)
    hasKey
  }

  // Rows without a key come after all others, or before the first row of any match.
  override def contains(index: Long): Boolean = {
    store.get(index, row)
    !distance.isNull(row) && distance.contains(row)
  }
}
