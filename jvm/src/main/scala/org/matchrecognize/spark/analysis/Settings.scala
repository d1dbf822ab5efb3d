package org.matchrecognize.spark.analysis

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.matchrecognize.SessionSettings

import org.matchrecognize.spark.logical.MatchSettings

/** The session's settings, read while a clause is analyzed (in a view, those of the view). */
private[analysis] object Settings {
  def current(): MatchSettings = {
    val conf = SQLConf.get
    MatchSettings(
      SessionSettings.relaxedSkip(conf),
      SessionSettings.maxSteps(conf),
      SessionSettings.maxMatchesPerStart(conf),
      SessionSettings.spillThreshold(conf),
      SessionSettings.matcher(conf),
      conf.sessionLocalTimeZone
    )
  }

  def flinkDialect: Boolean = SessionSettings.flinkDialect(SQLConf.get)

  /** Whether somebody has chosen the dialect, be it the standard one. */
  def isDialectSet: Boolean = SessionSettings.isDialectSet(SQLConf.get)
}
