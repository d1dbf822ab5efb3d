import sbt._

import scala.sys.process.Process

/**
 * A Spark to compile against: which Scala it needs, where its jars are, and which of our source
 * folders are for it.
 */
final class Spark(val version: String) {

  /** Its first two numbers: all that its internals, and so our jars, depend on. */
  val minor: String = version.split('.').take(2).mkString(".")

  private val position: Int = Spark.position(minor)

  val scalaVersion: String = Spark.supported(position).scala

  val isNewest: Boolean   = position == Spark.supported.size - 1
  val isScala212: Boolean = scalaVersion.startsWith("2.12.")

  /** As the names of Scala's artifacts end: 2.13. */
  val scalaBinary: String = scalaVersion.split('.').take(2).mkString(".")

  /**
   * The folder with its jars, where there is one: SPARK_HOME's; for the default Spark that of the
   * pyspark in .venv, so that one download serves Scala and Python. None: Maven is to bring them.
   */
  lazy val jars: Option[File] = sys.env.get("SPARK_HOME").filter(_.nonEmpty) match {
    case Some(home)                              => Some(checked(file(home) / "jars"))
    case None if version == Spark.defaultVersion => Some(checked(jarsOfVenv()))
    case None                                    => None
  }

  private def jarsOfVenv(): File = {
    // Does nothing where .venv is up to date.
    if (Process("build/venv").! != 0) sys.error("build/venv failed")
    (file(".venv") / "lib" ** "pyspark").get.head / "jars"
  }

  private def checked(jars: File): File = {
    val core = (jars * "spark-core_*.jar").get.map(_.getName).mkString
    if (!core.endsWith(s"-$version.jar"))
      sys.error(s"-Dspark.version wants $version, but $jars (see SPARK_HOME) has [$core]")
    jars
  }

  /**
   * The folders next to `scala` with sources for this Spark: `scala-spark-4.1` is for that one,
   * `scala-spark-4.1+` from it on, `scala-spark-3.5-4.0` from the first to the last.
   */
  def sourceFolders(base: File): Seq[File] = {
    val number              = """(\d+\.\d+)"""
    val (only, from, range) = (number.r, s"$number\\+".r, s"$number-$number".r)
    (base * "scala-spark-*").get.sorted.filter { folder =>
      folder.getName.stripPrefix("scala-spark-") match {
        case only(a)     => position == Spark.position(a)
        case from(a)     => position >= Spark.position(a)
        case range(a, b) => position >= Spark.position(a) && position <= Spark.position(b)
        case _           => sys.error(s"$folder: the name does not say for which Spark it is")
      }
    }
  }
}

object Spark {

  /**
   * A minor version that we have a jar for.
   *
   * @param scala the Scala of Apache's release
   * @param compiled the patch release that our jar is compiled against
   */
  final case class Supported(minor: String, scala: String, compiled: String)

  /** Oldest first. */
  lazy val supported: Seq[Supported] = IO
    .readLines(file("python/match_recognize/sparks.txt"))
    .filterNot(_.startsWith("#"))
    .map(_.split("\\s+"))
    .map { case Array(minor, scala, compiled, _) => Supported(minor, scala, compiled) }

  /** The pyspark of .venv, which the Python tests run on. */
  lazy val defaultVersion: String = "(?m)^pyspark==(\\S+)".r
    .findFirstMatchIn(IO.read(file("build/requirements.txt")))
    .fold(sys.error("build/requirements.txt names no pyspark"))(_.group(1))

  /** The setting that selects another Spark for sbt: a version, or a minor one alone. */
  val setting = "spark.version"

  /** The Spark that the setting selects, or the default. */
  def chosen(): Spark = {
    val asked = sys.props.getOrElse(setting, defaultVersion)
    new Spark(supported.find(_.minor == asked).fold(asked)(_.compiled))
  }

  /** The index of a minor version among the supported ones: 3.10 would come after 3.9. */
  private def position(minor: String): Int = supported.indexWhere(_.minor == minor) match {
    case -1    => sys.error(s"Spark $minor is none of ${supported.map(_.minor).mkString(", ")}")
    case index => index
  }

  /**
   * Options for JVMs of tests with Spark, which run much code a few times: without the JVM's second
   * compiler they take a third less CPU time. The room for code is then a fifth of the usual, and
   * what is compiled is soon thrown out, if no more is given.
   */
  val testsWithSpark: Seq[String] =
    Seq("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m")

  /**
   * The same for tests without Spark, whose loops run long: the second compiler halves their CPU
   * time. It takes only what is very hot, which is another tenth less.
   */
  val testsWithoutSpark: Seq[String] = Seq(
    "-XX:+UseSerialGC",
    "-XX:Tier4InvocationThreshold=30000",
    "-XX:Tier4MinInvocationThreshold=5000",
    "-XX:Tier4CompileThreshold=50000",
    "-XX:Tier4BackEdgeThreshold=300000"
  )

  /** What Spark's launcher gives to a JDK 17: its JavaModuleOptions, of 4.3.0. */
  val javaOptions: Seq[String] = {
    val opened =
      """java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util
        |java.util.concurrent java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs
        |sun.security.action sun.util.calendar""".stripMargin.split("\\s+").toSeq
    Seq("--add-modules=jdk.incubator.vector", "-Dio.netty.tryReflectionSetAccessible=true") ++
      opened.map(name => s"--add-opens=java.base/$name=ALL-UNNAMED") :+
      "--add-opens=java.security.jgss/sun.security.krb5=ALL-UNNAMED"
  }
}
