package org.matchrecognize.spark

import java.io.{ByteArrayInputStream, DataInputStream, InputStream}
import java.util.Properties

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkContext
import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}

class MatchRecognizeExtensionsSuite extends AnyFunSuite {
  import MatchRecognizeExtensionsSuite._

  test("the right jar has nothing to say, whatever the patch release or the vendor") {
    assert(wrongSpark("4.3", "2.13")("4.3.0", "2.13.18").isEmpty)
    assert(wrongSpark("4.3", "2.13")("4.3.2-SNAPSHOT", "2.13.20").isEmpty)
    assert(wrongSpark("3.5", "2.12")("3.5.1-amzn-0", "2.12.18").isEmpty)
  }

  test("on another supported Spark, the jar names the one that fits") {
    assert(
      wrongSpark("3.5", "2.12")("4.3.0", "2.13.18").contains(
        "[MATCH_RECOGNIZE.WRONG_SPARK] This jar (spark-match-recognize-spark-3.5_2.12-0.1.0.jar) " +
          "is built for Spark 3.5 (Scala 2.12), but this is Spark 4.3.0 (Scala 2.13). " +
          "Use spark-match-recognize-spark-4.3_2.13-0.1.0.jar, which " +
          "`python -m match_recognize jar` prints. SQLSTATE: 0A000"
      )
    )
  }

  test("on a Spark beyond the supported ones, the jar says that there is none yet") {
    assert(
      wrongSpark("4.3", "2.13")("4.10.0", "2.13.20").contains(
        "[MATCH_RECOGNIZE.WRONG_SPARK] This jar (spark-match-recognize-spark-4.3_2.13-0.1.0.jar) " +
          "is built for Spark 4.3 (Scala 2.13), but this is Spark 4.10.0 (Scala 2.13). " +
          "No jar of spark-match-recognize 0.1.0 is for it yet: there are jars for " +
          "Spark 3.5 with Scala 2.12, 4.3 with Scala 2.13. SQLSTATE: 0A000"
      )
    )
  }

  test("the same Spark with another Scala is another Spark") {
    val message = wrongSpark("3.5", "2.12")("3.5.9", "2.13.8").get
    assert(message.contains("but this is Spark 3.5.9 (Scala 2.13). No jar"))
  }

  test("the entry point is a class file of Java 8 and links only what every Spark has") {
    val magicMinorMajor = new DataInputStream(new ByteArrayInputStream(classFile))
    assert(magicMinorMajor.readInt() == 0xcafebabe)
    assert(magicMinorMajor.readInt() == 52)

    val loader = new OtherJar(ofAnotherSpark)
    intercept[IllegalStateException](applied(loader))
    val everySparkHas = Set(
      "org.apache.spark.sql.SparkSessionExtensions",
      "scala.Function1",
      "scala.runtime.BoxedUnit",
      // These two by reflection.
      "org.apache.spark.package",
      "scala.util.Properties"
    )
    assert(loader.linked.filterNot(_.startsWith("java.")).diff(everySparkHas).isEmpty)
  }

  test("a jar that lacks our Scala classes or build.properties says that it is incomplete") {
    val withoutClasses = intercept[IllegalStateException](
      applied(new OtherJar(ofThisSpark, hidden = "org.matchrecognize.spark.Extensions"))
    )
    assert(withoutClasses.getMessage.startsWith("[MATCH_RECOGNIZE.CANNOT_LOAD]"))
    assert(withoutClasses.getMessage.contains("ClassNotFoundException"))

    val withoutProperties = intercept[IllegalStateException](applied(new OtherJar(null)))
    assert(withoutProperties.getMessage.contains("it has no build.properties"))
  }

  test("Spark does not swallow what the wrong jar says") {
    val loader = Thread.currentThread.getContextClassLoader
    Thread.currentThread.setContextClassLoader(new OtherJar(ofAnotherSpark))
    try {
      val e = intercept[Exception] {
        SparkSession
          .builder()
          .master("local[1]")
          .config("spark.sql.extensions", entryPoint)
          .getOrCreate()
          .sql("SELECT 1")
      }
      val causes = Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).toList
      assert(causes.exists(_.getMessage.startsWith("[MATCH_RECOGNIZE.WRONG_SPARK] This jar")), e)
    } finally {
      Thread.currentThread.setContextClassLoader(loader)
      // The session was refused; its SparkContext is up, and another suite wants to start one.
      SparkContext.getOrCreate().stop()
      SparkSession.clearActiveSession()
      SparkSession.clearDefaultSession()
    }
  }
}

object MatchRecognizeExtensionsSuite {

  private val entryPoint = classOf[MatchRecognizeExtensions].getName

  private def resource(name: String): InputStream =
    classOf[MatchRecognizeExtensions].getResourceAsStream(name)

  private lazy val classFile: Array[Byte] = {
    val in = resource("MatchRecognizeExtensions.class")
    try Iterator.continually(in.read()).takeWhile(_ >= 0).map(_.toByte).toArray
    finally in.close()
  }

  private lazy val ofThisSpark: Properties = {
    val build = new Properties
    build.load(resource("build.properties"))
    build
  }

  private lazy val ofAnotherSpark = properties("3.4", "2.12")

  private def properties(sparkMinor: String, scalaBinary: String): Properties = {
    val build = new Properties
    build.setProperty("version", "0.1.0")
    build.setProperty("spark.minor", sparkMinor)
    build.setProperty("scala.binary", scalaBinary)
    build.setProperty("supported", "3.5_2.12 4.3_2.13")
    build
  }

  /** What a jar for that Spark and Scala says on this Spark and Scala. */
  private def wrongSpark(minor: String, binary: String)(spark: String, scala: String) =
    Option(
      MatchRecognizeExtensions.wrongSpark(properties(minor, binary), spark, scala).orElse(null)
    )

  private def applied(loader: ClassLoader): Unit = {
    val entry = Class.forName(entryPoint, true, loader).getConstructor().newInstance()
    entry.asInstanceOf[SparkSessionExtensions => Unit].apply(new SparkSessionExtensions)
  }

  /**
   * Stands for a jar of ours with other build properties (null: with none), and without the class
   * named `hidden`: the entry point comes from here, and all that it links passes by here.
   */
  private class OtherJar(build: Properties, hidden: String = "")
      extends ClassLoader(getClass.getClassLoader) {

    val linked: mutable.Set[String] = mutable.Set.empty

    override def loadClass(name: String, resolve: Boolean): Class[_] =
      if (name == entryPoint)
        Option(findLoadedClass(name))
          .getOrElse(defineClass(name, classFile, 0, classFile.length))
      else {
        linked += name
        if (name == hidden) throw new ClassNotFoundException(name)
        super.loadClass(name, resolve)
      }

    override def getResourceAsStream(name: String): InputStream =
      if (!name.endsWith("/build.properties")) super.getResourceAsStream(name)
      else if (build == null) null
      else {
        val text = new java.io.ByteArrayOutputStream
        build.store(text, null)
        new ByteArrayInputStream(text.toByteArray)
      }
  }
}
