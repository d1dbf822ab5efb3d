package org.matchrecognize.spark.execution.rows

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/**
 * Which rows the callers of RowStore.get look at, so that their memory is not taken away below
 * them. Values taken out of a row (a string, a nested row) point into the same memory: moving the
 * row elsewhere would not do, it has to stay where it is.
 *
 * Cursors of an earlier moment protect nothing, but are kept: their image is the first guess
 * where the next row of the same reader lies.
 */
final private[execution] class RowStoreCursors {
  import RowStoreCursors._

  /** One for each `into` seen, in the order of their first use; null from `count` on. */
  private val cursors = new Array[Cursor](MaxCursors)
  private var count   = 0

  /** The one asked for last, most often the next one, too. */
  private var recent = Cursor.None

  private var now = 0L

  /** Continues when all rows handed out so far have become invalid. */
  def moment: Long = now

  /** All rows handed out so far may go. */
  def invalidate(): Unit = now += 1

  /** As invalidate; and no image that a cursor knows of is worth a look (indexes start again). */
  def forget(): Unit = {
    now += 1
    var at = 0
    while (at < count) {
      cursors(at).image = RowStoreImage.Nothing
      at += 1
    }
  }

  /** Also lets go of the callers' rows. */
  def close(): Unit = {
    forget()
    java.util.Arrays.fill(cursors.asInstanceOf[Array[AnyRef]], null)
    count = 0
    recent = Cursor.None
  }

  /**
   * The cursor that belongs to `into`, valid from now on: the caller puts its image there. Null
   * if MaxCursors others are in use; the caller pins the image itself then.
   */
  def of(into: UnsafeRow): Cursor = {
    if (recent.into ne into) {
      var at = 0
      while (at < count && (cursors(at).into ne into)) at += 1
      if (at == count) at = adopt(into)
      recent = if (at < 0) Cursor.None else cursors(at)
    }
    if (recent eq Cursor.None) null
    else {
      recent.usedAt = now
      recent
    }
  }

  /** A place for an `into` not seen before, or -1. */
  private def adopt(into: UnsafeRow): Int =
    if (count < MaxCursors) {
      cursors(count) = new Cursor(into)
      count += 1
      count - 1
    } else {
      var at = MaxCursors - 1
      while (at >= 0 && cursors(at).usedAt == now) at -= 1
      if (at >= 0) cursors(at) = new Cursor(into)
      at
    }

  /** Protects the image until the next invalidate, for readers beyond MaxCursors. */
  def pin(image: RowStoreImage): Unit = image.pinnedAt = now

  def isPinned(image: RowStoreImage): Boolean = {
    var at = 0
    while (at < count && !(cursors(at).usedAt == now && (cursors(at).image eq image))) at += 1
    at < count || image.pinnedAt == now
  }
}

private[execution] object RowStoreCursors {

  /**
   * More than a matcher needs (one each for the current, a previous, a first and a last row).
   * With more, each row read protects its segment until the next append or trim.
   */
  private val MaxCursors = 16

  /** What one `into` points at. */
  final class Cursor(val into: UnsafeRow) {

    /** Where its row lies; changes with each get that leaves the image. */
    var image: RowStoreImage = RowStoreImage.Nothing

    /** The moment of its last get: protects the image while that lasts. */
    var usedAt: Long = -1L
  }

  object Cursor {

    /** Of no row that is passed to get. */
    val None = new Cursor(null)
  }
}
