package org.matchrecognize.spark.robustness

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._
import scala.util.Random

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.parser.ParserTest
import org.matchrecognize.spark.reference.RandomSeed

/**
 * Statements with tokens left out, doubled, swapped and put in: each parses, or is refused by
 * Spark or by us; nothing fails inside.
 */
class ParserFuzzSuite extends SparkSuite {
  import ParserFuzzSuite._

  /** What each statement is analyzed over: the views of all golden files, of the first to say it. */
  private lazy val views: Unit = {
    spark.sql("CREATE TEMP VIEW u AS SELECT 1 AS x, 2 AS y")
    golden.filter(isView).foreach { statement =>
      try spark.sql(statement)
      catch { case _: SparkThrowable => () }
    }
  }

  test("statements with tokens changed parse or are refused, never by accident") {
    views
    val statements         = (golden.filterNot(isView) ++ shapes).toIndexedSeq
    val tokens             = statements.map(tokenize)
    val words              = tokens.flatten.filter(_.exists(!_.isWhitespace)).distinct
    var (parsed, analyzed) = (0, 0)
    val (batches, seeds)   =
      Fuzz.batches(inGate = 30, size = 200, share = 1.0 / 2, first = 1)(_.foreach { seed =>
        val random  = RandomSeed(seed, "mutation")
        val sql     = mutate(tokens(random.nextInt(tokens.size)), words, random).mkString
        val started = System.nanoTime()
        parse(sql, seed).foreach { plan =>
          parsed += 1
          if (analyze(plan, sql, seed)) analyzed += 1
        }
        assert(System.nanoTime() - started < 20e9, s"seed $seed takes long:\n$sql")
      })
    info(s"$seeds: $parsed parse, $analyzed can be analyzed")
    assert(parsed > batches.size * 2)
  }

  test("statements that end early are refused, whatever white space follows") {
    views
    var refusals = 0
    for (statement <- shapes; tokens = tokenize(statement); end <- 1 to tokens.size) {
      val begun = tokens.take(end).mkString
      for (rest <- Seq("", "\n", "\n      ", "\r\n", " /* x */\n\n", " -- x\n"))
        if (parse(begun + rest, end.toLong).isEmpty) refusals += 1
    }
    info(s"$refusals are refused")
    assert(refusals > shapes.size * 100)
  }

  test("a mistake in a clause is reported at a place in that clause") {
    views
    val statements = (golden.filterNot(isView) ++ shapes)
      .filter(sql => scala.util.Try(spark.sessionState.sqlParser.parsePlan(sql)).isSuccess)
      .map(tokenize)
      .filter(clauses(_).nonEmpty)
      .toIndexedSeq
    var refusals         = 0
    val (batches, seeds) =
      Fuzz.batches(inGate = 15, size = 200, share = 1.0 / 2, first = 1)(_.foreach { seed =>
        val random = RandomSeed(seed, "slip")
        val slip   = Slip.in(statements(random.nextInt(statements.size)), random)
        try spark.sessionState.sqlParser.parsePlan(slip.sql)
        catch {
          case error: Throwable =>
            refusals += 1
            complaint(error, slip.sql)
              .orElse(misplaced(error, slip))
              .foreach(wrong => fail(s"$wrong\nseed $seed, ${slip.what}:\n${slip.sql}", error))
        }
      })
    info(s"$seeds: $refusals are refused")
    assert(refusals > batches.size * 20)
  }

  /**
   * Returns a complaint if an error of ours is not where the mistake can show. Spark's errors may
   * be anywhere: it may miss a parenthesis that the statement opened long before.
   */
  private def misplaced(error: Throwable, slip: Slip): Option[String] = error match {
    case e: ParseException if ParserTest.condition(e).startsWith("MATCH_RECOGNIZE.") =>
      val place = e.getQueryContext.head.startIndex
      if (place < slip.from || place > slip.to)
        Some(s"at $place, not between ${slip.from} and ${slip.to}: $error")
      else None
    case _ => None
  }

  private def parse(sql: String, seed: Long): Option[LogicalPlan] =
    outcome(sql, seed)(spark.sessionState.sqlParser.parsePlan(sql))

  private def analyze(plan: LogicalPlan, sql: String, seed: Long): Boolean =
    outcome(sql, seed)(spark.sessionState.executePlan(plan).analyzed).nonEmpty

  /** What `body` gives, or None if it is refused as it may be. */
  private def outcome[T](sql: String, seed: Long)(body: => T): Option[T] =
    try Some(body)
    catch {
      case error: Throwable =>
        complaint(error, sql).foreach(wrong => fail(s"$wrong\nseed $seed:\n$sql", error))
        None
    }

  /**
   * What Spark says without a condition of its own: a lambda in no function's parentheses
   * (`SELECT (array(1), a -> a)`), an interval whose value is no number (`INTERVAL '0' 'x' SECOND`),
   * a parameter with a sign (`EXECUTE IMMEDIATE 'SELECT :n' USING + 2 AS n`), a path into what is no
   * VARIANT (`SELECT 1 :p`, before 4.3), and, on Spark 3.5, names for a part of a row value
   * (`(30 AS (a), 5) IN (SELECT 1, 2)`).
   */
  private def isOfSpark(error: Throwable, sql: String): Boolean =
    sql.contains("->") && error.getMessage.contains("Invalid call to dataType on unresolved") ||
      sql.contains("INTERVAL") && error.getMessage.contains("in the interval value part") ||
      sql.contains(":") && error.getMessage.contains("'COLUMN_IS_NOT_VARIANT_TYPE'") ||
      sql.contains("USING") && Option(error.getCause).exists(
        _.getStackTrace.exists(_.getClassName.contains("ParameterBindingUtils"))) ||
      spark.version < "4" && sql.contains("IN (SELECT") && error.getMessage.contains(
        "Found the unresolved operator: 'Project [unresolvedalias(")

  /**
   * Errors inside Spark: its own bugs, and those of a task that it has not named. Those it has not
   * named of the parser (0...) and of the analysis (1...) are a user's.
   */
  private val internal = "INTERNAL_ERROR.*|_LEGACY_ERROR_TEMP_[^01].*"

  /** A parameter of a message that was given no value; types are in upper case. */
  private val placeholder = "<[a-z][a-zA-Z]*>".r

  /** What is wrong with an error, if anything. */
  private def complaint(error: Throwable, sql: String): Option[String] = error match {
    case known: SparkThrowable =>
      val condition = ParserTest.condition(error)
      if (condition == null) Some(s"no condition: $error")
      else if (isOfSpark(error, sql)) None
      else if (condition.matches(internal)) Some(s"internal: $error")
      else if (condition.startsWith("MATCH_RECOGNIZE."))
        if (placeholder.findFirstIn(error.getMessage).exists(!sql.contains(_)))
          Some(s"unfilled: $error")
        else
          known.getQueryContext.headOption match {
            case None => Some(s"no position: $error")
            case Some(context)
                if context.startIndex < 0 || context.stopIndex < context.startIndex - 1 ||
                  context.stopIndex >= sql.length =>
              Some(s"outside the text: ${context.startIndex} to ${context.stopIndex}, $error")
            case _ => None
          }
      else None
    case other => Some(s"unexpected: $other")
  }
}

private object ParserFuzzSuite {

  private val clause =
    "MATCH_RECOGNIZE (ORDER BY o MEASURES LAST(A.x) AS m PATTERN (A+) DEFINE A AS x > 1)"
  private val t = "VALUES (1, 2), (2, 3) AS t(o, x)"

  /** Places where a clause can occur, and all of its parts. */
  val shapes: Seq[String] = Seq(
    s"SELECT * FROM $t $clause AS m (a) WHERE a > 1",
    s"SELECT * FROM (SELECT * FROM $t) s $clause m JOIN u ON m.m = u.x",
    s"SELECT * FROM u LEFT JOIN (SELECT * FROM $t $clause) m USING (x)",
    s"WITH c AS (SELECT * FROM $t $clause) SELECT * FROM c, u $clause",
    s"SELECT * FROM (SELECT * FROM $t $clause) $clause",
    s"SELECT * FROM range(10) AS r (o) MATCH_RECOGNIZE (PATTERN (A B) DEFINE A AS o > 1) z",
    s"FROM $t $clause m SELECT m.m",
    s"SELECT m FROM $t $clause UNION ALL SELECT m FROM $t $clause m ORDER BY m LIMIT 3",
    s"CREATE TEMPORARY VIEW w AS SELECT * FROM $t $clause",
    s"INSERT INTO w SELECT * FROM $t $clause",
    s"SELECT * FROM u WHERE x IN (SELECT m FROM $t $clause)",
    s"SELECT (SELECT max(m) FROM $t $clause) FROM u, LATERAL (SELECT * FROM u) $clause",
    s"FROM $t |> MATCH_RECOGNIZE (ORDER BY o PATTERN (A B?)) |> WHERE m > 1",
    s"EXPLAIN SELECT sum(m) OVER w FROM $t $clause WINDOW w AS (ORDER BY m)",
    """SELECT * FROM VALUES (1, 2, 'a', TIMESTAMP '2020-01-01') AS q(a, b, s, ts) MATCH_RECOGNIZE (
      |  PARTITION BY a, upper(s) AS us ORDER BY ts DESC, b AS bb ASC NULLS LAST
      |  MEASURES FINAL LAST(A.b, 1) AS x, RUNNING SUM(U.b) FILTER (WHERE b > 1) y, COUNT(A.*) AS `z z`,
      |    PREV(FIRST(B.b, 2), 3) AS p, CLASSIFIER(U) AS c, MATCH_NUMBER() AS n
      |  ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO LAST U
      |  PATTERN (^ (A | B*? C{2,3})+ PERMUTE(D, E?) (()) F{,4} $) WITHIN INTERVAL '1' HOUR
      |  SUBSET U = (A, B), V = (C)
      |  DEFINE A AS b > PREV(b) + 1, B AS /* why */ A.s IS NULL AND NEXT(s, 2) = 'x', C AS
      |    CASE WHEN MATCH_NUMBER() > 1 THEN LAST(A.b) BETWEEN 1 AND 2 ELSE EXISTS (SELECT 1) END
      |) AS out""".stripMargin,
    "SELECT * FROM u MATCH_RECOGNIZE (PATTERN (A {- X*? -} [^B] C+??{B} D???) DEFINE B AS y > 1)",
    "SELECT match_recognize (pattern) FROM VALUES (1) AS match_recognize(pattern)"
  )

  /** The statements of the golden files. */
  lazy val golden: Seq[String] = {
    val files = Files
      .list(Paths.get("tests/sql"))
      .iterator
      .asScala
      .toSeq
      .filter(_.toString.endsWith(".sql"))
      .sortBy(_.toString)
    files.flatMap(statements)
  }

  /** A statement ends with a semicolon at the end of a line. */
  private def statements(file: Path): Seq[String] =
    Files
      .readAllLines(file)
      .asScala
      .filterNot(_.startsWith("--"))
      .mkString("\n")
      .split(";\\s*\n|;\\s*$")
      .map(_.trim)
      .filter(_.nonEmpty)
      .toSeq

  def isView(sql: String): Boolean = sql.startsWith("CREATE TEMP VIEW")

  private val token = """(?s)\s+|--[^\n]*|/\*.*?\*/|'[^']*'|"[^"]*"|`[^`]*`|\w+|.""".r

  def tokenize(sql: String): IndexedSeq[String] = token.findAllIn(sql).toIndexedSeq

  /** Signs that the clause and its pattern are made of, and a few that they are not. */
  private val signs =
    "( ) { } {- -} [^ ] | || ^ $ * + ? ?? , ; . - = > : :p <> -- /* */ /*+ ' \" ` @ 0 2147483648 1e3"
      .split(" ")
      .toSeq :+ "\u00e4" :+ "\u0000"

  /** The clauses that are in no other, by the indexes of the keyword and of the last parenthesis. */
  def clauses(tokens: IndexedSeq[String]): Seq[(Int, Int)] = {
    val found = Seq.newBuilder[(Int, Int)]
    var i     = 0
    while (i < tokens.size) {
      if (tokens(i).equalsIgnoreCase("MATCH_RECOGNIZE")) {
        val open  = tokens.indexOf("(", i)
        var depth = 0
        val close = tokens.indices.drop(math.max(open, 0)).find { k =>
          if (tokens(k) == "(") depth += 1 else if (tokens(k) == ")") depth -= 1
          open >= 0 && depth == 0
        }
        close.foreach { last => found += i -> last; i = last }
      }
      i += 1
    }
    found.result()
  }

  /**
   * A statement with one typing mistake in a clause.
   *
   * @param from
   *   where the clause begins
   * @param to
   *   how far an error may be: the clause's end and the next word, unless parentheses moved it
   */
  final case class Slip(sql: String, what: String, from: Int, to: Int)

  object Slip {

    /** A letter too many, too few or changed; a word left out or in quotes; a parenthesis lost. */
    def in(tokens: IndexedSeq[String], random: Random): Slip = {
      val all         = clauses(tokens)
      val (from, to)  = all(random.nextInt(all.size))
      val solid       = (from to to).filter(i => isWord(tokens(i)) || "()".contains(tokens(i)))
      val at          = solid(random.nextInt(solid.size))
      val token       = tokens(at)
      val parenthesis = !isWord(token)
      val changed     =
        if (parenthesis) ""
        else
          random.nextInt(6) match {
            case 0 => ""
            case 1 => "\"" + token + "\""
            case 2 => "'" + token + "'"
            case _ => misspelled(token, random)
          }
      val result = tokens.updated(at, changed)
      val sql    = result.mkString
      // A comment's sign or a parenthesis that is lost, and the statement goes on elsewhere.
      val end = if (parenthesis) sql.length else result.take(to + 1).mkString.length
      val gap = sql.drop(end).takeWhile(_.isWhitespace).length
      Slip(sql, s"$token is now $changed", result.take(from).mkString.length, end + gap)
    }

    private def isWord(token: String): Boolean = token.head.isLetter

    private def misspelled(word: String, random: Random): String = {
      val i = random.nextInt(word.length)
      random.nextInt(4) match {
        case 0 if word.length > 1     => word.patch(i, "", 1)
        case 1 if i + 1 < word.length => word.patch(i, Seq(word(i + 1), word(i)).mkString, 2)
        case 2                        => word.patch(i, word(i).toString * 2, 1)
        case _ => word.patch(i, ('A' + random.nextInt(26)).toChar.toString, 1)
      }
    }
  }

  /** One to four changes, mostly one. */
  def mutate(
      tokens: IndexedSeq[String],
      words: IndexedSeq[String],
      random: Random): IndexedSeq[String] = {
    val changes = 1 + (if (random.nextInt(3) == 0) random.nextInt(4) else 0)
    (1 to changes).foldLeft(tokens)((changed, _) => change(changed, words, random))
  }

  private def change(
      tokens: IndexedSeq[String],
      words: IndexedSeq[String],
      random: Random): IndexedSeq[String] = {
    val solid = tokens.indices.filter(i => tokens(i).exists(!_.isWhitespace))
    if (solid.isEmpty) tokens
    else {
      val at      = solid(random.nextInt(solid.size))
      val other   = solid(random.nextInt(solid.size))
      val another =
        if (random.nextInt(3) == 0) signs(random.nextInt(signs.size))
        else words(random.nextInt(words.size))
      random.nextInt(8) match {
        case 0 | 1 => tokens.patch(at, Nil, 1)
        case 2     => tokens.patch(at, Seq(another, " "), 0)
        case 3     => tokens.updated(at, another)
        case 4     => tokens.patch(at, Seq(tokens(at), " "), 0)
        case 5     => tokens.updated(at, tokens(other)).updated(other, tokens(at))
        case 6     =>
          // A run of tokens is omitted, or repeated at another place.
          val length = 1 + random.nextInt(12)
          if (random.nextBoolean()) tokens.patch(at, Nil, length)
          else tokens.patch(other, tokens.slice(at, at + length), 0)
        case _ => tokens.take(at)
      }
    }
  }
}
