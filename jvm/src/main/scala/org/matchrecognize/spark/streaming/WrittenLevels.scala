package org.matchrecognize.spark.streaming

/**
 * What the state of a query holds, in the query's checkpoint, since a micro-batch knows only by how
 * much that changes. Two files take turns: Spark may run the last micro-batch again.
 */
private[streaming] object WrittenLevels {

  /** Before a micro-batch; None if Spark was killed before it could write them. */
  def read(folder: ClauseFolder, batch: Long): Option[Levels] =
    if (batch == 0) Some(Levels.none)
    else
      folder.read(nameOf(batch)).filter(_("batch") == batch.toString).map { of =>
        Levels(of("waitingRows").toLong, of("retainedRows").toLong, of("partialMatches").toLong)
      }

  def write(folder: ClauseFolder, batch: Long, levels: Levels): Unit =
    folder.write(
      nameOf(batch),
      Map(
        "batch"          -> batch.toString,
        "waitingRows"    -> levels.waitingRows.toString,
        "retainedRows"   -> levels.retainedRows.toString,
        "partialMatches" -> levels.partialMatches.toString
      )
    )

  private def nameOf(batch: Long): String = s"levels_${batch % 2}"
}
