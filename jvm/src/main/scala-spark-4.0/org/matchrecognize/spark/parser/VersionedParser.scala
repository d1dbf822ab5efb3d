package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.execution.SparkSqlParser
import org.apache.spark.sql.types.StructType

/** What Spark 4.0 asks of a parser beyond 3.5. Parameters are bound in the plan. */
private[parser] abstract class VersionedParser(delegate: ParserInterface) extends SparkSqlParser {

  /** True if the statement holds a clause. */
  protected def hasClause(sqlText: String): Boolean

  /** Runs `body`, and explains Spark's syntax errors where a clause was meant. */
  protected def explained[T](sqlText: String)(body: => T): T

  /** The statement with its variables `${x}` replaced. */
  protected def substituted(sqlText: String): String

  override def parseRoutineParam(sqlText: String): StructType =
    delegate.parseRoutineParam(sqlText)
}
