package org.apache.spark.sql.matchrecognize

import scala.collection.mutable

import org.apache.spark.sql.SparkSessionExtensions

/**
 * Puts a parser below those of all other extensions, wherever its own is named among them.
 *
 * Why below: a parser may change the plans that the one below it builds, as Iceberg's makes
 * commands of its own of those for views. Above it, ours would build the statements with a clause
 * without its knowledge. Why by reflection: `injectParser` puts each parser on top of those that
 * are there, and their list is private to Spark's class. Where that is another class than
 * Apache's, the extension does not load, and says so.
 */
object LowestParser {
  def inject(extensions: SparkSessionExtensions)(
      builder: SparkSessionExtensions#ParserBuilder): Unit = {
    val field = classOf[SparkSessionExtensions].getDeclaredField("parserBuilders")
    field.setAccessible(true)
    val builders =
      field.get(extensions).asInstanceOf[mutable.Buffer[SparkSessionExtensions#ParserBuilder]]
    builders.insert(0, builder)
  }
}
