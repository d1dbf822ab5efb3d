// Change a version only after a run with empty caches (see build/sbt): a repository's metadata
// may list versions whose files, or whose dependencies' files, it does not have.
addSbtPlugin("org.scalameta"      % "sbt-scalafmt" % "2.6.2")
addSbtPlugin("ch.epfl.scala"      % "sbt-scalafix" % "0.14.3")
addSbtPlugin("pl.project13.scala" % "sbt-jmh"      % "0.4.8")
