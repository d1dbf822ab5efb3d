package org.matchrecognize.spark.optimizer

/** Measures that nothing uses, of a match or at all, are not computed. */
class PruneMeasuresSuite extends FilterAboveTest {

  test("measures of a match that a filter drops are not computed, nor those that nothing uses") {
    val counter = spark.sparkContext.longAccumulator
    spark.udf.register("costly", (x: Int) => { counter.add(1); x })
    val sql = where(
      clause("COUNT(*) AS n, costly(LAST(x)) AS c, LAST(o) AS l", "A+ B", "A AS x > 2", ""),
      "n > 3")
    counter.reset()
    assert(rows(sql) == Seq(Seq(4L, 1, 4)))
    assert(counter.value == 1)
    assert(node(s"SELECT l FROM ($sql)").measureOutput.map(_.name) == Seq("n", "l"))
    counter.reset()
    assert(rows(s"SELECT l FROM ($sql)") == Seq(Seq(4)) && counter.value == 0)
  }
}
