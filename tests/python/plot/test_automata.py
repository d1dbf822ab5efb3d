"""The automata of match_recognize.plot.diagram."""

from __future__ import annotations

import random
import re

import pytest
from match_recognize.plot.automaton import Arc, Automaton, automaton
from match_recognize.row_pattern.absences import with_gap_absences
from match_recognize.row_pattern.reader import read_pattern
from seeds import drawn


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


@pytest.mark.seeds
def test_the_automaton_finds_what_a_regular_expression_finds() -> None:
    compared = matched = 0
    for seed in drawn("test_automata", 500):
        source = random.Random(seed)
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
    assert compared > 300 and matched > compared


def test_a_bound_of_a_million_takes_no_time() -> None:
    assert len(built("((A{1000000}){1000000} B){2,1000000}").states) == 2
