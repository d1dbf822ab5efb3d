package org.matchrecognize.spark.explain

import org.matchrecognize.spark.execution.tracing.{
  MappedRun,
  RowTrace,
  SearchEnding,
  SearchTrace,
  ThreadAction,
  ThreadStep,
  ThreadTest,
  ThreadTrace,
  ThreadTraceLimits,
  TracedMatch
}

/**
 * What the threads of a search did, in words.
 *
 * @param trace
 *   None if the input has no rows
 * @param others
 *   how many other clauses the statement has
 */
final private[explain] class TraceInWords(
    clause: ShownClause,
    trace: Option[ThreadTrace],
    others: Int,
    limits: ThreadTraceLimits) {
  import Wording._

  def lines: Seq[String] = {
    val parts = Seq(head, "Conditions:" +: clause.variables.map("  " + _.definition)) ++
      trace.toSeq.flatMap(t => searches(t.searches) :+ end(t))
    parts.filter(_.nonEmpty).reduceLeft((a, b) => (a :+ "") ++ b)
  }

  private def head: Seq[String] =
    Seq(
      s"MATCH_RECOGNIZE ${clause.head}",
      trace match {
        case None    => "The input has no rows. Check its WHERE and its joins."
        case Some(t) =>
          val rows = count(t.rows, "row")
          s"Trace of ${if (t.isWhole) rows else s"the first $rows"}" +
            (if (t.partition.isEmpty) "." else s" of the first partition, ${t.partition}.")
      }
    ) ++
      (if (others > 0)
         Seq(s"The statement has ${others + 1} clauses. This traces the first of them.")
       else Nil)

  private def searches(all: Seq[SearchTrace]): Seq[Seq[String]] = {
    val numbers = all.scanLeft(0)(_ + _.found.size)
    all.zip(numbers).map { case (search, before) =>
      (s"Start ${row(search.start)}: ${begin(search.begin)}" +: search.rows.flatMap(ofRow)) ++
        result(search, before).map("  " + _)
    }
  }

  private def begin(step: ThreadStep): String = {
    val done = did(step.actions)
    if (done.isEmpty) sentences(step.tests.map(test)) + "no thread begins."
    else sentences(step.tests.map(test)) + s"a thread ${phrase(done)}." + dropped(step.actions)
  }

  private def ofRow(traced: RowTrace): Seq[String] =
    (s"  ${row(traced.row).capitalize}:" +: traced.threads.map("    " + thread(_))) ++
      (if (traced.more > 0) Seq(s"    and ${count(traced.more.toLong, "more thread")}") else Nil)

  private def thread(step: ThreadStep): String = {
    val done = did(step.actions)
    s"thread (${step.mapped.map(mapped).mkString(" ")}): " +
      sentences(step.tests.map(test)) +
      (if (done.isEmpty) "It fails." else s"It ${phrase(done)}.") + dropped(step.actions)
  }

  private def sentences(all: Seq[String]): String = all.map(_ + ". ").mkString

  /** Rows of a variable as the pattern would have them: `DOWN{2}`. */
  private def mapped(run: MappedRun): String = {
    val rows = run.last - run.first + 1
    clause.variables(run.variable).name + (if (rows == 1) "" else s"{$rows}")
  }

  private def test(test: ThreadTest): String =
    clause.variables(test.variable).name +
      (if (test.maps) " is " else s", which would forbid row ${test.row}, is ") +
      test.value.fold("NULL")(_.toString) +
      (if (test.values.isEmpty) "" else test.values.map(value).mkString(": ", ", ", ""))

  /** What a thread does, in order. */
  private def did(actions: Seq[ThreadAction]): Seq[String] = {
    val waits = actions.collect { case ThreadAction.Waits(Some(v)) => clause.variables(v).name }
    val all   = actions.collect {
      case ThreadAction.Maps        => "maps the row"
      case ThreadAction.Passes      => "passes over the row"
      case ThreadAction.Completes   => "completes a match"
      case ThreadAction.Waits(None) => "watches the rows that follow"
      case ThreadAction.Waits(_)    => s"waits for ${waits.distinct.mkString(" or ")}"
    }
    all.distinct
  }

  private def phrase(parts: Seq[String]): String =
    if (parts.size < 2) parts.mkString else s"${parts.init.mkString(", ")} and ${parts.last}"

  private def dropped(actions: Seq[ThreadAction]): String = actions.collect {
    case ThreadAction.Dropped(variable, fails) =>
      val path = variable.fold("A path")(v => s"The path to ${clause.variables(v).name}")
      s" $path is dropped: " +
        (if (fails) "an earlier start row failed from there."
         else "a preferred thread has the same continuations.")
  }.mkString

  private def result(search: SearchTrace, before: Int): Seq[String] =
    if (search.found.nonEmpty)
      search.found.zipWithIndex.map { case (found, i) => matched(found, before + i + 1) }
    else
      search.ending match {
        case SearchEnding.NoThread => Seq("No match: no thread waits for a row.")
        case SearchEnding.Beyond   =>
          Seq(
            "No match: the next row is beyond " +
              clause.within.fold("the bound")(bound => s"WITHIN $bound") + ".")
        case SearchEnding.EndOfPartition =>
          Seq("No match: threads wait for a row, and the partition has no more rows.")
        case SearchEnding.Unknown => Nil
      }

  private def matched(found: TracedMatch, number: Int): String = {
    val name = if (found.timedOut) s"Timed-out match $number" else s"Match $number"
    if (found.runs.isEmpty) s"$name is empty."
    else s"$name: ${found.runs.map(clause.run).mkString(", ")}"
  }

  private def end(trace: ThreadTrace): Seq[String] = trace.failure match {
    case Some(why)           => Seq(s"The search stopped: $why.")
    case None if trace.isCut =>
      Seq(
        s"The trace ends here: it shows at most ${limits.rows} rows of searches. " +
          "To see others, filter the input of the clause.")
    case None if !trace.isWhole =>
      Seq(
        s"The trace ends here: only the first ${count(trace.rows, "row")} of a partition are " +
          "read. To see others, filter the input of the clause.")
    case None => Seq("The search of the partition has ended.")
  }
}
