"""Which braces of a text name a frame."""

from __future__ import annotations

import pytest
from match_recognize.sql_text import frame_names


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
    assert frame_names.names(text) == names


def test_all_other_braces_are_doubled_for_pyspark() -> None:
    text = "SELECT '{x}' FROM { t } MATCH_RECOGNIZE (PATTERN (A{2} {- B -}))"
    template = "".join(
        piece if name is None else "{" + name + "}"
        for piece, name in frame_names.pieces(text, escape=True)
    )
    assert template.format(t="view") == text.replace("{ t }", "view")
