package org.matchrecognize.spark.errors

import org.apache.spark.sql.matchrecognize.ErrorsRegistration

/** Every error condition of ours. A condition is declared in the object of its stage. */
object ErrorCatalogue {

  /** All of them, by stage. */
  val all: Seq[ErrorCondition] =
    Seq(
      ClauseErrors,
      PatternErrors,
      VariableErrors,
      FunctionErrors,
      AnalysisErrors,
      DialectErrors,
      RuntimeErrors).flatMap(_.all)

  /**
   * True where Spark's own reader of error conditions knows ours, so that PySpark's
   * `e.getMessage()`, which reads the text there, gives our text. Our exceptions never rely on it:
   * they carry their message.
   */
  lazy val registered: Boolean = ErrorsRegistration.register(ErrorResource.inFormOfSpark)

  /** Makes our conditions known to Spark's reader, once in a JVM. Harmless where it cannot. */
  def register(): Unit = {
    val _ = registered
  }
}
