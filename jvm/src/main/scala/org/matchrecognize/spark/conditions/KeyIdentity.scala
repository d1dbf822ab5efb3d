package org.matchrecognize.spark.conditions

import org.apache.spark.sql.types._

/**
 * Whether values of a type that are equal as partition keys are the same in every way: not so for
 * floating-point zeros, or for strings under a collation that ignores case.
 */
private[spark] object KeyIdentity {
  def apply(dataType: DataType): Boolean = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | DateType | TimestampType |
        TimestampNTZType | StringType | BinaryType | _: DecimalType =>
      true
    case _ => false
  }
}
