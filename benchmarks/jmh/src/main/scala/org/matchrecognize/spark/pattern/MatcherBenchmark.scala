package org.matchrecognize.spark.pattern

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

import org.matchrecognize.spark.pattern.automaton.RowAutomaton
import org.matchrecognize.spark.pattern.matching.{Limits, SearchResult}
import org.matchrecognize.spark.pattern.program.{Positions, ProgramCompiler}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}

/** The search for all matches in rows that lie in an array: no Spark, no conditions to compute. */
@State(Scope.Benchmark)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
class MatcherBenchmark {

  @Param(Array("11a", "11b", "11c", "11d", "11e", "11f", "11g", "V"))
  var pattern: String = _

  @Param(Array("automaton", "threads"))
  var matcher: String = _

  @Param(Array("1000", "10000", "100000", "1000000"))
  var rows: Int = _

  private var partitionRows: Int              = _
  private var conditions: MaskConditions      = _
  private var search: PartitionSearch[String] = _
  private var end: Long                       = _

  @Setup def setUp(): Unit = {
    val chosen = Cases.byName(pattern)
    partitionRows = math.min(rows, chosen.partitionRows)
    conditions = new MaskConditions(chosen.masks(rows))
    val options = SearchOptions(
      AfterMatch.PastLastRow,
      relaxedSkip = false,
      unmatchedRows = false,
      conditionLookAhead = 0,
      outputLookAhead = 0,
      lookBack = 0)
    val program = ProgramCompiler.compile(chosen.pattern)
    search = new PartitionSearch(
      program,
      conditions,
      labels = None,
      options,
      new Limits(Long.MaxValue, () => endIfTooLong()),
      if (matcher == "threads") None
      else
        Some(
          RowAutomaton(
            Positions.of(program).toOption.get,
            conditions,
            bound = None,
            decides = true))
    )
  }

  /** @return how many matches there are */
  @Benchmark def matches(): Long = {
    end = System.nanoTime + TimeUnit.SECONDS.toNanos(MatcherBenchmark.limitSeconds)
    var found = 0L
    var first = 0
    while (first < rows) {
      conditions.first = first
      search.reset()
      val size = math.min(partitionRows, rows - first)
      while (search.advance(size, complete = true) == SearchResult.Match) found += 1
      first += size
    }
    found
  }

  /** JMH cannot end a run; one that fails has no result, and the next continues. */
  private def endIfTooLong(): Unit =
    if (System.nanoTime > end)
      throw new IllegalStateException(s"> ${MatcherBenchmark.limitSeconds} s")
}

object MatcherBenchmark {
  private val limitSeconds = 60L
}
