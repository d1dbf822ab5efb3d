package org.matchrecognize.spark.errors

import org.apache.spark.sql.matchrecognize.ErrorsRegistration

/** Every error condition of ours. A condition lives in the object of its stage. */
object ErrorCatalogue {

  /** All of them, by stage. */
  val all: Seq[ErrorCondition] =
    ClauseErrors.all ++ PatternErrors.all ++ VariableErrors.all ++ FunctionErrors.all ++
      AnalysisErrors.all ++ DialectErrors.all ++ RuntimeErrors.all

  /**
   * True where Spark's own reader of error conditions knows ours, so that PySpark's
   * `e.getMessage()`, which asks that reader, gives our text. Our exceptions never rely on it:
   * they carry their message.
   */
  lazy val registered: Boolean =
    ErrorsRegistration.register(
      ErrorCondition.Main,
      MainSqlState,
      all.map(c => (c.name, c.message, c.sqlState)))

  /** Makes our conditions known to Spark's reader, once in a JVM. Harmless where it cannot. */
  def register(): Unit = {
    val _ = registered
  }

  private val MainSqlState = "42601"
}
