package org.matchrecognize.spark.execution.fused

/** The parts of a one-pass search. */
final private[execution] case class OnePassPlan(
    spec: OnePassSpec,
    banks: Int,
    layout: OnePassLayout) {

  /** The sizes of an [[OnePassState]], in the order of its constructor. */
  def stateSizes: Seq[Int] = Seq(
    banks,
    layout.matched.numberCount,
    layout.matched.objectCount,
    layout.lookBack,
    layout.earlier.numberCount,
    layout.earlier.objectCount,
    layout.keys.numberCount,
    layout.keys.objectCount
  )

  /** The approximate memory of a state with its key: an object counts as 32 characters. */
  def stateBytes: Long = {
    val numbers = banks * (layout.matched.numberCount + 2) +
      layout.lookBack * (layout.earlier.numberCount + 1) + layout.keys.numberCount
    val objects = banks * layout.matched.objectCount +
      layout.lookBack * layout.earlier.objectCount + 2 * layout.keys.objectCount
    400L + 8L * numbers + 80L * objects
  }
}
