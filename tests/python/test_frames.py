"""match_recognize.sql: which braces name a frame."""

from __future__ import annotations

import match_recognize
import pandas as pd
import pytest
from match_recognize import MatchRecognizeError, frames


class FakeFrame:
    """What sql() asks of a DataFrame before Spark sees it."""

    def createOrReplaceTempView(self, name: str) -> None: ...  # noqa: N802


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT * FROM {a} JOIN { b_1 } USING (k)", ["a", "b_1"]),
        ("SELECT '{a}', \"{b}\", `{c}`, r'\\', {d}", ["d"]),
        ("SELECT 'it''s \\' {a}' FROM {b}", ["b"]),
        ("-- {a}\nSELECT /* {b} /* {c} */ {d} */ 1 FROM {e}", ["e"]),
        ("-- {a} \\\n {b}\nSELECT * FROM {c}", ["c"]),
        ("SELECT ${x}, $$ {a} $$, $t$ {b} $$ {c} $t$ FROM {d}", ["d"]),
        ("SELECT {1}, {a b}, {}, {a.b}, {a", []),
        (
            "SELECT * FROM {t} MATCH_RECOGNIZE (PATTERN (A{2,3} (B+{C} {- D -})) "
            "DEFINE A AS x IN (SELECT y FROM {u}))",
            ["t", "u"],
        ),
        ("SELECT * FROM t match_recognize /* ( */ ( pattern -- (\n (A+{B}) )", []),
        ("SELECT pattern({a}), `MATCH_RECOGNIZE`(pattern({b}))", ["a", "b"]),
        ("SELECT * FROM t MATCH_RECOGNIZE (DEFINE A AS f(PATTERN({a})) PATTERN ({b}))", ["a"]),
    ],
)
def test_which_braces_name_a_frame(text: str, names: list[str]) -> None:
    assert frames.names(text) == names


def test_all_other_braces_are_doubled_for_pyspark() -> None:
    text = "SELECT '{x}' FROM { t } MATCH_RECOGNIZE (PATTERN (A{2} {- B -}))"
    template = "".join(
        piece if name is None else "{" + name + "}"
        for piece, name in frames._pieces(text, escape=True)
    )
    assert template.format(t="view") == text.replace("{ t }", "view")


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
