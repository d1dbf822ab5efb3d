package org.matchrecognize.spark.pattern

import org.matchrecognize.spark.text.Span

/**
 * A primary variable: a name in PATTERN. Its id is its index in the order of first
 * occurrence.
 *
 * @param name
 *   what CLASSIFIER() gives: upper case for an unquoted name, as written for a back-quoted one
 *   (all as written with `spark.sql.caseSensitive=true`)
 * @param span
 *   the first occurrence in PATTERN
 */
final case class PrimaryVariable(name: String, span: Span = Span.none)

/**
 * What a reference such as `A.price` is qualified with: a primary variable, or the union of
 * several under a SUBSET's name.
 *
 * @param name
 *   as shown to users
 * @param members
 *   ids of the primary variables, ascending, no id twice
 */
final case class RowVariable(name: String, members: Seq[Int]) {
  def contains(variable: Int): Boolean = members.contains(variable)
}

/** SUBSET name = (members): a union variable. */
final case class UnionVariable(name: String, members: Seq[Int], span: Span = Span.none)
