package org.matchrecognize.spark.reference

import scala.util.Random

import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowVariable, RowsPerMatch}

/** Random clauses over [[RandomTables]]: every standard part, nested in every way. */
object RandomQueries {

  /**
   * The clause of a seed.
   *
   * @param distinct
   *   whether aggregates may be over DISTINCT values
   */
  def query(seed: Long, distinct: Boolean = true): Query = {
    val random = RandomSeed(seed, "query")
    val drawn  = Iterator.continually(draw(random, distinct)).find(_.isValid)
    drawn.get
  }

  private def draw(random: Random, distinct: Boolean): Query = {
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
    val variables  = Vector("A", "B", "C", "D", "E").take(1 + random.nextInt(5))
    val pattern    =
      new RandomPatterns(random, variables.size, exclusions).next(2 + random.nextInt(8))
    val used    = Query.variablesOf(pattern).toVector.sorted
    val subsets = subsetsOf(random, used)
    val names   = used.map(variables) ++ subsets.map(_.name)
    Query(
      partitionBy = Seq("c", "p"),
      orderBy = "o",
      columns = RandomTables.columns,
      variables = variables,
      subsets = subsets,
      pattern = pattern,
      definitions = definitions(random, variables, used, names, distinct),
      measures = measures(random, names, distinct),
      rowsPerMatch = rowsPerMatch,
      afterMatch = afterMatch(random, variables, used, subsets)
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
