package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.{
  ParserInterface,
  SqlStatementSplitResult,
  TemporalIdentifier
}

import org.matchrecognize.spark.parser.hiding.ClauseFinder

/** What Spark 4.3 asks of a parser beyond 4.2: temporal names, and to cut scripts into statements. */
abstract private[parser] class VersionedParser(delegate: ParserInterface)
    extends ParameterizedParser(delegate) {

  override def parseTemporalTableIdentifier(sqlText: String): TemporalIdentifier =
    delegate.parseTemporalTableIdentifier(sqlText)

  override def splitStatements(sqlText: String): SqlStatementSplitResult =
    if (ClauseFinder.mayBeIn(sqlText)) StatementCuts.split(sqlText, delegate.splitStatements)
    else delegate.splitStatements(sqlText)
}
