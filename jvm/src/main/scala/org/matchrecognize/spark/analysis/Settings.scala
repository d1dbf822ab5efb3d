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
      conf.getConf(SessionSettings.maxSteps),
      conf.getConf(SessionSettings.maxMatchesPerStart),
      conf.getConf(SessionSettings.spillThreshold),
      conf.getConf(SessionSettings.matcher),
      conf.sessionLocalTimeZone
    )
  }
}
