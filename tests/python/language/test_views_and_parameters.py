"""A query with the clause, wherever PySpark takes a query: views, parameters, scripts, frames."""

from __future__ import annotations

from collections.abc import Callable

import match_recognize
import pytest
from conftest import SPARK
from pyspark.sql import SparkSession
from refusals import EXCEPTIONS, refusal

ROWS = [("a", 1, 5), ("a", 2, 3), ("a", 3, 4), ("b", 1, 1), ("b", 2, 7), ("b", 3, 2)]

QUERY = """
    SELECT symbol, low FROM ticks MATCH_RECOGNIZE (
      PARTITION BY symbol ORDER BY day
      MEASURES DOWN.price AS low
      PATTERN (A DOWN{1,2})
      DEFINE DOWN AS price < PREV(price) AND price >= {least})
    ORDER BY symbol"""

ALL_LOWS = [("a", 3), ("b", 2)]


@pytest.fixture(params=["classic", "connect"])
def session(
    request: pytest.FixtureRequest, new_session: Callable[[], SparkSession]
) -> SparkSession:
    session = request.getfixturevalue("connect") if request.param == "connect" else new_session()
    frame = session.createDataFrame(ROWS, "symbol string, day int, price int")
    frame.createOrReplaceTempView("ticks")
    return session


def query(least: str = "0") -> str:
    return QUERY.replace("{least}", least)


class TestViews:
    def test_a_function_with_a_name_of_the_clause(self, session: SparkSession) -> None:
        if SPARK < (4, 0):
            pytest.skip("Spark 3.5 has no functions in SQL")
        session.sql("CREATE DATABASE own")
        try:
            session.sql("CREATE FUNCTION own.prev(x INT) RETURNS INT RETURN x - 1")
            session.sql("USE own")
            session.sql("CREATE VIEW before AS SELECT prev(x) AS p FROM VALUES (3) AS t(x)")
            session.sql("USE default")
            assert session.sql("SELECT p FROM own.before").collect() == [(2,)]
        finally:
            session.sql("USE default")
            session.sql("DROP DATABASE own CASCADE")

    def test_temporary_view(self, session: SparkSession) -> None:
        session.sql(f"CREATE TEMPORARY VIEW lows AS {query()}")
        assert session.table("lows").collect() == ALL_LOWS
        assert session.sql("SELECT COUNT(*) FROM lows WHERE symbol = 'b'").collect() == [(1,)]

    def test_view_of_a_frame(self, session: SparkSession) -> None:
        session.sql(query()).createOrReplaceTempView("lows")
        assert session.sql("SELECT MAX(low) FROM lows").collect() == [(3,)]

    def test_stored_view_is_read_again(self, session: SparkSession, spark: SparkSession) -> None:
        session.sql("CREATE TABLE ticks_table USING parquet AS SELECT * FROM ticks")
        try:
            session.sql(f"CREATE VIEW lows_view AS {query().replace('ticks', 'ticks_table')}")
            # Its text is parsed anew in each session that reads it.
            assert spark.newSession().table("lows_view").collect() == ALL_LOWS
            # And a further view over it.
            session.sql("CREATE VIEW over_it AS SELECT low FROM lows_view WHERE symbol = 'a'")
            assert session.table("over_it").collect() == [(3,)]
        finally:
            session.sql("DROP VIEW IF EXISTS over_it")
            session.sql("DROP VIEW IF EXISTS lows_view")
            session.sql("DROP TABLE IF EXISTS ticks_table")

    def test_cached_table(self, session: SparkSession) -> None:
        session.sql(f"CACHE TABLE cached_lows AS {query()}")
        assert session.table("cached_lows").collect() == ALL_LOWS
        session.sql("UNCACHE TABLE cached_lows")

    def test_the_frame_is_a_frame(self, session: SparkSession) -> None:
        lows = session.sql(query())
        assert lows.columns == ["symbol", "low"]
        assert lows.filter("low > 2").select("symbol").collect() == [("a",)]
        # A join with itself: two sets of attributes from one plan.
        joined = lows.alias("l").join(lows.alias("r"), "symbol")
        assert joined.count() == 2


class TestParameters:
    def test_named(self, session: SparkSession) -> None:
        assert session.sql(query(":least"), args={"least": 3}).collect() == [("a", 3)]

    def test_positional(self, session: SparkSession) -> None:
        text = query("?").replace("{1,2}", "{1,2}?")
        # The reluctant mark of the pattern is no parameter.
        assert session.sql(text, args=[3]).collect() == [("a", 3)]

    def test_inside_and_outside(self, session: SparkSession) -> None:
        text = "SELECT *, ? AS mark FROM (" + query("?") + ") WHERE symbol < ?"
        assert session.sql(text, args=["x", 0, "b"]).collect() == [("a", 3, "x")]

    def test_a_bound_of_the_pattern(self, session: SparkSession) -> None:
        text = query().replace("{1,2}", "{:least,:most}")
        assert session.sql(text, args={"least": 1, "most": 2}).collect() == ALL_LOWS
        assert session.sql(text, args={"least": 2, "most": 2}).collect() == []

    def test_positional_bounds(self, session: SparkSession) -> None:
        text = "SELECT *, ? AS mark FROM (" + query("?").replace("{1,2}", "{?,?}?") + ")"
        text += " WHERE symbol < ?"
        assert session.sql(text, args=["x", 1, 2, 0, "b"]).collect() == [("a", 3, "x")]
        assert session.sql(text, args=["x", 2, 2, 0, "b"]).collect() == []
        # The bound is neither the value before the clause nor the one after it.
        text = text.replace("{?,?}?", "{?}?")
        assert session.sql(text, args=[7, 1, 3, "c"]).collect() == [("a", 3, 7)]
        text = text.replace("{?}?", "{?,}??")
        assert session.sql(text, args=[7, 1, 3, "c"]).collect() == [("a", 3, 7)]

    @pytest.mark.parametrize("value", [-1, None, "two", "DOWN", 1.5, 0])
    def test_wrong_positional_bounds(self, session: SparkSession, value: object) -> None:
        text = query("?").replace("{1,2}", "{?}")
        with pytest.raises(EXCEPTIONS) as caught:
            session.sql(text, args=[value, 0]).collect()
        said = refusal(caught.value)
        substituted = value == 0 and SPARK >= (4, 1)
        name = "BOUND_TOO_SMALL" if substituted else "INVALID_BOUND_VALUE"
        assert said.condition == f"MATCH_RECOGNIZE.{name}", said
        assert "DOWN{?}" in said.message

    def test_too_few_positional_bounds(self, session: SparkSession) -> None:
        text = query().replace("{1,2}", "{?,?}")
        for args in ([1], []):
            with pytest.raises(EXCEPTIONS) as caught:
                session.sql(text, args=args).collect()
            assert refusal(caught.value).condition == "UNBOUND_SQL_PARAMETER"

    @pytest.mark.skipif(SPARK < (4, 0), reason="3.5 has no EXECUTE IMMEDIATE")
    def test_positional_bounds_in_execute_immediate(self, session: SparkSession) -> None:
        text = query("?").replace("{1,2}", "{?,?}").replace("'", "''")
        rows = session.sql(f"EXECUTE IMMEDIATE '{text}' USING 1, 2, 3").collect()
        assert rows == [("a", 3)]

    @pytest.mark.skipif(SPARK < (4, 0), reason="3.5 has no EXECUTE IMMEDIATE")
    def test_execute_immediate(self, session: SparkSession) -> None:
        text = query(":least").replace("'", "''")
        rows = session.sql(f"EXECUTE IMMEDIATE '{text}' USING 3 AS least").collect()
        assert rows == [("a", 3)]

    @pytest.mark.skipif(SPARK < (4, 0), reason="3.5 has no session variables")
    def test_session_variable(self, session: SparkSession) -> None:
        session.sql("DECLARE OR REPLACE VARIABLE at_least INT DEFAULT 3")
        assert session.sql(query("at_least")).collect() == [("a", 3)]
        session.sql("DROP TEMPORARY VARIABLE at_least")


class TestScripts:
    @pytest.mark.skipif(SPARK < (4, 0), reason="3.5 has no SQL scripts")
    def test_a_script(self, session: SparkSession) -> None:
        session.conf.set("spark.sql.scripting.enabled", "true")
        rows = session.sql(f"""
            BEGIN
              DECLARE at_least INT = 3;
              {query("at_least")};
            END""").collect()
        assert rows == [("a", 3)]


class TestFrames:
    def test_a_frame_and_the_braces_of_a_pattern(self, session: SparkSession) -> None:
        frame = session.table("ticks")
        text = query(":least").replace("FROM ticks", "FROM {frame}")
        rows = match_recognize.sql(session, text, {"least": 3}, frame=frame).collect()
        assert rows == [("a", 3)]

    def test_a_frame_that_is_not_a_view(self, session: SparkSession) -> None:
        frame = session.createDataFrame(
            [("c", 1, 9), ("c", 2, 8)], "symbol string, day int, price int"
        )
        text = query().replace("FROM ticks", "FROM {frame}")
        before = session.catalog.listTables()
        lows = match_recognize.sql(session, text, frame=frame)
        assert session.catalog.listTables() == before
        assert lows.collect() == [("c", 8)]

    def test_exclusion_braces_and_strings(self, session: SparkSession) -> None:
        frame = session.table("ticks")
        rows = match_recognize.sql(
            session,
            """SELECT symbol, day, '{frame}' AS text FROM {frame} MATCH_RECOGNIZE (
                 PARTITION BY symbol ORDER BY day
                 ALL ROWS PER MATCH PATTERN (A {- DOWN -})
                 DEFINE DOWN AS price < PREV(price)) ORDER BY symbol""",
            frame=frame,
        ).collect()
        assert rows == [("a", 1, "{frame}"), ("b", 2, "{frame}")]

    def test_without_frames_it_is_spark_sql(self, session: SparkSession) -> None:
        assert match_recognize.sql(session, query("?"), [3]).collect() == [("a", 3)]
