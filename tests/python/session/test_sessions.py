"""configure and enable on real Sparks, each in a process of its own."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import scripts
from conftest import SPARK, needs_connect

# Executors are processes of their own here, as on a cluster: what works on local[2] may only
# work because driver and executor share one class path.
CLUSTER = "local-cluster[1,1,1024]"


@pytest.mark.nightly
def test_configure_reaches_executors() -> None:
    scripts.run(f"""
        spark = configure(builder({CLUSTER!r})).getOrCreate()
        assert probe.failure(spark) is None, probe.failure(spark)
        # To configure again gives the same session.
        assert configure(SparkSession.builder).getOrCreate() is spark
        """)


def test_enable_turns_a_running_session() -> None:
    scripts.run(f"""
        spark = builder({CLUSTER!r}).getOrCreate()
        spark.sql("CREATE TEMP VIEW seen AS SELECT 1 AS a")
        spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
        assert "PARSE_SYNTAX_ERROR" in probe.failure(spark)

        # The silent case: getOrCreate() would return this session.
        message = refusal(lambda: configure(SparkSession.builder))
        assert "already running" in message, message
        assert "match_recognize.enable(spark)" in message, message
        message = refusal(lambda: match_recognize.sql(spark, probe.QUERY))
        assert "does not have the MATCH_RECOGNIZE extension" in message, message

        other = spark.newSession()
        # A session is built when it is first used.
        assert "PARSE_SYNTAX_ERROR" in probe.failure(other)
        assert enable(spark) is spark
        assert probe.failure(spark) is None, probe.failure(spark)
        assert spark.table("seen").collect() == [(1,)]
        assert spark.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
        assert enable(spark) is spark
        # What is made from it later has the clause, what was there before has not.
        assert probe.failure(spark.newSession()) is None
        assert "PARSE_SYNTAX_ERROR" in probe.failure(other)
        # A second call must not inject a second parser.
        assert enable(other) is other
        assert probe.failure(other) is None

        # A frame of another session can be queried.
        frame = other.range(3)
        rows = match_recognize.sql(spark, "SELECT * FROM {{frame}}", frame=frame).collect()
        assert sorted(rows) == [(0,), (1,), (2,)]
        left = spark.sql("SHOW VIEWS IN global_temp").filter("namespace = 'global_temp'")
        assert left.count() == 0
        """)


#: The price falls once, on day 2, to 8.
LOW = """\
    def low(table):
        return f'''SELECT low FROM {table} MATCH_RECOGNIZE (
            ORDER BY day MEASURES LAST(DOWN.price) AS low
            PATTERN (A DOWN+) DEFINE DOWN AS price < PREV(price))'''

    def prices(session):
        rows = [(1, 10), (2, 8), (3, 9)]
        return session.createDataFrame(rows, "day INT, price INT")
"""


def test_enable_keeps_what_the_session_has(tmp_path: Path) -> None:
    """Views, frames and all that a notebook has made are used after the call as before it."""
    has_variables = SPARK >= (4, 0)
    scripts.run(
        textwrap.dedent(LOW)
        + textwrap.dedent(f"""
    spark = builder().config("spark.sql.warehouse.dir", {str(tmp_path)!r}).getOrCreate()
    before = prices(spark)
    before.createOrReplaceTempView("seen")
    before.createOrReplaceGlobalTempView("everywhere")
    spark.udf.register("inc", lambda x: x + 1, "int")
    settings = spark.conf
    if {has_variables}:
        spark.sql("DECLARE most INT = 9")
    spark.sql("CREATE DATABASE mine")
    spark.sql("USE mine")
    spark = enable(spark)
    # A view made before, a view made after of a frame made before, the frame itself.
    assert spark.sql(low("seen")).collect() == [(8,)]
    assert spark.sql(low("global_temp.everywhere")).collect() == [(8,)]
    before.createOrReplaceTempView("seen_later")
    assert spark.sql(low("seen_later")).collect() == [(8,)]
    assert spark.sql(low("{{before}}"), before=before).collect() == [(8,)]
    assert match_recognize.sql(spark, low("{{df}}"), df=before).collect() == [(8,)]
    assert before.sparkSession.sql(low("seen")).collect() == [(8,)]
    above = spark.sql("SELECT inc(low) FROM (" + low("seen") + ")")
    assert above.collect() == [(9,)]
    if {has_variables}:
        least = low("seen").replace("PREV(price)", "PREV(price) AND price < most")
        assert spark.sql(least).collect() == [(8,)]
        spark.sql("SET VAR most = 8")
        assert spark.sql(least).collect() == []
    assert spark.catalog.currentDatabase() == "mine"
    assert SparkSession.builder.getOrCreate() is spark
    # Settings are those of the session, however they are reached.
    settings.set("spark.sql.session.timeZone", "Asia/Tokyo")
    assert spark.sql("SELECT current_timezone()").collect() == [("Asia/Tokyo",)]
    spark.sql("SET spark.sql.session.timeZone = UTC")
    assert settings.get("spark.sql.session.timeZone") == "UTC"
    # The text of a view is parsed when the view is read.
    before.write.saveAsTable("prices")
    spark.sql("CREATE VIEW lows AS " + low("prices"))
    assert spark.table("lows").collect() == [(8,)]
    spark.sql("CREATE TEMP VIEW temp_lows AS " + low("seen"))
    assert spark.table("temp_lows").collect() == [(8,)]
    """)
    )


@pytest.mark.nightly
def test_enable_keeps_listeners_and_streams() -> None:
    scripts.run("""
        import tempfile
        spark = builder().getOrCreate()
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        stream = spark.readStream.format("rate").load().writeStream.format("noop") \
            .option("checkpointLocation", folder.name).start()
        listeners = spark._jsparkSession.listenerManager()
        enable(spark)
        assert [query.id for query in spark.streams.active] == [stream.id]
        assert spark._jsparkSession.listenerManager().equals(listeners)
        stream.stop()
        assert spark.streams.active == []
        """)


@pytest.mark.nightly
def test_enable_in_a_session_with_hive(tmp_path: Path) -> None:
    # Hive's catalog has a parser of its own for the texts of views.
    scripts.run(
        textwrap.dedent(LOW)
        + textwrap.dedent(f"""
    named = "spark.hadoop.javax.jdo.option.ConnectionURL"
    spark = (
        builder()
        .config("spark.sql.warehouse.dir", {str(tmp_path)!r})
        .config(named, "jdbc:derby:memory:metastore;create=true")
        .config("spark.driver.extraJavaOptions", "-Dderby.system.home={tmp_path}")
        .enableHiveSupport()
        .getOrCreate()
    )
    before = prices(spark)
    before.createOrReplaceTempView("seen")
    assert enable(spark) is spark
    assert spark.sql(low("seen")).collect() == [(8,)]
    rows = "(SELECT * FROM VALUES (1, 10), (2, 8), (3, 9) AS t(day, price))"
    spark.sql("CREATE VIEW lows AS " + low(rows))
    assert spark.table("lows").collect() == [(8,)]
    """)
    )


def test_enable_says_why_it_cannot() -> None:
    # As in a Spark whose sessions are built in another way.
    scripts.run("""
        from match_recognize.session import jvm
        spark = builder().getOrCreate()
        def fail(session):
            raise ValueError("no field of that name")
        jvm.renew = fail
        message = refusal(lambda: enable(spark))
        assert "cannot be added to this session while it runs: no field" in message, message
        assert "configure(SparkSession.builder).getOrCreate()" in message, message
        """)


@pytest.mark.nightly
def test_configure_checks_the_session_that_get_or_create_gives() -> None:
    scripts.run("""
        plain = builder().getOrCreate()
        # A session reads its extensions at its first use, which is before enable()'s.
        assert probe.failure(plain) is not None
        other = enable(plain.newSession())
        # The one used last in this thread is not the one that getOrCreate() gives.
        assert probe.failure(other) is None
        assert SparkSession.builder.getOrCreate() is plain
        message = refusal(lambda: configure(SparkSession.builder).getOrCreate())
        assert "already running" in message, message
        # What it says works, and the other way round the answer is the right session.
        enable(plain)
        bare = other.newSession()
        assert configure(SparkSession.builder).getOrCreate() is plain
        assert probe.failure(plain) is None
        """)


@pytest.mark.nightly
def test_configure_with_a_session_made_in_the_jvm() -> None:
    # As in Zeppelin, or a program whose Scala part has started Spark.
    scripts.run("""
        from pyspark import SparkConf, SparkContext
        settings = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
        context = SparkContext(conf=settings)
        builder = context._jvm.org.apache.spark.sql.SparkSession.builder()
        made = builder.getOrCreate()
        message = refusal(lambda: configure(SparkSession.builder))
        assert "already running" in message, message
        spark = SparkSession.builder.getOrCreate()
        assert spark._jsparkSession.equals(made)
        enable(spark)
        assert configure(SparkSession.builder).getOrCreate() is spark
        """)


@pytest.mark.nightly
def test_a_second_session_in_the_same_jvm() -> None:
    # The JVM stays after stop(), and with it the class path of the session without us.
    scripts.run("""
        builder().getOrCreate().stop()
        spark = configure(builder()).getOrCreate()
        assert probe.failure(spark) is None, probe.failure(spark)
        """)


@pytest.mark.nightly
def test_submit_arguments_do_not_hide_the_jar() -> None:
    scripts.run(
        """
        spark = configure(builder()).getOrCreate()
        assert probe.failure(spark) is None, probe.failure(spark)
        """,
        PYSPARK_SUBMIT_ARGS="--conf spark.jars= --conf spark.sql.extensions= pyspark-shell",
    )


@pytest.mark.nightly
@needs_connect
def test_connect_with_a_server_of_its_own() -> None:
    scripts.run("""
        spark = configure(builder(None).remote("local[2]")).getOrCreate()
        assert type(spark).__module__.startswith("pyspark.sql.connect")
        assert probe.failure(spark) is None, probe.failure(spark)
        assert enable(spark) is spark
        """)


@pytest.mark.nightly
@needs_connect
def test_connect_to_a_server_without_the_extension() -> None:
    scripts.run("""
        spark = builder(None).remote("local[2]").getOrCreate()
        message = refusal(lambda: enable(spark))
        assert "settings of the server" in message, message
        assert "start-connect-server.sh --jars" in message, message
        message = refusal(lambda: match_recognize.sql(spark, probe.QUERY))
        assert "does not have the MATCH_RECOGNIZE extension" in message, message
        message = refusal(lambda: configure(SparkSession.builder))
        assert "already running" in message, message
        assert 'configure(SparkSession.builder.remote("local[*]"))' in message, message
        # What it says works.
        spark.stop()
        spark = configure(builder(None).remote("local[2]")).getOrCreate()
        assert probe.failure(spark) is None, probe.failure(spark)
        """)
