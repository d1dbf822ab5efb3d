"""configure and enable on real Sparks, each in a process of its own."""

from __future__ import annotations

import scripts
from conftest import needs_connect

# Executors are processes of their own here, as on a cluster: what works on local[2] may only
# work because driver and executor share one class path.
CLUSTER = "local-cluster[1,1,1024]"


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

        enabled = enable(spark)
        assert enabled is not spark
        assert probe.failure(enabled) is None, probe.failure(enabled)
        assert enabled.table("seen").collect() == [(1,)]
        assert enabled.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
        assert enable(enabled) is enabled
        # A second call for the first session must not inject a second parser.
        again = enable(spark)
        assert probe.failure(again) is None

        # Frames made before the switch can be queried after it.
        frame = spark.range(3)
        rows = match_recognize.sql(enabled, "SELECT * FROM {{frame}}", frame=frame).collect()
        assert sorted(rows) == [(0,), (1,), (2,)]
        left = enabled.sql("SHOW VIEWS IN global_temp").filter("namespace = 'global_temp'")
        assert left.count() == 0
        """)


def test_a_second_session_in_the_same_jvm() -> None:
    # The JVM stays after stop(), and with it the class path of the session without us.
    scripts.run("""
        builder().getOrCreate().stop()
        spark = configure(builder()).getOrCreate()
        assert probe.failure(spark) is None, probe.failure(spark)
        """)


def test_submit_arguments_do_not_hide_the_jar() -> None:
    scripts.run(
        """
        spark = configure(builder()).getOrCreate()
        assert probe.failure(spark) is None, probe.failure(spark)
        """,
        PYSPARK_SUBMIT_ARGS="--conf spark.jars= --conf spark.sql.extensions= pyspark-shell",
    )


@needs_connect
def test_connect_with_a_server_of_its_own() -> None:
    scripts.run("""
        spark = configure(builder(None).remote("local[2]")).getOrCreate()
        assert type(spark).__module__.startswith("pyspark.sql.connect")
        assert probe.failure(spark) is None, probe.failure(spark)
        assert enable(spark) is spark
        """)


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
