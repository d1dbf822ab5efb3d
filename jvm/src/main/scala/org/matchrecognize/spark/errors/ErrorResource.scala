package org.matchrecognize.spark.errors

import java.net.URL

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

/**
 * Reads error-conditions.json, which has the form of Spark's file of that name.
 *
 * The text of the main condition is empty: Spark's reader puts it before the text of each
 * subcondition. Our exceptions take their text from here, not from Spark's reader, which
 * takes no SQLSTATE of a subcondition before Spark 4.3.
 */
private[errors] object ErrorResource {

  final case class Entry(message: String, sqlState: String)

  /** The main condition, which is the part of each name before the dot. */
  val Main = "MATCH_RECOGNIZE"

  val url: URL = getClass.getResource("/org/matchrecognize/spark/error-conditions.json")

  /** The entries by name, in the order of the file. */
  lazy val entries: Seq[(String, Entry)] =
    new ObjectMapper()
      .readTree(url.openStream())
      .get(Main)
      .get("subClass")
      .properties
      .asScala
      .toSeq
      .map(field => field.getKey -> entry(field.getValue))

  private lazy val byName = entries.toMap

  def apply(name: String): Entry = byName(name)

  /** Joins the lines of a message as Spark's reader does. */
  private def entry(json: JsonNode): Entry =
    Entry(
      json.get("message").elements.asScala.map(_.asText).mkString("\n"),
      json.get("sqlState").asText)
}
