package org.matchrecognize.spark.reference

import scala.util.hashing.MurmurHash3

import org.matchrecognize.spark.pattern.RowPattern

/** Which rows may be mapped to which variable, in a case for the matchers alone. */
sealed trait Conditions {
  def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]): Boolean
}

object Conditions {

  /** Depends on the row only: `allowed(row)` are the variables that it satisfies. */
  final case class RowLocal(allowed: IndexedSeq[Set[Int]]) extends Conditions {
    override def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]): Boolean =
      allowed(row)(variable)
    override def toString: String =
      allowed
        .map(_.toSeq.sorted.map(PatternText.variableName).mkString)
        .mkString("rows ", " ", "")
  }

  /** As well as on the row, on how many rows so far are mapped to `counted(variable)`. */
  final case class Counting(local: RowLocal, counted: Map[Int, Int], modulus: Int)
      extends Conditions {
    override def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]): Boolean =
      local.satisfies(variable, row, labels) && counted.get(variable).forall { other =>
        labels.count(_ == other) % modulus != modulus - 1
      }
    override def toString: String = s"$local, not when (variable -> count of) $counted " +
      s"modulo $modulus is ${modulus - 1}"
  }

  /**
   * As well as on the row, for some variables on how far it is from the start row: fewer than
   * `reach(start)` rows.
   */
  final case class Bounded(local: RowLocal, bounded: Set[Int], reach: IndexedSeq[Int])
      extends Conditions {
    override def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]): Boolean =
      local.satisfies(variable, row, labels) &&
        (!bounded(variable) || labels.size < reach(row - labels.size))
    override def toString: String = s"$local, $bounded within reach $reach of the start row"
  }

  /** Depends on every label since the start row, so that no two threads are alike. */
  final case class WholeHistory(local: RowLocal, seed: Int) extends Conditions {
    override def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]): Boolean =
      local.satisfies(variable, row, labels) && {
        val hash = MurmurHash3.orderedHash(labels.toList :+ variable :+ row, seed)
        (hash & 0x7fffffff) % 4 != 0
      }
    override def toString: String = s"$local, and a hash of all labels with seed $seed"
  }
}

/** One case for the matchers alone: rows are numbers, conditions are functions. */
final case class PatternCase(
    pattern: RowPattern,
    variableCount: Int,
    rowCount: Int,
    conditions: Conditions
) {
  override def toString: String =
    s"PATTERN (${RowPattern.sql(pattern, PatternText.variableName)}) over $rowCount rows; $conditions"
}

object PatternCase {

  /** What a condition may look at; an engine that merges threads may support only some. */
  sealed trait Kind
  object Kind {
    case object RowLocal     extends Kind
    case object Bounded      extends Kind
    case object Counting     extends Kind
    case object WholeHistory extends Kind
    val all: Seq[Kind] = Seq(RowLocal, Bounded, Counting, WholeHistory)
  }

  /** The case of a seed; of up to eight rows, or so many. */
  def random(seed: Long, kind: Kind, rows: Int = 0): PatternCase = {
    val random        = RandomSeed(seed, kind.toString)
    val variableCount = 1 + random.nextInt(4)
    val few           = 1 + random.nextInt(8)
    val rowCount      = if (rows > 0) rows else few
    val pattern       = new RandomPatterns(random, variableCount).next(2 + random.nextInt(8))
    // Between scarce and plenty: matches are frequent, and so are choices between several.
    val density = 0.45 + random.nextInt(6) * 0.1
    val local   = Conditions.RowLocal(Vector.fill(rowCount) {
      (0 until variableCount).filter(_ => random.nextDouble() < density).toSet
    })
    val conditions = kind match {
      case Kind.RowLocal => local
      case Kind.Bounded  =>
        val bounded = (0 until variableCount).filter(_ => random.nextInt(3) > 0).toSet
        Conditions.Bounded(local, bounded, Vector.fill(rowCount)(random.nextInt(rowCount + 2)))
      case Kind.Counting =>
        val pairs = (0 until variableCount)
          .filter(_ => random.nextInt(3) > 0)
          .map(_ -> random.nextInt(variableCount))
        Conditions.Counting(local, pairs.toMap, 2 + random.nextInt(2))
      case Kind.WholeHistory => Conditions.WholeHistory(local, random.nextInt())
    }
    PatternCase(pattern, variableCount, rowCount, conditions)
  }
}
