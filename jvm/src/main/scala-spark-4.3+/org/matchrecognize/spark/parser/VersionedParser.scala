package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.{
  ParameterContext,
  ParserInterface,
  SqlStatementSplitResult,
  TemporalIdentifier
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkSqlParser
import org.apache.spark.sql.types.StructType

/** What Spark 4.3 asks of a parser beyond 4.2: temporal names, and to cut scripts into statements. */
abstract private[parser] class VersionedParser(delegate: ParserInterface)
    extends SparkSqlParser
    with ParameterSubstitution {

  override def parseRoutineParam(sqlText: String): StructType =
    delegate.parseRoutineParam(sqlText)

  override def parsePlanWithParameters(
      sqlText: String,
      parameters: ParameterContext): LogicalPlan =
    if (hasClause(sqlText)) parseSubstituted(sqlText, parameters)
    else delegate.parsePlanWithParameters(sqlText, parameters)

  override def parseTemporalTableIdentifier(sqlText: String): TemporalIdentifier =
    delegate.parseTemporalTableIdentifier(sqlText)

  override def splitStatements(sqlText: String): SqlStatementSplitResult =
    if (ClauseFinder.mayBeIn(sqlText)) StatementCuts.split(sqlText, delegate.splitStatements)
    else delegate.splitStatements(sqlText)
}
