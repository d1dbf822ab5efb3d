package org.matchrecognize.spark.explain

import org.matchrecognize.spark.execution.tracing.{
  ClauseTrace,
  FailedPart,
  FailedTest,
  PartialMatch,
  PartitionTrace,
  RowDescription,
  TestOutcome,
  VariableTrace
}

/**
 * The trace of a clause in words.
 *
 * @param causes
 *   what is wrong, as far as variants of the clause show it
 * @param others
 *   how many other clauses the statement has
 * @param limit
 *   how many rows of a partition are searched
 */
final private[explain] class Explanation(
    clause: ShownClause,
    trace: ClauseTrace,
    val causes: Seq[String],
    others: Int,
    limit: Long) {
  import Wording._

  /** What to look at; the causes come first. */
  val hints: Seq[String] = new Hints(clause, trace, causes).lines

  /** The partial match that came furthest. */
  def furthest: Seq[String] = trace.furthest.toSeq.flatMap(inWords)

  def lines: Seq[String] = {
    val parts = Seq(
      head,
      partitions,
      "Conditions:" +: clause.variables.zip(trace.variables).map((condition _).tupled),
      furthest,
      if (hints.isEmpty) Nil else "What to look at:" +: hints.map("  * " + _)
    ).filter(_.nonEmpty)
    parts.reduceLeft((a, b) => (a :+ "") ++ b)
  }

  private def head: Seq[String] = {
    val found = s"${matches(trace.matches, trace.timedOut)} in " +
      s"${count(trace.tracedRows, "row")} of ${count(trace.tracedPartitions, "partition")}."
    Seq(s"MATCH_RECOGNIZE ${clause.head}", found) ++ sample ++
      (if (others > 0)
         Seq(s"The statement has ${others + 1} clauses. This explains the first of them.")
       else Nil) ++
      trace.failure.map(why => s"The search stopped: $why.")
  }

  private def sample: Seq[String] = {
    val whole = s"${count(trace.rows, "row")} of ${count(trace.partitions, "partition")}"
    (if (trace.tracedPartitions < trace.partitions)
       Seq(s"This is a sample: the input has $whole. A hash of the keys chose the partitions.")
     else if (trace.cutPartitions > 0) Seq(s"The input has $whole.")
     else Nil) ++
      (if (trace.cutPartitions > 0)
         Seq(
           s"${count(trace.cutPartitions, "partition is", "partitions are")} long: " +
             s"only the first ${count(limit, "row")} were searched.")
       else Nil)
  }

  private def partitions: Seq[String] =
    if (trace.first.isEmpty || trace.first.exists(_.keys.isEmpty)) Nil
    else {
      val more = trace.tracedPartitions - trace.first.size
      "Partitions:" +:
        (trace.first.map(p => s"  ${p.keys}: ${rows(p)}, ${matches(p.matches, p.timedOut)}") ++
          (if (more > 0) Seq(s"  and $more more") else Nil))
    }

  private def rows(partition: PartitionTrace): String =
    if (partition.searched == partition.rows) count(partition.rows, "row")
    else s"the first ${partition.searched} of ${count(partition.rows, "row")}"

  private def matches(found: Long, timedOut: Long): String =
    count(found, "match", "matches") +
      (if (clause.showsTimeouts)
         s" and ${count(timedOut, "timed-out match", "timed-out matches")}"
       else "")

  private def condition(variable: ShownVariable, trace: VariableTrace): String = {
    val counts =
      if (variable.isGap) "is the variable of a gap: no row is tested for it or mapped to it"
      else if (trace.tested == 0) "never tested"
      else if (variable.condition.isEmpty) s"tested on ${count(trace.tested, "row")}"
      else
        s"tested on ${count(trace.tested, "row")}: true for ${trace.satisfied}, " +
          s"false for ${trace.failed}, NULL for ${trace.unknown}"
    s"  ${variable.definition}: $counts"
  }

  private def inWords(partial: PartialMatch): Seq[String] =
    if (partial.length == 0)
      Seq(s"Furthest partial match: none, no row begins one. ${first(partial.start)}:") ++
        partial.failed.map("  " + failed(_))
    else
      Seq(
        s"Furthest partial match: ${count(partial.length.toLong, "row")}, " +
          s"from ${row(partial.start)}${of(partial.start.partition)}") ++
        (partial.runs.map(clause.run) ++ end(partial)).map("  " + _)

  private def first(start: RowDescription): String = s"At ${row(start)}${of(start.partition)}"

  private def end(partial: PartialMatch): Seq[String] = partial.end match {
    case None if partial.isCut =>
      Seq("It had not ended at the last row that was searched.")
    case None => Seq("It ended because the partition has no more rows.")
    case Some(at) if partial.failed.isEmpty =>
      Seq(clause.within match {
        case Some(bound) if partial.isBeyondWithin =>
          s"It ended before ${row(at)}, which is beyond WITHIN $bound."
        case _ => s"It ended before ${row(at)}, where the pattern allows no more rows."
      })
    case Some(at) => s"It ended at ${row(at)}:" +: partial.failed.map("  " + failed(_))
  }

  private def because(parts: Seq[FailedPart]): String =
    if (parts.isEmpty) ""
    else
      parts
        .map(part => s"${part.text} is ${if (part.isNull) "NULL" else "false"}")
        .mkString(" because ", " and ", "")

  private def failed(test: FailedTest): String = {
    val variable = clause.variables(test.variable)
    s"${variable.name} AS ${variable.condition.getOrElse("TRUE")} is " +
      (test.outcome match {
        case TestOutcome.False => "false"
        case TestOutcome.Null  => "NULL"
        case TestOutcome.Bars  => "true, which forbids the row"
      }) +
      because(test.parts) +
      (if (test.values.isEmpty) "" else test.values.map(value).mkString(": ", ", ", ""))
  }
}
