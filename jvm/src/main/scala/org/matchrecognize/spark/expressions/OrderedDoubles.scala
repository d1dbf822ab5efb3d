package org.matchrecognize.spark.expressions

/** Doubles as whole numbers, in the order in which Spark compares them. */
private[spark] object OrderedDoubles {

  /** -0.0 is equal to 0.0; NaN is equal to itself and larger than all numbers. */
  def key(x: Double): Long = ofBits(java.lang.Double.doubleToLongBits(if (x == 0.0) 0.0 else x))

  /** The number with a key; each whole number between two keys is one. */
  def value(key: Long): Double = java.lang.Double.longBitsToDouble(ofBits(key))

  /** Its own inverse. */
  private def ofBits(bits: Long): Long = if (bits < 0) bits ^ Long.MaxValue else bits
}
