package org.matchrecognize.spark.execution.fused

import scala.collection.mutable.ArrayBuffer
import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.Duration

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.{
  CutRuns,
  MatchRecognizeExec,
  StandaloneOnePass,
  StateSeal,
  StoredOnePassState
}
import org.matchrecognize.spark.pattern.RowPattern
import org.matchrecognize.spark.reference.{Query, RandomPatterns, RandomSeed, RandomTables}

/** The one-pass search outside a stage, with states that are written to bytes and read back. */
class OnePassStateSuite extends SparkSuite {
  import OnePassStateSuite._

  /** The clause and its partitions; None if it is not for one pass. */
  private def prepare(sql: String): Option[Prepared] = {
    val exec = withSettings("spark.sql.adaptive.enabled" -> "false") {
      spark
        .sql(sql)
        .queryExecution
        .executedPlan
        .collectFirst { case m: MatchRecognizeExec =>
          m
        }
        .get
    }
    exec.plan.onePass.map { search =>
      val program =
        StandaloneOnePass.of(search, exec.plan.clause, exec.plan.partition, exec.child.output)
      // In the order of the clause, one partition after the other.
      val CutRuns.Prepared(_, partitions) = CutRuns.prepare(spark, sql)
      Prepared(exec, program, partitions)
    }
  }

  /** Rows found by both runs, the first of which is not cut; the number of cuts. */
  private def check(prepared: Prepared, seed: Long, sql: String): (Int, Int) = {
    val random = RandomSeed(seed, "cuts")
    val codec  = prepared.codec
    val other  = prepared.codec
    val steps  = IndexedSeq(prepared.program.open(), prepared.program.open())
    var cuts   = 0
    val found  = prepared.partitions.map { rows =>
      val whole = run(prepared, rows, _ => steps(0), identity)
      val cut   = run(
        prepared,
        rows,
        at => steps(at % 2),
        state =>
          if (random.nextInt(3) > 0) state
          else {
            cuts += 1
            other.read(codec.write(state))
          })
      assert(cut == whole, s"seed $seed\n$sql")
      whole._1.size
    }
    (cuts, found.sum)
  }

  /** Rows with the number of rows that had come, and the error that ended it. */
  private def run(
      prepared: Prepared,
      rows: Seq[UnsafeRow],
      steps: Int => OnePassSteps,
      between: OnePassState => OnePassState): (Seq[(Int, Seq[Byte])], Option[(Int, String)]) = {
    val found                           = ArrayBuffer[(Int, Seq[Byte])]()
    var state                           = prepared.program.newState()
    var come                            = 0
    def drain(from: OnePassSteps): Unit =
      while (!from.found.isEmpty) found += come -> from.found.poll().getBytes.toSeq
    def step(body: OnePassSteps => Unit): Unit = {
      val now = steps(come)
      try body(now)
      finally {
        come += 1
        drain(now)
      }
    }
    val error =
      try {
        rows.foreach { row =>
          step { now =>
            if (!state.begun) now.begin(state, row)
            now.take(state, row)
          }
          state = between(state)
        }
        step(_.end(state))
        None
      } catch { case e: Exception => Some(come -> e.getMessage) }
    (found.toSeq, error)
  }

  private val table = "(SELECT id % 3 AS k, id AS o, hash(id) & 15 AS x, hash(-id) / 1e6 AS y, " +
    "chr(97 + (hash(2 * id) & 3)) AS s, CAST(hash(3 * id) AS DECIMAL(30, 4)) AS d, " +
    "hash(5 * id) > 0 AS b, TIMESTAMP'2026-01-01' + make_dt_interval(0, 0, CAST(id AS INT)) AS t " +
    "FROM range(0, 300, 1, 1))"

  private def clause(measures: String, define: String, pattern: String = "A B+ C+") =
    s"""SELECT * FROM $table MATCH_RECOGNIZE (PARTITION BY k ORDER BY o MEASURES $measures
       |  PATTERN ($pattern) DEFINE $define)""".stripMargin

  private val vShape = "B AS x < PREV(x), C AS x > PREV(x)"

  for ((kind, measures) <- Seq(
      "numbers"    -> "A.x AS a, LAST(B.y) AS b, FIRST(C.b) AS c, MATCH_NUMBER() AS n",
      "objects"    -> "A.s AS a, LAST(B.d) AS b, A.t AS t, CLASSIFIER() AS c, LAST(C.s) AS d",
      "aggregates" -> "COUNT(*) AS a, AVG(y) AS b, MIN(B.s) AS c, MAX(C.d) AS d, SUM(x) AS e",
      "filters"    -> "COUNT(x) FILTER (WHERE b) AS a, MAX(s) FILTER (WHERE x > 3) AS c",
      "structs"    -> "LAST(struct(s, x)) AS a, FIRST(array(x, o)) AS b"
    ))
    test(s"registers: $kind") {
      val sql      = clause(measures, vShape)
      val prepared = prepare(sql).get
      val totals   = (1L to 5L).map(check(prepared, _, sql))
      assert(totals.map(_._1).sum > 300)
      // The stage finds as many.
      assert(totals.head._2 == rows(sql).size && totals.head._2 > 20)
    }

  test("rows before, and look-backs over several") {
    for (define <- Seq(
        "B AS x < PREV(x, 3) AND s <> PREV(s), C AS x > PREV(x, 3)",
        "B AS COALESCE(PREV(d, 2), 0) < d, C AS COALESCE(PREV(d, 2), 0) >= d")) {
      val sql      = clause("A.o AS a, LAST(C.o) AS c", define)
      val prepared = prepare(sql)
      assert(prepared.isDefined, sql)
      assert(check(prepared.get, 7, sql)._2 == rows(sql).size)
    }
  }

  test("conditions that read the match under way") {
    for ((pattern, define) <- Seq(
        "A+"      -> "A AS AVG(A.x) < 7",
        "A+ B"    -> "A AS COUNT(A.s) FILTER (WHERE A.b) < 3 AND MAX(A.d) > -1e6",
        "A B* C?" -> "B AS s >= FIRST(A.s) AND y > MIN(A.y), C AS s < LAST(B.s)"
      )) {
      val sql      = clause("FIRST(o) AS a, LAST(o) AS c, SUM(x) AS t", define, pattern)
      val prepared = prepare(sql)
      assert(prepared.isDefined, sql)
      val totals = (1L to 5L).map(check(prepared.get, _, sql))
      assert(totals.map(_._1).sum > 300)
      assert(totals.head._2 == rows(sql).size && totals.head._2 > 20, sql)
    }
  }

  test("an error that is remembered ahead of the search") {
    // It fails at x = 7 while a match from an earlier row is under way: raised if that one fails.
    for (failing <- Seq(3, 7, 11)) {
      val sql = clause(
        "FIRST(o) AS f, LAST(o) AS l",
        s"A AS 1 / (x - $failing) < 100, B AS x > 1 AND x < 14, C AS x >= 14",
        "A B+ C")
      val prepared = prepare(sql).get
      (1L to 5L).foreach(check(prepared, _, sql))
    }
  }

  test("random patterns whose variables exclude each other") {
    var (queries, cuts, found) = (0, 0, 0)
    for (seed <- 1L to 300L) {
      val random  = RandomSeed(seed, "pattern")
      val names   = Vector("A", "B", "C", "D").take(1 + random.nextInt(4))
      val pattern = Iterator
        .continually(new RandomPatterns(random, names.size).next(2 + random.nextInt(6)))
        .find(Query.variablesOf(_).nonEmpty)
        .get
      val define = names.indices.map(v => s"${names(v)} AS s = '${RandomTables.letters(v)}'")
      val used   = define.filter(d => RowPattern.sql(pattern, names).contains(d.take(1)))
      val input  = RandomTables.values(RandomTables.random(seed, 6))
      val sql    =
        s"""SELECT * FROM $input MATCH_RECOGNIZE (PARTITION BY c, p ORDER BY o
           |  MEASURES COUNT(*) AS n, LAST(s) AS l, FIRST(o) AS f, MAX(x) AS m, MATCH_NUMBER() AS k
           |  PATTERN (${RowPattern.sql(pattern, names)})
           |  ${if (used.isEmpty) "" else used.mkString("DEFINE ", ", ", "")})""".stripMargin
      prepare(sql).foreach { prepared =>
        val (c, f) = check(prepared, seed, sql)
        queries += 1
        cuts += c
        found += f
      }
    }
    info(s"$queries queries, $cuts cuts, $found rows")
    assert(queries > 50 && cuts > 1000 && found > 500)
  }

  test("the tasks of a JVM share a table, at the same time, too") {
    for (seed <- 1 to 10) {
      // A table of its own: no other test has such a pattern.
      val pattern  = s"A B+ C{1,${seed + 2}}"
      val prepared = prepare(clause("FIRST(o) AS a, LAST(o) AS c", vShape, pattern)).get
      def found(program: StandaloneOnePass) = {
        val steps = program.open()
        prepared.partitions.map(run(prepared, _, _ => steps, identity))
      }
      val tasks = Future.traverse((1 to 8).toList)(_ => Future(found(prepared.sent)))
      assert(Await.result(tasks, Duration.Inf).toSet == Set(found(prepared.program)))
      assert(prepared.sent.table.open() eq prepared.program.table.open())
    }
  }

  test("a state is as large as what is in use, and is refused by another clause or format") {
    val sql      = clause("A.s AS a, LAST(B.x) AS b, COUNT(*) AS n", vShape)
    val prepared = prepare(sql).get
    val codec    = prepared.codec
    val steps    = prepared.program.open()
    val state    = prepared.program.newState()
    val row      = prepared.partitions.head.head
    steps.begin(state, row)
    val sizes = prepared.partitions.head.map { row =>
      steps.take(state, row)
      codec.write(state).length
    }
    assert(sizes.max < 250, sizes.max)
    val bytes   = codec.write(state)
    val another = prepare(clause("A.s AS a, LAST(B.x) AS b, COUNT(*) AS n", vShape, "A B+ C")).get
    val later   = StateSeal.version + 1
    for ((read, reason) <- Seq(
        (() => another.codec.read(bytes))                          -> "another clause",
        (() => codec.read(bytes.updated(0, later.toByte)))         -> s"its format is $later",
        (() => codec.read(bytes.updated(12, (~bytes(12)).toByte))) -> "damaged"
      )) {
      val message = failure(read())
      assert(message.contains("STATE_UNREADABLE") && message.contains(reason), message)
    }
  }
}

private object OnePassStateSuite {
  final case class Prepared(
      exec: MatchRecognizeExec,
      program: StandaloneOnePass,
      partitions: Seq[Seq[UnsafeRow]]) {

    /** Reads and writes states as another JVM would. */
    def codec: StoredOnePassState =
      new StoredOnePassState(sent, exec.plan.clause.patternSql, exec.plan.clauseOrigin)

    /** The program as a task gets it. */
    def sent: StandaloneOnePass = {
      val serializer = org.apache.spark.SparkEnv.get.closureSerializer.newInstance()
      serializer.deserialize[StandaloneOnePass](serializer.serialize(program))
    }
  }
}
