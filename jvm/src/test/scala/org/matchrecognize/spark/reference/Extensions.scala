package org.matchrecognize.spark.reference

/**
 * Which extensions of the standard random cases draw.
 *
 * @param time
 *   WITHIN, SHOW TIMEOUT MATCHES, NO SKIP, MATCH_TIMED_OUT(), MATCH_ROWTIME()
 * @param contiguity
 *   `[^B]`, gaps, loose loops, stops
 */
final case class Extensions(
    time: Boolean = false,
    contiguity: Boolean = false,
    dialect: Dialect = Dialect.Standard)

object Extensions {
  val none: Extensions = Extensions()
}
