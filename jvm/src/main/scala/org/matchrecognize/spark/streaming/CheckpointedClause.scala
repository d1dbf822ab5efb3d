package org.matchrecognize.spark.streaming

import java.util.Properties

import scala.collection.immutable.ListMap

import org.apache.hadoop.conf.Configuration

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, SortOrder}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import org.matchrecognize.spark.MatchRecognizeExtensions
import org.matchrecognize.spark.execution.{MatchPlan, StateDescription, StateSeal}
import org.matchrecognize.spark.execution.slots.StoredInput
import org.matchrecognize.spark.logical.{Described, Meaning, Pushed}

/**
 * The clause that wrote the state of a streaming query, in a file of the query's checkpoint. A query
 * whose state another clause wrote fails before it reads a row: it would find no state of its keys,
 * or go on with rows that were mapped under other conditions.
 *
 * What is compared is the meaning of the parts ([[Meaning]]). Measures may change as long as the
 * same is kept for them. Columns are found by their names. They may become wider, and columns that
 * the sources did not have may be read: the file has the columns of each state that was written.
 *
 * Another release, or the next Spark, may write the same expression as another text. The file
 * therefore says which of them wrote it, and has the clause as its user wrote it. If the writer was
 * another one and the user's text is the same, the meanings are not compared, and the file gets the
 * texts of this writer. What an upgrade could change without this is compared in any case: the
 * dialect, the names and types of keys and columns, and the types of what is kept.
 *
 * @param plan
 *   as tasks run it
 * @param allowed
 *   what may change of the columns
 */
final private[streaming] class CheckpointedClause(
    plan: MatchPlan,
    input: Seq[Attribute],
    pushed: Pushed,
    allowed: StoredColumns) {
  import CheckpointedClause._

  private val clause  = plan.clause
  private val meaning = clause.meaning.getOrElse(
    throw new IllegalStateException("a clause over a stream has a meaning"))
  private lazy val kept = new StateDescription(plan, input)

  /** What may not change, by the part of the query. */
  private lazy val parts: Map[String, Described] = ListMap(
    "PARTITION BY"   -> Described.list(plan.partition.map(described)),
    keyTypes         -> Described.list(plan.partition.map(typed)),
    order            -> Described.list(plan.order.map(described)),
    "ROWS PER MATCH" -> Described(clause.rows.sql),
    "AFTER MATCH"    -> Described(clause.afterMatch.sql, clause.skipMeaning),
    "PATTERN"        -> Described(clause.patternSql, clause.patternMeaning),
    "WITHIN"         -> clause.within.fold(Described("none"))(w => Described(w.sql, w.meaning)),
    "DEFINE"         -> Described.list(meaning.conditions),
    dialect          -> Described(if (clause.flinkDialect) "flink" else "standard"),
    zoneOfClause     -> Described(clause.settings.zone),
    "what MEASURES and DEFINE keep"          -> Described.list(kept.values),
    "the rows that MEASURES and DEFINE read" -> Described.list(kept.rows),
    "the filter below the clause"            -> Described.list(pushed.described)
  )

  private def described(key: Attribute): Described = {
    val definition = meaning.definition(key.name)
    val shown      = s"${key.name} ${key.dataType.sql}"
    // Its name is its user's.
    Described(
      if (isOfSource(definition, key.name)) shown else s"$shown ($definition)",
      s"$definition ${key.dataType.sql}")
  }

  private def typed(key: Attribute): Described =
    Described(s"${key.name} ${key.dataType.sql}", key.dataType.json)

  private def described(item: SortOrder): Described = item.child match {
    case column: Attribute =>
      val definition = meaning.definition(column.name)
      val order      = s"${item.direction.sql} ${item.nullOrdering.sql}"
      val as         = if (isOfSource(definition, column.name)) "" else s" ($definition)"
      Described(s"${column.name} ${column.dataType.sql}$as $order", s"$definition $order")
    case other => throw new IllegalStateException(s"$other is no column")
  }

  /** The columns of the rows, and what is kept for aggregates. */
  private lazy val state: StructType = {
    val columns = input.zip(StateColumns.names(input)).map { case (column, name) =>
      val more = new MetadataBuilder()
        .putString(definition, meaning.definition(column.name))
        .putString(shown, column.name)
        .build()
      StructField(name, column.dataType, nullable = true, more)
    }
    StructType(
      Seq(
        StructField("columns", StructType(columns)),
        StructField(
          "kept",
          StructType(kept.types.map(structOf).zipWithIndex.map { case (types, i) =>
            StructField(i.toString, types)
          }))
      ))
  }

  /**
   * Writes the clause into a new checkpoint, and what has changed of the columns into an older one.
   *
   * @return
   *   the inputs with which states of the checkpoint are written
   */
  def writeTo(folder: ClauseFolder): Seq[StoredInput] = {
    val before = if (folder.batch == 0) None else Some(read(folder))
    val states = before.toSeq.flatMap(statesOf)
    // Another writer gave the definitions of the same columns as other texts.
    val all =
      (if (states.lastOption.exists(isSame(_, state))) states.init else states) :+ state
    val sources = (before.toSeq.flatMap(sourcesOf) ++ meaning.sources).distinct
    // If the first micro-batch is run again, its zone is that of its first run.
    def begun   = first ++ folder.read(name).toSeq.flatten.filter(_._1 == zone)
    val content = before.fold(begun)(inTextsOfThisWriter) ++
      all.zipWithIndex.map { case (one, i) => s"$stateNumber$i" -> one.json } +
      (sourceColumns -> namesOf(sources).json)
    if (!before.contains(content)) folder.write(name, content)
    all.map(stored)
  }

  private def first: Map[String, String] =
    Map(
      format    -> StateSeal.version.toString,
      zone      -> SQLConf.get.sessionLocalTimeZone,
      writtenBy -> writer) ++
      meaning.text.map(asWritten -> _) ++
      parts.flatMap { case (part, now) =>
        Seq(part -> now.shown, part + means -> now.meaning)
      }

  private def inTextsOfThisWriter(before: Map[String, String]): Map[String, String] =
    if (before.get(writtenBy).contains(writer)) before
    else first ++ before.filter(_._1 == zone)

  private def stored(state: StructType): StoredInput = {
    val now     = input.zip(StateColumns.names(input)).map(_.swap).toMap
    val columns = structIn(state, "columns").fields.toSeq.map { field =>
      now.get(field.name) match {
        case Some(column) => column.withDataType(field.dataType)
        case None         =>
          AttributeReference(field.metadata.getString(shown), field.dataType)()
      }
    }
    val types =
      structIn(state, "kept").fields.toSeq.map(f => asStruct(f.dataType).map(_.dataType))
    new StoredInput(columns, types, input)
  }

  /** Refuses the checkpoint of another clause. */
  def compareWith(folder: ClauseFolder): Unit =
    if (folder.batch > 0) {
      val written  = read(folder)
      val upgraded = !written.get(writtenBy).contains(writer) && meaning.text.nonEmpty &&
        written.get(asWritten) == meaning.text
      // Files of before have no zone of the clause.
      parts.filter(p => written.contains(p._1)).foreach { case (part, now) =>
        val before = Described(written.getOrElse(part, ""), written.getOrElse(part + means, ""))
        if (before.meaning != now.meaning && (!upgraded || compared.contains(part)))
          changed(part, before, now, written.get(writtenBy))
        // What follows is about columns by their names.
        if (part == order)
          compareColumns(statesOf(written).last, sourcesOf(written), !upgraded)
      }
      if (upgraded) compareSizes(statesOf(written).last)
    }

  private def changed(
      part: String,
      before: Described,
      now: Described,
      by: Option[String]): Nothing = {
    val (from, to) =
      if (before.shown != now.shown) (before.shown, now.shown) else (before.meaning, now.meaning)
    val upgrade = by
      .filter(_ != writer)
      .map(other =>
        s". $other wrote the checkpoint, and this is $writer: after an upgrade, start the query once with " +
          "the unchanged statement")
    unreadable(s"$part has changed from $from to $to${upgrade.mkString}")
  }

  /**
   * @param definitions
   *   whether to compare how columns are computed
   */
  private def compareColumns(
      before: StructType,
      sources: Seq[String],
      definitions: Boolean): Unit = {
    val (olds, news) = (structIn(before, "columns"), structIn(state, "columns"))
    news.foreach { column =>
      val name = column.metadata.getString(shown)
      olds.find(_.name == column.name) match {
        case Some(old) =>
          val (from, to) =
            (old.metadata.getString(definition), column.metadata.getString(definition))
          if (definitions && from != to)
            unreadable(s"the column $name has changed from $from to $to")
          if (!isSame(old.dataType, column.dataType)) compareTypes(name, old, column)
        case None
            if !isOfSource(column.metadata.getString(definition), name) ||
              sources.exists(_.equalsIgnoreCase(name)) =>
          unreadable(s"the column $name is read now, but earlier rows were kept without it")
        case None if allowed == StoredColumns.Fixed => fixed(s"the column $name is new")
        case None                                   =>
      }
    }
    olds.foreach { old =>
      if (allowed == StoredColumns.Fixed && !news.exists(_.name == old.name))
        fixed(s"the column ${old.metadata.getString(shown)} is no longer read")
    }
    val types = structIn(before, "kept").zip(structIn(state, "kept"))
    types.foreach {
      case (StructField(_, StructType(from), _, _), StructField(_, StructType(to), _, _)) =>
        from.zip(to).foreach { case (a, b) =>
          if (!isSame(a.dataType, b.dataType) && !Meaning.isWider(a.dataType, b.dataType))
            unreadable(
              s"what MEASURES and DEFINE keep has changed from ${a.dataType.sql} to ${b.dataType.sql}")
        }
      case _ =>
    }
  }

  /** How many values are kept for each aggregate. */
  private def compareSizes(before: StructType): Unit = {
    def sizes(state: StructType) = structIn(state, "kept").map(f => asStruct(f.dataType).size)
    val (from, to)               = (sizes(before), sizes(state))
    if (from != to)
      unreadable(
        "the numbers of values that are kept for the aggregates have changed from " +
          s"${from.mkString(", ")} to ${to.mkString(", ")}")
  }

  private def compareTypes(name: String, old: StructField, column: StructField): Unit = {
    val change =
      s"the column $name has changed from ${old.dataType.sql} to ${column.dataType.sql}"
    val isBytes = allowed == StoredColumns.InAvro && !StateColumns.isInAvro(old.dataType)
    if (!Meaning.isWider(old.dataType, column.dataType) || isBytes) unreadable(change)
    if (allowed == StoredColumns.Fixed) fixed(change)
  }

  private def fixed(change: String): Nothing = unreadable(
    s"$change, and Spark stores rows in RocksDB by the position of their columns. A checkpoint " +
      "that was started with spark.sql.streaming.stateStore.encodingFormat = avro supports this")

  private def read(folder: ClauseFolder): Map[String, String] = {
    val written = folder.read(name).getOrElse {
      unreadable(s"it does not say which clause wrote it (in ${folder.path})")
    }
    // The first that had a number in the file.
    val found = written.getOrElse(format, "9")
    if (found != StateSeal.version.toString) StateSeal.otherFormat(found, plan.clauseOrigin)
    written
  }

  private def unreadable(reason: String): Nothing =
    StateSeal.unreadable(reason, plan.clauseOrigin)
}

private[streaming] object CheckpointedClause {
  private val name          = "clause"
  private val format        = "format"
  private val zone          = "time zone"
  private val zoneOfClause  = "the time zone of the clause"
  private val writtenBy     = "written by"
  private val asWritten     = "as written"
  private val means         = " means"
  private val order         = "ORDER BY"
  private val dialect       = "the dialect"
  private val keyTypes      = "the type of the key"
  private val stateNumber   = "state "
  private val sourceColumns = "columns of the sources"

  /** Of a column in a state: how it is computed, and its name. */
  private val definition = "definition"
  private val shown      = "name"

  /** The parts that an upgrade may not change either: no text of an expression is in them. */
  private val compared = Set(dialect, keyTypes, zoneOfClause)

  /** What the texts of a file depend on, besides the clause. */
  private lazy val writer: String = s"${Release.version} on Spark $SPARK_VERSION"

  /** Whether a column is one of a source as it is. */
  private def isOfSource(definition: String, column: String): Boolean =
    definition.equalsIgnoreCase(quoteIfNeeded(column))

  /** The session's time zone at the first start of a query, if a clause has noted it. */
  def zoneIn(checkpoint: String, configuration: Configuration): Option[String] =
    ClauseFolder.readAll(checkpoint, name, configuration).flatMap(_.get(zone)).headOption

  private def statesOf(written: Map[String, String]): Seq[StructType] =
    Iterator
      .from(0)
      .map(i => written.get(s"$stateNumber$i"))
      .takeWhile(_.nonEmpty)
      .flatMap(_.map(struct).toSeq)
      .toVector

  private def sourcesOf(written: Map[String, String]): Seq[String] =
    written.get(sourceColumns).toSeq.flatMap(struct(_).fieldNames)

  private def namesOf(columns: Seq[String]): StructType =
    StructType(columns.map(StructField(_, NullType)))

  private def structOf(types: Seq[DataType]): StructType =
    StructType(types.zipWithIndex.map { case (t, i) => StructField(i.toString, t) })

  private def structIn(state: StructType, field: String): StructType = asStruct(
    state(field).dataType)

  private def struct(json: String): StructType = asStruct(DataType.fromJson(json))

  private def asStruct(dataType: DataType): StructType = dataType match {
    case struct: StructType => struct
    case other              => throw new IllegalStateException(s"$other is no struct")
  }

  private def isSame(a: DataType, b: DataType): Boolean = a.catalogString == b.catalogString
}

/** The release of the library. */
private[streaming] object Release {

  /** As the jar says, such as `0.1.0`. */
  lazy val version: String = {
    val build = new Properties
    val in    = classOf[MatchRecognizeExtensions].getResourceAsStream("build.properties")
    try build.load(in)
    finally in.close()
    build.getProperty("version")
  }
}
