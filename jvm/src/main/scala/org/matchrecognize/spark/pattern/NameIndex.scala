package org.matchrecognize.spark.pattern

import scala.collection.mutable

/**
 * Finds names by what they are called, in the same time however many there are.
 *
 * @param same
 *   whether two names are the same: equal, or equal but for their case
 */
final class NameIndex(same: (String, String) => Boolean) {
  private val byKey = mutable.HashMap[String, List[(String, Int)]]()
  private var count = 0

  /** Adds a name; its number is how many were added before it. */
  def add(name: String): Unit = {
    val key = NameIndex.key(name)
    byKey(key) = byKey.getOrElse(key, Nil) :+ (name -> count)
    count += 1
  }

  /** The number of the first name that is the same. */
  def find(name: String): Option[Int] =
    byKey.getOrElse(NameIndex.key(name), Nil).collectFirst {
      case (other, number) if same(other, name) => number
    }
}

object NameIndex {

  def of(names: Iterable[String], same: (String, String) => Boolean): NameIndex = {
    val index = new NameIndex(same)
    names.foreach(index.add)
    index
  }

  /** Equal for names that `equalsIgnoreCase` takes for the same, which folds characters this way. */
  private def key(name: String): String = {
    val folded = new java.lang.StringBuilder(name.length)
    var i      = 0
    while (i < name.length) {
      val character = name.codePointAt(i)
      folded.appendCodePoint(Character.toLowerCase(Character.toUpperCase(character)))
      i += Character.charCount(character)
    }
    folded.toString
  }
}
