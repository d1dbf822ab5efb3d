package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowsPerMatch}

/** Smaller variants of a failing clause and its rows. */
object QueryShrinker {
  import Expression._

  /** Shrinks as long as `fails` holds; `fails` runs the engine once for each candidate. */
  def shrink(failing: QueryCase)(fails: QueryCase => Boolean): QueryCase =
    Shrinker.shrink(failing)(smaller)(fails)

  def smaller(failing: QueryCase): Iterator[QueryCase] =
    fewerRows(failing) ++ smallerQueries(failing.query).map(q => failing.copy(query = q))

  /** Whole tables and partitions first, then single rows. */
  private def fewerRows(failing: QueryCase): Iterator[QueryCase] = {
    val rows  = failing.rows
    val parts = Seq("c", "p").iterator.flatMap { column =>
      val keys = rows.map(_(column)).distinct
      if (keys.size <= 1) Iterator.empty
      else keys.iterator.map(key => rows.filter(_(column) == key))
    }
    val single =
      if (rows.size <= 1) Iterator.empty else rows.indices.iterator.map(without(rows, _))
    (parts ++ single).map(kept => failing.copy(rows = kept))
  }

  private def without[T](items: Seq[T], i: Int): Seq[T] = items.patch(i, Nil, 1)

  private def smallerQueries(query: Query): Iterator[Query] = {
    val fewerMeasures =
      query.measures.indices.iterator.map(i => query.copy(measures = without(query.measures, i)))
    val fewerDefinitions = query.definitions.indices.iterator
      .map(i => query.copy(definitions = without(query.definitions, i)))
    val patterns =
      PatternShrinker.smallerPatterns(query.pattern).map(p => withPattern(query, p))
    val measures = query.measures.indices.iterator.flatMap { i =>
      val (name, expression) = query.measures(i)
      smallerExpressions(expression).map { e =>
        query.copy(measures = query.measures.updated(i, name -> e))
      }
    }
    val definitions = query.definitions.indices.iterator.flatMap { i =>
      val (id, expression) = query.definitions(i)
      smallerConditions(expression).map { e =>
        query.copy(definitions = query.definitions.updated(i, id -> e))
      }
    }
    val subsets =
      if (query.subsets.isEmpty) Iterator.empty else Iterator.single(query.copy(subsets = Nil))
    (fewerMeasures ++ fewerDefinitions ++ patterns ++ options(query) ++ subsets ++ measures ++
      definitions).filter(_.isValid)
  }

  private def withPattern(query: Query, pattern: org.matchrecognize.spark.pattern.RowPattern) = {
    val used = Element.standing(pattern).toSet
    query.copy(pattern = pattern, definitions = query.definitions.filter(d => used(d._1)))
  }

  /** Each option's plainest value. */
  private def options(query: Query): Iterator[Query] = {
    val skip =
      if (query.afterMatch == AfterMatch.PastLastRow) Iterator.empty
      else Iterator.single(query.copy(afterMatch = AfterMatch.PastLastRow))
    val plainer = query.rowsPerMatch match {
      case RowsPerMatch.AllRows(EmptyMatches.Show, _) => Seq(RowsPerMatch.OneRow())
      case _: RowsPerMatch.AllRows                    =>
        Seq(RowsPerMatch.OneRow(), RowsPerMatch.AllRows(EmptyMatches.Show))
      case _ => Nil
    }
    val timeless = query.rowsPerMatch match {
      case RowsPerMatch.OneRow(true)         => Seq(RowsPerMatch.OneRow())
      case RowsPerMatch.AllRows(empty, true) => Seq(RowsPerMatch.AllRows(empty))
      case _                                 => Nil
    }
    val unbounded =
      if (query.within.isEmpty) Iterator.empty else Iterator.single(query.copy(within = None))
    timeless.iterator.map(mode => query.copy(rowsPerMatch = mode)) ++ unbounded ++
      skip ++ plainer.iterator.map(mode => query.copy(rowsPerMatch = mode))
  }

  private def smallerConditions(condition: Expression): Iterator[Expression] = condition match {
    case Binary(operator @ ("AND" | "OR"), left, right) =>
      Iterator(left, right) ++ smallerConditions(left).map(Binary(operator, _, right)) ++
        smallerConditions(right).map(Binary(operator, left, _))
    case Not(operand) => Iterator.single(operand) ++ smallerConditions(operand).map(Not(_))
    case Literal(_)   => Iterator.empty
    case _            => Iterator(Literal(true), Literal(false))
  }

  private def smallerExpressions(expression: Expression): Iterator[Expression] =
    expression match {
      case Binary(operator, left, right) =>
        Iterator(left, right) ++ smallerExpressions(left).map(Binary(operator, _, right)) ++
          smallerExpressions(right).map(Binary(operator, left, _))
      case Coalesce(first, _)                       => Iterator.single(first)
      case Not(operand)                             => Iterator.single(operand)
      case IsNull(operand)                          => Iterator.single(operand)
      case physical @ Physical(_, argument, offset) =>
        Iterator.single(argument) ++
          (if (offset == 1) Iterator.empty else Iterator.single(physical.copy(offset = 1)))
      case logical @ Logical(_, argument, offset, prefix) =>
        Iterator.single(argument) ++
          (if (offset == 0) Iterator.empty else Iterator.single(logical.copy(offset = 0))) ++
          (if (prefix == Prefix.None) Iterator.empty
           else Iterator.single(logical.copy(prefix = Prefix.None)))
      case aggregate: Aggregate =>
        if (aggregate.filter.isEmpty && aggregate.prefix == Prefix.None) Iterator.empty
        else Iterator.single(aggregate.copy(filter = None, prefix = Prefix.None))
      case _ => Iterator.empty
    }
}
