package org.matchrecognize.spark.pattern.matching

/** Writes the slots of one state, what threads share of them once. */
trait SlotsWriter[S] {
  def write(slots: S): Unit
}

/** Reads what a [[SlotsWriter]] wrote. */
trait SlotsReader[S] {
  def read(): S
}
