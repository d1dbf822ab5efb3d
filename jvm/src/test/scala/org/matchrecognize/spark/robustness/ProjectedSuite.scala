package org.matchrecognize.spark.robustness

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.optimizer.ConstantFolding
import org.apache.spark.sql.catalyst.plans.logical.{Generate, Project}
import org.apache.spark.sql.types.{BooleanType, DataType}

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.robustness.SqlExpression.Style

/** A suite of expressions whose values are those that Spark gives them in a projection. */
abstract private[robustness] class ProjectedSuite extends SparkSuite {
  import ProjectedSuite._

  protected lazy val version: (Int, Int) = {
    val numbers = spark.version.split('.').take(2).map(_.toInt)
    (numbers(0), numbers(1))
  }

  /** An expression that Spark evaluates in a projection: its type, and its values by id. */
  protected case class Known(e: SqlExpression, dataType: DataType, values: Map[Any, String]) {
    val isCondition: Boolean = dataType == BooleanType
  }

  protected def sql(text: String): DataFrame =
    try spark.sql(text)
    catch { case e: Exception => throw new IllegalStateException(s"${e.getMessage}\n$text", e) }

  protected def projection(es: Seq[SqlExpression], table: String): String =
    s"SELECT id, ${named(es.map(_.text(SqlExpression.outside)))} FROM $table"

  protected def named(texts: Seq[String]): String =
    texts.zipWithIndex.map { case (text, i) => s"$text AS r$i" }.mkString(", ")

  /** Whether Spark takes it in a projection, row by row, the same way each time. */
  protected def isValid(e: SqlExpression, table: String): Boolean =
    Try(spark.sql(projection(Seq(e), table))).toOption.exists { frame =>
      frame.queryExecution.analyzed match {
        case Project(list, child) =>
          list.forall(_.deterministic) && frame.columns.length == 2 &&
          child.collectFirst { case generate: Generate => generate }.isEmpty &&
          !hasSubqueryInLambdaFunction(e, table)
        case _ => false
      }
    }

  /** Spark refuses subqueries in the arguments of `filter(a, e -> ...)` and the like, everywhere. */
  private def hasSubqueryInLambdaFunction(e: SqlExpression, table: String): Boolean = {
    val written = e.text(Style(identity, subqueries = true))
    val result  = Try(spark.sql(s"SELECT $written FROM $table"))
    result.failed
      .map(condition)
      .toOption
      .contains("UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION")
  }

  private def evaluate(es: Seq[SqlExpression], table: String): Seq[Known] = {
    val frame = spark.sql(projection(es, table))
    val rows  = frame.collect()
    es.indices.map { i =>
      Known(
        es(i),
        frame.schema(i + 1).dataType,
        rows.map(row => row.get(0) -> canonical(row.get(i + 1))).toMap)
    }
  }

  /** What has values, and what fails in a projection. */
  protected def baseline(
      es: Seq[SqlExpression],
      table: String): (Seq[Known], Seq[(SqlExpression, String)]) =
    if (es.isEmpty) (Nil, Nil)
    else {
      Try(evaluate(es, table)) match {
        case Success(known)                => (known, Nil)
        case Failure(e) if es.tail.isEmpty => (Nil, Seq(es.head -> condition(e)))
        case Failure(_)                    =>
          val (left, right) = es.splitAt(es.size / 2)
          val (a, b)        = (baseline(left, table), baseline(right, table))
          (a._1 ++ b._1, a._2 ++ b._2)
      }
    }

  /**
   * The same, of what Spark itself evaluates alike whether it folds constants or not, in generated
   * and in interpreted code. Folding makes a number of `size(map(k, v))`, so that a NULL key is no
   * error; `levenshtein(a, b, NULL)` is -1 in interpreted code only; a constant pattern that is
   * wrong fails in the code of a whole stage before a row is read, and a stage of many columns has
   * no such code. Rows of a match are neither folded nor always evaluated in the code that Spark
   * chooses for a table.
   */
  protected def steadyBaseline(
      es: Seq[SqlExpression],
      table: String): (Seq[Known], Seq[(SqlExpression, String)]) = {
    val unfolded    = Seq("spark.sql.optimizer.excludedRules" -> ConstantFolding.ruleName)
    val interpreted =
      Seq(
        "spark.sql.codegen.wholeStage"  -> "false",
        "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")
    val whole            = Seq("spark.sql.codegen.maxFields" -> Int.MaxValue.toString)
    val (known, failing) = baseline(es, table)
    val others = Seq(unfolded, whole, interpreted, unfolded ++ interpreted).map { settings =>
      withSettings(settings: _*)(baseline(es, table))
    }
    (
      known.filter(k =>
        others.forall(_._1.exists(other => (other.e eq k.e) && other.values == k.values))),
      failing.filter { case (e, name) =>
        others.forall(_._2.exists { case (other, otherName) =>
          (other eq e) && otherName == name
        })
      })
  }

  /** Runs it for all; where that goes wrong, one by one, to say for which. */
  protected def forAll(all: Seq[Known], show: Known => String)(check: Seq[Known] => Unit): Unit =
    if (all.nonEmpty) {
      Try(check(all)) match {
        case Success(_)                     => ()
        case Failure(e) if all.tail.isEmpty => fail(s"${show(all.head)}\n${e.getMessage}", e)
        case Failure(_)                     =>
          val (left, right) = all.splitAt(all.size / 2)
          forAll(left, show)(check)
          forAll(right, show)(check)
      }
    }

  /** Stands for the name of an error that has none. */
  protected val unnamed = "no condition"

  /** The name of the error of a failure. */
  protected def condition(e: Throwable): String = {
    val causes = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).map(c => s"${c.getMessage}")
    val names  = causes.flatMap("""^\[([A-Z_0-9.]+)\]""".r.findFirstMatchIn(_)).map(_.group(1))
    names.toSeq.lastOption.getOrElse(unnamed)
  }
}

private[robustness] object ProjectedSuite {

  def canonical(value: Any): String = value match {
    case null                            => "null"
    case bytes: Array[Byte]              => bytes.map("%02x".format(_)).mkString("X'", "", "'")
    case row: Row                        => row.toSeq.map(canonical).mkString("{", ", ", "}")
    case map: scala.collection.Map[_, _] =>
      map.toSeq
        .map { case (k, v) => s"${canonical(k)}: ${canonical(v)}" }
        .sorted
        .mkString("<", ", ", ">")
    case list: scala.collection.Seq[_] => list.map(canonical).mkString("[", ", ", "]")
    case other                         => other.toString
  }
}
