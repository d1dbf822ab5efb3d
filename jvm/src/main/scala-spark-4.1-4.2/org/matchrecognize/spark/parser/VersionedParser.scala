package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.parser.ParserInterface

/** Spark 4.1 and 4.2 ask nothing of a parser beyond parameters. */
private[parser] abstract class VersionedParser(delegate: ParserInterface)
    extends ParameterizedParser(delegate)
