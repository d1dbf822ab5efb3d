package org.apache.spark.sql.matchrecognize

import org.apache.spark.internal.config.{ConfigBuilder, ConfigEntry}
import org.apache.spark.network.util.ByteUnit
import org.apache.spark.sql.internal.SQLConf

/**
 * Our settings as Spark's own: registered with SQLConf, so that values are checked when they are
 * set, `SET -v` lists them, and views keep those that they were made under (an unregistered key is
 * not kept). Here since the builder is `private[spark]`.
 */
object SessionSettings {
  private val prefix = "spark.sql.matchRecognize"

  private val invalidSkip: ConfigEntry[String] = entry(
    s"$prefix.invalidSkip",
    "What happens if AFTER MATCH SKIP TO has no valid target: the match has no row of the " +
      "variable, or the target is the first row of the match. error: the query fails. " +
      "nextRow: the search continues at the row after the first row of the match."
  ) {
    _.stringConf.checkValues(Set("error", "nextRow")).createWithDefault("error")
  }

  private val dialect: ConfigEntry[String] = entry(
    s"$prefix.dialect",
    "The rules that decide which matches a query finds. standard: those of the SQL " +
      "standard. flink: those of Flink SQL, for queries that were written for Flink."
  ) {
    _.stringConf.checkValues(Set("standard", "flink")).createWithDefault("standard")
  }

  val maxSteps: ConfigEntry[Long] = entry(
    s"$prefix.maxSteps",
    "The largest number of steps that the search in a partition may take. If it needs more, " +
      "the query fails. A step takes about 10 nanoseconds. The limit grows by maxSteps / " +
      "100000 for each row of the partition, and by maxSteps / 10000000 for each row that the " +
      "search from one start row reads. At one row, at most maxSteps / 1000 partial matches " +
      "are allowed, but always 10000, because they need memory."
  ) {
    _.longConf.checkValue(_ > 0, "must be positive").createWithDefault(1000L * 1000 * 1000)
  }

  val maxMatchesPerStart: ConfigEntry[Long] = entry(
    s"$prefix.maxMatchesPerStart",
    "The largest number of matches that AFTER MATCH NO SKIP may find from one start row. If " +
      "there are more, the query fails."
  ) {
    _.longConf.checkValue(_ > 0, "must be positive").createWithDefault(100L * 1000)
  }

  val spillThreshold: ConfigEntry[Int] = entry(
    s"$prefix.spillThreshold",
    "The largest number of rows that a task keeps in memory because a search still reads " +
      "them. It writes further rows to disk. If memory is short, it does so earlier."
  ) {
    _.intConf.checkValue(_ > 0, "must be positive").createWithDefault(Int.MaxValue)
  }

  val matcher: ConfigEntry[String] = entry(
    s"$prefix.matcher",
    "The matcher, which is the algorithm that finds the matches. fused: one pass that keeps no " +
      "rows. automaton: time linear in the rows. threads: for every pattern and condition. " +
      "auto: the first of these that supports the query, but threads before automaton for " +
      "most patterns whose matches have at most eight rows. All return the same rows. If the " +
      "named matcher does not support the query, the query fails."
  ) {
    _.stringConf
      .checkValues(Set("auto", "fused", "automaton", "threads"))
      .createWithDefault("auto")
  }

  val minBytesOfRanges: ConfigEntry[Long] = entry(
    s"$prefix.ranges.minBytes",
    "The size in bytes, as Spark estimates it, from which on several tasks search the rows of " +
      "a clause without PARTITION BY. Each task searches a range of the order. If the input is " +
      "smaller, one task searches all rows. The result is the same."
  ) {
    _.bytesConf(ByteUnit.BYTE)
      .checkValue(_ >= 0, "must not be negative")
      .createWithDefault(32L * 1024 * 1024)
  }

  val numberOfRanges: ConfigEntry[Int] = entry(
    s"$prefix.ranges.number",
    "How many ranges there are. 0: four for each core, and more if a range would have more " +
      "than 128 MiB.") {
    _.internal().intConf.checkValue(_ >= 0, "must not be negative").createWithDefault(0)
  }

  val rangesOfPartitions: ConfigEntry[Boolean] = entry(
    s"$prefix.ranges.partitions",
    "Whether several tasks search a partition of PARTITION BY that has many of the rows. " +
      "A sample of the keys shows which partitions these are, so the input is read twice. " +
      "ranges.minBytes applies, too. The result is the same."
  ) {
    _.booleanConf.createWithDefault(false)
  }

  val inlineRows: ConfigEntry[Int] = entry(
    s"$prefix.streaming.inlineRows",
    "The largest number of rows after the watermark that are part of a key's value in " +
      "RocksDB. If a key has more, each row is an entry of its own. The same is true of rows " +
      "that a partial match can still read, of which at most 16 are part of the value."
  ) {
    _.internal().intConf.checkValue(_ >= 0, "must not be negative").createWithDefault(64)
  }

  /** Registers all entries: by loading this object. */
  def register(): Unit = ()

  def relaxedSkip(conf: SQLConf): Boolean  = conf.getConf(invalidSkip) == "nextRow"
  def flinkDialect(conf: SQLConf): Boolean = conf.getConf(dialect) == "flink"

  /** Whether somebody has chosen the dialect, be it the standard one. */
  def isDialectSet(conf: SQLConf): Boolean = conf.contains(dialect.key)

  /** Spark's analyzer that takes no rules of extensions; by key, as older Sparks do not know it. */
  def singlePassAnalyzer(conf: SQLConf): Boolean =
    conf.getConfString("spark.sql.analyzer.singlePassResolver.enabled", "false").toBoolean

  /** A notebook can load our jar into a JVM that has it already: a key is registered once. */
  private def entry[T](key: String, doc: String)(
      make: ConfigBuilder => ConfigEntry[T]): ConfigEntry[T] =
    Option(ConfigEntry.findEntry(key)).fold(
      make(SQLConf.buildConf(key).doc(doc).version("0.1.0")))(_.asInstanceOf[ConfigEntry[T]])
}
