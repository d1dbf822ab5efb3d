package org.matchrecognize.spark.pattern.keys

/**
 * Keys of rows: what conditions compare of a row, as numbers in the same order. They are read when a
 * search first asks about them, for the rows from the start row on.
 *
 * A row whose keys cannot be read, or for which there is no memory, is the end of the rows that are
 * known: the search tests the rows from there on one by one.
 *
 * @param columns
 *   how many keys a row has
 * @param acquireMemory
 *   takes so many bytes for the rest of the task; false if there are not so many
 */
final class RowKeys(columns: Int, source: RowKeys.Source, acquireMemory: Long => Boolean) {
  import RowKeys._

  private val all = Array.fill(columns)(new KeyColumn)
  private val row = new Keys(columns)

  /** The first row that is known, and how many are. */
  private var base  = 0L
  private var count = 0

  /** How many rows there is memory for. */
  private var capacity = 0

  /** Whether the row after those known cannot be known. */
  private var isClosed = false

  /** Another partition begins. */
  def beginPartition(): Unit = restart(0)

  /** A search begins at a start row: no row before it is asked about again. */
  def begin(start: Long): Unit =
    if (start >= base + count) restart(start)
    else if (start - base > mostUnused && start - base > count / 2) shift((start - base).toInt)

  private def restart(at: Long): Unit = {
    base = at
    count = 0
    isClosed = false
  }

  /** Forgets the first rows. */
  private def shift(rows: Int): Unit = {
    val left = count - rows
    for (column <- all) {
      var i = 0
      while (i < left) {
        column.set(i, column.key(i + rows), column.isNull(i + rows))
        i += 1
      }
    }
    base += rows
    count = left
    isClosed = false
  }

  /**
   * The first row from `from` on, before `until`, whose key is wanted, or whose key cannot be known;
   * `until` if there is none.
   *
   * @param satisfied
   *   whether keys are wanted for which the comparison holds, or those for which it does not
   */
  def first(column: Int, range: KeyRange, satisfied: Boolean, from: Long, until: Long): Long = {
    val wanted = range.wanted(satisfied)
    val stop   = math.min(until - base, mostRows.toLong).toInt
    var i      = math.min(from - base, mostRows.toLong).toInt
    var isMet  = false
    while (i < stop && !isMet) {
      if (i >= count) read(math.min(stop, i + ahead))
      val known = math.min(count, stop)
      if (i >= known) isMet = true
      else {
        i = all(column).first(range, wanted, i, known)
        isMet = i < known
      }
    }
    math.max(from, base + i)
  }

  /** Reads rows until so many are known. */
  private def read(rows: Int): Unit =
    while (count < rows && !isClosed)
      if (hasRoom && source.read(base + count, row)) {
        var c = 0
        while (c < columns) {
          all(c).set(count, row.keys(c), row.isNull(c))
          c += 1
        }
        count += 1
      } else {
        isClosed = true
      }

  private def hasRoom: Boolean = count < capacity || {
    val more   = math.max(leastRows, capacity)
    val isMore = capacity <= mostRows - more &&
      acquireMemory(more.toLong * columns * KeyColumn.bytesPerRow)
    if (isMore) capacity += more
    isMore
  }
}

object RowKeys {

  /** Rows that are read together: the search mostly asks about the next ones, too. */
  private val ahead = 64

  /** Rows before the start row that are kept until it is worth moving the others. */
  private val mostUnused = 4096

  private val leastRows = 64
  private val mostRows  = 1 << 30

  /** The keys of one row, by column. */
  final class Keys(columns: Int) {
    val keys: Array[Long]      = new Array[Long](columns)
    val isNull: Array[Boolean] = new Array[Boolean](columns)
  }

  trait Source {

    /** Reads the keys of a row; false if that fails with an error. */
    def read(row: Long, into: Keys): Boolean
  }
}
