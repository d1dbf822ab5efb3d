// One build for every Spark that we support: build/sbt -Dspark.version=3.5.9 jvm/Test/compile
// The default is the pyspark in .venv.
val pysparkVersion = "(?m)^pyspark==(\\S+)".r
  .findFirstMatchIn(IO.read(file("build/requirements.txt")))
  .fold(sys.error("which pyspark?"))(_.group(1))
val sparkVersion = sys.props.getOrElse("spark.version", pysparkVersion)
val sparkMinor   = sparkVersion.split('.').take(2).mkString(".")

// The Sparks that we have a jar for, with the Scala that each is built with. MatchRecognizeExtensions
// reads this list, by way of the jar's build.properties, to name the right jar to who has the wrong one.
val scalaVersions = Seq(
  "3.5" -> "2.12.18",
  "4.0" -> "2.13.16",
  "4.1" -> "2.13.17",
  "4.2" -> "2.13.18",
  "4.3" -> "2.13.18"
)
val scalaFull = scalaVersions.toMap
  .getOrElse(sparkMinor, sys.error(s"no Spark $sparkVersion here: ${scalaVersions.map(_._1)}"))

val isDefaultSpark = sparkMinor == scalaVersions.last._1
val isScala212     = scalaFull.startsWith("2.12")

ThisBuild / organization := "org.matchrecognize"
// The one place of the version; pyproject.toml reads it too.
ThisBuild / version      := IO.read(file("VERSION")).trim
ThisBuild / scalaVersion := scalaFull
// scalafix's compiler plugin does not exist for every Scala: lint runs with the default Spark.
ThisBuild / semanticdbEnabled := isDefaultSpark
ThisBuild / semanticdbVersion := "4.14.2"
// Spark brings scala-library; sbt must not put a second one in front of it.
ThisBuild / autoScalaLibrary := false

// ---------------------------------------------------------------------------------------------
// Compilers
// ---------------------------------------------------------------------------------------------

ThisBuild / scalacOptions ++= Seq("-encoding", "UTF-8", "-deprecation", "-feature", "-unchecked") ++
  // Spark 4 shows classes of Java 17 (java.lang.Record) in its signatures; Spark 3.5 runs on Java 8.
  Seq("-release", if (isScala212) "8" else "17") ++
  // Warnings are errors. 2.13 sees more; what it does not mind, 2.12 need not be asked about.
  (if (isScala212) Seq("-Xfatal-warnings", "-Ywarn-unused:imports,privates,locals")
   else Seq("-Werror", "-Wunused", "-Xlint:_,-missing-interpolator")) ++
  Seq(
    // Its successor does not exist in 2.12: sources for both use the old name.
    "-Wconf:cat=deprecation&origin=scala\\.collection\\.JavaConverters.*:s"
  )

ThisBuild / javacOptions ++= Seq("-encoding", "UTF-8") ++
  // The entry point must load on every Java that a Spark of ours or a wrong one may run on, to say
  // that it is the wrong one. Newer JDKs call 8 obsolete: that is what -options silences.
  Seq("--release", "8", "-Xlint:-options", "-Xlint:unchecked", "-Xlint:deprecation", "-Werror")

/** Source folders of one Spark or several, beside the `scala` folder: `scala-spark-4.1` for that one,
  * `scala-spark-4.1+` from it on, `scala-spark-3.5-4.0` from the first to the last.
  */
def versionFolders(base: File): Seq[File] = {
  def number(minor: String) = minor.split('.').map(_.toInt) match { case Array(a, b) => a * 1000 + b }
  val (version, here)       = ("""(\d+\.\d+)""", number(sparkMinor))
  val (only, from, range)   = (version.r, s"$version\\+".r, s"$version-$version".r)
  base.listFiles.toSeq.filter(_.getName.startsWith("scala-spark-")).sorted.filter { folder =>
    folder.getName.stripPrefix("scala-spark-") match {
      case only(v)      => number(v) == here
      case from(v)      => number(v) <= here
      case range(v, w)  => number(v) <= here && here <= number(w)
      case _            => sys.error(s"$folder: for which Spark?")
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Spark: on the class path of whoever runs us ("provided"). Compile and test see it; it is never packaged.
// ---------------------------------------------------------------------------------------------

/** The folder with Spark's jars, where there is one: SPARK_HOME's; for the default Spark, that of the
  * pyspark in .venv, so that one download serves Scala and Python. None: Maven brings them.
  */
val sparkJars: Option[File] = {
  def check(jars: File): File = {
    val core = (jars * "spark-core_*.jar").get.map(_.getName)
    if (!core.exists(_.endsWith(s"-$sparkVersion.jar")))
      sys.error(s"no Spark $sparkVersion in $jars (${core.mkString}): see -Dspark.version and SPARK_HOME")
    jars
  }
  sys.env.get("SPARK_HOME").filter(_.nonEmpty).map(home => check(file(home) / "jars")).orElse {
    if (sparkVersion != pysparkVersion) None
    else {
      if (scala.sys.process.Process("build/venv").! != 0) sys.error("build/venv failed")
      Some(check((file(".venv") / "lib" ** "pyspark").get.head / "jars"))
    }
  }
}

/** What Spark's own launcher gives to a JDK 17 (org.apache.spark.launcher.JavaModuleOptions of 4.3.0). */
val sparkJavaOptions = {
  val packages = Seq("lang", "lang.invoke", "lang.reflect", "io", "net", "nio", "util").map("java." + _) ++
    Seq("java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch") ++
    Seq("sun.nio.cs", "sun.security.action", "sun.util.calendar")
  Seq("--add-modules=jdk.incubator.vector", "-Dio.netty.tryReflectionSetAccessible=true") ++
    packages.map(name => s"--add-opens=java.base/$name=ALL-UNNAMED") :+
    "--add-opens=java.security.jgss/sun.security.krb5=ALL-UNNAMED"
}

// ---------------------------------------------------------------------------------------------
// Projects
// ---------------------------------------------------------------------------------------------

lazy val pythonJar = taskKey[File]("the jar, copied to where the Python package carries it")

lazy val root = project.in(file(".")).aggregate(jvm).settings(publish / skip := true)

lazy val jvm = project
  .in(file("jvm"))
  .settings(
    name := s"spark-match-recognize-spark-$sparkMinor",
    // As it is: sbt would write 4-3 for 4.3.
    moduleName := name.value,
    target := baseDirectory.value / "target" / s"spark-$sparkVersion",
    Seq(Compile, Test).flatMap(c =>
      Seq(
        c / unmanagedSourceDirectories ++= versionFolders((c / sourceDirectory).value),
        c / unmanagedJars ++= sparkJars.toSeq.flatMap(jars => (jars * "*.jar").classpath)
      )
    ),
    libraryDependencies ++= Seq(
      "org.scalatest"     %% "scalatest"       % "3.2.19"   % Test,
      "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test
    ),
    // spark-sql asks for the rest: catalyst, core, sql-api.
    libraryDependencies ++= (if (sparkJars.isDefined) Nil
                             else Seq("org.apache.spark" %% "spark-sql" % sparkVersion % Provided)),

    // What the jar says of itself, for MatchRecognizeExtensions.
    Compile / resourceGenerators += Def.task {
      val jars = for ((minor, full) <- scalaVersions) yield s"${minor}_${full.split('.').take(2).mkString(".")}"
      val text = s"""version=${version.value}
                    |spark.minor=$sparkMinor
                    |scala.binary=${scalaBinaryVersion.value}
                    |supported=${jars.mkString(" ")}
                    |""".stripMargin
      val properties = (Compile / resourceManaged).value / "org/matchrecognize/spark/build.properties"
      if (!properties.exists || IO.read(properties) != text) IO.write(properties, text)
      Seq(properties)
    },
    Compile / packageBin / mappings += (ThisBuild / baseDirectory).value / "LICENSE" -> "META-INF/LICENSE",
    pythonJar := {
      val jar    = (Compile / packageBin).value
      val folder = (ThisBuild / baseDirectory).value / "python" / "match_recognize" / "jars"
      IO.delete((folder * s"${name.value}_*.jar").get)
      val copy = folder / jar.getName
      IO.copyFile(jar, copy)
      streams.value.log.info(s"$copy")
      copy
    },

    Test / fork := true,
    // A forked test starts in the checkout, as a Python test does: both find tests/ by the same path.
    Test / baseDirectory := (ThisBuild / baseDirectory).value,
    Test / javaOptions ++= sparkJavaOptions ++ Seq("-Xmx3g", "-Xss4m", "-Dspark.ui.enabled=false"),
    // One SparkContext a JVM.
    Test / parallelExecution := false,
    // Full stack traces, and each test's time.
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDF")
  )
