package org.matchrecognize.spark.logical

import org.matchrecognize.spark.expressions.RowValue

/**
 * The watermark after a clause over a streaming table: that before it, less `WITHIN`.
 *
 * A match is final once the watermark has reached its bound, which is at most `WITHIN` after its
 * first row. A row that is returned in a micro-batch belongs to a match that was not final in the
 * one before, or is a row of no match whose own bound was not reached. So its first row is later
 * than the watermark of the micro-batch before, less `WITHIN`.
 *
 * @param within
 *   the longest that the bound can be, in microseconds
 */
final private[spark] case class HandedOnWatermark(within: Long) {

  /** In milliseconds, as Spark has it. */
  def after(watermark: Long): Long =
    math.max(0, Math.floorDiv(Math.multiplyExact(watermark, 1000L) - within, 1000L))
}

/**
 * Why a clause hands on no watermark.
 *
 * @param change
 *   what to do about it
 */
final private[spark] case class NoWatermark(reason: String, change: String)

private[spark] object HandedOnWatermark {

  /** Of a clause. */
  def of(m: MatchRecognize): Either[NoWatermark, HandedOnWatermark] =
    m.clause.within match {
      case _ if m.clause.isByArrival =>
        Left(
          NoWatermark(
            "rows in the order of arrival have no event time, so the result has no watermark",
            "Order by a column with a watermark"))
      case Some(_) if (m.conditions ++ m.measures).exists(RowValue.rowsAhead(_) > 0) =>
        Left(
          NoWatermark(
            "a match can wait for the row of NEXT for any time, so the result has no watermark",
            "Remove NEXT"))
      case Some(time: Within.Time) => Right(HandedOnWatermark(time.longest))
      case _                       =>
        Left(
          NoWatermark(
            "without WITHIN a match can last for any time, so the result has no watermark",
            "Add WITHIN"))
    }
}
