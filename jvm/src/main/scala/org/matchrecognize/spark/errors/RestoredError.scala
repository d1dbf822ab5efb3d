package org.matchrecognize.spark.errors

import scala.collection.JavaConverters._

import org.apache.spark.SparkThrowable

/**
 * An error that occurred in one task and is raised in another, from a matcher's state. It has the
 * text, condition and SQLSTATE of the original. The state does not hold the original itself:
 * another version of Spark could not read the serialized object.
 *
 * @param className
 *   of the original error
 */
final class RestoredError private (
    val className: String,
    override protected val conditionName: String,
    sqlState: String,
    message: String,
    parameters: Seq[(String, String)])
    extends RuntimeException(message)
    with NamedCondition {

  override def getSqlState: String                                 = sqlState
  override def getMessageParameters: java.util.Map[String, String] = parameters.toMap.asJava
  override def toString: String = if (message == null) className else s"$className: $message"
}

object RestoredError {

  /** Returns what is kept of an error: class, condition, SQLSTATE, message, then parameters. */
  def texts(error: Throwable): Seq[String] = error match {
    case restored: RestoredError => textsOf(restored, restored.className)
    case e                       => textsOf(e, e.getClass.getName)
  }

  private def textsOf(error: Throwable, className: String): Seq[String] = {
    val (condition, sqlState, parameters) = error match {
      case e: SparkThrowable =>
        (NamedCondition.of(e), e.getSqlState, e.getMessageParameters.asScala.toSeq.sorted)
      case _ => (null, null, Nil)
    }
    Seq(className, kept(condition), kept(sqlState), kept(error.getMessage)) ++
      parameters.flatMap { case (name, value) => Seq(name, String.valueOf(value)) }
  }

  /** The error that [[texts]] was made from. */
  def of(texts: Seq[String]): RestoredError =
    new RestoredError(
      texts.head,
      restored(texts(1)),
      restored(texts(2)),
      restored(texts(3)),
      texts.drop(4).grouped(2).map(pair => pair.head -> pair(1)).toSeq)

  /** Distinguishes a missing text from an empty one. */
  private def kept(text: String): String     = if (text == null) "" else s"=$text"
  private def restored(kept: String): String = if (kept.isEmpty) null else kept.substring(1)
}
