package org.matchrecognize.spark.parser.tokens

import org.antlr.v4.runtime.Token

/** A token that this parser puts in the place of one of Spark's, for what it carries. */
private[parser] trait OwnToken extends Token
