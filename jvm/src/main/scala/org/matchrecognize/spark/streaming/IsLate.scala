package org.matchrecognize.spark.streaming

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.sql.catalyst.expressions.{Expression, Predicate, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.SparkPlan

/**
 * Whether Spark's stateful operator will drop a row because of its time, and count it.
 *
 * @param watermark
 *   at or before which Spark drops rows, in microseconds. The driver knows it when a micro-batch
 *   begins, after the plan is made and before tasks get it
 */
final private[streaming] case class IsLate(time: Expression, watermark: AtomicLong)
    extends UnaryExpression
    with Predicate {
  override def child: Expression  = time
  override def prettyName: String = "is_late"

  override protected def nullSafeEval(micros: Any): Any =
    micros.asInstanceOf[Long] <= watermark.get

  override protected def doGenCode(context: CodegenContext, code: ExprCode): ExprCode = {
    val late = context.addReferenceObj("watermark", watermark)
    nullSafeCodeGen(context, code, micros => s"${code.value} = $micros <= $late.get();")
  }

  override protected def withNewChildInternal(newChild: Expression): IsLate =
    copy(time = newChild)
}

private[streaming] object IsLate {

  /** No row is late. */
  private val none = Long.MinValue

  /** Before a watermark is known. */
  def of(time: Expression): IsLate = IsLate(time, new AtomicLong(none))

  /** Tells the filters of a plan the watermark of its stateful operator. */
  def begin(plan: SparkPlan): Unit = {
    val millis = plan.collectFirst { case operator: StatefulClasses.WatermarkSupport =>
      operator.eventTimeWatermarkForLateEvents
    }.flatten
    plan.foreach(_.expressions.foreach(_.foreach {
      case late: IsLate => late.watermark.set(millis.fold(IsLate.none)(_ * 1000))
      case _            =>
    }))
  }
}
