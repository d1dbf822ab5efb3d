package org.apache.spark.sql.matchrecognize

import java.lang.reflect.Field

import org.apache.spark.sql.internal.{BaseSessionStateBuilder, SessionState, StaticSQLConf}

/**
 * Applies the extensions of a running session to that session.
 *
 * A session reads its extensions once, when its state is built: parser, analyzer, optimizer and
 * planner belong to that state. Here a new state is built with the present extensions, from the
 * settings, catalog, temporary views, functions, variables, listeners and streams of the old one,
 * which are the same objects. The session, and every DataFrame made from it, then uses the new
 * state.
 *
 * Why here and why by reflection: Spark has no call for it. A second session (`cloneSession`)
 * would have the extensions, but would not share temporary views, functions and settings with the
 * DataFrames of the first. Where a field is not as expected an exception says so, and the session
 * stays as it was. The session's type is AnyRef since its class differs between versions.
 */
object SessionRenewal {

  /** What the builder clones or makes anew, unless it is there: names of its lazy values. */
  private val ofBuilder = Seq(
    "conf",
    "experimentalMethods",
    "functionRegistry",
    "tableFunctionRegistry",
    "dataSourceManager",
    "resourceLoader",
    "catalog",
    "catalogManager"
  )

  /** What the state makes at its first use, by `<name>Builder`. */
  private val ofState =
    Seq("streamingQueryManager", "streamingCheckpointManager", "artifactManager")

  /** The session would lose something if one of these were another object. */
  private val checked = Seq("conf", "functionRegistry", "catalog", "catalogManager")

  /**
   * Builds a state with the session's present extensions; changes nothing.
   *
   * @throws java.lang.ReflectiveOperationException
   *   this Spark's sessions are not built as expected
   */
  def build(session: AnyRef): SessionState = {
    val old     = call(session, "sessionState").asInstanceOf[SessionState]
    val builder = builderFor(session, old)
    // Some are settings of a version only: 3.5 has no dataSourceManager; since 4.2 the settings
    // belong to the session.
    for (name <- ofBuilder; field <- find(builder, name)) {
      // A lazy value counts as computed once it was read.
      call(builder, name)
      field.set(builder, call(old, name))
    }
    val state = builder.build()
    // The clone would report each query once more to each listener.
    state.listenerManager.clear()
    write(state, "listenerManager", old.listenerManager)
    for (name <- ofState; field <- find(state, s"${name}Builder"))
      field.set(state, () => call(old, name))
    checked.filter(name => call(state, name) ne call(old, name)).foreach { name =>
      throw new NoSuchFieldException(s"$name of ${builder.getClass.getName}")
    }
    state
  }

  /** Puts a state of [[build]] into its session. */
  def install(session: AnyRef, state: SessionState): Unit = {
    // The texts of views and SQL functions are read by the catalog's own parser.
    write(state.catalog, "parser", state.sqlParser)
    write(session, "sessionState", state)
  }

  /** As SparkSession chooses it. */
  private def builderFor(session: AnyRef, old: SessionState): BaseSessionStateBuilder = {
    val name = old.conf.getConf(StaticSQLConf.CATALOG_IMPLEMENTATION) match {
      case "hive" => "org.apache.spark.sql.hive.HiveSessionStateBuilder"
      case _      => "org.apache.spark.sql.internal.SessionStateBuilder"
    }
    val builder = Class.forName(name, true, session.getClass.getClassLoader)
    builder.getConstructors.head
      .newInstance(session, Some(old))
      .asInstanceOf[BaseSessionStateBuilder]
  }

  private def call(of: AnyRef, method: String): AnyRef = of.getClass.getMethod(method).invoke(of)

  private def write(of: AnyRef, name: String, value: AnyRef): Unit =
    find(of, name)
      .getOrElse(throw new NoSuchFieldException(s"$name of ${of.getClass.getName}"))
      .set(of, value)

  private def find(of: AnyRef, name: String): Option[Field] = {
    val found = Iterator
      .iterate[Class[_]](of.getClass)(_.getSuperclass)
      .takeWhile(_ != null)
      .flatMap(_.getDeclaredFields)
      .find(_.getName == name)
    found.foreach(_.setAccessible(true))
    found
  }
}
