package org.matchrecognize.spark.streaming

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, UnionExec}
import org.apache.spark.sql.execution.datasources.v2.{
  StreamingDataSourceV2Relation,
  StreamingDataSourceV2ScanRelation
}
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExec

import org.matchrecognize.spark.logical.StateOperators

/**
 * Spark's real-time mode: long micro-batches whose tasks take rows as they come. Rows may pass
 * operators of Spark's own list only, so the nodes of a clause are beside them ([[BesideRows]]).
 */
private[spark] object RealTimeMode {

  def injectInto(extensions: SparkSessionExtensions): Unit = {
    extensions.injectPostHocResolutionRule(_ => MarkQueries)
    extensions.injectOptimizerRule(_ => RemoveMarks)
    // Spark has planned the state of operators by the time that it calls these rules.
    extensions.injectColumnar { _ =>
      new ColumnarRule {
        override def preColumnarTransitions: Rule[SparkPlan] = TellOperators
      }
    }
  }

  /** Whether a plan reads its sources in this mode. */
  def isOf(plan: LogicalPlan): Boolean = plan.exists {
    case scan: StreamingDataSourceV2ScanRelation => scan.relation.realTimeModeDuration.nonEmpty
    case source: StreamingDataSourceV2Relation   => source.realTimeModeDuration.nonEmpty
    case _                                       => false
  }

  /**
   * A query with a clause, which keeps state. Spark does not see that in a clause. In this mode it
   * would track the progress of the query in a way that no query with state may have.
   */
  final private case class QueryWithState(child: LogicalPlan) extends UnaryNode {
    override def isStateful: Boolean    = true
    override def output: Seq[Attribute] = child.output

    override protected def withNewChildInternal(newChild: LogicalPlan): QueryWithState =
      copy(child = newChild)
  }

  private object MarkQueries extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan match {
      case write: WriteToStream
          if write.inputQuery.exists(StateOperators.isClause) &&
            !write.inputQuery.isInstanceOf[QueryWithState] =>
        write.withNewChildren(Seq(QueryWithState(write.inputQuery)))
      case other => other
    }
  }

  private object RemoveMarks extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
      case QueryWithState(child) => child
    }
  }

  /** Tells the nodes of clauses which operator runs their clause. */
  private object TellOperators extends Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
      case union @ UnionExec(Seq(beside: BesideRows, rows)) =>
        val operator = rows.collectFirst { case first: TransformWithStateExec => first }
        union.withNewChildren(
          Seq(
            operator.fold[SparkPlan](beside)(found =>
              beside.transformUp { case node: BesideRows => node.of(found) }),
            rows))
    }
  }
}
