"""How the text of a row pattern is read, and written again."""

from __future__ import annotations

import pytest
from match_recognize import MatchRecognizeError
from match_recognize.row_pattern.reader import read_pattern
from match_recognize.row_pattern.tree import (
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
    gap,
    names,
)
from match_recognize.row_pattern.writer import write_pattern

A, B, C = Variable("A"), Variable("B"), Variable("C")


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
    assert read_pattern(write_pattern(tree)) == tree


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
        read_pattern(text)


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (Sequence((A, Alternation((B, C)))), "A (B | C)"),
        (Loop(Loop(A, 1, None), 0, 1), "(A+)?"),
        (Loop(Anchor(True), 2, 2), "($){2}"),
        (Loop(A, 0, ":n", False), "A{,:n}?"),
        (Loop(A, 1, None, False, True, "end"), "A+???{`END`}"),
        (Sequence((A, Absence("B", over_gap=True))), "A {- GAP_1*? -} [^B]"),
        (Sequence((A, gap(True), Variable("gap_1"))), "A {- GAP_2* -} gap_1"),
        (Permutation((A, Empty(), Exclusion(B))), "PERMUTE(A, (), {- B -})"),
    ],
)
def test_patterns_that_are_written(tree: RowPattern, text: str) -> None:
    assert write_pattern(tree) == text


def test_names() -> None:
    pattern = read_pattern("B (a | PERMUTE(C, D))+{E} {- X*? -} [^F] A ^ $ ()")
    assert names(pattern) == ["B", "a", "C", "D", "E", "X", "F"]
