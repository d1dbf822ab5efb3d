package org.matchrecognize.spark.explain

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Expression,
  UnsafeRow,
  XxHash64
}

/**
 * A few rows of the input, for the variants of a clause. They are all rows of those groups whose key
 * has the smallest hashes. Another PARTITION BY puts rows of several partitions together, so that
 * the first key alone makes a group. Only where that would be few rows, the first rows of one more
 * group are kept.
 *
 * @param groups
 *   the first key of PARTITION BY, if there is one
 */
final private[explain] class TrialRows(groups: Seq[Attribute], input: Seq[Attribute]) {
  import TrialRows._

  private val hash    = BindReferences.bindReference[Expression](new XxHash64(groups), input)
  private val kept    = ArrayBuffer.empty[Kept]
  private var bytes   = 0L
  private var dropped = false

  /** Of groups with a larger hash, and of this one, no more rows are kept. */
  private var bound = Long.MaxValue

  /** Notes a row that goes by. */
  def keep(row: InternalRow): InternalRow = {
    val hashed = hash.eval(row).asInstanceOf[Long]
    if (hashed < bound) add(Kept(hashed, row.asInstanceOf[UnsafeRow].copy()))
    else dropped = true
    row
  }

  def keepAll(rows: Result): Unit = {
    dropped ||= !rows.isWhole
    rows.rows.foreach(add)
  }

  private def add(row: Kept): Unit = {
    kept += row
    bytes += row.size
    if (kept.size > 2 * most || bytes > 2 * mostBytes) cut()
  }

  /** The sort is stable: the rows of a group stay in order. */
  private def cut(): Unit = if (kept.size > most || bytes > mostBytes) {
    val sorted = kept.sortBy(_.hash)
    val sizes  = sorted.iterator.scanLeft(0L)(_ + _.size).drop(1)
    val fit    = math.min(most, sizes.takeWhile(_ <= mostBytes).size)
    dropped = true
    // What is missing of the last group may be what a match needs.
    bound = sorted(fit).hash
    val whole = sorted.iterator.take(fit).takeWhile(_.hash < bound).size
    kept.clear()
    kept ++= sorted.take(if (whole < fit / 2) fit else whole)
    bytes = kept.iterator.map(_.size).sum
  }

  def result: Result = {
    cut()
    Result(kept.toVector, isWhole = !dropped)
  }
}

private[explain] object TrialRows {

  /** Each of up to a hundred variants is searched in all of them. */
  val most = 10000

  private val mostBytes = 16L << 20

  final case class Kept(hash: Long, row: UnsafeRow) {
    def size: Long = row.getSizeInBytes.toLong
  }

  /**
   * @param isWhole
   *   whether these are all rows
   */
  final case class Result(rows: Seq[Kept], isWhole: Boolean)
}
