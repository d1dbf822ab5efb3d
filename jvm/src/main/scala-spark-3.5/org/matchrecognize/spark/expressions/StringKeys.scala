package org.matchrecognize.spark.expressions

import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

/** Numbers in the order of strings: their first eight bytes. */
private[spark] object StringKeys {
  def exist(dataType: StringType): Boolean = dataType == StringType

  def key(s: UTF8String, dataType: StringType): Long = s.getPrefix ^ Long.MinValue
}
