package org.apache.spark.sql.matchrecognize

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.sql.internal.SQLConf

/**
 * Our settings as Spark's own: registered with SQLConf, so that values are checked when they are
 * set, `SET -v` lists them, and views keep those that they were made under (an unregistered key is
 * not kept). Here since the builder is `private[spark]`.
 */
object SessionSettings {
  private val prefix = "spark.sql.matchRecognize"

  private val invalidSkip: ConfigEntry[String] = entry(s"$prefix.invalidSkip") {
    SQLConf
      .buildConf(_)
      .doc(
        "What AFTER MATCH SKIP TO a variable does if the match has no such row, or if it is the " +
          "match's first row: error raises an error, nextRow goes on at the row after the " +
          "match's first.")
      .version("0.1.0")
      .stringConf
      .checkValues(Set("error", "nextRow"))
      .createWithDefault("error")
  }

  private val dialect: ConfigEntry[String] = entry(s"$prefix.dialect") {
    SQLConf
      .buildConf(_)
      .doc(
        "standard gives the rows of the SQL standard; flink those of Flink, for queries written " +
          "for it.")
      .version("0.1.0")
      .stringConf
      .checkValues(Set("standard", "flink"))
      .createWithDefault("standard")
  }

  private val maxSteps: ConfigEntry[Long] = entry(s"$prefix.maxSteps") {
    SQLConf
      .buildConf(_)
      .doc(
        "How many steps the search for a match may take from one start row before it ends with " +
          "an error. A step tests one way to match at one row. Ways to go on at one row take " +
          "memory: there may be a thousandth of this number, and 10000 at least.")
      .version("0.1.0")
      .longConf
      .checkValue(_ > 0, "must be positive")
      .createWithDefault(1000L * 1000 * 1000)
  }

  private val maxMatchesPerStart: ConfigEntry[Long] = entry(s"$prefix.maxMatchesPerStart") {
    SQLConf
      .buildConf(_)
      .doc(
        "How many matches AFTER MATCH NO SKIP may find at one start row before it ends with an " +
          "error.")
      .version("0.1.0")
      .longConf
      .checkValue(_ > 0, "must be positive")
      .createWithDefault(100L * 1000)
  }

  private val spillThreshold: ConfigEntry[Int] = entry(s"$prefix.spillThreshold") {
    SQLConf
      .buildConf(_)
      .doc(
        "How many rows of a partition a task holds in memory before it writes the older ones to " +
          "disk, and how many partitions it searches at a time. Less where memory is short: then " +
          "Spark asks for it.")
      .version("0.1.0")
      .intConf
      .checkValue(_ > 0, "must be positive")
      .createWithDefault(Int.MaxValue)
  }

  private val matcher: ConfigEntry[String] = entry(s"$prefix.matcher") {
    SQLConf
      .buildConf(_)
      .doc(
        "How matches are found: fused in one pass without keeping rows, by an automaton in time " +
          "linear in the rows, or by threads, which do for every pattern and condition. auto " +
          "takes the first of these that applies. All give the same rows; where the one named " +
          "does not apply, the query is refused.")
      .version("0.1.0")
      .stringConf
      .checkValues(Set("auto", "fused", "automaton", "threads"))
      .createWithDefault("auto")
  }

  /** Registers all entries: by loading this object. */
  def register(): Unit = ()

  def relaxedSkip(conf: SQLConf): Boolean     = conf.getConf(invalidSkip) == "nextRow"
  def flinkDialect(conf: SQLConf): Boolean    = conf.getConf(dialect) == "flink"
  def maxSteps(conf: SQLConf): Long           = conf.getConf(maxSteps)
  def maxMatchesPerStart(conf: SQLConf): Long = conf.getConf(maxMatchesPerStart)

  def spillThreshold(conf: SQLConf): Int = conf.getConf(spillThreshold)

  def matcher(conf: SQLConf): String = conf.getConf(matcher)

  /** Spark's analyzer that takes no rules of extensions; by key, as older Sparks do not know it. */
  def singlePassAnalyzer(conf: SQLConf): Boolean =
    conf.getConfString("spark.sql.analyzer.singlePassResolver.enabled", "false").toBoolean

  /** A notebook can load our jar into a JVM that has it already: a key is registered once. */
  private def entry[T](key: String)(make: String => ConfigEntry[T]): ConfigEntry[T] =
    Option(ConfigEntry.findEntry(key)).fold(make(key))(_.asInstanceOf[ConfigEntry[T]])
}
