package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, MapEntries, MapSort, RowOrdering}
import org.apache.spark.sql.types.MapType

/**
 * A partition key that is a map. Maps have no order, and equal ones can have their entries in
 * another one. An array of the sorted entries has neither fault.
 */
private[analysis] object MapKeys {
  def entries(key: Expression): Option[Expression] = key.dataType match {
    case map: MapType if RowOrdering.isOrderable(map.keyType) => Some(MapEntries(MapSort(key)))
    case _                                                    => None
  }
}
