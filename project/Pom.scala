import scala.xml.{Elem, Node}

/** What our POMs say beyond what sbt writes by itself. */
object Pom {

  /**
   * A POM that depends on Spark alone, as something that is there already: whatever its jars were
   * compiled against, and without what only tests use.
   *
   * @param address where the project lives; no place is decided yet, so none is written down
   */
  def complete(spark: Spark, address: Option[String])(pom: Node): Node = pom match {
    case project: Elem =>
      val kept = project.child.filterNot(_.label == "dependencies")
      project.copy(child =
        kept ++ developers ++ address.toSeq.flatMap(home) ++ dependencies(spark))
    case other => sys.error(s"no POM: $other")
  }

  private def developers: Seq[Node] =
    <developers>
      <developer>
        <name>The maintainers of spark-match-recognize</name>
      </developer>
    </developers>

  private def home(address: String): Seq[Node] = Seq(
    <url>{address}</url>,
    <scm>
      <url>{address}</url>
      <connection>{s"scm:git:$address"}</connection>
    </scm>
  )

  private def dependencies(spark: Spark): Seq[Node] =
    <dependencies>
      <dependency>
        <groupId>org.apache.spark</groupId>
        <artifactId>{s"spark-sql_${spark.scalaBinary}"}</artifactId>
        <version>{spark.version}</version>
        <scope>provided</scope>
      </dependency>
    </dependencies>
}
