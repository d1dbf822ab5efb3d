"""match_recognize.sql: the frames that it takes and refuses."""

from __future__ import annotations

import match_recognize
import pandas as pd
import pytest
from match_recognize import MatchRecognizeError


class FakeFrame:
    """What sql() asks of a DataFrame before Spark sees it."""

    def createOrReplaceTempView(self, name: str) -> None: ...  # noqa: N802


def test_a_name_without_a_frame() -> None:
    with pytest.raises(MatchRecognizeError, match=r"names \{t\}.*given: none"):
        match_recognize.sql(None, "SELECT * FROM {t}")  # type: ignore[arg-type]


def test_a_frame_without_its_name() -> None:
    with pytest.raises(MatchRecognizeError, match="does not use u: write"):
        match_recognize.sql(
            None,  # type: ignore[arg-type]
            "SELECT * FROM {t} WHERE x = '{u}'",
            t=FakeFrame(),  # type: ignore[arg-type]
            u=FakeFrame(),  # type: ignore[arg-type]
        )


def test_a_frame_must_be_a_frame() -> None:
    with pytest.raises(TypeError, match=r"t must be a DataFrame of Spark, not builtins.int\.$"):
        match_recognize.sql(None, "SELECT * FROM {t}", t=1)  # type: ignore[arg-type]


class Moved(pd.DataFrame):
    """A frame of pandas whose class is in a module of another name."""


@pytest.mark.parametrize("kind", [pd.DataFrame, Moved])
def test_a_pandas_frame_is_none_of_spark(kind: type[pd.DataFrame]) -> None:
    with pytest.raises(TypeError, match=r"DataFrame of Spark, not .*Write t=spark.createDataFr"):
        match_recognize.sql(None, "SELECT * FROM {t}", t=kind())  # type: ignore[arg-type]


def test_a_table_of_arrow_is_none_of_spark() -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="PyArrow is not installed")
    table = pyarrow.table({"a": [1]})
    for frame in (table, table.to_batches()[0]):
        with pytest.raises(TypeError, match=r"t=spark.createDataFrame\(pyarrow.table\(t\)\)"):
            match_recognize.sql(None, "SELECT * FROM {t}", t=frame)  # type: ignore[arg-type]
