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
        "What AFTER MATCH SKIP TO a variable does if the match has no row of that variable, or " +
          "if that row is the first of the match: error raises an error, nextRow continues at " +
          "the row after the first row of the match.")
      .version("0.1.0")
      .stringConf
      .checkValues(Set("error", "nextRow"))
      .createWithDefault("error")
  }

  private val dialect: ConfigEntry[String] = entry(s"$prefix.dialect") {
    SQLConf
      .buildConf(_)
      .doc(
        "Whose rules decide which matches there are: standard follows the SQL standard, flink " +
          "follows Flink SQL, for queries written for it.")
      .version("0.1.0")
      .stringConf
      .checkValues(Set("standard", "flink"))
      .createWithDefault("standard")
  }

  private val maxSteps: ConfigEntry[Long] = entry(s"$prefix.maxSteps") {
    SQLConf
      .buildConf(_)
      .doc(
        "How many steps the search of a partition may take before it ends with an error. A step " +
          "is about 10 nanoseconds of work. Each row of the partition allows a " +
          "hundred-thousandth of this number in addition, and each row that the search from one " +
          "start row looks at a ten-millionth. At one row there may be a thousandth of this " +
          "number of partial matches, and 10000 at least, as they take memory.")
      .version("0.1.0")
      .longConf
      .checkValue(_ > 0, "must be positive")
      .createWithDefault(1000L * 1000 * 1000)
  }

  private val maxMatchesPerStart: ConfigEntry[Long] = entry(s"$prefix.maxMatchesPerStart") {
    SQLConf
      .buildConf(_)
      .doc(
        "How many matches AFTER MATCH NO SKIP may find at one start row. One more is an error.")
      .version("0.1.0")
      .longConf
      .checkValue(_ > 0, "must be positive")
      .createWithDefault(100L * 1000)
  }

  private val spillThreshold: ConfigEntry[Int] = entry(s"$prefix.spillThreshold") {
    SQLConf
      .buildConf(_)
      .doc(
        "How many rows a task keeps in memory before it writes rows to disk: of those that it " +
          "brings in order, and of those that a search still reads. If memory is short, the " +
          "task writes rows to disk earlier.")
      .version("0.1.0")
      .intConf
      .checkValue(_ > 0, "must be positive")
      .createWithDefault(Int.MaxValue)
  }

  private val matcher: ConfigEntry[String] = entry(s"$prefix.matcher") {
    SQLConf
      .buildConf(_)
      .doc("Which matcher finds the matches: fused uses one pass and keeps no rows, automaton takes " +
        "time linear in the rows, threads supports every pattern and condition. auto uses the " +
        "first of these that applies, but threads before automaton for most patterns whose " +
        "matches have at most eight rows. All return the same rows. If the matcher named does " +
        "not apply, the query fails.")
      .version("0.1.0")
      .stringConf
      .checkValues(Set("auto", "fused", "automaton", "threads"))
      .createWithDefault("auto")
  }

  private val inlineRows: ConfigEntry[Int] = entry(s"$prefix.streaming.inlineRows") {
    SQLConf
      .buildConf(_)
      .internal()
      .doc(
        "How many rows after the watermark a key has in its value in RocksDB. The rows of a key " +
          "that has more are entries of their own.")
      .version("0.1.0")
      .intConf
      .checkValue(_ >= 0, "must not be negative")
      .createWithDefault(64)
  }

  /** Registers all entries: by loading this object. */
  def register(): Unit = ()

  def relaxedSkip(conf: SQLConf): Boolean     = conf.getConf(invalidSkip) == "nextRow"
  def flinkDialect(conf: SQLConf): Boolean    = conf.getConf(dialect) == "flink"
  def maxSteps(conf: SQLConf): Long           = conf.getConf(maxSteps)
  def maxMatchesPerStart(conf: SQLConf): Long = conf.getConf(maxMatchesPerStart)

  def spillThreshold(conf: SQLConf): Int = conf.getConf(spillThreshold)

  def inlineRows(conf: SQLConf): Int = conf.getConf(inlineRows)

  def matcher(conf: SQLConf): String = conf.getConf(matcher)

  /** Spark's analyzer that takes no rules of extensions; by key, as older Sparks do not know it. */
  def singlePassAnalyzer(conf: SQLConf): Boolean =
    conf.getConfString("spark.sql.analyzer.singlePassResolver.enabled", "false").toBoolean

  /** A notebook can load our jar into a JVM that has it already: a key is registered once. */
  private def entry[T](key: String)(make: String => ConfigEntry[T]): ConfigEntry[T] =
    Option(ConfigEntry.findEntry(key)).fold(make(key))(_.asInstanceOf[ConfigEntry[T]])
}
