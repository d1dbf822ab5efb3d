package org.matchrecognize.spark.optimizer

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.logical.MatchRecognize
import org.matchrecognize.spark.reference.RandomSeed

/**
 * Limits on keys of all types, in all orders: the rows are the same whether rows out of reach are
 * left out or not.
 */
class KeyTypesSuite extends SparkSuite {

  /** n is 0 to 12, each twice, and NULL twice. */
  private val input = "(SELECT id, IF(id >= 26, NULL, CAST(id div 2 AS INT)) AS n, " +
    "CAST(pmod(hash(id), 5) AS INT) AS x FROM range(28))"

  /**
   * @param key
   *   of n
   * @param constants
   *   to hold it against
   * @param within
   *   bounds, none for a type that WITHIN does not take
   * @param isLimited
   *   whether rows are left out
   */
  private case class KeyType(
      key: String,
      constants: Seq[String],
      within: Seq[String] = Nil,
      isLimited: Boolean = true)

  private def whole(name: String) =
    KeyType(s"CAST(n - 4 AS $name)", Seq("0", "-2", "5"), Seq("0", "1", "2.5", "9"))

  // 30 December 2011 is missing in Apia, and its clocks are turned by an hour twice a year.
  private val day  = "date_add(DATE'2011-12-24', n)"
  private val days = Seq("0", "1", "2").map(n => s"INTERVAL '$n' DAY") :+ "INTERVAL '30' HOUR"

  private val types = Map(
    "INT"                   -> whole("INT"),
    "BIGINT"                -> whole("BIGINT"),
    "SMALLINT"              -> whole("SMALLINT"),
    "DECIMAL"               -> whole("DECIMAL(5, 2)"),
    "near the greatest INT" -> KeyType(
      "2147483635 + n",
      Seq("2147483640", "2147483647"),
      Seq("0", "1", "7", "8", "100")),
    "near the greatest BIGINT" -> KeyType(
      "9223372036854775795 + n",
      Seq("9223372036854775800", "9223372036854775807"),
      Seq("0", "1", "7", "8", "100")),
    "DATE" -> KeyType(day, Seq("DATE'2011-12-28'", "DATE'2011-12-29'", "DATE'2011-12-30'"), days),
    "TIMESTAMP" -> KeyType(
      "timestamp_micros(1325152800000000 + n * 21600000000)",
      Seq("TIMESTAMP'2011-12-29 12:00:00'", "TIMESTAMP'2011-12-31 00:00:00'"),
      days :+ "INTERVAL '0' SECOND"
    ),
    "TIMESTAMP_NTZ" -> KeyType(
      s"CAST($day AS TIMESTAMP_NTZ)",
      Seq("TIMESTAMP_NTZ'2011-12-28 00:00:00'", "TIMESTAMP_NTZ'2011-12-29 12:00:00'"),
      days),
    "STRING"  -> KeyType("IF(n = 3, '', char(65 + n))", Seq("'C'", "'Ja'")),
    "BINARY"  -> KeyType("CAST(char(65 + n) AS BINARY)", Seq("X'43'", "X'4A41'")),
    "BOOLEAN" -> KeyType("n > 5", Seq("TRUE", "FALSE")),
    "DOUBLE"  -> KeyType(
      "CASE n WHEN 0 THEN DOUBLE('NaN') WHEN 1 THEN -0.0D ELSE n - 2D END",
      Seq("0D", "-0.0D", "3D", "DOUBLE('NaN')", "DOUBLE('Infinity')"),
      Seq("0", "1.5", "9"),
      isLimited = false
    )
  )

  private val orders =
    Seq("k", "k NULLS LAST", "k DESC", "k DESC NULLS FIRST", "k, x DESC", "k NULLS LAST, x")

  for ((name, keyType) <- types)
    test(s"limits on a key of type $name") {
      val random                 = RandomSeed(name.hashCode.toLong, "limits")
      def pick[T](of: Seq[T]): T = of(random.nextInt(of.size))
      def drawn(): String        = {
        val order  = pick(orders)
        val within =
          if (keyType.within.isEmpty || order.contains("DESC N") || order == "k DESC") ""
          else pick(keyType.within.map(w => s"WITHIN $w"))
        val constant = pick(keyType.constants)
        val limit    = pick(
          Seq("<", "<=", ">", ">=").map(o => s"k $o $constant") ++
            Seq("<", ">=").map(o => s"$constant $o A.k"))
        s"""SELECT * FROM (SELECT ${keyType.key} AS k, id, x FROM $input) MATCH_RECOGNIZE (
           |  PARTITION BY id % 2 AS p ORDER BY $order, id
           |  MEASURES FIRST(id) AS f, LAST(id) AS l, COUNT(*) AS n,
           |    ${pick(Seq("A.x", "A.x", "PREV(A.x)", "NEXT(FINAL LAST(x))"))} AS a
           |  ${pick(Seq("AFTER MATCH SKIP TO NEXT ROW", ""))}
           |  PATTERN (${pick(Seq("A B*", "A+ B", "A B{1,3}? C", "A B* $", "A (^ | B)"))}) $within
           |  DEFINE A AS $limit, B AS x ${pick(Seq("<>", ">"))} PREV(x))""".stripMargin
      }
      var (queries, leftOut, found) = (0, 0, 0)
      def isEnough                  = found > 5 && (leftOut > 0 || !keyType.isLimited)
      withSettings("spark.sql.session.timeZone" -> "Pacific/Apia") {
        while (queries < 4 || !isEnough && queries < 40) {
          val sql   = drawn()
          val rule  = LeaveOutRowsOutOfReach.ruleName
          val all   = withSettings("spark.sql.optimizer.excludedRules" -> rule)(rows(sql))
          val frame = spark.sql(sql)
          assert(values(frame).toSet == all.toSet, sql)
          queries += 1
          found += all.size
          if (frame.queryExecution.optimizedPlan.exists {
              case m: MatchRecognize => m.pushed.rows.nonEmpty
              case _                 => false
            }) leftOut += 1
        }
      }
      info(s"rows left out in $leftOut of $queries queries, $found rows found")
      assert(isEnough && (leftOut > 0) == keyType.isLimited)
    }
}
