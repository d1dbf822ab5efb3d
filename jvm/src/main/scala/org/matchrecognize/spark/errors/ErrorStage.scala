package org.matchrecognize.spark.errors

/** The conditions of one stage: its object names each of them. */
abstract class ErrorStage {

  private val declared = Seq.newBuilder[ErrorCondition]

  /** Names a condition that error-conditions.json has an entry for. */
  protected def condition(name: String): ErrorCondition = {
    val named = ErrorCondition(name)
    declared += named
    named
  }

  /** The conditions, as declared. */
  def all: Seq[ErrorCondition] = declared.result()
}
