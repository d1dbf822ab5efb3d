package org.matchrecognize.spark.pattern

import org.scalatest.funsuite.AnyFunSuite

class NameIndexSuite extends AnyFunSuite {

  private val byCase: (String, String) => Boolean  = _ == _
  private val anyCase: (String, String) => Boolean = _.equalsIgnoreCase(_)

  test("the first name that is the same is found") {
    val index = NameIndex.of(Seq("a", "B", "A", "b"), anyCase)
    assert(index.find("A").contains(0) && index.find("b").contains(1))
    assert(index.find("c").isEmpty && NameIndex.of(Nil, anyCase).find("a").isEmpty)
  }

  test("names that differ in case are different where case counts") {
    val index = NameIndex.of(Seq("a", "B", "A"), byCase)
    assert(index.find("A").contains(2) && index.find("a").contains(0))
    assert(index.find("b").isEmpty)
  }

  test("characters that are the same but for their case in several ways") {
    // Both have the upper case I, and the lower case of their upper case is i.
    for ((a, b) <- Seq(
        "\u0131"       -> "I",
        "\u0130"       -> "i",
        "\u00e4"       -> "\u00c4",
        "\u03c2"       -> "\u03a3",
        "\u212a"       -> "k",
        "\u00df"       -> "SS",
        "\ud801\udc00" -> "\ud801\udc28"))
      assert(NameIndex.of(Seq(a), anyCase).find(b).isDefined == a.equalsIgnoreCase(b), s"$a $b")
  }

  test("a name is compared with those alike only") {
    def compared(n: Int): Int = {
      var count = 0
      val names = (0 until n).map(i => s"V$i")
      val index = NameIndex.of(names, (a, b) => { count += 1; a.equalsIgnoreCase(b) })
      assert(names.forall(name => index.find(name.toLowerCase).map(names).contains(name)))
      count
    }
    assert(compared(1000) == 1000 && compared(2000) == 2000)
  }
}
