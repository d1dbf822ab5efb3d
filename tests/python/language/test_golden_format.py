"""The reader of golden files, on text."""

from __future__ import annotations

from pathlib import Path

import golden
import pytest

TEXT = """\
-- A title.
-- conf: a.b=c=d
CREATE TEMP VIEW t AS
  SELECT 1;
-- a comment of the file
CREATE TEMP VIEW u AS SELECT 2;

-- case: first-rule [Names]
-- why: by hand
-- and more
-- ordered
SELECT a, -- this one
  b FROM t;
-- expect:
-- | a : int | (b % 2) |
-- | 1       | x \\| y |
-- | NULL    | ''      |

-- case: second
-- script
-- spark: 4.1+, it has no scripts before
BEGIN
  SELECT 1;
END;
-- error: MATCH_RECOGNIZE.X [42000]
-- underlines: SELECT 1
-- says: write
-- says: instead
"""


def read(tmp_path: Path, text: str) -> golden.GoldenFile:
    file = tmp_path / "feature.sql"
    file.write_text(text)
    return golden.read(file)


def test_a_file(tmp_path: Path) -> None:
    file = read(tmp_path, TEXT)
    assert file.conf == {"a.b": "c=d"}
    assert len(file.setup) == 2
    assert file.setup[0].endswith("CREATE TEMP VIEW t AS\n  SELECT 1")
    first, second = file.cases
    assert (first.name, first.line, first.why, first.ordered) == (
        "first-rule",
        8,
        "by hand and more",
        True,
    )
    assert first.statements() == ["SELECT a, -- this one\n  b FROM t"]
    assert first.answer == golden.Answer(
        [golden.Column("a", "int"), golden.Column("(b % 2)", None)],
        [["1", "x \\| y"], ["NULL", "''"]],
    )
    assert second.statements() == ["BEGIN\n  SELECT 1;\nEND;"]
    assert second.sparks == golden.Sparks((4, 1), (99, 0), "it has no scripts before")
    assert second.refusal == golden.Refusal(
        "MATCH_RECOGNIZE.X", "42000", "SELECT 1", ["write", "instead"]
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-- case: a\nSELECT 1;\n", "one of"),
        ("-- case: a\n-- expect:\n-- | a |\n", "no SQL"),
        ("-- case: a\nSELECT 1;\n-- expect:\n-- | a |\n-- | 1 | 2 |\n", "different width"),
        ("-- case: a\nSELECT 1;\n-- expect:\n-- | a |\nSELECT 2;\n", "is missing"),
        ("-- case: a\nSELECT 1;\n-- says: b\n", "without -- error:"),
        ("-- expect:\n", "before the first"),
        ("-- conf: a\n", "key=value"),
        ("-- case: a\n-- spark: 4.1+\n", "the reason"),
        ("-- case: a\n-- spark: because\n", "the reason"),
    ],
)
def test_what_is_not_the_format_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(golden.GoldenFormatError, match=reason):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("4.1+, r", {(4, 1), (4, 3), (5, 0)}),
        ("4.1, r", {(4, 1)}),
        ("3.5-4.1, r", {(3, 5), (4, 0), (4, 1)}),
    ],
)
def test_versions(text: str, held: set[golden.Version]) -> None:
    said = golden.sparks(text)
    assert said is not None
    assert said.reason == "r"
    some = {(3, 5), (4, 0), (4, 1), (4, 3), (5, 0)}
    assert {version for version in some if version in said} == held


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "NULL"), ("NULL", "'NULL'"), ("", "''"), (" a", "' a'"), ("a|b\n", "'a\\|b\\n'")],
)
def test_values(value: str | None, text: str) -> None:
    assert golden.show(value) == text
    assert golden.cells(f"| {text} | 1 |") == [text, "1"]


def test_underlined() -> None:
    parse_error = "\n== SQL ==\nSELECT a FROM\n-------^^^\n"
    assert golden.underlined(parse_error) == [("a FROM", False)]
    analysis_error = "== SQL (line 2, position 3) ==\n  nope from t\n  ^^^^\n"
    assert golden.underlined(analysis_error) == [("nope", True)]
