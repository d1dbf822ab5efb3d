package org.matchrecognize.spark.reference

/** What answers a statement; Spark SQL behind an adapter. */
trait QueryEngine {

  /** Makes rows of [[RandomTables]] readable as a view. */
  def register(view: String, rows: Seq[Map[String, Any]]): Unit

  /**
   * The rows of a statement, in the order of its columns, or the condition of the error that it
   * raises; by the name of each way that the engine runs it. All have to be right.
   *
   * @param nextRowOnInvalidSkip
   *   spark.sql.matchRecognize.invalidSkip is nextRow, else error
   */
  def answers(
      sql: String,
      nextRowOnInvalidSkip: Boolean): Seq[(String, Either[String, Seq[Seq[Any]]])]
}
