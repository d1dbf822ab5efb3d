package org.matchrecognize.spark

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.matchrecognize.{LowestParser, SessionSettings}

import org.matchrecognize.spark.analysis.{
  EarlyRules,
  HandOnWatermarks,
  RefuseGenerators,
  ResolveColumnPaths,
  ResolveExplain,
  ResolveMatchRecognize,
  ResolveTimeWindows,
  StreamQueryRules,
  UnknownVariables
}
import org.matchrecognize.spark.errors.ErrorCatalogue
import org.matchrecognize.spark.execution.MatchRecognizeStrategy
import org.matchrecognize.spark.explain.ExplainStrategy
import org.matchrecognize.spark.optimizer.{
  LeaveOutGapRows,
  LeaveOutRowsOutOfReach,
  PruneMeasures,
  PushKeyFilters,
  PushStartFilters,
  StopAfterMatch
}
import org.matchrecognize.spark.parser.MatchRecognizeParser
import org.matchrecognize.spark.streaming.{RealTimeMode, StreamingStrategy, ZoneOfCheckpoint}

/** All that the extension adds to a session, from text to rows. */
class Extensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    SessionSettings.register()
    ErrorCatalogue.register()
    LowestParser.inject(extensions)((_, spark) => MatchRecognizeParser(spark))
    EarlyRules.injectInto(extensions)
    extensions.injectResolutionRule(_ => ResolveColumnPaths)
    extensions.injectResolutionRule(_ => RefuseGenerators)
    extensions.injectResolutionRule(_ => ResolveTimeWindows)
    extensions.injectResolutionRule(_ => ResolveMatchRecognize)
    extensions.injectPostHocResolutionRule(_ => UnknownVariables)
    extensions.injectPostHocResolutionRule(_ => ResolveExplain)
    extensions.injectPostHocResolutionRule(new ZoneOfCheckpoint(_))
    extensions.injectPostHocResolutionRule(_ => HandOnWatermarks)
    extensions.injectPostHocResolutionRule(_ => StreamQueryRules)
    extensions.injectOptimizerRule(_ => PushKeyFilters)
    extensions.injectOptimizerRule(_ => PushStartFilters)
    extensions.injectOptimizerRule(_ => StopAfterMatch)
    extensions.injectOptimizerRule(_ => PruneMeasures)
    extensions.injectOptimizerRule(_ => LeaveOutRowsOutOfReach)
    // Once all unused measures are gone.
    extensions.injectPreCBORule(_ => LeaveOutGapRows)
    extensions.injectPlannerStrategy(_ => StreamingStrategy)
    RealTimeMode.injectInto(extensions)
    extensions.injectPlannerStrategy(_ => MatchRecognizeStrategy)
    extensions.injectPlannerStrategy(_ => ExplainStrategy)
  }
}
