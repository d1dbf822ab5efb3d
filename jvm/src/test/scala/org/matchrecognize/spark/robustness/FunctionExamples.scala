package org.matchrecognize.spark.robustness

import scala.util.Random
import scala.util.matching.Regex

import org.apache.spark.sql.catalyst.analysis.FunctionRegistry

/** The examples that Spark's functions document. */
private[robustness] object FunctionExamples {

  /** They ask for the time, the session or the world outside, or wait. */
  private val changing =
    """(?i)\b(now|current_\w+|localtime|localtimestamp|unix_timestamp|curdate|uuid|java_method|reflect|
      |try_reflect|aes_encrypt|sleep|version|input_file\w*|session_user|user|rand\w*|uniform|shuffle)\b""".stripMargin
      .replace("\n", "")
      .r

  lazy val all: Seq[String] = for {
    id      <- FunctionRegistry.builtin.listFunction().sortBy(_.funcName)
    info    <- FunctionRegistry.builtin.lookupFunction(id).toSeq
    example <- "> SELECT (.*);".r.findAllMatchIn(info.getExamples).map(_.group(1)).toSeq
    if !example.matches("(?is).*\\b(from|select|over)\\b.*")
    if changing.findFirstIn(example).isEmpty
  } yield example

  private val literal =
    """(?<![\w.'])'(?:[^'\\]|\\.)*'(?!')|(?<![\w.'])\d+(?:\.\d+)?(?![\w.'])""".r

  private val typed = "(?i).*\\b(date|timestamp|timestamp_ntz|timestamp_ltz|interval|time|x)\\s*$"

  /** The literals of an example that columns can stand for. */
  def literals(example: String): Vector[String] = matches(example).map(_.matched)

  private def matches(example: String): Vector[Regex.Match] =
    literal.findAllMatchIn(example).filterNot(m => example.take(m.start).matches(typed)).toVector

  /** The example with other expressions in the place of some of these literals. */
  def replace(example: String, by: Int => Option[String]): String = {
    val found = matches(example)
    val ends  = 0 +: found.map(_.end)
    found.zipWithIndex.map { case (m, j) =>
      example.substring(ends(j), m.start) + by(j).getOrElse(m.matched)
    }.mkString + example.substring(ends.last)
  }

  /** The example with columns in the place of some literals, and those literals. */
  def withColumns(
      example: String,
      random: Random): (Int => (String => String) => String, Seq[String]) = {
    val found  = literals(example)
    val chosen = found.indices.filter(_ => random.nextInt(4) > 0)
    val text   = (i: Int) =>
      (column: String => String) =>
        replace(
          example,
          j => Some(chosen.indexOf(j)).filter(_ >= 0).map(k => column(s"p${i}_$k")))
    // Integers of several widths, so that Spark casts arrays and structs of them.
    val values = chosen.map(found).map {
      case number if number.forall(_.isDigit) && random.nextInt(4) == 0 => s"${number}L"
      case other                                                        => other
    }
    (text, values)
  }
}
