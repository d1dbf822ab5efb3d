package org.matchrecognize.spark.optimizer

import scala.util.Random

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  EmptyMatches,
  Quantifier,
  QuantifierBound,
  RowPattern,
  RowVariable,
  RowsPerMatch
}
import org.matchrecognize.spark.reference._

/**
 * A clause under a filter.
 *
 * @param filter
 *   its parts, as SQL and as what they say of the clause's columns
 * @param columns
 *   those that are selected
 */
final case class FilteredQuery(
    query: Query,
    filter: Seq[(String, Expression)],
    columns: Seq[String]) {

  /** @param clause the query's, over a table */
  def sql(clause: String): String =
    s"SELECT ${columns.mkString(", ")} FROM ($clause) WHERE ${filter.map(_._1).mkString(" AND ")}"

  /** The rows of the clause that pass, as those columns. */
  def of(rows: Seq[Seq[Any]]): Seq[Seq[Any]] =
    rows.map(query.outputColumns.zip(_).toMap).filter(passes).map(row => columns.map(row))

  private def passes(row: Map[String, Any]): Boolean = {
    val alone =
      new ExpressionEvaluation(Vector(row), 0, Vector(0), 1L, Vector("R"), _ => Set(0), "", false)
    filter.forall(part => alone.value(part._2, 1) == true)
  }
}

/**
 * Random clauses of the kinds that the optimizer's rules look for, and of kinds near them, in all
 * orders of their keys, under random filters.
 */
object RandomFilteredQueries {
  import Expression._

  def apply(seed: Long, extensions: Extensions): FilteredQuery = {
    val random              = RandomSeed(seed, "filtered")
    def drawn(attempt: Int) =
      RandomQueries.query(seed + attempt * 1000003L, extensions = extensions)
    def candidate(of: Int) = {
      val ordered = inOrder(random, drawn(of))
      if (random.nextInt(4) > 0) beginning(random, ordered, extensions) else gaps(random, ordered)
    }
    val query  = Iterator.from(0).map(candidate).find(_.isValid).get
    val filter = Seq.fill(random.nextInt(3))(part(random, query)) :+ part(random, query)
    val names  = query.outputColumns.drop(2)
    val kept   = if (random.nextInt(3) == 0) names.filter(_ => random.nextBoolean()) else names
    FilteredQuery(query, filter, query.outputColumns.take(2) ++ kept)
  }

  /** By `o`, or by `x` with its ties, up or down, rows without a key at either end. */
  private def inOrder(random: Random, query: Query): Query = {
    val byX = random.nextInt(3) == 0
    query.copy(
      orderBy = if (byX) "x" else "o",
      order = KeyOrder(
        descending = query.within.isEmpty && random.nextInt(3) == 0,
        nullsLast = random.nextInt(3) == 0,
        next = if (byX) Some("o") else None),
      within = if (byX) query.within.map(_ / 3) else query.within
    )
  }

  /** With a variable in front that limits the key, and measures of its rows and those near. */
  private def beginning(random: Random, query: Query, extensions: Extensions): Query = {
    val first = query.variables.size
    val key   = Column(query.orderBy, if (random.nextBoolean()) Some("FF") else None)
    def some  = Literal(
      (if (query.orderBy == "x") random.nextInt(5) else 1 + random.nextInt(9)).toLong)
    def limit()    = Binary(pick(random, ">", ">=", "<", "<="), key, some)
    val own        = Column("y", None)
    val definition = random.nextInt(8) match {
      case 0 | 1 => Nil
      case 2     => Seq(Binary("AND", Not(IsNull(own)), limit()))
      case 3     => Seq(Binary("AND", limit(), limit()))
      case 4 => Seq(Binary("AND", limit(), Binary(">", own, Physical(previous = true, own, 1))))
      case 5 => Seq(Binary("OR", limit(), IsNull(own)))
      case _ => Seq(limit())
    }
    val defined = definition.nonEmpty
    val front   = random.nextInt(8) match {
      case 0 => Seq(loop(random, first, extensions))
      case 1 => Seq(RowPattern.Variable(first), RowPattern.Variable(first))
      case 2 if extensions.contiguity && defined =>
        Seq(RowPattern.Variable(first), RowPattern.Absence(first))
      case 3 => Seq(RowPattern.PartitionStart(), RowPattern.Variable(first))
      case _ => Seq(RowPattern.Variable(first))
    }
    val end = if (random.nextInt(10) == 0) Seq(RowPattern.PartitionEnd()) else Nil
    // Measures that read other rows keep those rows, and match numbers depend on earlier matches:
    // both prevent rewrites, so some queries must be without them.
    val plainly = random.nextBoolean()
    query.copy(
      variables = query.variables :+ "FF",
      pattern = RowPattern.Concatenation((front :+ query.pattern) ++ end),
      definitions =
        query.definitions.filter(d => !plainly || isPlain(d._2) || query.lookedAt(d._1)) ++
          definition.map(first -> _),
      measures = (if (plainly) query.measures.filter(m => isPlain(m._2)) else query.measures) ++
        ofFirst(random, query.orderBy) ++ (if (plainly) Nil else number(random, 2)),
      afterMatch =
        if (random.nextInt(3) > 0 && query.afterMatch != AfterMatch.NoSkip) AfterMatch.ToNextRow
        else query.afterMatch
    )
  }

  /** Looks at rows of the match only, and does not ask for its number. */
  private def isPlain(e: Expression): Boolean = !e.nodes.exists {
    case _: Physical | MatchNumber => true
    case _                         => false
  }

  private def loop(random: Random, variable: Int, extensions: Extensions): RowPattern =
    RowPattern.Quantified(
      RowPattern.Variable(variable),
      Quantifier(
        QuantifierBound.Count(random.nextInt(3)),
        if (random.nextBoolean()) QuantifierBound.Unbounded else QuantifierBound.Count(3),
        greedy = random.nextBoolean(),
        loose = extensions.contiguity && random.nextInt(3) == 0
      )
    )

  private def ofFirst(random: Random, key: String): Seq[(String, Expression)] = Seq(
    "f1" -> Column("x", Some("FF")),
    "f2" -> Logical(first = true, Column("y", None), 0, Prefix.None),
    "f3" -> Column(key, Some("FF"))
  ) ++ (random.nextInt(8) match {
    case 0 | 1 | 2 => Seq("f4" -> Physical(previous = true, Column("x", Some("FF")), 1))
    case 3         =>
      val last = Logical(first = false, Column("x", None), 0, Prefix.Final)
      Seq("f4" -> Physical(previous = false, last, 1))
    case 4 => Seq("f4" -> Binary("+", Column("x", Some("FF")), Column(key, Some("FF"))))
    case _ => Nil
  })

  private def number(random: Random, outOf: Int): Seq[(String, Expression)] =
    if (random.nextInt(outOf) == 0) Seq("num" -> MatchNumber) else Nil

  /** Events with gaps between them, as in `A Z1* (B | C) Z2*? D`. */
  private def gaps(random: Random, query: Query): Query = {
    val names = Vector("A", "B", "C", "D")
    val bound = random.nextInt(3) == 0
    val key   = Column(query.orderBy, None)
    val reach = Binary(
      "<=",
      key,
      Binary("+", Column(query.orderBy, Some("A")), Literal(1L + random.nextInt(5))))
    def event(id: Int): RowPattern = RowPattern.Variable(id) match {
      case only if id == 0 || random.nextInt(5) > 0 => only
      case one                                      =>
        pick(
          random,
          RowPattern.Alternation(Seq(one, RowPattern.Variable(1 + random.nextInt(3)))),
          RowPattern.Quantified(one, Quantifier.plus),
          RowPattern.Exclusion(one)
        )
    }
    def gap(id: Int): RowPattern = RowPattern.Quantified(
      RowPattern.Variable(4 + id),
      (if (random.nextInt(8) > 0) Quantifier.star
       else pick(random, Quantifier.plus, Quantifier.optional, Quantifier.between(0, 2)))
        .copy(greedy = random.nextBoolean())
    )
    val steps = 1 + random.nextInt(3)
    val last  = pick(random, Nil, Nil, Nil, Nil, Seq(gap(steps)), Seq(RowPattern.PartitionEnd()))
    val pattern = RowPattern.Concatenation(event(0) +: ((0 until steps).flatMap(i =>
      Seq(gap(i), event(1 + random.nextInt(3)))) ++ last))
    val used     = Query.variablesOf(pattern)
    def letter() = Binary("=", Column("s", None), Literal(pick(random, RandomTables.letters: _*)))
    def more(id: Int): Expression = random.nextInt(6) match {
      case 0 => Binary(">", Column("x", None), Column("x", Some("A")))
      case 1 => Binary("<", Column("y", None), Physical(previous = true, Column("y", None), 1))
      case 2 => Binary("<=", CountRows(Some(names(id)), Prefix.None), Literal(2L))
      case 3 => Binary("<=", MatchNumber, Literal(2L))
      case _ => Binary(">", Column("x", None), Literal(0L))
    }
    val events = names.indices.filter(used).map { id =>
      val alone  = if (random.nextInt(3) == 0) Binary("OR", letter(), letter()) else letter()
      val within = if (bound && id > 0) Binary("AND", alone, reach) else alone
      id -> (if (random.nextInt(3) == 0) Binary("AND", within, more(id)) else within)
    }
    val bridges =
      used.toSeq.sorted.filter(id => id >= 4 && bound && random.nextInt(6) > 0).map(_ -> reach)
    val seen   = names.indices.filter(used)
    val target = RowVariable(names(seen.last), Seq(seen.last))
    query.copy(
      variables = names ++ (1 to 4).map(i => s"Z$i"),
      subsets = Nil,
      pattern = pattern,
      definitions = events ++ bridges,
      measures = seen.map(id => s"m$id" -> Column("x", Some(names(id)))) ++ Seq(
        "f1"   -> Column("x", Some("A")),
        "f3"   -> Logical(first = true, Column("o", None), 0, Prefix.None),
        "last" -> pick(random, Column("o", None), Classifier(None), Column("s", Some("A")))
      ) ++ number(random, 2) ++ pick(
        random,
        Seq.fill(12)(Nil) ++ Seq(
          Seq("m" -> CountRows(None, Prefix.None)),
          Seq("m" -> Physical(previous = true, Column("x", None), 1)),
          Seq("m" -> Logical(first = false, Column("x", None), 1, Prefix.None))
        ): _*
      ),
      rowsPerMatch =
        if (random.nextInt(6) > 0)
          RowsPerMatch.OneRow(query.rowsPerMatch.showTimeouts && random.nextInt(4) == 0)
        else RowsPerMatch.AllRows(EmptyMatches.Show),
      afterMatch = pick(
        random,
        AfterMatch.PastLastRow,
        AfterMatch.PastLastRow,
        AfterMatch.ToNextRow,
        AfterMatch.ToNextRow,
        AfterMatch.ToLast(target),
        AfterMatch.ToFirst(target))
    )
  }

  /** A part of a filter: on keys, on the first row, on numbers, on others, or on several. */
  private def part(random: Random, query: Query): (String, Expression) = {
    val names   = query.measures.map(_._1)
    val firsts  = names.filter(_.startsWith("f"))
    def value() = Literal(random.nextInt(7).toLong)
    def any()   = Column(pick(random, names: _*), None)
    def one()   = Column(pick(random, firsts: _*), None)
    val key     = Column("p", None)
    // Columns of the input that ALL ROWS PER MATCH shows, except the partition's.
    val passed =
      query.outputColumns.drop(2).filterNot(name => name == "s" || names.contains(name))
    def is(column: Expression, operators: String*) =
      Binary(pick(random, operators: _*), column, value())
    def shown(e: Expression) = (e.sql, e)
    def in(column: Column)   = {
      val values = Seq(value(), value(), Literal(1L))
      s"${column.sql} IN (${values.map(_.sql).mkString(", ")})" ->
        values.map(Binary("=", column, _): Expression).reduce(Binary("OR", _, _))
    }
    def between(column: Column) = {
      val (low, high) = (value(), value())
      s"${column.sql} BETWEEN ${low.sql} AND ${high.sql}" ->
        (Binary("AND", Binary(">=", column, low), Binary("<=", column, high)): Expression)
    }
    val number = Column("num", None)
    val onAll  = Seq[(Int, () => (String, Expression))](
      2 -> (() => shown(is(key, "=", ">", "<="))),
      1 -> (() => shown(IsNull(key))),
      1 -> (() => shown(Not(IsNull(any())))),
      6 -> (() => shown(is(one(), "=", ">", ">=", "<", "<=", "<>"))),
      2 -> (() => in(one())),
      2 -> (() => between(one())),
      1 -> (() => shown(Binary("OR", IsNull(one()), is(one(), ">", "<")))),
      1 -> (() => shown(Binary(pick(random, "<", ">="), one(), key))),
      1 -> (() => shown(Binary("OR", is(key, "=", ">"), Not(IsNull(any()))))),
      1 -> (() => shown(Binary("OR", IsNull(any()), is(one(), "<", ">="))))
    )
    val onPassed = Seq[(Int, () => (String, Expression))](
      4 -> (() => shown(is(Column(pick(random, passed: _*), None), "=", ">", "<=")))
    )
    val onNumber = Seq[(Int, () => (String, Expression))](
      8 -> (() => shown(is(number, "=", "<=", "<"))),
      2 -> (() => shown(Binary(">", Literal(2L), number))),
      2 -> (() => in(number)),
      2 -> (() => between(number)),
      1 -> (() => shown(is(number, ">", "<>"))),
      1 -> (() => shown(Binary("OR", is(number, "<"), IsNull(any()))))
    )
    val drawn = onAll ++ (if (passed.isEmpty) Nil else onPassed) ++
      (if (names.contains("num")) onNumber else Nil)
    Weighted.pick(random, drawn)()
  }

  private def pick[T](random: Random, choices: T*): T = choices(random.nextInt(choices.size))
}
