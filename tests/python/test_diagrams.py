"""match_recognize.diagram: how patterns are read, their automata, and the drawing."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from match_recognize import MatchRecognizeError, diagram
from match_recognize.pictures import shapes
from match_recognize.pictures.automaton import Arc, Automaton, automaton
from match_recognize.pictures.pattern_parser import read_pattern
from match_recognize.pictures.row_pattern import (
    Absence,
    Alternation,
    Anchor,
    Empty,
    Exclusion,
    Loop,
    Permutation,
    RowPattern,
    Sequence,
    Variable,
    with_gap_absences,
)

A, B, C = Variable("A"), Variable("B"), Variable("C")

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


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("A B | C", Alternation((Sequence((A, B)), C))),
        ("A (B | ()) ^ $", Sequence((A, Alternation((B, Empty())), Anchor(False), Anchor(True)))),
        ("A* B+ C?", Sequence((Loop(A, 0, None), Loop(B, 1, None), Loop(C, 0, 1)))),
        ("A*? B??", Sequence((Loop(A, 0, None, False), Loop(B, 0, 1, False)))),
        ("A{2} B{2,} C{,4}?", Sequence((Loop(A, 2, 2), Loop(B, 2, None), Loop(C, 0, 4, False)))),
        ("A{:n,?} B{2L,3}", Sequence((Loop(A, ":n", "?"), Loop(B, 2, 3)))),
        ("A\\? B+\\?", Sequence((Loop(A, 0, 1), Loop(B, 1, None, False)))),
        ("A{3}?", Loop(A, 3, 3)),
        ("PERMUTE(A, B C)", Permutation((A, Sequence((B, C))))),
        ("PERMUTE PERMUTE(A)", Sequence((Variable("PERMUTE"), A))),
        ("{- A {- B -} -}", Exclusion(Sequence((A, B)))),
        ("[^B] A", Sequence((Absence("B"), A))),
        ("A+?? B*???", Sequence((Loop(A, 1, None, True, True), Loop(B, 0, None, False, True)))),
        (
            "A+??{B} C*{ A }",
            Sequence((Loop(A, 1, None, True, True, "B"), Loop(C, 0, None, stop="A"))),
        ),
        ("a A `A` -- B\n /* C */ `b c`", Sequence((*[Variable("a")] * 3, Variable("b c")))),
    ],
)
def test_patterns(text: str, tree: RowPattern) -> None:
    assert read_pattern(text) == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" -- A", "The row pattern is empty"),
        ("A | | B", r"part of the row pattern is empty \(line 1, column 5 of"),
        ("A\n (B", r"^\( is not closed \(line 2, column 2 of the row pattern\)\. Write the mis"),
        ("A) B", r"^\) has no counterpart"),
        ("A, B", "^, has no counterpart"),
        ("A ** B", "two quantifiers"),
        ("A{2}{3}", "two quantifiers"),
        ("+ A", "follows no element"),
        ("A{3,2}", r"Write \{2,3\}\.$"),
        ("A{0}", "upper bound of a quantifier is 0"),
        ("A{}", "cannot be read"),
        ("A{1", "cannot be read"),
        ("A{B}", r"follows no quantifier.*Write A\+\{B\}"),
        ("A{2}{B}", "without an upper bound"),
        ("A+{B C}", "takes one variable"),
        ("A+????", "too many question marks"),
        ("A???", "too many question marks"),
        ("A (", r"\(at the end of the row pattern\)"),
        ("(A | B)+??", "must begin with a variable"),
        ("[^B]+", "cannot have a quantifier"),
        ("[^B C]", r"takes one variable.*Write \[\^B\]"),
        ("A [B]", "takes one variable"),
        ("{- A", r"Write the missing -\}"),
        ("A 'b'", "'b' begins no element"),
        ("A 3", "3 begins no element"),
        ("(" * 129 + "A" + ")" * 129, "More than 128 levels"),
    ],
)
def test_patterns_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(MatchRecognizeError, match=message):
        diagram(text)


def built(text: str, defined: str = "A B C") -> Automaton:
    return automaton(with_gap_absences(read_pattern(text), frozenset(defined.split())))


def described(text: str) -> list[str]:
    """The states, then each arc: from what, to what, its labels; ~ passes over rows."""
    machine = built(text)
    names = [
        state.name + "".join(f"-{each}" for each in state.barred) for state in machine.states
    ]
    names = [f"{name}{i}" for i, name in enumerate(names)]
    names += ["end", "start"]
    return [
        f"{names[arc.source]}{'~' if arc.passing else ' '}{names[arc.target]}"
        + "".join(f" [{label}]" for label in arc.labels)
        for arc in machine.arcs
    ]


# Worked out by hand from ProgramCompiler: where a match can wait next, the preferred place first.
@pytest.mark.parametrize(
    ("text", "arcs"),
    [
        (
            "A B+ C?",
            ["start A0", "A0 B1", "B1 B1", "B1 C2", "B1 end", "C2 end"],
        ),
        ("A+? B??", ["start A0", "A0 end", "A0 B1", "A0 A0", "B1 end"]),
        ("(A | B) C", ["start A0", "start B1", "A0 C2", "B1 C2", "C2 end"]),
        ("A{2,3}", ["start A0", "A0 A1", "A1 A2", "A1 end", "A2 end"]),
        ("A{2,}?", ["start A0", "A0 A1", "A1 end", "A1 A1"]),
        ("A{20,30}", ["start A0", "A0 A0 [20 to 30 times]", "A0 end"]),
        ("A{,30}", ["start A0", "start end", "A0 A0 [up to 30 times]", "A0 end"]),
        ("A{:n}", ["start A0", "A0 A0 [:n times]", "A0 end"]),
        (
            "(A B){20,} C",
            ["start A0", "A0 B1", "B1 A0 [20 or more times]", "B1 C2", "C2 end"],
        ),
        ("PERMUTE(A, B)", ["start A0", "start B2", "A0 B1", "B1 end", "B2 A3", "A3 end"]),
        (
            "PERMUTE(A, B, C, D)",
            [
                *("start A0", "start B1", "start C2", "start D3"),
                *(f"A0 {other} [each once]" for other in ("B1", "C2", "D3")),
                "A0 end",
                *(f"B1 {other} [each once]" for other in ("A0", "C2", "D3")),
                "B1 end",
                *(f"C2 {other} [each once]" for other in ("A0", "B1", "D3")),
                "C2 end",
                *(f"D3 {other} [each once]" for other in ("A0", "B1", "C2")),
                "D3 end",
            ],
        ),
        (
            "^ A $",
            ["start A0 [start of partition]", "A0 end [end of partition]"],
        ),
        ("A [^B]", ["start A0", "A0 end [next row is no B]"]),
        ("A {- X*? -} [^B]", ["start A0", "A0 end [no B follows]"]),
        (
            "A {- X*? -} [^B] {- Y*? -} [^C] {- Z*? -} A",
            ["start A0", "A0 A2", "A0 Z-B-C1", "Z-B-C1 A2", "Z-B-C1 Z-B-C1", "A2 end"],
        ),
        ("A+??{B} C", ["start A-B0", "A-B0~A-B0", "A-B0 C1", "C1 end"]),
        ("A{2,3}??", ["start A0", "A0~A1", "A1~A2", "A1 end", "A2 end"]),
        ("A{,2}??", ["start A0", "start end", "A0~A1", "A0 end", "A1 end"]),
        ("A | ()", ["start A0", "start end", "A0 end"]),
    ],
)
def test_automata(text: str, arcs: list[str]) -> None:
    assert described(text) == arcs


def test_rows_that_are_excluded() -> None:
    assert [state.excluded for state in built("A {- B C -}").states] == [False, True, True]


def test_a_loop_that_is_no_gap_stays_before_an_absence() -> None:
    assert "X" in [state.name for state in built("A {- X*? -} [^B] X").states]
    assert "C" in [state.name for state in built("A {- C*? -} [^B]").states]


def random_pattern(random: random.Random, depth: int) -> str:
    """A pattern that is a regular expression, too: each element takes a row."""
    if depth == 0 or random.random() < 0.3:
        return random.choice("ABC")
    kind = random.random()
    if kind < 0.35:
        return " ".join(random_pattern(random, depth - 1) for _ in range(random.randint(2, 3)))
    if kind < 0.6:
        parts = [random_pattern(random, depth - 1) for _ in range(random.randint(2, 3))]
        return f"({' | '.join(parts)})"
    quantifier = random.choice(["+", "{2}", "{1,3}", "{2,}", "{1,2}"])
    optional = random.choice(["", "", "*", "?", "{,2}"])
    body = f"({random_pattern(random, depth - 1)})"
    mark = random.choice(["", "?"])
    if optional:
        # A body that may be empty cannot be in a loop: engines end such loops differently.
        return f"{body}{optional}{mark} {random.choice('ABC')}"
    return body + quantifier + mark


def preferred(machine: Automaton, rows: str) -> int | None:
    """The length of the preferred match, by a search in the order of the arcs."""
    arcs: dict[int, list[Arc]] = {}
    for arc in machine.arcs:
        arcs.setdefault(arc.source, []).append(arc)

    def search(source: int, taken: int) -> int | None:
        for arc in arcs.get(source, []):
            if arc.target == len(machine.states):
                return taken
            if taken < len(rows) and machine.states[arc.target].name == rows[taken]:
                found = search(arc.target, taken + 1)
                if found is not None:
                    return found
        return None

    return search(-1, 0)


def test_the_automaton_finds_what_a_regular_expression_finds() -> None:
    source = random.Random(7)
    compared = matched = 0
    while compared < 400:
        text = random_pattern(source, 3)
        machine = built(text)
        if machine.folded:
            continue
        compared += 1
        expression = re.compile(text.replace(" ", "").replace("{,", "{0,"))
        for _ in range(8):
            rows = "".join(source.choice("ABC") for _ in range(source.randint(1, 7)))
            found = expression.match(rows)
            matched += found is not None
            assert preferred(machine, rows) == (found.end() if found else None), (text, rows)
    assert matched > 400


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
    assert not any("volume" in each for each in words)
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


def test_a_large_automaton_is_not_drawn() -> None:
    words = words_of(str(diagram(" ".join(f"V{i}" for i in range(41)))))
    assert "The automaton has 41 states. It is drawn up to 40." in words
    assert words.count("V40") == 1
    words = words_of(str(diagram(" ".join(f"V{i}" for i in range(40)))))
    assert words.count("V39") == 2


def test_a_long_pattern_takes_no_time() -> None:
    words = words_of(str(diagram(" ".join(f"V{i}?" for i in range(1000)))))
    assert "The automaton has 1000 states. It is drawn up to 40." in words


def test_a_bound_of_a_million_takes_no_time() -> None:
    assert len(built("((A{1000000}){1000000} B){2,1000000}").states) == 2


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
        assert all(contrast(words, paper) >= 4.5 for words in ("ink", "line", "warm"))
        assert contrast("edge", paper) >= 3
    assert all(contrast("ink", box) >= 4.5 for box in ("box", "test"))
    assert contrast("line", "box") >= 4.5
    assert "@media (prefers-color-scheme:dark)" in str(diagram("A"))
