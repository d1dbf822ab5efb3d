package org.matchrecognize.spark.reference

/**
 * Which extensions of the standard random cases draw.
 *
 * @param time
 *   WITHIN, MATCH_TIMED_OUT(), MATCH_ROWTIME()
 * @param everyMatch
 *   SHOW TIMEOUT MATCHES, NO SKIP
 * @param contiguity
 *   `[^B]`, gaps, loose loops, stops
 */
final case class Extensions(
    time: Boolean = false,
    everyMatch: Boolean = false,
    contiguity: Boolean = false,
    dialect: Dialect = Dialect.Standard)

object Extensions {
  val none: Extensions = Extensions()
}
