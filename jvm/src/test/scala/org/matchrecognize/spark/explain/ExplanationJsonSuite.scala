package org.matchrecognize.spark.explain

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

import org.matchrecognize.spark.SparkSuite

/** EXPLAIN MATCH_RECOGNIZE AS JSON: the values of an explanation whose tests are counted by hand. */
class ExplanationJsonSuite extends SparkSuite {

  // Rows 1 and 2 of X fall; row 3 is equal. Y has one row.
  private val query =
    "SELECT * FROM VALUES (1, 'X', 10), (2, 'X', 9), (3, 'X', 9), (4, 'Y', 5) " +
      "AS ticks(id, symbol, price) MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY id " +
      "MEASURES 1 AS a PATTERN (A DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))"

  private def json(words: String): JsonNode = {
    val rows = spark.sql(s"EXPLAIN MATCH_RECOGNIZE $words $query").collect()
    assert(rows.length == 1)
    new ObjectMapper().readTree(rows.head.getString(0))
  }

  test("values and words") {
    val found                 = json("AS JSON")
    def number(name: String)  = found.get(name).asInt
    def texts(name: String)   = found.get(name).elements.asScala.map(_.asText).toSeq
    def objects(name: String) = found.get(name).elements.asScala.map(_.toString).toSeq
    val names                 = Seq("rows", "partitions", "searched_rows", "searched_partitions")
    assert(names.map(number) == Seq(4, 2, 4, 2))
    assert(Seq("matches", "empty_matches", "timed_out_matches").map(number) == Seq(0, 0, 0))
    assert(found.get("failure").isNull)
    assert(
      objects("first_partitions") == Seq(
        """{"keys":"symbol = 'X'","rows":3,"searched_rows":3,"matches":0,"timed_out_matches":0}""",
        """{"keys":"symbol = 'Y'","rows":1,"searched_rows":1,"matches":0,"timed_out_matches":0}"""
      ))
    // DOWN is tested at rows 2 and 3, UP at row 3.
    assert(
      objects("conditions") == Seq(
        """{"variable":"A","condition":null,"tested":4,"true":4,"false":0,"null":0,"mapped":0}""",
        """{"variable":"DOWN","condition":"price < PREV(price)",""" +
          """"tested":2,"true":1,"false":1,"null":0,"mapped":0}""",
        """{"variable":"UP","condition":"price > PREV(price)",""" +
          """"tested":1,"true":0,"false":1,"null":0,"mapped":0}"""
      ))
    assert(
      texts("causes") == Seq(
        "price > PREV(price) is false if both are equal. With >=, there is 1 match."))
    assert(texts("hints").take(1) == texts("causes"))
    assert(texts("furthest").take(3).last == "  DOWN: row 2")
    val lines = spark.sql(s"EXPLAIN MATCH_RECOGNIZE $query").collect().map(_.getString(0)).toSeq
    assert(texts("lines") == lines)
  }

  test("the words in any case, and over lines") {
    assert(json("as\n  json") == json("AS JSON"))
  }
}
