package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.execution.SparkSqlParser
import org.apache.spark.sql.types.StructType

/** What Spark 4.0 asks of a parser beyond 3.5. Parameters are bound in the plan. */
private[parser] abstract class VersionedParser(delegate: ParserInterface) extends SparkSqlParser {

  override def parseRoutineParam(sqlText: String): StructType =
    delegate.parseRoutineParam(sqlText)
}
