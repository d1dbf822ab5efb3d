package org.apache.spark.sql.matchrecognize

import java.io.{ByteArrayInputStream, InputStream}
import java.net.{URL, URLConnection, URLStreamHandler}
import java.util.{Arrays, Collections, LinkedHashMap}

import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.{ErrorClassesJsonReader, SparkThrowableHelper}
import org.apache.spark.internal.Logging

/**
 * Adds error conditions to those that Spark's own reader knows.
 *
 * Why here and why by reflection: `SparkThrowableHelper.errorReader` is private[spark], and it
 * offers no way to add conditions, yet PySpark's `e.getMessage()` and the JSON error formats ask
 * only it and answer INTERNAL_ERROR for a condition that it does not have. Where the field is not
 * as expected nothing changes but that one answer.
 */
object ErrorsRegistration extends Logging {

  /**
   * @param main
   *   the condition's first part, with its SQLSTATE
   * @param conditions
   *   second part, message, SQLSTATE of each condition
   * @return
   *   true if Spark's reader knows them now
   */
  def register(
      main: String,
      sqlState: String,
      conditions: Seq[(String, String, String)]): Boolean =
    // Spark 3.5 takes no SQLSTATE of a second part, and fails on what it does not know.
    Seq(true, false).exists { ownStates =>
      try {
        val reader = SparkThrowableHelper.errorReader
        // Spark's reader over our JSON: its classes differ between versions, its input does not.
        val ours =
          new ErrorClassesJsonReader(Seq(inMemory(json(main, sqlState, conditions, ownStates))))
        val field = classOf[ErrorClassesJsonReader].getDeclaredField("errorInfoMap")
        field.setAccessible(true)
        field.set(reader, reader.errorInfoMap ++ ours.errorInfoMap)
        conditions.forall { case (name, _, _) => reader.getSqlState(s"$main.$name") != null }
      } catch {
        case NonFatal(e) =>
          logDebug("Spark's reader of error conditions does not take those of MATCH_RECOGNIZE", e)
          false
      }
    }

  private def json(
      main: String,
      sqlState: String,
      conditions: Seq[(String, String, String)],
      ownStates: Boolean): Array[Byte] = {
    val parts = new LinkedHashMap[String, AnyRef]
    conditions.foreach { case (name, message, state) =>
      val part = new LinkedHashMap[String, AnyRef]
      part.put("message", Arrays.asList(message))
      if (ownStates) part.put("sqlState", state)
      parts.put(name, part)
    }
    val info = new LinkedHashMap[String, AnyRef]
    // The reader puts this text before that of the part; the part's says all.
    info.put("message", Arrays.asList(""))
    info.put("subClass", parts)
    info.put("sqlState", sqlState)
    new ObjectMapper().writeValueAsBytes(Collections.singletonMap(main, info))
  }

  /** The reader wants URLs; this one leads to memory. */
  private def inMemory(content: Array[Byte]): URL =
    new URL(
      null,
      "memory:match-recognize-error-conditions.json",
      new URLStreamHandler {
        override protected def openConnection(url: URL): URLConnection = new URLConnection(url) {
          override def connect(): Unit             = ()
          override def getInputStream: InputStream = new ByteArrayInputStream(content)
        }
      }
    )
}
