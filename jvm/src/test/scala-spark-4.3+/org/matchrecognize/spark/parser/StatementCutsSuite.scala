package org.matchrecognize.spark.parser

/** Scripts are cut into statements as they would be without the clause. */
class StatementCutsSuite extends ParserTest {

  private def cut(script: String): Seq[String] = {
    val result = parser.splitStatements(script)
    result.completeStatements.map(_.statement) ++
      Some(result.partialStatement).filter(_.nonEmpty)
  }

  private val query = s"SELECT * FROM t x $clause AS m"

  test("a block is one statement") {
    val block = s"BEGIN\n  $query;\n  SELECT 2;\nEND"
    assert(cut(s"$block; SELECT 3;") == Seq(block, "SELECT 3"))
  }

  test("statements with and without the clause") {
    assert(
      cut(s"SELECT 1; $query; SELECT * FROM t $clause; SELECT 2") ==
        Seq("SELECT 1", query, s"SELECT * FROM t $clause", "SELECT 2"))
  }

  test("text outside the basic plane, comments and semicolons in strings") {
    val odd = s"SELECT '😀;' FROM t /* ; */ $clause m -- ;\n WHERE x = ';'"
    assert(cut(s"$odd; SELECT 2;") == Seq(odd, "SELECT 2"))
  }

  test("a clause that is not closed yet is partial") {
    val half = "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A"
    assert(cut(s"SELECT 1; $half") == Seq("SELECT 1", half))
  }
}
