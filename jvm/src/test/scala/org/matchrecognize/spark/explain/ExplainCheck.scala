package org.matchrecognize.spark.explain

import scala.util.Try

import org.matchrecognize.spark.execution.tracing.{
  ClauseTrace,
  MappedRun,
  PartialMatch,
  SearchTrace,
  TestOutcome,
  ThreadTrace
}
import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.reference.{
  Dialect,
  PatternRules,
  Query,
  ReferenceEvaluator,
  ReferenceMatch,
  ReferenceTest,
  SearchedPartition,
  StartRow
}

/**
 * Compares the trace of one partition with the reference evaluator.
 *
 * What is found is compared exactly. The tests of rows are those of a search by threads, which
 * leaves out what cannot change the result, so they are compared with all tests that a search can
 * make ([[ReferenceEvaluator.tests]]).
 *
 * @param names
 *   the variables of the trace, which has those of the pattern only
 */
final private[explain] class ExplainCheck(
    query: Query,
    nextRowOnInvalidSkip: Boolean,
    names: IndexedSeq[String]) {
  private val evaluator = new ReferenceEvaluator(query, nextRowOnInvalidSkip)

  private val defined = query.definitions.map(_._1).toSet

  /** The variables of gaps that no row is tested for, and those of gaps for the reference. */
  private val gaps     = PatternRules.gapVariables(query.pattern, defined, query.dialect)
  private val untested = PatternRules.gapVariables(query.pattern, defined, Dialect.Flink)

  /** The variables that rows are tested for: their ids in the trace, and in the query. */
  private val variables =
    names.map(query.variables.indexOf(_)).zipWithIndex.map(_.swap).filterNot(v => gaps(v._2))

  /** Whether the last partition had few enough tests to list them all. */
  var testsAreKnown = false

  def contradictions(
      rows: Seq[Map[String, Any]],
      trace: ClauseTrace,
      lines: Seq[String]): Seq[String] = {
    val searched = evaluator.search(rows)
    val tests    =
      Try(searched.starts.map(start => start -> evaluator.tests(searched.rows, start)).toMap)
    testsAreKnown = tests.isSuccess
    if (trace.failure.nonEmpty || searched.failure.nonEmpty)
      expect("fails", trace.failure.nonEmpty, searched.failure.nonEmpty)
    else
      ofMatches(searched, trace) ++ ofVariables(searched, trace) ++
        ofHints(searched, lines) ++
        tests.toOption.toSeq.flatMap(all =>
          ofTests(all.values.flatten.toSeq, trace) ++ ofFurthest(searched, all, trace.furthest))
  }

  /**
   * Whether each test of a thread has the value that the condition has after the rows of the thread,
   * and each start row its matches.
   */
  def wrongThreads(rows: Seq[Map[String, Any]], trace: ThreadTrace): Seq[String] = {
    val searched = evaluator.search(rows)
    if (trace.failure.nonEmpty || searched.failure.nonEmpty)
      expect("the trace fails", trace.failure.nonEmpty, searched.failure.nonEmpty)
    else
      expect(
        "start rows",
        trace.searches.map(_.start.number.toInt - 1).toSet -- searched.starts.map(_.row),
        Set()) ++
        trace.searches.flatMap(search => ofSearch(searched, search))
  }

  private def ofSearch(searched: SearchedPartition, search: SearchTrace): Seq[String] = {
    val start = searched.starts.find(_.row == search.start.number - 1).get
    val tests = for {
      step <- search.rows.flatMap(_.threads)
      // What bars the next row is tested after the row of the step, which is mapped then.
      test  <- step.tests if test.maps
      wrong <- {
        val mapped = rowsOf(step.mapped).toMap
        val row    = (test.row - 1).toInt
        val before = (start.row until row).map(mapped.getOrElse(_, -1))
        expect(
          s"${names(test.variable)} of row ${test.row} after ${step.mapped}",
          test.value.orNull,
          evaluator.condition(searched.rows, start, idOf(test.variable), before)
        )
      }
    } yield wrong
    def found = search.found.map(m => (m.timedOut, rowsOf(m.runs)))
    def known = searched.matches.filter(_.start == start.row).map { m =>
      (m.timedOut, m.rows.map(r => r -> m.mappings(r - m.start).variable).filter(_._2 >= 0))
    }
    tests ++ (if (gaps.isEmpty) expect(s"matches from $start", found, known) else Nil)
  }

  /** Rows with the ids of their variables in the query. */
  private def rowsOf(runs: Seq[MappedRun]): Seq[(Int, Int)] =
    runs.flatMap(run => (run.first to run.last).map(n => (n - 1).toInt -> idOf(run.variable)))

  private def expect(name: String, is: Any, should: Any): Seq[String] =
    if (is == should) Nil else Seq(s"$name: $is, the reference says $should")

  private def check(holds: Boolean, wrong: => String): Seq[String] =
    if (holds) Nil else Seq(wrong)

  private def ofMatches(searched: SearchedPartition, trace: ClauseTrace): Seq[String] = {
    val (timedOut, matches) = searched.matches.partition(_.timedOut)
    expect("partitions", trace.partitions, 1L) ++
      expect("rows", trace.rows, searched.rows.size.toLong) ++
      expect("searched rows", trace.tracedRows, searched.rows.size.toLong) ++
      expect("matches", trace.matches, matches.size.toLong) ++
      expect("empty matches", trace.emptyMatches, matches.count(_.mappings.isEmpty).toLong) ++
      expect("timed-out matches", trace.timedOut, timedOut.size.toLong) ++
      expect("overlapping", trace.overlapping, overlapping(searched).toLong) ++
      expect("matches of the partition", trace.first.map(_.matches), Seq(matches.size.toLong))
  }

  /** Rows inside matches at which a match starts that SKIP PAST LAST ROW hides. */
  private def overlapping(searched: SearchedPartition): Int =
    if (query.afterMatch != AfterMatch.PastLastRow) 0
    else {
      val all    = query.copy(afterMatch = AfterMatch.ToNextRow)
      val others = new ReferenceEvaluator(all).search(searched.rows).matches
      def starts(of: Seq[ReferenceMatch]) =
        of.filter(m => !m.timedOut && m.mappings.nonEmpty).map(_.start).toSet
      val covered = searched.matches.filterNot(_.timedOut).flatMap(_.rows).toSet
      (starts(others) & covered).diff(starts(searched.matches)).size
    }

  private def ofVariables(searched: SearchedPartition, trace: ClauseTrace): Seq[String] =
    variables.flatMap { case (i, v) =>
      val mapped = searched.matches.filterNot(_.timedOut).flatMap(_.rowsOf(v))
      val all    = searched.matches.flatMap(_.rowsOf(v)).distinct
      val is     = trace.variables(i)
      expect(s"rows of ${query.variables(v)}", is.mapped, mapped.size.toLong) ++
        check(
          is.satisfied >= all.size,
          s"${query.variables(v)} is true of ${is.satisfied} rows, but matches have ${all.size}")
    }

  /** Each row counts once, so no count is above the number of rows with a test of that value. */
  private def ofTests(tests: Seq[ReferenceTest], trace: ClauseTrace): Seq[String] =
    variables.filterNot(v => untested(v._2)).flatMap { case (i, v) =>
      val name                 = query.variables(v)
      val is                   = trace.variables(i)
      val mine                 = tests.filter(_.variable == v)
      def rowsWith(value: Any) = mine.filter(_.value == value).map(_.row).toSet
      def atMost(what: String, count: Long, rows: Set[Int]) =
        check(count <= rows.size, s"$name is $what for $count rows, of at most $rows")
      atMost("tested", is.tested, mine.map(_.row).toSet) ++
        atMost("true", is.satisfied, rowsWith(true)) ++
        atMost("false", is.failed, rowsWith(false)) ++
        atMost("NULL", is.unknown, rowsWith(null)) ++
        check(is.nullOnFirst == 0 || rowsWith(null)(0), s"$name is not NULL on the first row") ++
        is.firstNull.toSeq.flatMap(n =>
          check(rowsWith(null)((n.row.number - 1).toInt), s"$name is not NULL at ${n.row}"))
    }

  private def ofHints(searched: SearchedPartition, lines: Seq[String]): Seq[String] =
    variables.flatMap { case (_, v) =>
      val name   = query.variables(v)
      val unused = Seq(
        s"  * $name is true of no row that was tested.",
        s"  * $name was never tested:",
        s"  * $name AS .*: never tested").exists(hint => lines.exists(_.startsWith(hint))) ||
        lines.exists(l =>
          l.startsWith(s"  * $name is true of ") && l.contains("but no match maps"))
      check(
        !unused || searched.matches.filterNot(_.timedOut).forall(_.rowsOf(v).isEmpty),
        s"a match maps a row to $name")
    }

  private def ofFurthest(
      searched: SearchedPartition,
      tests: Map[StartRow, Seq[ReferenceTest]],
      furthest: Option[PartialMatch]): Seq[String] = {
    val matched    = searched.matches.filterNot(_.timedOut).map(_.start).toSet
    val candidates = searched.starts.filterNot(start => matched(start.row))

    /** How many rows a partial match reached from a start row on, at least and at most. */
    def reach(start: StartRow): (Int, Int) = {
      val of = tests(start).map { t =>
        val before = t.before.lastIndexWhere(_ >= 0) + 1
        (before, if (t.value == true) t.before.size + 1 else before)
      }
      ((0 +: of.map(_._1)).max, (0 +: of.map(_._2)).max)
    }
    // The rows of a gap are mapped without a test.
    val reached = candidates.map(reach).map { case (least, most) =>
      (least, if (untested.isEmpty) most else searched.rows.size)
    }
    val least = (0 +: reached.map(_._1)).max
    val most  = (0 +: reached.map(_._2)).max
    furthest match {
      case None          => check(least == 0, s"a partial match reaches $least rows")
      case Some(partial) =>
        val start = candidates.find(_.row == partial.start.number - 1)
        check(start.nonEmpty, s"no search without a match begins at ${partial.start}") ++
          check(
            partial.reach >= least && partial.reach <= most,
            s"the furthest partial match reaches ${partial.reach} rows, not $least to $most") ++
          // Whether a test that is true maps its row is not always known. Of start rows of which
          // none begins a partial match, any is shown.
          check(
            partial.length == 0 || candidates.zip(reached).forall { case (other, (atLeast, _)) =>
              atLeast < partial.reach || other.row >= partial.start.number - 1
            },
            "an earlier partial match comes as far"
          ) ++
          start.toSeq.flatMap(ofPartial(searched, _, partial))
    }
  }

  /** The id in the query of a variable of the trace. */
  private def idOf(variable: Int): Int = query.variables.indexOf(names(variable))

  /** The rows of a partial match, and the tests at which it ended. */
  private def ofPartial(
      searched: SearchedPartition,
      start: StartRow,
      partial: PartialMatch): Seq[String] = {
    val mapped           = rowsOf(partial.runs)
    def labels(end: Int) =
      (start.row until end).map(row => mapped.toMap.getOrElse(row, -1))
    def value(variable: Int, row: Int) =
      evaluator.condition(searched.rows, start, variable, labels(row))
    val ofRows = mapped.flatMap { case (row, v) =>
      check(value(v, row) == true, s"row ${row + 1} is no ${query.variables(v)}")
    }
    val ofEnd = partial.end.toSeq.flatMap { end =>
      partial.failed.flatMap { test =>
        val should: Any = test.outcome match {
          case TestOutcome.False => false
          case TestOutcome.Null  => null
          case TestOutcome.Bars  => true
        }
        expect(
          s"${names(test.variable)} at row ${end.number}",
          should,
          value(idOf(test.variable), (end.number - 1).toInt))
      }
    }
    check(mapped.size == partial.length, s"${mapped.size} rows of ${partial.length}") ++
      check(mapped.headOption.forall(_._1 == start.row), "it begins after its start row") ++
      ofRows ++ ofEnd
  }
}
