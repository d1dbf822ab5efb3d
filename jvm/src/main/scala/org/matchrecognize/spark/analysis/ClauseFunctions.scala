package org.matchrecognize.spark.analysis

private[analysis] object ClauseFunctions {

  /** The functions of the clause that can be called without arguments. */
  val withoutArguments: Seq[String] = Seq(
    "CLASSIFIER",
    "MATCH_NUMBER",
    "MATCH_SEQUENCE_NUMBER",
    "MATCH_TIMED_OUT",
    "MATCH_ROWTIME",
    "MATCH_PROCTIME")
}
