package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.execution.SparkSqlParser

/** What a parser must do beyond Spark 3.5's interface: nothing. Parameters are bound in the plan. */
private[parser] abstract class VersionedParser(delegate: ParserInterface) extends SparkSqlParser {

  /** True if the statement holds a clause. */
  protected def hasClause(sqlText: String): Boolean

  /** Runs `body`, and explains Spark's syntax errors where a clause was meant. */
  protected def explained[T](sqlText: String)(body: => T): T

  /** The statement with its variables `${x}` replaced. */
  protected def substituted(sqlText: String): String
}
