package org.matchrecognize.spark.parser

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.Warehouse
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/**
 * A session with our parser, in which a clause gives its input unchanged: enough to see that Spark
 * takes the clause at a place and keeps its text.
 */
trait ExtensionSession {

  protected lazy val session: SparkSession = {
    // A session that another suite left would be taken as it is, without our parser.
    SparkSession.getDefaultSession.foreach(_.stop())
    SparkSession
      .builder()
      .master("local[1]")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "1")
      .config("spark.sql.scripting.enabled", "true")
      .config("spark.sql.warehouse.dir", Warehouse.create())
      .withExtensions { extensions =>
        extensions.injectParser((_, delegate) => MatchRecognizeParser(delegate))
        extensions.injectResolutionRule(_ => PassThrough)
      }
      .getOrCreate()
  }

  private object PassThrough extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
      case m: UnresolvedMatchRecognize if m.childrenResolved => Project(m.child.output, m.child)
    }
  }
}
