package org.matchrecognize.spark.pattern

import java.util.TreeMap

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

/**
 * Finds names by what they are called, in little time however many there are.
 *
 * @param same
 *   whether two names are the same: equal, or equal but for their case
 */
final class NameIndex(same: (String, String) => Boolean) {

  /** By names that are equal but for their case, which `same` may tell apart. */
  private val similar = new TreeMap[String, List[(String, Int)]](String.CASE_INSENSITIVE_ORDER)
  private var count   = 0

  /** Adds a name; its number is how many were added before it. */
  def add(name: String): Unit = {
    similar.put(name, similar.getOrDefault(name, Nil) :+ (name -> count))
    count += 1
  }

  /** The number of the first name that is the same. */
  def find(name: String): Option[Int] =
    similar.getOrDefault(name, Nil).collectFirst {
      case (other, number) if same(other, name) => number
    }
}

object NameIndex {

  def of(names: Iterable[String], same: (String, String) => Boolean): NameIndex = {
    val index = new NameIndex(same)
    names.foreach(index.add)
    index
  }
}
