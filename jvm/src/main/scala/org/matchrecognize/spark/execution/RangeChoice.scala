package org.matchrecognize.spark.execution

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LeafNode, LogicalPlan, Project}
import org.apache.spark.sql.execution.adaptive.{LogicalQueryStage, TableCacheQueryStageExec}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.matchrecognize.SessionSettings

import org.matchrecognize.spark.execution.ranges.RangeSpec
import org.matchrecognize.spark.expressions.{MatchNumber, RowValue}
import org.matchrecognize.spark.logical.MatchRecognize

/** Whether the rows of a partition are searched in ranges, by a task each. */
private[execution] object RangeChoice {

  /**
   * Two cores gain little: the rows found go through a shuffle, and ranges that do not meet have been
   * searched in vain.
   */
  private val fewestCores = 4

  /** Why a clause with PARTITION BY has none, if not asked for. */
  val byPartition: String = "there is PARTITION BY"

  /** How many tasks run at once. */
  private def cores: Int = SparkSession.active.sparkContext.defaultParallelism

  /** How ranges are searched, or why rows are searched by partition. */
  def of(m: MatchRecognize, plan: MatchPlan): Either[String, RangeSpec] =
    if (plan.partition.nonEmpty && !SQLConf.get.getConf(SessionSettings.rangesOfPartitions))
      Left(byPartition)
    else
      obstacle(m, plan).toLeft {
        val reach = (plan.conditions ++ plan.measures).flatMap(_.collect { case value: RowValue =>
          -value.target.physical
        })
        // Before the first start row there is a row, so it is not the beginning of the partition.
        RangeSpec(number(m), (1L +: reach).max.toInt)
      }

  /** At least four for each core, so that none waits long for the last one. */
  private def number(m: MatchRecognize): Int =
    SQLConf.get.getConf(SessionSettings.numberOfRanges) match {
      case 0 => math.max(4 * cores, (m.child.stats.sizeInBytes / (128 << 20)).min(1000).toInt)
      case n => n
    }

  /** Whether the input is known to be too small for ranges. */
  def isSmall(input: LogicalPlan): Boolean =
    hasKnownSize(input) &&
      input.stats.sizeInBytes < SQLConf.get.getConf(SessionSettings.minBytesOfRanges)

  private def obstacle(m: MatchRecognize, plan: MatchPlan): Option[String] = {
    val clause = plan.clause
    val least  = SQLConf.get.getConf(SessionSettings.minBytesOfRanges)
    val asked  = SQLConf.get.getConf(SessionSettings.numberOfRanges) > 0
    Seq(
      plan.order.isEmpty                                  -> "there is no ORDER BY",
      !plan.order.forall(_.child.isInstanceOf[Attribute]) -> "ORDER BY has an expression",
      (plan.matcher.kind == MatcherKind.Automaton) -> "the automaton matcher needs the last row",
      clause.flinkDialect                          -> "the dialect is flink",
      clause.program.usesStart                     -> "^ is at one row only",
      plan.lastMatch.nonEmpty                      -> "the search ends after some matches",
      MatchNumber.isIn(plan.conditions)            -> "DEFINE has MATCH_NUMBER",
      plan.measures.exists(computesNumber)         -> "a measure computes with MATCH_NUMBER",
      !isScan(m.child) -> "the input is not only read, and would be computed twice for a sample",
      !hasKnownSize(m.child) -> "the size of the input is not known",
      isSmall(m.child)       ->
        s"the input has fewer than ${SessionSettings.minBytesOfRanges.key} = $least bytes",
      !hasSparksShuffle(SparkEnv.get.conf) -> "spark.shuffle.manager is not Spark's own",
      (cores < fewestCores && !asked)      -> s"there are fewer than $fewestCores cores"
    ).collectFirst { case (true, reason) => reason }
  }

  /** Of some sources Spark knows no size, and takes a very large one. */
  private def hasKnownSize(plan: LogicalPlan): Boolean =
    plan.collectLeaves().forall(_.stats.sizeInBytes < SQLConf.get.defaultSizeInBytes)

  /** The rows of a task come from a shuffle in the order in which it wrote them. */
  private def hasSparksShuffle(conf: SparkConf): Boolean = {
    val manager = conf.get("spark.shuffle.manager", "sort")
    Seq("sort", "tungsten-sort", "org.apache.spark.shuffle.sort.SortShuffleManager")
      .exists(_.equalsIgnoreCase(manager))
  }

  private def computesNumber(measure: Expression): Boolean = measure match {
    case MatchNumber() => false
    case other         => MatchNumber.isIn(Seq(other))
  }

  /** Whether rows are read, and not computed by much more. */
  private def isScan(plan: LogicalPlan): Boolean = plan match {
    // What has run already is a cached table, or was brought together for a clause without ranges.
    case stage: LogicalQueryStage =>
      stage.physicalPlan.collectLeaves().forall(_.isInstanceOf[TableCacheQueryStageExec])
    case _: LeafNode => true
    case p: Project  => p.deterministic && isScan(p.child)
    case f: Filter   => f.deterministic && isScan(f.child)
    case _           => false
  }
}
