package org.matchrecognize.spark.optimizer

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.optimizer.{
  ConvertToLocalRelation,
  EliminateLimits,
  PropagateEmptyRelation
}
import org.apache.spark.sql.types._

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference._
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Random clauses between random queries, under random settings and without one of the optimizer's
 * rules: the same rows as over the clause's result in a plain table, which the reference evaluator
 * computed from the clause's input.
 */
class NeighboursRandomSuite extends SparkSuite {
  import NeighboursRandomSuite._

  private val (view, other, result) =
    ("random_tables", "other_tables", "clause_result")

  /** What the optimizer can do without, by Spark's word, except ours. */
  private lazy val rules: IndexedSeq[String] = {
    val optimizer = spark.sessionState.optimizer
    val all       = optimizer.batches.flatMap(_.rules.map(_.ruleName)).distinct
    all.diff(optimizer.nonExcludableRules).diff(ours).sorted.toIndexedSeq
  }

  private def register(name: String, schema: StructType, rows: Seq[Seq[Any]]): Unit = {
    val list = new java.util.ArrayList[Row]
    rows.foreach(row =>
      list.add(Row.fromSeq(row.zip(schema.fields.toSeq).map { case (value, field) =>
        (value, field.dataType) match {
          case (number: Long, IntegerType) => number.toInt
          case (number: Long, DoubleType)  => number.toDouble
          case (number: Int, LongType)     => number.toLong
          case (any, _)                    => any
        }
      })))
    spark.createDataFrame(list, schema).createOrReplaceTempView(name)
  }

  private def registerTables(name: String, seed: Long, count: Int): Unit =
    register(
      name,
      StructType.fromDDL(RandomTables.schema),
      RandomTables
        .random(seed, count, nullKeys = true)
        .map(row => RandomTables.columns.map(row)))

  /**
   * Settings with which Spark plans a query over plain rows as it plans one over the clause, whose
   * rows and their number it does not know. Without ConstantFolding, for example, it cannot plan
   * LIMIT with OFFSET, unless the table is so small that it drops LIMIT.
   */
  private def planned(settings: Map[String, String]): Map[String, String] = {
    val rules =
      Seq(ConvertToLocalRelation, PropagateEmptyRelation, EliminateLimits).map(_.ruleName)
    settings.updated(excluded, (settings(excluded) +: rules).mkString(","))
  }

  /** In any order. */
  private def bag(sql: String): Seq[String] =
    rows(sql).map(row => QueryCase.canonical(row).mkString("|")).sorted

  private def checkBatch(seeds: Seq[Long]): Map[String, Int] = {
    registerTables(view, seeds.head, 20)
    registerTables(other, seeds.head + 1, 12)
    val outcomes = seeds.map(check)
    outcomes.groupBy(identity).map { case (outcome, all) => outcome -> all.size }
  }

  private def check(seed: Long): String = {
    val random        = RandomSeed(seed, "neighbours")
    val extensions    = kinds(random.nextInt(kinds.size))
    val drawn         = RandomFilteredQueries(seed, extensions)
    val query         = drawn.query
    val neighbours    = new RandomNeighbours(random, other)
    val below         = neighbours.below()
    val sortedBy      = query.orderBy +: query.order.next.toSeq
    val isSorted      = sortedBy.forall(query.outputColumns.contains) && random.nextBoolean()
    val (name, above) =
      neighbours.above(if (isSorted) Some(query.order.sql(query.orderBy)) else None)
    val settings = neighbours.settings(rules, ours)
    val clauses  = Seq(
      "spark.sql.matchRecognize.invalidSkip" -> "nextRow",
      "spark.sql.matchRecognize.dialect"     ->
        (if (extensions.dialect == Dialect.Flink) "flink" else "standard"))
    val keys    = Seq("c", "p", "f1", "f3")
    val more    = query.outputColumns.filterNot(keys.contains)
    val columns = keys ++ more.filter(name =>
      isSorted && sortedBy.contains(name) || random.nextInt(more.size + 1) == 0)
    def compare(input: Seq[Map[String, Any]]): String = {
      val packed   = QueryCase(query, input, nextRowOnInvalidSkip = true)
      val expected = packed.expected
      // A filter that nothing passes shows little.
      val isFiltered = drawn.of(expected).nonEmpty || random.nextInt(4) == 0
      val around     = (table: String) =>
        above(
          if (isFiltered) drawn.copy(columns = columns).sql(table)
          else s"SELECT ${columns.mkString(", ")} FROM ($table)")
      withSettings(clauses: _*) {
        val clause = packed.sql(below(view, false))
        register(result, spark.sql(clause).schema, expected)
        val sql    = around(clause)
        val simple = around(s"SELECT * FROM $result")
        val window = "SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY c) AS w " +
          s"FROM ${below(view, false)} AS i) WHERE w > 0"
        val should = bag(simple)
        val found  = Try(withSettings(settings.toSeq: _*)(bag(sql)))
        def plain  = Try(withSettings(planned(settings).toSeq: _*)(bag(simple)))
        if (found.toOption.contains(should)) { if (should.isEmpty) "no rows" else "rows" }
        // Spark without a rule of its own may fail over plain rows, too.
        else if (!plain.toOption.contains(should))
          "Spark's own"
        // So may a window in the place of the clause, as above a union over a scalar subquery, or
        // read other rows: Spark drops the order of a LIMIT below a correlated scalar subquery.
        else if (!withSettings(settings.toSeq: _*)(Try(bag(window))).toOption
            .contains(bag(window)))
          "Spark's own"
        else {
          val defaults = Try(bag(sql)).toOption.contains(should)
          val message  =
            s"seed $seed, $name, ${if (defaults) "right" else "wrong, too,"} by default\n" +
              (settings.toSeq ++ clauses).map { case (k, v) => s"SET $k=$v;\n" }.mkString +
              s"$sql\n" + found.fold(
                error => s"fails: $error",
                is => s"missing ${should.diff(is).take(5)}\nbeyond ${is.diff(should).take(5)}")
          fail(message)
        }
      }
    }
    // Spark fails over some inputs itself, such as a union over a correlated scalar subquery.
    Try(rows(s"SELECT * FROM ${below(view, true)} AS i")) match {
      case Failure(_)    => "Spark's own"
      case Success(rows) =>
        compare(rows.map(row => RandomTables.columns.zip(QueryCase.canonical(row)).toMap))
    }
  }

  test("random clauses between random queries, without rules and under random settings") {
    val (batches, seeds) = Fuzz.batches(inGate = 3, size = 15)(checkBatch)
    val outcomes         = batches.flatten.groupBy(_._1).map { case (outcome, all) =>
      outcome -> all.map(_._2).sum
    }
    info(s"$seeds: $outcomes, ${rules.size} rules of Spark")
    val own = outcomes.getOrElse("Spark's own", 0)
    // More than half have rows. One batch, as a seed is repeated, need not have as many.
    assert(Fuzz.isAsked || outcomes.getOrElse("rows", 0) > outcomes.getOrElse("no rows", 0))
    // About one in each batch; one batch alone may have more.
    assert(own <= 2 + batches.size)
  }
}

private object NeighboursRandomSuite {
  private val excluded = "spark.sql.optimizer.excludedRules"

  val ours: Seq[String] = Seq(
    PushKeyFilters,
    PushStartFilters,
    StopAfterMatch,
    PruneMeasures,
    LeaveOutRowsOutOfReach,
    LeaveOutGapRows).map(_.ruleName)

  val kinds: IndexedSeq[Extensions] = Vector(
    Extensions.none,
    Extensions(time = true, everyMatch = true),
    Extensions(contiguity = true),
    Extensions(time = true, everyMatch = true, contiguity = true, dialect = Dialect.Flink)
  )
}
