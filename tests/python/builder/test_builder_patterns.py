"""Patterns of the builder: their text, and the variables that are in it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from match_recognize import functions as mf
from match_recognize import variable, variables
from match_recognize.builder import checks, pattern
from match_recognize.row_pattern import tree
from match_recognize.row_pattern.reader import read_pattern
from match_recognize.row_pattern.writer import write_pattern
from seeds import drawn

a, b, c = variables("a b c")
PATTERNS = [
    (a + b | c, "a b | c"),
    (a + (b | c), "a (b | c)"),
    (a + (b + c), "a b c"),
    (a | (b | c), "a | b | c"),
    ((a + b).one_or_more(), "(a b)+"),
    (a.one_or_more().zero_or_more(), "(a+)*"),
    (a.optional().reluctant(), "a??"),
    (a.times(2), "a{2}"),
    (a.times(2, 3).reluctant(), "a{2,3}?"),
    (a.at_least(2), "a{2,}"),
    (a.at_most(3), "a{,3}"),
    (a.one_or_more().loose(), "a+??"),
    (a.one_or_more().loose().reluctant().until(b), "a+???{b}"),
    (a.zero_or_more().until(b) + c, "a*{b} c"),
    (mf.permute(a, b + c, b | c), "PERMUTE(a, b c, b | c)"),
    (mf.exclude(a | b) + c, "{- a | b -} c"),
    (mf.start() + a + mf.end(), "^ a $"),
    (mf.end().times(2), "($){2}"),
    (mf.empty() | a, "() | a"),
    (a.followed_by(b).followed_by_any(c), "a {- GAP_1*? -} b {- GAP_2* -} c"),
    (variable("gap_1").followed_by(b), "gap_1 {- GAP_2*? -} b"),
    (a.not_next(b) + c, "a [^b] c"),
    (a.not_followed_by(b).followed_by(c), "a {- GAP_1*? -} [^b] {- GAP_2*? -} c"),
    (a + mf.absent(b), "a [^b]"),
    (variable("my var") + variable("end"), "`my var` `END`"),
]


@pytest.mark.parametrize(("built", "text"), PATTERNS, ids=[text for _, text in PATTERNS])
def test_patterns(built: pattern.Pattern, text: str) -> None:
    assert repr(built) == f"Pattern<{text}>"


def test_variables_of_text() -> None:
    text = "A{2} (`b c`|permute(D, E))+ {- X*? -} [^F] G+{H} ^ $ -- I\n /* J */ L{:m,:n} A"
    assert checks.variables_of(text) == ["A", "b c", "D", "E", "X", "F", "G", "H", "L"]


def random_pattern(random_: random.Random, depth: int) -> tuple[pattern.Pattern, str]:
    """A pattern, and its text with parentheses around every part."""
    kind = random_.randrange(6) if depth else 0
    if kind == 0:
        name = random_.choice("abc")
        return variable(name), name
    left, left_text = random_pattern(random_, depth - 1)
    if kind == 1:
        return left.one_or_more(), f"({left_text})+"
    if kind == 2:
        return left.times(1, 2).reluctant(), f"({left_text}){{1,2}}?"
    right, right_text = random_pattern(random_, depth - 1)
    if kind == 3:
        return left | right, f"(({left_text})|({right_text}))"
    if kind == 4:
        return mf.permute(left, right), f"PERMUTE({left_text},{right_text})"
    return left + right, f"(({left_text})({right_text}))"


def flat(pattern: tree.RowPattern) -> tree.RowPattern:
    """The pattern without sequences in sequences and alternatives in alternatives."""
    if isinstance(pattern, tree.Sequence):
        return tree.sequence(*map(flat, pattern.elements))
    if isinstance(pattern, tree.Alternation):
        return tree.alternation(*map(flat, pattern.elements))
    if isinstance(pattern, tree.Permutation):
        return tree.Permutation(tuple(map(flat, pattern.elements)))
    if isinstance(pattern, tree.Loop):
        return replace(pattern, element=flat(pattern.element))
    return pattern


@pytest.mark.seeds
def test_random_patterns_mean_the_same_built_and_as_text() -> None:
    for seed in drawn("test_builder_patterns", 500):
        random_ = random.Random(seed)
        built, text = random_pattern(random_, random_.randrange(5))
        rendered = write_pattern(built._tree)
        assert read_pattern(rendered) == flat(read_pattern(text)) == built._tree, text
        assert rendered.count("(") <= text.count("(")
