package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.execution.SparkSqlParser

/** What a parser must do beyond Spark 3.5's interface: nothing. Parameters are bound in the plan. */
private[parser] abstract class VersionedParser(delegate: ParserInterface) extends SparkSqlParser
