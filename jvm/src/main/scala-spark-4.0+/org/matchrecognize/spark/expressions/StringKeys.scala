package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.util.CollationFactory
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

/** Numbers in the order of strings: the first eight bytes of their keys in the collation. */
private[spark] object StringKeys {

  /**
   * Whether the keys of a collation have its order. Those of Spark's own collations do: Spark
   * compares their bytes. ICU's comparison and its keys can differ: in UNICODE_CI "ſS" is less than
   * "ß", but has the larger key.
   */
  def exist(dataType: StringType): Boolean =
    CollationFactory
      .fetchCollation(dataType.collationId)
      .provider == CollationFactory.PROVIDER_SPARK

  def key(s: UTF8String, dataType: StringType): Long =
    CollationFactory.getCollationKey(s, dataType.collationId).getPrefix ^ Long.MinValue
}
