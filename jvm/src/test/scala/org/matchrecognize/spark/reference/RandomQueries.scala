package org.matchrecognize.spark.reference

import scala.util.Random

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  EmptyMatches,
  RowPattern,
  RowVariable,
  RowsPerMatch
}

/** Random clauses over [[RandomTables]]: every part, nested in every way. */
object RandomQueries {

  /**
   * The clause of a seed.
   *
   * @param distinct
   *   whether aggregates may be over DISTINCT values
   */
  def query(
      seed: Long,
      distinct: Boolean = true,
      extensions: Extensions = Extensions.none): Query = {
    val random = RandomSeed(seed, "query")
    def next() = {
      val plain = draw(random, distinct, extensions)
      if (extensions.time) withTime(random, plain) else plain
    }
    Iterator.continually(next()).find(_.isValid).get
  }

  private def draw(random: Random, distinct: Boolean, extensions: Extensions): Query = {
    val rowsPerMatch = Weighted.pick(
      random,
      Seq(
        4 -> RowsPerMatch.OneRow(),
        4 -> RowsPerMatch.AllRows(EmptyMatches.Show),
        1 -> RowsPerMatch.AllRows(EmptyMatches.Omit),
        3 -> RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows)
      )
    )
    val exclusions = rowsPerMatch != RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows)
    val letters    = Vector("A", "B", "C", "D", "E").take(1 + random.nextInt(5))
    val plain      =
      new RandomPatterns(random, letters.size, exclusions).next(2 + random.nextInt(8))
    // One more variable to look at, and some to pass over.
    val variables = if (extensions.contiguity) (letters :+ "N") ++ gapNames else letters
    val pattern   =
      if (extensions.contiguity)
        new RandomContiguity(
          random,
          0 to letters.size,
          Iterator.range(letters.size + 1, variables.size),
          exclusions,
          extensions.dialect)(plain)
      else plain
    val used    = Query.variablesOf(pattern).toVector.sorted.filter(_ < letters.size)
    val subsets = subsetsOf(random, used)
    val names   = used.map(variables) ++ subsets.map(_.name)
    Query(
      partitionBy = Seq("c", "p"),
      orderBy = "o",
      columns = RandomTables.columns,
      variables = variables,
      subsets = subsets,
      pattern = pattern,
      definitions = definitions(random, variables, used, names, distinct) ++
        lookedAt(random, variables, pattern, distinct),
      measures = measures(random, names, distinct),
      rowsPerMatch = rowsPerMatch,
      afterMatch = afterMatch(random, variables, used, subsets),
      dialect = extensions.dialect
    )
  }

  private val gapNames = (1 to 9).map(i => s"X$i")

  /** The clause with a bound, time-outs, NO SKIP, and measures of them. */
  private def withTime(random: Random, query: Query): Query = {
    val within   = if (random.nextInt(3) > 0) Some(random.nextInt(9).toLong) else None
    val timeouts = within.nonEmpty && random.nextBoolean()
    val measures = Seq("timed_out" -> Expression.MatchTimedOut, "rowtime" -> Expression.MatchRowtime)
    query.copy(
      within = within,
      rowsPerMatch = query.rowsPerMatch match {
        case RowsPerMatch.OneRow(_)         => RowsPerMatch.OneRow(timeouts)
        case RowsPerMatch.AllRows(empty, _) => RowsPerMatch.AllRows(empty, timeouts)
      },
      afterMatch = if (random.nextInt(4) == 0) AfterMatch.NoSkip else query.afterMatch,
      measures = query.measures ++ measures.filter(_ => random.nextInt(3) == 0)
    )
  }

  private def subsetsOf(random: Random, used: IndexedSeq[Int]): Seq[RowVariable] =
    if (used.size < 2 || random.nextBoolean()) {
      Nil
    } else {
      Seq(RowVariable("U", random.shuffle(used).take(1 + random.nextInt(used.size)).sorted))
    }

  private def definitions(
      random: Random,
      variables: IndexedSeq[String],
      used: IndexedSeq[Int],
      names: IndexedSeq[String],
      distinct: Boolean): Seq[(Int, Expression)] = if (names.isEmpty) {
    Nil
  } else {
    val expressions = new RandomExpressions(random, names, inDefine = true, distinct)
    used
      .filter(_ => random.nextInt(6) > 0)
      .map(id => id -> expressions.definition(variables(id)))
  }

  /** What `[^B]` and `q{B}` look at has a definition, and refers to itself only. */
  private def lookedAt(
      random: Random,
      variables: IndexedSeq[String],
      pattern: RowPattern,
      distinct: Boolean): Seq[(Int, Expression)] = {
    val mapped = Query.variablesOf(pattern)
    Element.standing(pattern).distinct.sorted.filterNot(mapped).map { id =>
      val own = new RandomExpressions(random, Vector(variables(id)), inDefine = true, distinct)
      id -> own.definition(variables(id))
    }
  }

  private def measures(
      random: Random,
      names: IndexedSeq[String],
      distinct: Boolean): Seq[(String, Expression)] =
    if (names.isEmpty) {
      Nil
    } else {
      val expressions = new RandomExpressions(random, names, inDefine = false, distinct)
      (1 to 1 + random.nextInt(4)).map(i => s"m$i" -> expressions.measure())
    }

  private def afterMatch(
      random: Random,
      variables: IndexedSeq[String],
      used: IndexedSeq[Int],
      subsets: Seq[RowVariable]
  ): AfterMatch = {
    val targets = used.map(id => RowVariable(variables(id), Seq(id))) ++ subsets
    random.nextInt(6) match {
      case 0 if targets.nonEmpty => AfterMatch.ToFirst(targets(random.nextInt(targets.size)))
      case 1 if targets.nonEmpty => AfterMatch.ToLast(targets(random.nextInt(targets.size)))
      case 2 | 3                 => AfterMatch.ToNextRow
      case _                     => AfterMatch.PastLastRow
    }
  }
}
