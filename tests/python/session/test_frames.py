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


def test_a_pandas_frame_is_none_of_spark() -> None:
    with pytest.raises(TypeError, match=r"not pandas.*Write t=spark.createDataFrame\(t\)"):
        match_recognize.sql(None, "SELECT * FROM {t}", t=pd.DataFrame())  # type: ignore[arg-type]
