package org.matchrecognize.spark.errors

import java.net.URL

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.ObjectNode

/**
 * One error condition of ours: `MATCH_RECOGNIZE.<name>`. Its entry in error-conditions.json says
 * what is wrong and what to write instead, and has the SQLSTATE.
 *
 * @param name
 *   the part after the dot, upper case
 */
final case class ErrorCondition(name: String) {

  def condition: String = s"${ErrorResource.Main}.$name"

  def sqlState: String = ErrorResource(name).sqlState

  /** The message with its values, as Spark shows messages: condition, text, SQLSTATE. */
  def format(values: Map[String, String]): String = {
    val text = ErrorCondition.placeholder.replaceAllIn(
      ErrorResource(name).message,
      found =>
        java.util.regex.Matcher
          .quoteReplacement(values.getOrElse(found.group(1), found.matched)))
    s"[$condition] $text SQLSTATE: $sqlState"
  }
}

object ErrorCondition {

  /** The same shape that Spark's reader looks for, so that both read a message alike. */
  private[errors] val placeholder = "<([a-zA-Z0-9_-]+)>".r
}

/**
 * Reads error-conditions.json. It has the form of Spark's file of that name, and for each
 * subcondition the field `fix`: what to write instead.
 *
 * The text of the main condition is empty: Spark's reader puts it before the text of each
 * subcondition. Our exceptions take their text from here, not from Spark's reader, which
 * takes no SQLSTATE of a subcondition before Spark 4.3.
 */
private[errors] object ErrorResource {

  /**
   * @param problem
   *   what is wrong
   * @param fix
   *   what to write instead
   */
  final case class Entry(problem: String, fix: String, sqlState: String) {
    def message: String = s"$problem $fix"
  }

  /** The main condition, which is the part of each name before the dot. */
  val Main = "MATCH_RECOGNIZE"

  private val url: URL = getClass.getResource("/org/matchrecognize/spark/error-conditions.json")

  private def read(): JsonNode = new ObjectMapper().readTree(url.openStream())

  private def conditions(root: JsonNode): Seq[(String, JsonNode)] =
    root
      .get(Main)
      .get("subClass")
      .properties
      .asScala
      .toSeq
      .map(field => field.getKey -> field.getValue)

  /** The entries by name, in the order of the file. */
  lazy val entries: Seq[(String, Entry)] =
    conditions(read()).map { case (name, json) => name -> entry(json) }

  private lazy val byName = entries.toMap

  def apply(name: String): Entry = byName(name)

  /** The file in the form of Spark's: what to write is a part of the message. */
  def inFormOfSpark: String = {
    val root = read()
    conditions(root).foreach {
      case (_, json: ObjectNode) =>
        val message = entry(json).message
        json.remove("fix")
        json.putArray("message").add(message)
      case (name, other) => throw new IllegalStateException(s"$name is $other")
    }
    root.toString
  }

  private def entry(json: JsonNode): Entry =
    Entry(text(json, "message"), text(json, "fix"), json.get("sqlState").asText)

  /** Joins the lines of a text as Spark's reader does. */
  private def text(json: JsonNode, field: String): String =
    json.get(field).elements.asScala.map(_.asText).mkString("\n")
}
