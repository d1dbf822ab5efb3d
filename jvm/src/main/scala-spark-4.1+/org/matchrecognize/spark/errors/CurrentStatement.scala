package org.matchrecognize.spark.errors

import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}

/** What Spark knows of the statement that it is reading. */
private[errors] object CurrentStatement {

  /**
   * An origin without place: the view or function whose text is being read,
   * and the map to the positions that the text had before its parameters were written into it.
   * Not that of the program that called us, which would win over the text.
   */
  def origin: Origin = {
    val current = CurrentOrigin.get
    Origin(
      objectType = current.objectType,
      objectName = current.objectName,
      positionMapper = current.positionMapper)
  }
}
