"""Expressions that need Python, or other operators of Spark, to be evaluated."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest
from conftest import SPARK
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf, udf
from pyspark.sql.types import BooleanType, IntegerType
from refusals import refusal

# price rises from day 1 to 5, falls, rises again
PRICES = [12, 17, 19, 21, 25, 12, 15]


@pytest.fixture(scope="module")
def prices(spark: SparkSession) -> Iterator[SparkSession]:
    """Tables `prices` and `good`, Python functions `plus_one`, `plus_one_arrow` and `twice`."""
    rows = [(day, price) for day, price in enumerate(PRICES, start=1)]
    spark.createDataFrame(rows, "day INT, price INT").createOrReplaceTempView("prices")
    spark.sql("SELECT * FROM VALUES (17), (19), (21) AS good(price)").createOrReplaceTempView(
        "good"
    )
    spark.udf.register("plus_one", udf(lambda x: x + 1, IntegerType()))
    spark.udf.register("plus_one_arrow", udf(lambda x: x + 1, IntegerType(), useArrow=True))

    @pandas_udf(IntegerType())
    def twice(column: pd.Series) -> pd.Series:
        return column * 2

    spark.udf.register("twice", twice)
    yield spark
    for view in ("prices", "good"):
        spark.catalog.dropTempView(view)


def run(spark: SparkSession, measures: str, define: str, rows: str = "ONE ROW PER MATCH"):
    """The rows of a clause with PATTERN (A B+), in the order of its days."""
    return [
        tuple(row)
        for row in spark.sql(
            f"""SELECT * FROM prices MATCH_RECOGNIZE (
                  ORDER BY day MEASURES {measures} {rows} PATTERN (A B+) DEFINE {define})"""
        ).collect()
    ]


RISING = "B AS price > PREV(price)"


@pytest.mark.parametrize("function", ["plus_one", "plus_one_arrow"])
def test_python_functions_in_conditions_and_measures(prices: SparkSession, function: str) -> None:
    # the two rising runs are 12 17 19 21 25 and 12 15
    measures = f"""{function}(A.price) AS a, LAST({function}(B.price), 1) AS before_last,
                   {function}(LAST(B.price, 1)) AS the_same, SUM({function}(B.price)) AS total"""
    define = f"B AS {function}(price) > {function}(PREV(price))"
    assert run(prices, measures, define) == [
        (13, 22, 22, 18 + 20 + 22 + 26),
        # no last but one B: NULL, and the function is not asked
        (13, None, None, 16),
    ]


def test_pandas_functions(prices: SparkSession) -> None:
    assert run(prices, "twice(A.price) AS a, MAX(twice(B.price)) AS b", RISING) == [
        (24, 50),
        (24, 30),
    ]


@pytest.mark.parametrize(
    "expression",
    [
        "plus_one({c})",
        "plus_one_arrow({c}) % 2",
        "twice({c} + 1)",
        "plus_one(twice({c}))",
        "plus_one({c}) IN (18, 20, NULL)",
        "CASE WHEN plus_one({c}) > 20 THEN twice({c}) END",
    ],
)
def test_python_functions_in_three_places(prices: SparkSession, expression: str) -> None:
    """The same expression in SELECT, MEASURES, WHERE and DEFINE."""
    outside = expression.format(c="price")
    values = dict(prices.sql(f"SELECT day, {outside} FROM prices").collect())
    kind = prices.sql(f"SELECT {outside} AS e FROM prices").schema["e"].dataType
    test = "({})" if kind == BooleanType() else "({}) % 3 = 0"
    where = f"SELECT day FROM prices WHERE {test.format(outside)}"
    true = sorted(row.day for row in prices.sql(where).collect())
    for column in ("price", "A.price", "PREV(price, 0)", "LAST(A.price)"):
        inside = expression.format(c=column)
        for rows in ("ONE ROW PER MATCH", "ALL ROWS PER MATCH"):
            measured = prices.sql(
                f"""SELECT day, e FROM prices MATCH_RECOGNIZE (
                      PARTITION BY day MEASURES {inside} AS e {rows} PATTERN (A))"""
            )
            assert dict(measured.collect()) == values
        defined = prices.sql(
            f"""SELECT day FROM prices MATCH_RECOGNIZE (
                  ORDER BY day MEASURES day AS day
                  PATTERN (A) DEFINE A AS {test.format(inside)})"""
        )
        assert sorted(row.day for row in defined.collect()) == true


def test_a_pandas_function_that_aggregates_is_refused(prices: SparkSession) -> None:
    @pandas_udf("double")
    def mean(column: pd.Series) -> float:
        return column.mean()

    prices.udf.register("pandas_mean", mean)
    with pytest.raises(AnalysisException) as refused:
        run(prices, "pandas_mean(B.price) AS m", RISING)
    assert refusal(refused.value).condition == "MATCH_RECOGNIZE.PYTHON_AGGREGATE"
    # What to write instead.
    assert run(prices, "aggregate(COLLECT_LIST(B.price), 0, (a, b) -> a + b) AS s", RISING) == [
        (82,),
        (15,),
    ]


def test_a_python_function_over_two_rows_is_refused(prices: SparkSession) -> None:
    with pytest.raises(AnalysisException) as refused:
        run(prices, "plus_one(A.price + B.price) AS p", RISING)
    assert refusal(refused.value).condition == "MATCH_RECOGNIZE.NOT_OF_ONE_ROW"


def test_in_over_a_subquery(prices: SparkSession) -> None:
    measures = "LAST(B.price) AS last, B.price IN (SELECT price FROM good) AS good"
    assert run(prices, measures, "B AS B.price IN (SELECT price FROM good)") == [(21, True)]
    # 25 and 15 are not good
    assert run(prices, measures, RISING) == [(25, False), (15, False)]


def test_a_python_function_in_a_subquerys_list(prices: SparkSession) -> None:
    # the prices and one are 13 18 20 22 26 13 16, the good ones and one 18 20 22
    found = prices.sql(
        """SELECT day FROM prices MATCH_RECOGNIZE (
             ORDER BY day MEASURES day AS day PATTERN (A)
             DEFINE A AS plus_one(price) NOT IN (SELECT price + 1 FROM good))"""
    )
    assert [row.day for row in found.collect()] == [1, 5, 6, 7]


def test_in_of_an_aggregate_over_a_subquery_is_refused(prices: SparkSession) -> None:
    with pytest.raises(AnalysisException) as refused:
        run(prices, "1 AS one", "B AS SUM(B.price) IN (SELECT price FROM good)")
    assert refusal(refused.value).condition == "MATCH_RECOGNIZE.NOT_OF_ONE_ROW"


def test_exists_and_scalar_subqueries(prices: SparkSession) -> None:
    assert run(prices, "COUNT(*) AS n", "B AS EXISTS (SELECT 1 FROM good WHERE price > 20)") == [
        (7,)
    ]
    assert run(prices, "COUNT(*) AS n", "B AS EXISTS (SELECT 1 FROM good WHERE price > 30)") == []
    # the smallest good price is 17: 19 21 25
    assert run(prices, "COUNT(*) AS n", "B AS price > (SELECT MIN(price) FROM good)") == [(4,)]


def test_the_columns_computed_beneath_are_not_put_out(prices: SparkSession) -> None:
    frame = prices.sql(
        """SELECT * FROM prices MATCH_RECOGNIZE (
             ORDER BY day MEASURES plus_one(price) AS p ALL ROWS PER MATCH PATTERN (A))"""
    )
    assert frame.columns == ["day", "p", "price"]
    assert [row.p for row in frame.collect()] == [price + 1 for price in PRICES]


@pytest.mark.skipif(SPARK < (4, 0), reason="3.5 has no functions written in SQL")
def test_functions_written_in_sql(prices: SparkSession) -> None:
    prices.sql("CREATE TEMPORARY FUNCTION plus_two(x INT) RETURNS INT RETURN x + 2")
    prices.sql(
        """CREATE TEMPORARY FUNCTION is_good(x INT) RETURNS BOOLEAN
             RETURN EXISTS (SELECT 1 FROM VALUES (17), (19), (21) AS g(p) WHERE p = x)"""
    )
    measures = """plus_two(A.price) AS a, SUM(plus_two(B.price)) AS total,
                  LAST(plus_two(B.price), 1) AS before_last, plus_two(LAST(B.price)) AS last"""
    assert run(prices, measures, "B AS is_good(price)") == [(14, 19 + 21 + 23, 21, 23)]
    with pytest.raises(AnalysisException) as refused:
        run(prices, "plus_two(SUM(B.price)) AS p", RISING)
    assert refusal(refused.value).condition == "MATCH_RECOGNIZE.NOT_OF_ONE_ROW"


def test_functions_of_the_jvm(prices: SparkSession) -> None:
    # of two rows at once, inside lambdas: such functions run where rows are matched
    measures = """greatest(A.price, LAST(B.price, 1)) AS g,
                  transform(array(A.price, B.price), p -> p - A.price) AS differences"""
    assert run(prices, measures, RISING) == [(21, [0, 13]), (12, [0, 3])]


@pytest.mark.skipif(SPARK < (4, 0), reason="3.5 has no session variables")
def test_variables_of_the_session(prices: SparkSession) -> None:
    prices.sql("DECLARE OR REPLACE VARIABLE least INT DEFAULT 20")
    assert run(prices, "A.price AS a, session.least AS l", "B AS price > least") == [(19, 20)]
    prices.sql("DECLARE OR REPLACE VARIABLE back INT DEFAULT 2")
    assert run(prices, "PREV(LAST(B.price), back) AS p", RISING) == [(19,), (25,)]
