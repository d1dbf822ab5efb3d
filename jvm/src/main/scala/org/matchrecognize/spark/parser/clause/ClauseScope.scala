package org.matchrecognize.spark.parser.clause

import java.util.Locale

import org.matchrecognize.spark.parser.tokens.Name
import org.matchrecognize.spark.pattern.{NameIndex, PrimaryVariable, RowVariable, UnionVariable}
import org.matchrecognize.spark.text.Span

/**
 * The variables of one clause. The tokens of its functions refer to it from before PATTERN is read,
 * hence filled later.
 */
final private[parser] class ClauseScope(val caseSensitive: Boolean) {

  private var primaries: IndexedSeq[PrimaryVariable] = Vector.empty
  private var subsets: IndexedSeq[UnionVariable]     = Vector.empty
  private var primaryNames                           = new NameIndex(same)
  private var subsetNames                            = new NameIndex(same)

  /** Primary variables; the index is the id. */
  def variables: Seq[PrimaryVariable] = primaries

  def variables_=(all: Seq[PrimaryVariable]): Unit = {
    primaries = all.toVector
    primaryNames = NameIndex.of(primaries.map(_.name), same)
  }

  /** SUBSET. */
  def unions: Seq[UnionVariable] = subsets

  def unions_=(all: Seq[UnionVariable]): Unit = {
    subsets = all.toVector
    subsetNames = NameIndex.of(subsets.map(_.name), same)
  }

  /** Ids that occur in PATTERN as elements, not only in [^B] or as a stop. */
  var mapped: Set[Int] = Set.empty

  /** Ids that occur in [^B] or as a stop, with the place. */
  var lookedAt: Seq[(Int, Span)] = Nil

  def same(a: String, b: String): Boolean = if (caseSensitive) a == b else a.equalsIgnoreCase(b)

  def primary(name: String): Option[Int] = primaryNames.find(name)

  def union(name: String): Option[UnionVariable] = subsetNames.find(name).map(subsets(_))

  /** The primary or union variable of that name. */
  def find(name: String): Option[RowVariable] =
    primary(name)
      .map(id => RowVariable(primaries(id).name, Seq(id)))
      .orElse(union(name).map(u => RowVariable(u.name, u.members)))

  /** What CLASSIFIER() returns: upper case for an unquoted name, as written for a quoted one. */
  def shown(name: Name): String =
    if (name.quoted || caseSensitive) name.value else name.value.toUpperCase(Locale.ROOT)

  /** For errors: the variables of PATTERN and SUBSET. */
  def known: String = (variables.map(_.name) ++ unions.map(_.name)).mkString(", ")

  /** For errors: the variables of PATTERN. */
  def knownPrimary: String = variables.map(_.name).mkString(", ")
}
