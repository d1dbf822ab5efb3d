package org.matchrecognize.spark.execution.statements

import java.time.{LocalDate, LocalDateTime}

/**
 * A type of a random column, by values in ascending order: the reference evaluator works with
 * their ranks, Spark with literals.
 *
 * @param ddl
 *   how a table declares it
 * @param size
 *   how many ranks there are
 * @param literals
 *   the literals of a rank, all of which are equal
 */
final case class RandomType(ddl: String, size: Int)(val literals: Int => Seq[String]) {

  /** NULL of the type, or a rank's literal. */
  def literal(rank: Any, variant: Int = 0): String = rank match {
    case rank: Long => literals(rank.toInt)(variant % literals(rank.toInt).size)
    case _          => s"CAST(NULL AS $inMemory)"
  }

  /** CHAR and VARCHAR are STRING outside tables. */
  def inMemory: String = if (isText) "STRING" else ddl

  def isText: Boolean = ddl.startsWith("CHAR") || ddl.startsWith("VARCHAR")
}

object RandomType {
  private def of(ddl: String, size: Int = 40)(literal: Int => String) =
    RandomType(ddl, size)(rank => Seq(literal(rank)))

  private def day(rank: Int) = LocalDate.of(2020, 2, 20).plusDays(rank.toLong)

  private def moment(rank: Int) =
    LocalDateTime.of(2020, 3, 28, 20, 0).plusMinutes(30L * rank).toString.replace('T', ' ')

  /** Smallest, and largest: infinity, a zero of both signs between them, NaN. */
  private val double = RandomType("DOUBLE", 40) {
    case 0    => Seq("CAST('-Infinity' AS DOUBLE)")
    case 5    => Seq("0.0D", "-0.0D")
    case 39   => Seq("CAST('NaN' AS DOUBLE)")
    case rank => Seq(s"${(rank - 5) * 0.5}D")
  }

  // Above 'k' in UTF-8, and beyond one byte.
  private def text(rank: Int) = {
    val letter = if (rank < 30) "k" else "\u00fc"
    f"$letter$rank%02d"
  }

  /** What every format can hold. */
  val flat: IndexedSeq[RandomType] = Vector(
    of("INT")(rank => (rank * 3 - 7).toString),
    of("SMALLINT")(rank => s"${rank * 800 - 9000}S"),
    of("BIGINT")(rank => s"${(rank - 9) * 3000000000L}L"),
    of("DECIMAL(12,3)")(rank => s"CAST('${(rank - 5) * 1.125}' AS DECIMAL(12,3))"),
    of("DECIMAL(25,3)")(rank => s"CAST('${(rank - 5) * 1.125}' AS DECIMAL(25,3))"),
    double,
    of("STRING")(rank => s"'${text(rank)}'"),
    of("CHAR(6)")(rank => s"'${text(rank)}'"),
    of("VARCHAR(8)")(rank => s"'${text(rank)}'"),
    of("DATE")(rank => s"DATE'${day(rank)}'"),
    of("TIMESTAMP")(rank => s"TIMESTAMP'${moment(rank)}:00.120Z'"),
    of("TIMESTAMP_NTZ")(rank => s"TIMESTAMP_NTZ'${moment(rank)}:00.120'"),
    of("BOOLEAN", 2)(rank => (rank == 1).toString)
  )

  /** What CSV cannot. */
  val deep: IndexedSeq[RandomType] = Vector(
    // Signed bytes would sort otherwise.
    of("BINARY")(rank => f"X'01${rank * 6}%02X'"),
    of("STRUCT<a: INT, b: STRING>")(rank =>
      s"named_struct('a', ${rank / 3}, 'b', '${text(rank)}')"),
    of("ARRAY<INT>")(rank => s"array(${rank / 4}${", 7" * (rank % 4)})"),
    of("ARRAY<STRUCT<a: DATE>>")(rank => s"array(named_struct('a', DATE'${day(rank)}'))")
  )
}
