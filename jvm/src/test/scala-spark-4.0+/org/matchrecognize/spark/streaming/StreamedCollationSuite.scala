package org.matchrecognize.spark.streaming

import org.matchrecognize.spark.SparkSuite

/** Partition keys over a stream are compared by their collation, as over a table. */
class StreamedCollationSuite extends SparkSuite {
  override protected def settings: Map[String, String] = Map(
    "spark.sql.session.timeZone" -> "UTC")

  private def row(k: String, o: Int): Map[String, Any] = Map("k" -> k, "o" -> o)

  for ((kind, key) <- Seq(
      "a string" -> "k",
      "a struct" -> "named_struct('n', 1, 'k', k)",
      "an array" -> "array(k, 'x')"
    ))
    test(s"equal strings of a collation are one key, in $kind") {
      val run = new StreamRun(spark, "k STRING, o INT", "timestamp_seconds(o)", "0 seconds")
      run.add(Seq(row("a", 1), row("b", 1)))
      run.add(Seq(row("A", 2), row("c", 9)))
      run.createViews("ticks", "table_of_ticks")
      def sql(table: String) =
        s"""SELECT n, last FROM (SELECT $key AS key, text, o, t FROM
           |    (SELECT k COLLATE UTF8_LCASE AS k, k AS text, o, t FROM $table))
           |MATCH_RECOGNIZE (PARTITION BY key ORDER BY t
           |  MEASURES COUNT(*) AS n, LAST(text) AS last PATTERN (X Y) DEFINE Y AS o = 2)""".stripMargin
      assert(run.run(sql("ticks"))._1.flatten == Seq(Seq[Any](2L, "A")))
      assert(values(spark.sql(sql("table_of_ticks"))) == Seq(Seq[Any](2L, "A")))
    }
}
