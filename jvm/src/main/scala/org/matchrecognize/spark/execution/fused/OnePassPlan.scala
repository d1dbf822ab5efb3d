package org.matchrecognize.spark.execution.fused

/** The parts of a one-pass search. */
final private[execution] case class OnePassPlan(
    spec: OnePassSpec,
    banks: Int,
    layout: OnePassLayout) {

  def stateSizes: OnePassStateSizes = OnePassStateSizes(
    banks,
    layout.registers.bank.numberCount,
    layout.registers.bank.objectCount,
    layout.earlier.depth,
    layout.earlier.bank.numberCount,
    layout.earlier.bank.objectCount,
    layout.keys.numberCount,
    layout.keys.objectCount
  )
}

/** The sizes of an [[OnePassState]], in the order of its constructor. */
final private[execution] case class OnePassStateSizes(
    banks: Int,
    numbers: Int,
    objects: Int,
    lookBack: Int,
    earlierNumbers: Int,
    earlierObjects: Int,
    keyNumbers: Int,
    keyObjects: Int) {

  /** Called by generated code, too. */
  def newState(): OnePassState = new OnePassState(
    banks,
    numbers,
    objects,
    lookBack,
    earlierNumbers,
    earlierObjects,
    keyNumbers,
    keyObjects)
}
