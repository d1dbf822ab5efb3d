package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{Expression, Predicate, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.SparkPlan

/**
 * The watermark at or before which Spark drops rows, in microseconds. The driver knows it when a
 * micro-batch begins, after the plan is made and before tasks get it.
 */
final private[streaming] class LateWatermark extends Serializable {
  private var value = Long.MinValue

  def micros: Long = value

  /** On the driver, before the tasks. */
  def set(millis: Option[Long]): Unit = value = millis.fold(Long.MinValue)(_ * 1000)
}

/** Whether Spark's stateful operator will drop a row because of its time, and count it. */
final private[streaming] case class IsLate(time: Expression, watermark: LateWatermark)
    extends UnaryExpression
    with Predicate {
  override def child: Expression  = time
  override def prettyName: String = "is_late"

  override protected def nullSafeEval(micros: Any): Any =
    micros.asInstanceOf[Long] <= watermark.micros

  override protected def doGenCode(context: CodegenContext, code: ExprCode): ExprCode = {
    val late = context.addReferenceObj("watermark", watermark)
    nullSafeCodeGen(context, code, micros => s"${code.value} = $micros <= $late.micros();")
  }

  override protected def withNewChildInternal(newChild: Expression): IsLate =
    copy(time = newChild)
}

private[streaming] object IsLate {

  /** Tells the filters of a plan the watermark of its stateful operator. */
  def begin(plan: SparkPlan): Unit = {
    val watermark = plan.collectFirst { case operator: StatefulClasses.WatermarkSupport =>
      operator.eventTimeWatermarkForLateEvents
    }.flatten
    plan.foreach(_.expressions.foreach(_.foreach {
      case late: IsLate => late.watermark.set(watermark)
      case _            =>
    }))
  }
}
