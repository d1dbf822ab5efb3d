package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.{ParameterContext, ParserInterface}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkSqlParser
import org.apache.spark.sql.types.StructType

/** What Spark 4.1 and later ask of a parser beyond 4.0: parameters. */
abstract private[parser] class ParameterizedParser(delegate: ParserInterface)
    extends SparkSqlParser
    with ParameterSubstitution {

  override def parseRoutineParam(sqlText: String): StructType =
    delegate.parseRoutineParam(sqlText)

  override def parsePlanWithParameters(
      sqlText: String,
      parameters: ParameterContext): LogicalPlan =
    whole(sqlText) { statement =>
      if (hasClause(statement)) parseSubstituted(statement, parameters)
      else delegate.parsePlanWithParameters(statement, parameters)
    }

  /** Parses a statement, or that which EXPLAIN MATCH_RECOGNIZE explains. */
  protected def whole(sqlText: String)(parse: String => LogicalPlan): LogicalPlan
}
