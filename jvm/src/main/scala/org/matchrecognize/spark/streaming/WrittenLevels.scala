package org.matchrecognize.spark.streaming

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

/**
 * What the state of a query holds. A micro-batch knows only by how much that changes, so the query
 * remembers it while it runs, and its checkpoint for the next run. There two files take turns:
 * Spark may run the last micro-batch again.
 */
private[streaming] object WrittenLevels {

  /** What a query that runs held after a micro-batch, once that has ended. */
  final private case class Remembered(run: UUID, batch: Long, levels: () => Option[Levels])

  /** By the folder of the clause. */
  private val remembered = new ConcurrentHashMap[String, Remembered]

  /** Remembers what the state holds after a micro-batch. */
  def remember(folder: ClauseFolder, batch: Long, levels: () => Option[Levels]): Unit =
    remembered.put(folder.path, Remembered(folder.run, batch, levels))

  /** Before a micro-batch; None if Spark ended before it had reported the one before. */
  def read(folder: ClauseFolder, batch: Long): Option[Levels] =
    if (batch == 0) Some(Levels.none)
    else
      Option(remembered.get(folder.path)) match {
        case Some(last) if last.run == folder.run && last.batch == batch => last.levels()
        case _ => fromFile(folder, batch)
      }

  private def fromFile(folder: ClauseFolder, batch: Long): Option[Levels] =
    folder.read(nameOf(batch)).filter(_("batch") == batch.toString).map { of =>
      Levels(
        of("waitingRows").toLong,
        of("retainedRows").toLong,
        of("partialMatches").toLong,
        of("waitingForNext").toLong)
    }

  def write(folder: ClauseFolder, batch: Long, levels: Levels): Unit =
    folder.write(
      nameOf(batch),
      Map(
        "batch"          -> batch.toString,
        "waitingRows"    -> levels.waitingRows.toString,
        "retainedRows"   -> levels.retainedRows.toString,
        "partialMatches" -> levels.partialMatches.toString,
        "waitingForNext" -> levels.waitingForNext.toString
      )
    )

  private def nameOf(batch: Long): String = s"levels_${batch % 2}"
}
