package org.matchrecognize.spark.reference

import scala.util.Random

/**
 * Small random tables, many side by side in one: column `c` says which one a row belongs to, and
 * each has partitions `p` (NULL is one of them) ordered by `o`.
 */
object RandomTables {
  val columns: Seq[String] = Seq("c", "p", "o", "x", "y", "s")

  /** The columns as DDL. */
  val schema: String = "c INT, p INT, o INT, x INT, y INT, s STRING"

  val letters: IndexedSeq[String] = Vector("a", "b", "c", "d")

  /**
   * `count` tables of one to three partitions of two to ten rows.
   *
   * @param nullKeys
   *   whether one row of a partition may have no `o`
   * @param singleRows
   *   whether some partitions have one row
   */
  def random(
      seed: Long,
      count: Int,
      nullKeys: Boolean = false,
      singleRows: Boolean = false): Seq[Map[String, Any]] = {
    val random   = RandomSeed(seed, "table")
    val rows     = (0 until count).flatMap(table(random, _))
    val shuffled = random.shuffle(if (nullKeys) withNullKeys(random, rows) else rows)
    if (singleRows) withSingleRows(RandomSeed(seed, "single rows"), shuffled) else shuffled
  }

  private def withSingleRows(
      random: Random,
      rows: Seq[Map[String, Any]]): Seq[Map[String, Any]] = {
    val single =
      rows.map(row => (row("c"), row("p"))).distinct.filter(_ => random.nextInt(5) == 0)
    val first = single.map(key => rows.find(row => (row("c"), row("p")) == key).get)
    rows.filterNot(row => single.contains((row("c"), row("p")))) ++ first
  }

  private def withNullKeys(random: Random, rows: Seq[Map[String, Any]]): Seq[Map[String, Any]] =
    rows.groupBy(row => (row("c"), row("p"))).values.toSeq.flatMap { partition =>
      if (random.nextInt(6) > 0) partition
      else partition.tail :+ partition.head.updated("o", null)
    }

  private def table(random: Random, c: Int): Seq[Map[String, Any]] = {
    val keys = random.shuffle(List[Any](null, 1L, 2L, 3L)).take(1 + random.nextInt(3))
    // Some tables use few letters, so that loops run long.
    val alphabet = 1 + random.nextInt(4)
    keys.flatMap { key =>
      var order = random.nextInt(3).toLong
      Seq.fill(2 + random.nextInt(9)) {
        order += 1 + random.nextInt(2)
        Map[String, Any](
          "c" -> c.toLong,
          "p" -> key,
          "o" -> order,
          "x" -> orNull(random, random.nextInt(5).toLong),
          "y" -> orNull(random, (random.nextInt(7) - 3).toLong),
          "s" -> orNull(random, letters(random.nextInt(alphabet)))
        )
      }
    }
  }

  private def orNull(random: Random, value: Any): Any =
    if (random.nextInt(9) == 0) null else value

  /** Returns the table as `VALUES`, for a self-contained statement. */
  def values(rows: Seq[Map[String, Any]]): String =
    rows
      .map(row => columns.map(name => literal(name, row(name))).mkString("(", ", ", ")"))
      .mkString("(VALUES ", ",\n  ", columns.mkString(" AS t(", ", ", "))"))

  private def literal(column: String, value: Any): String = value match {
    case null         => s"CAST(NULL AS ${if (column == "s") "STRING" else "INT"})"
    case text: String => s"'$text'"
    case other        => other.toString
  }
}
