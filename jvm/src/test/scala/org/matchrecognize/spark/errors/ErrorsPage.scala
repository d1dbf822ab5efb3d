package org.matchrecognize.spark.errors

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}

/** Writes docs/errors.md: build/sbt "jvm/Test/runMain org.matchrecognize.spark.errors.ErrorsPage" */
object ErrorsPage {

  /** Tests and mains start in the checkout. */
  val file: Path = Paths.get("docs", "errors.md")

  val regenerate = "build/sbt \"jvm/Test/runMain org.matchrecognize.spark.errors.ErrorsPage\""

  def main(otherFile: Array[String]): Unit = {
    Files.write(otherFile.headOption.fold(file)(Paths.get(_)), text.getBytes(UTF_8))
    ()
  }

  private val stages: Seq[(String, Seq[ErrorCondition])] = Seq(
    "Clause"        -> ClauseErrors.all,
    "Pattern"       -> PatternErrors.all,
    "Variables"     -> VariableErrors.all,
    "Functions"     -> FunctionErrors.all,
    "Analysis"      -> AnalysisErrors.all,
    "Flink dialect" -> DialectErrors.all,
    "Run time"      -> RuntimeErrors.all
  )

  lazy val text: String =
    s"""# Errors
       |
       |<!-- Generated: $regenerate -->
       |
       |Each error of the clause has a condition, `MATCH_RECOGNIZE.<NAME>`, and an SQLSTATE.
       |This page lists every condition under its name, with its message, what to write instead,
       |and a statement that raises it. Words in *italics* are replaced by parts of your statement,
       |or by words that depend on it.
       |
       |The message underlines the text at fault. A program reads the parts of an error from
       |`e.getCondition()` (`e.getErrorClass()` in PySpark 3.5), `e.getSqlState()`,
       |`e.getMessage()` and `e.getQueryContext()`.
       |
       |The examples read this view:
       |
       |```sql
       |${ErrorExamples.table}
       |```
       |
       |`${ErrorExamples.stream}` is a streaming table with a watermark on `timestamp`, and
       |`${ErrorExamples.unmarkedStream}` is one without. `${ErrorExamples.pythonAggregate}` is a pandas UDF that
       |aggregates. `ErrorExamplesSuite` runs each example.
       |""".stripMargin + stages.map { case (title, conditions) =>
      s"\n## $title\n" + conditions.map(entry).mkString
    }.mkString

  /** One heading per condition: the site's search ranks the text of headings highest. */
  private def entry(condition: ErrorCondition): String = {
    val paragraphs =
      Seq(
        s"### ${condition.name}",
        s"${code(condition.condition)}, SQLSTATE ${condition.sqlState}",
        wrapped(s"**Message**: ${prose(ErrorResource(condition.name).problem)}"),
        fix(condition)
      ) ++
        ErrorExamples.all.find(_.condition == condition).toSeq.flatMap { example =>
          Seq(
            s"**Example**${where(example)}:",
            s"```sql\n${statement(example.shown.getOrElse(example.sql))}\n```",
            s"**Underlined**: ${code(example.underlined)}")
        } ++
        phrases(condition)
    paragraphs.mkString("\n", "\n\n", "\n")
  }

  /** The values of phrases in the example. A fix that is one is shown in its place. */
  private def phrases(condition: ErrorCondition): Seq[String] =
    ErrorExamples.phrases.getOrElse(condition, Map.empty).toSeq.sorted.collect {
      case (name, value) if ErrorResource(condition.name).fix != s"<$name>" =>
        wrapped(s"**In the example**, *$name* is: ${prose(value)}")
    }

  private def fix(condition: ErrorCondition): String = {
    val inExample = ErrorExamples.phrases
      .getOrElse(condition, Map.empty)
      .collectFirst {
        case (name, value) if ErrorResource(condition.name).fix == s"<$name>" => value
      }
    inExample match {
      case Some(text) => wrapped(s"**What to write**, in the example: ${prose(text)}")
      case None => wrapped(s"**What to write**: ${prose(ErrorResource(condition.name).fix)}")
    }
  }

  /** What must be set for the example. */
  private def where(example: ErrorExample): String = {
    val values = example.arguments.map { case (name, value) => s":$name = $value" } ++
      example.settings.map { case (key, value) => s"$key = $value" }
    val version =
      if (example.since > 305)
        Seq(s" from Spark ${example.since / 100}.${example.since % 100} on")
      else Nil
    values.map(value => s", with ${code(value)}").mkString + version.mkString
  }

  /** The columns that a block of code has on the site (tests/python/project/test_pages.py). */
  private val codeColumns = 84

  /** What begins a line of a statement that is too long for one. */
  private val parts =
    "(PARTITION|ORDER|MEASURES|ONE|ALL|AFTER|PATTERN|SUBSET|DEFINE|MATCH_RECOGNIZE)\\b.*"

  /** A statement in lines, each part of the clause whole where it fits. */
  private def statement(sql: String): String =
    if (sql.length <= codeColumns) sql
    else {
      // A part goes up to the blank before the next one.
      val pieces = sql
        .split(' ')
        .foldLeft(Vector.empty[String]) { (done, word) =>
          if (done.isEmpty || word.matches(parts)) done :+ word
          else done.init :+ s"${done.last} $word"
        }
      filled(pieces, "\n  ", codeColumns)
    }

  /** Prose in lines. No line begins with what Markdown takes for a list or a quotation. */
  private def wrapped(text: String): String = {
    val words = text
      .split(' ')
      .foldLeft(Vector.empty[String]) { (done, word) =>
        if (done.nonEmpty && word.matches("[-+*#>|=`~{0-9].*")) done.init :+ s"${done.last} $word"
        else done :+ word
      }
    filled(words, "\n", 100)
  }

  private def filled(pieces: Seq[String], break: String, columns: Int): String =
    pieces.tail.foldLeft(pieces.head) { (text, piece) =>
      val line = text.substring(text.lastIndexOf('\n') + 1)
      if (line.length + 1 + piece.length <= columns) s"$text $piece" else s"$text$break$piece"
    }

  private def code(text: String): String = {
    val fence = if (text.contains('`')) "``" else "`"
    s"$fence$text$fence"
  }

  private def prose(message: String): String =
    "<([a-zA-Z]+)>".r
      .replaceAllIn(
        message.replaceAll("([\\\\`*\\[\\]])", "\\\\$1"),
        found => s"*${found.group(1)}*")
}
