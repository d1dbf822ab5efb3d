// One build for every Spark that we support: build/sbt -Dspark.version=3.5 jvm/Test/compile
// What it needs to know of that Spark is in project/Spark.scala.
lazy val spark = Spark.chosen()

// Another Spark in the same sbt, which saves its start: build/sbt "spark 3.5" jvm/Test/compile "spark 4.0" ...
commands += Command.single("spark") { (state, version) =>
  sys.props(Spark.setting) = version
  "reload" :: state
}

ThisBuild / organization := "org.matchrecognize"
// The one place of the version; pyproject.toml reads it too.
ThisBuild / version      := IO.read(file("VERSION")).trim
ThisBuild / scalaVersion := spark.scalaVersion
// What POMs say of us, and where make release stages them. Nothing here publishes to anywhere else.
ThisBuild / organizationName := "spark-match-recognize"
ThisBuild / description      :=
  s"MATCH_RECOGNIZE, SQL's row pattern matching, for Apache Spark ${spark.minor}"
ThisBuild / licenses  := Seq(License.Apache2)
ThisBuild / publishTo := Some(
  MavenCache("staging", (ThisBuild / baseDirectory).value / "dist" / "maven"))
// scalafix's compiler plugin does not exist for every Scala: lint runs with the newest Spark.
ThisBuild / semanticdbEnabled := spark.isNewest
ThisBuild / semanticdbVersion := "4.14.2"
// Spark brings scala-library; sbt must not put a second one before it.
ThisBuild / autoScalaLibrary := false

// The JVMs of testGrouping: tests with Spark wait much of their time, so three keep two cores busy.
Global / concurrentRestrictions := Seq(Tags.limitAll(3), Tags.limit(Tags.ForkedTestGroup, 3))

// An sbt shell sees a change of these files by itself.
Global / onChangedBuildSource := ReloadOnSourceChanges

ThisBuild / scalacOptions ++=
  Seq("-encoding", "UTF-8", "-deprecation", "-feature", "-unchecked") ++
    // Spark 4 shows classes of Java 17 (java.lang.Record) in its signatures; 3.5 runs on Java 8.
    Seq("-release", if (spark.isScala212) "8" else "17") ++
    // Warnings are errors. 2.13 sees more; what it lets pass, 2.12 need not be asked about.
    (if (spark.isScala212) Seq("-Xfatal-warnings", "-Ywarn-unused:imports,privates,locals")
     else Seq("-Werror", "-Wunused", "-Xlint:_,-missing-interpolator")) :+
    // Its successor is not in 2.12's library: sources for both use the old name.
    "-Wconf:cat=deprecation&origin=scala\\.collection\\.JavaConverters.*:s"

ThisBuild / javacOptions ++=
  Seq("-encoding", "UTF-8", "-Xlint:unchecked", "-Xlint:deprecation", "-Werror") ++
    // The entry point must load on whatever Java a Spark, the right one or not, runs on: 8 is the
    // oldest. -options silences newer JDKs, which call 8 obsolete.
    Seq("--release", "8", "-Xlint:-options")

lazy val pythonJar = taskKey[File]("the jar, copied to where the Python package carries it")

lazy val root = project.in(file(".")).aggregate(jvm, jmh).settings(publish / skip := true)

lazy val jvm = project
  .in(file("jvm"))
  .settings(
    name := s"spark-match-recognize-spark-${spark.minor}",
    // As it is: sbt would write 4-3 for 4.3.
    moduleName := name.value,
    target     := baseDirectory.value / "target" / s"spark-${spark.version}",
    inConfig(Compile)(forThisSpark),
    inConfig(Test)(forThisSpark),
    // Provided: every Spark has it. It must never get into our jar.
    libraryDependencies ++= (spark.jars match {
      case Some(_) => Nil
      case None    => Seq("org.apache.spark" %% "spark-sql" % spark.version % Provided)
    }),
    libraryDependencies ++= Seq(
      "org.scalatest"     %% "scalatest"       % "3.2.19"   % Test,
      "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test
    ),
    Compile / resourceGenerators += buildProperties,
    Compile / packageBin / mappings +=
      (ThisBuild / baseDirectory).value / "LICENSE" -> "META-INF/LICENSE",
    pythonJar                                       := copyToPython.value,
    pomPostProcess := Pom.complete(spark, sys.env.get("PROJECT_URL").filter(_.nonEmpty)),
    // Stack traces show lines; the jars omit names of local variables, to stay small.
    Compile / compile / scalacOptions += "-g:line",
    // Names in comments that only Scala 2.13's doc tool finds, or only 2.12's, are no errors.
    Compile / doc / scalacOptions --= Seq("-Werror", "-Xfatal-warnings"),
    Test / fork := true,
    // A forked test starts in the checkout, as a Python test does: both find tests/ alike.
    Test / baseDirectory := (ThisBuild / baseDirectory).value,
    Test / javaOptions ++= Spark.javaOptions ++ Seq("-Xmx3g", "-Dspark.ui.enabled=false"),
    // There can be only one SparkContext in a JVM: suites that start one run one after the other, in
    // two JVMs with about the same work (target/ci/test-scala/suites.tsv). The matchers and the
    // reference need none, and run in a third.
    Test / testGrouping := {
      val options                = (Test / forkOptions).value
      def fork(own: Seq[String]) =
        Tests.SubProcess(options.withRunJVMOptions(options.runJVMOptions ++ own))
      def isIn(test: TestDefinition, rooms: String*) =
        rooms.exists(room => test.name.startsWith(s"${organization.value}.spark.$room."))
      val (plain, withSpark) =
        (Test / definedTests).value.partition(isIn(_, "pattern", "reference"))
      val (first, second) =
        withSpark.partition(isIn(_, "streaming", "robustness", "optimizer", "explain"))
      Seq(
        Tests.Group("without Spark", plain, fork(Spark.testsWithoutSpark)),
        Tests.Group("with Spark", first, fork(Spark.testsWithSpark)),
        Tests.Group("with Spark, too", second, fork(Spark.testsWithSpark))
      )
    },
    // Spark listens there and nowhere else, whatever the name of this machine resolves to.
    Test / envVars += "SPARK_LOCAL_IP" -> "127.0.0.1",
    Test / test / testListeners +=
      new SuiteLog(Some((Test / definedTests).value.size), streams.value.log),
    Test / testOnly / testListeners += new SuiteLog(None, streams.value.log),
    // Each test's time, and where it failed.
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDS")
  )

// The matchers alone, measured: build/sbt 'jmh/Jmh/run -h'
lazy val jmh = project
  .in(file("benchmarks/jmh"))
  .dependsOn(jvm)
  .enablePlugins(JmhPlugin)
  .settings(
    target         := baseDirectory.value / "target" / s"spark-${spark.version}",
    publish / skip := true
  )

lazy val copyToPython = Def.task {
  val jar    = (Compile / packageBin).value
  val folder = (ThisBuild / baseDirectory).value / "python" / "match_recognize" / "jars"
  val copy   = folder / jar.getName
  // The jars of other Sparks stay: the wheel carries them all.
  IO.delete((folder * s"${name.value}_*.jar").get)
  IO.copyFile(jar, copy)
  streams.value.log.info(s"made $copy")
  copy
}

/** Sources for the chosen Spark only, and its jars, for main or test. */
lazy val forThisSpark = Seq(
  unmanagedSourceDirectories ++= spark.sourceFolders(sourceDirectory.value),
  unmanagedJars ++= spark.jars.toSeq.flatMap(folder => (folder * "*.jar").classpath)
)

/**
 * What the jar says of itself. MatchRecognizeExtensions compares it with the running Spark, and
 * names the right jar out of `supported` where this is the wrong one.
 */
lazy val buildProperties = Def.task {
  val supported = Spark.supported.map { known =>
    s"${known.minor}_${CrossVersion.binaryScalaVersion(known.scala)}"
  }
  val text =
    s"""version=${version.value}
       |spark.minor=${spark.minor}
       |scala.binary=${scalaBinaryVersion.value}
       |supported=${supported.mkString(" ")}
       |""".stripMargin
  val properties =
    (Compile / resourceManaged).value / "org/matchrecognize/spark/build.properties"
  // Only when it changes: what depends on it is made again when its time does.
  if (!properties.exists || IO.read(properties) != text) IO.write(properties, text)
  Seq(properties)
}
