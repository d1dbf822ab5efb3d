package org.matchrecognize.spark.execution.evaluation

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BasePredicate,
  BoundReference,
  EqualTo,
  Expression,
  Literal,
  Remainder
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.LongType

class ManyConditionsSuite extends AnyFunSuite {
  import ManyConditions.{few, testsInterpreted}

  /** A constant that counts how often it is evaluated. Generated code never evaluates it. */
  private class CountedLiteral(number: Long) extends Literal(number, LongType) {
    var asked                                  = 0
    override def eval(input: InternalRow): Any = {
      asked += 1
      super.eval(input)
    }
  }

  private val x = BoundReference(0, LongType, nullable = true)

  private def conditions(count: Int): IndexedSeq[(CountedLiteral, Expression)] =
    (0 until count).map { i =>
      val number = new CountedLiteral(i.toLong)
      number -> EqualTo(x, number)
    }

  private def predicates(all: Seq[(CountedLiteral, Expression)]): Array[BasePredicate] =
    ManyConditions.predicates(all.map(c => Some(c._2)))

  private def withSetting[T](key: String, value: String)(body: => T): T = {
    val conf = new SQLConf
    conf.setConfString(key, value)
    SQLConf.withExistingConf(conf)(body)
  }

  test("few conditions are compiled") {
    val all   = conditions(few)
    val tests = predicates(all)
    for (i <- all.indices; row <- 0 until few)
      assert(tests(i).eval(InternalRow(row.toLong)) == (i == row))
    assert(all.map(_._1.asked).sum == 0)
  }

  test("of many, each is interpreted until it has been tested often") {
    val all   = conditions(few + 1)
    val tests = predicates(all)
    for (n <- 0 until testsInterpreted + 100)
      assert(tests(3).eval(InternalRow((n % 7).toLong)) == (n % 7 == 3))
    assert(!tests(3).eval(InternalRow(null)))
    assert(tests(5).eval(InternalRow(5L)))
    assert(all.indices.forall(i =>
      all(i)._1.asked == (if (i == 3) testsInterpreted else if (i == 5) 1 else 0)))
  }

  test("none is compiled where settings say so") {
    withSetting(SQLConf.CODEGEN_FACTORY_MODE.key, "NO_CODEGEN") {
      val all   = conditions(few + 1)
      val tests = predicates(all)
      for (n <- 0 until testsInterpreted + 100) tests(0).eval(InternalRow(n.toLong))
      assert(all(0)._1.asked == testsInterpreted + 100)
    }
  }

  test("an error is that of the condition that is tested, each time") {
    val error = withSetting(SQLConf.ANSI_ENABLED.key, "true") {
      EqualTo(Remainder(Literal(1L), x), Literal(0L))
    }
    val tests =
      ManyConditions.predicates(conditions(few).map(c => Some(c._2)) :+ None :+ Some(error))
    assert(tests(few) == null)
    for (_ <- 0 until testsInterpreted + 10)
      assert(intercept[ArithmeticException](tests(few + 1).eval(InternalRow(0L))) != null)
    assert(tests(few + 1).eval(InternalRow(1L)) && tests(0).eval(InternalRow(0L)))
  }
}
