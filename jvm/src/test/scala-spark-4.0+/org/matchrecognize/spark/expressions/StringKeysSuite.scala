package org.matchrecognize.spark.expressions

import scala.collection.JavaConverters._
import scala.util.{Random, Try}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.util.CollationFactory
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.robustness.Fuzz

/** Strings with different keys compare as the keys do, in each collation that has keys. */
class StringKeysSuite extends AnyFunSuite {
  import StringKeysSuite._

  private val collations: Seq[StringType] = CollationFactory
    .listCollations()
    .asScala
    .map(_.getName)
    .flatMap(name => Seq(name, name + "_RTRIM"))
    .flatMap(name => Try(StringType(name)).toOption)
    .filter(StringKeys.exist)
    .toSeq

  test("the collations that have keys") {
    val names = collations.map(c => CollationFactory.fetchCollation(c.collationId).collationName)
    assert(
      names.toSet ==
        Set("UTF8_BINARY", "UTF8_BINARY_RTRIM", "UTF8_LCASE", "UTF8_LCASE_RTRIM"))
  }

  test("random strings: different keys are in the order of the collation") {
    val (counts, seeds) = Fuzz.batches(inGate = 4, size = 10) { batch =>
      batch.map { seed =>
        val random = new Random(seed)
        (1 to 500).map { _ =>
          val (a, b)    = pair(random)
          val dataType  = collations(random.nextInt(collations.size))
          val collation = CollationFactory.fetchCollation(dataType.collationId)
          val keys      = StringKeys.key(a, dataType).compareTo(StringKeys.key(b, dataType))
          val order     = math.signum(collation.comparator.compare(a, b))
          val isEqual   = collation.equalsFunction(a, b)
          assert(isEqual == (order == 0), s"$seed: ${collation.collationName} [$a] [$b]")
          if (keys != 0) assert(keys == order, s"$seed: ${collation.collationName} [$a] [$b]")
          if (keys != 0) 1 else 0
        }.sum
      }.sum
    }
    info(s"$seeds: ${counts.sum} pairs with different keys")
    if (!Fuzz.isAsked) assert(counts.sum > 5000)
  }
}

private object StringKeysSuite {

  /** Letters whose case, accents or bytes differ, what is ignored, and what is not valid. */
  private val parts =
    ("a A b B z Z i I İ ı i̇ ß ss ẞ σ ς Σ é É é ö Ö ǆ ǅ ſ K k ﬁ ͅ ᾳ 가 日 あ ア 😀 \uffff \ue000 1 10 - _ " +
      "\u0000 \u00ad \u00a0").split(' ').toIndexedSeq :+ " " :+ "  "

  private def text(random: Random): UTF8String = {
    val size  = random.nextInt(if (random.nextInt(4) == 0) 12 else 4)
    val bytes = UTF8String
      .fromString(Seq.fill(size)(parts(random.nextInt(parts.size))).mkString)
      .getBytes
    if (bytes.nonEmpty && random.nextInt(8) == 0)
      bytes(random.nextInt(bytes.length)) = random.nextInt(256).toByte
    UTF8String.fromBytes(bytes)
  }

  /** Two strings, with a common prefix or the same but for case or blanks now and then. */
  private def pair(random: Random): (UTF8String, UTF8String) = {
    val a = text(random)
    val b = random.nextInt(6) match {
      case 0 => a.toUpperCase
      case 1 => a.toLowerCase
      case 2 => UTF8String.concat(a, UTF8String.blankString(random.nextInt(3)))
      case 3 => UTF8String.concat(a, text(random))
      case _ => text(random)
    }
    (a, b)
  }
}
