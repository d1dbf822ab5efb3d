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
    "The clause"             -> ClauseErrors.all,
    "PATTERN"                -> PatternErrors.all,
    "Variables"              -> VariableErrors.all,
    "Functions"              -> FunctionErrors.all,
    "Meaning"                -> AnalysisErrors.all,
    "The flink dialect"      -> DialectErrors.all,
    "While rows are matched" -> RuntimeErrors.all
  )

  lazy val text: String =
    s"""# Errors
       |
       |<!-- Generated: $regenerate -->
       |
       |Every misuse of the clause has a condition of its own. `e.getCondition()`, `e.getSqlState()`,
       |`e.getMessage()` and `e.getQueryContext()` tell it to a program; a person reads the message,
       |with the text that it is about underlined. Words in *italics* stand for what the statement says.
       |
       |The examples are over
       |
       |```sql
       |${ErrorExamples.table}
       |```
       |
       |and `ErrorExamplesSuite` runs each. `${ErrorExamples.stream}` is a streaming table,
       |`${ErrorExamples.pythonAggregate}` a pandas UDF that aggregates.
       |""".stripMargin + stages.map { case (title, conditions) =>
      s"\n## $title\n\n| Condition | SQLSTATE | Message | Example | Underlined |\n|---|---|---|---|---|\n" +
        conditions.map(row).mkString
    }.mkString

  private def row(condition: ErrorCondition): String = {
    val cells = ErrorExamples.all.find(_.condition == condition) match {
      case Some(example) =>
        Seq(code(example.shown.getOrElse(example.sql)) + where(example), code(example.underlined))
      case None => Seq("", "")
    }
    (Seq(code(condition.condition), condition.sqlState, prose(condition.message)) ++ cells)
      .mkString("| ", " | ", " |\n")
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

  /** Within a table a bar is escaped in code, too. */
  private def code(text: String): String = s"`${text.replace("|", "\\|")}`"

  private def prose(message: String): String =
    "<([a-zA-Z]+)>".r
      .replaceAllIn(
        message.replaceAll("([\\\\`*\\[\\]|])", "\\\\$1"),
        found => s"*${found.group(1)}*")
}
