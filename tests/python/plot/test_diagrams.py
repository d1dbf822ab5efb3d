"""match_recognize.plot.diagram: the drawing, its words, and the files."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from match_recognize import MatchRecognizeError
from match_recognize.plot import diagram, shapes

QUERY = """
SELECT * FROM ticks MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES LAST(UP.day) AS day
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (TOP `DOWN`+ up+) WITHIN INTERVAL '3' DAYS
  SUBSET MOVE = (DOWN, UP)
  DEFINE DOWN AS price < PREV(price), -- the fall
    UP AS price > PREV(price) AND
      volume > 1000000 /* much */ AND symbol <> 'A & B')
"""


SVG = "{http://www.w3.org/2000/svg}"

DRAWN = [
    QUERY,
    "A",
    "()",
    "^ (A | B C | D)* {- X*? -} E{2,3}? $",
    "A {- X*? -} [^B] {- Y*? -} C+??{D} [^E]",
    "PERMUTE(A, B?, C) Z{100,200}",
    "A B{2,4} C{3,5} D? (E F | G)+ H* I J K L{,9}?? () M+?",
    "((A | (B C?)+)* D{40,}){2,} PERMUTE(E, F, G, H, I)",
    "A_VERY_LONG_NAME+ `価格 上昇`{50} ((B{100,200}){2,50})+",
]


def numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", text)]


def level_lines(path: str) -> list[tuple[float, ...]]:
    """The horizontal parts of a line, as left, top, right, bottom."""
    x = y = 0.0
    found = []
    for command, values in re.findall(r"([MVHQLmvq])([^MVHQLmvqz]*)", path):
        given = numbers(values)
        before = x
        if command in "MLQ":
            x, y = given[-2:]
        elif command == "V":
            y = given[0]
        elif command == "v":
            y += given[0]
        elif command in "mq":
            x, y = x + given[-2], y + given[-1]
        else:
            x = given[0]
            found.append((min(before, x), y - 1, max(before, x), y + 1))
    return found


def laid_out(svg: str) -> tuple[list[tuple[float, ...]], ...]:
    """Boxes, texts and horizontal lines, as left, top, right, bottom on the page."""
    root = ElementTree.fromstring(svg)
    boxes, texts, lines = [], [], []

    def walk(element: ElementTree.Element, x: float, y: float) -> None:
        moved = element.get("transform")
        if moved:
            dx, dy = numbers(moved)
            x, y = x + dx, y + dy
        if element.tag == f"{SVG}rect" and element.get("class", "").split()[0] in (
            "mr-box",
            "mr-test",
        ):
            left, top = x + float(element.attrib["x"]), y + float(element.attrib["y"])
            width, height = float(element.attrib["width"]), float(element.attrib["height"])
            boxes.append((left, top, left + width, top + height))
        if element.get("class", "").startswith("mr-line"):
            for left, top, right, bottom in level_lines(element.attrib["d"]):
                lines.append((x + left, y + top, x + right, y + bottom))
        if element.tag == f"{SVG}text":
            size = float(element.attrib["font-size"])
            width = shapes.text_width(element.text or "", size)
            shift = {"start": 0, "middle": width / 2, "end": width}[element.attrib["text-anchor"]]
            left, base = x + float(element.attrib["x"]) - shift, y + float(element.attrib["y"])
            texts.append((left, base - 0.7 * size, left + width, base))
        for child in element:
            walk(child, x, y)

    walk(root, 0, 0)
    return boxes, texts, lines


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return (
        one[0] < other[2] - 0.5
        and other[0] < one[2] - 0.5
        and one[1] < other[3] - 0.5
        and other[1] < one[3] - 0.5
    )


@pytest.mark.parametrize("query", DRAWN)
def test_nothing_overlaps_and_all_is_on_the_page(query: str) -> None:
    svg = str(diagram(query))
    width, height = numbers(ElementTree.fromstring(svg).attrib["viewBox"])[2:]
    boxes, texts, lines = laid_out(svg)
    assert boxes
    assert lines
    for shape in boxes + texts + lines:
        assert shape[0] >= 0, shape
        assert shape[1] >= 0, shape
        assert shape[2] <= width, shape
        assert shape[3] <= height, shape
    for shapes_of_a_kind in (boxes, texts):
        for i, one in enumerate(shapes_of_a_kind):
            assert not any(overlap(one, other) for other in shapes_of_a_kind[:i]), one
    # A text is in a box as a whole, or outside.
    for words in texts:
        for box in boxes:
            inside = box[0] <= words[0] and words[2] <= box[2]
            assert inside or not overlap(words, box), words
        assert not any(overlap(words, line) for line in lines), words


def words_of(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def titles_of(svg: str) -> set[str]:
    return {element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}title")}


def test_conditions() -> None:
    svg = str(diagram(QUERY))
    words = words_of(svg)
    assert words.count("price < PREV(price)") == 1
    # A long condition is broken into lines.
    assert {"price > PREV(price)", "AND volume > 1000000", "AND symbol <> 'A & B'"} <= set(words)
    assert titles_of(svg) == {
        "TOP has no condition: any row",
        "DOWN AS price < PREV(price)",
        "up AS price > PREV(price) AND volume > 1000000 AND symbol <> 'A & B'",
    }


def test_options() -> None:
    words = words_of(str(diagram(QUERY)))
    assert {
        "WITHIN INTERVAL '3' DAYS",
        "AFTER MATCH SKIP TO NEXT ROW",
        "SUBSET MOVE = (DOWN, UP)",
    } <= set(words)


def test_a_long_pattern_takes_no_time() -> None:
    words = words_of(str(diagram(" ".join(f"V{i}?" for i in range(1000)))))
    assert words.count("V999") == 1


def test_a_query_of_the_builder() -> None:
    class Query:
        def sql(self) -> str:
            return QUERY

    assert str(diagram(Query())) == str(diagram(QUERY))


@pytest.mark.parametrize("value", [3, None, object()])
def test_no_query(value: object) -> None:
    with pytest.raises(TypeError, match="diagram takes an SQL text or a query"):
        diagram(value)  # type: ignore[arg-type]


def test_two_clauses() -> None:
    with pytest.raises(MatchRecognizeError, match="has 2 MATCH_RECOGNIZE clauses"):
        diagram(QUERY + QUERY)


def test_files_and_notebooks(tmp_path: Path) -> None:
    picture = diagram("A B")
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == picture.svg == str(picture)
    assert picture._repr_svg_() == picture.svg
    assert picture.svg in picture._repr_html_()
    with pytest.raises(MatchRecognizeError, match=r"a\.png has another ending\. Write \.svg"):
        picture.save(tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# WCAG 2.1, 1.4.3: text has a contrast of 4.5 at least; 1.4.11: lines have one of 3.
@pytest.mark.parametrize("colors", [shapes._LIGHT, shapes._DARK])
def test_contrast(colors: dict[str, str]) -> None:
    def contrast(one: str, other: str) -> float:
        light, dark = sorted((luminance(colors[one]), luminance(colors[other])), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    for paper in ("paper", "frame"):
        assert all(contrast(words, paper) >= 4.5 for words in ("ink", "line", "warm", "edge"))
    assert all(contrast("ink", box) >= 4.5 for box in ("box", "test"))
    assert contrast("line", "box") >= 4.5
    assert "@media (prefers-color-scheme:dark)" in str(diagram("A"))
