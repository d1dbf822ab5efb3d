"""The automaton of a row pattern: the places where a match waits for a row, and what follows.

This is the program that the matchers follow (``pattern/program/ProgramCompiler.scala``), with
counters unrolled if few states result, and otherwise with the count at an arc.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from match_recognize.row_pattern.tree import (
    Absence,
    Alternation,
    Anchor,
    Exclusion,
    Loop,
    Permutation,
    RowPattern,
    Sequence,
    Variable,
    children,
)

#: With more states than these, counts stay at the arcs.
WHOLE = 14

_EACH_ONCE = "each once"


@dataclass(frozen=True)
class State:
    """A place where a match waits for a row.

    Attributes:
        name: the variable that the row must satisfy.
        excluded: whether ALL ROWS PER MATCH does not return the row.
        barred: variables that the row must not satisfy.
    """

    name: str
    excluded: bool = False
    barred: tuple[str, ...] = ()


@dataclass(frozen=True)
class Arc:
    """A way from a state to the next one.

    Attributes:
        source: the index of the state that has taken its row; -1 is the start.
        target: the index of the state that waits for the next row; the number of states is the
            end of the match.
        labels: what must hold, and how often the arc is taken.
        passing: whether rows may be passed over before the next row.
    """

    source: int
    target: int
    labels: tuple[str, ...] = ()
    passing: bool = False


@dataclass(frozen=True)
class Automaton:
    """The states in the order of the pattern, and the arcs of each in order of preference.

    Attributes:
        states: without the start and the end.
        arcs: by source; of one source, the preferred arc is the first.
        folded: whether a count is at an arc.
    """

    states: tuple[State, ...]
    arcs: tuple[Arc, ...]
    folded: bool


@dataclass(eq=False)
class _Node:
    """An instruction: takes a row (state), passes a label on, or chooses."""

    state: State | None = None
    label: str = ""
    passing: bool = False
    next: list[_Node] = field(default_factory=list["_Node"])


@dataclass(frozen=True)
class _Region:
    excluded: bool = False
    barred: tuple[str, ...] = ()

    def barring(self, *names: str) -> _Region:
        return _Region(self.excluded, tuple(dict.fromkeys(self.barred + names)))


def automaton(pattern: RowPattern) -> Automaton:
    """Builds the automaton of a pattern.

    Args:
        pattern: the pattern, with absences over gaps as elements.

    Returns:
        Its states and arcs.
    """
    largest = next((n for n in (WHOLE, 6, 4, 3, 2) if _size(pattern, n) <= WHOLE), 1)
    return _Compiler(largest).automaton(pattern)


def fewest_states(pattern: RowPattern) -> int:
    """Returns the number of states if all counts stay at arcs.

    Args:
        pattern: the pattern.
    """
    return _size(pattern, 1)


def times(loop: Loop) -> str:
    """Says how often a loop is taken, as in ``2 to 4 times``.

    Args:
        loop: the loop.
    """
    lower, upper = loop.lower, loop.upper
    if lower == upper:
        return "once" if lower == 1 else f"{lower} times"
    if upper is None:
        return f"{lower} or more times"
    return f"up to {upper} times" if lower == 0 else f"{lower} to {upper} times"


def _copies(loop: Loop, largest: int) -> int:
    """How many copies of the body a loop becomes; 0 if it stays folded."""
    lower, upper = loop.lower, loop.upper
    if isinstance(lower, str) or isinstance(upper, str):
        return 0
    copies = max(lower or 0, upper or 1)
    return copies if copies <= largest else 0


def _orders(permutation: Permutation, largest: int) -> bool:
    """Whether the orders of a PERMUTE are drawn one by one."""
    return len(permutation.elements) <= min(3, largest)


def _size(pattern: RowPattern, largest: int) -> int:
    """The number of states."""
    inside = sum(_size(child, largest) for child in children(pattern))
    if isinstance(pattern, Loop):
        return inside * max(1, _copies(pattern, largest))
    if isinstance(pattern, Permutation) and _orders(pattern, largest):
        return inside * int(2 ** (len(pattern.elements) - 1))
    return inside + isinstance(pattern, Variable)


class _Compiler:
    """Compiles each part against the place that follows it, from the end to the start."""

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self.counts: set[str] = set()
        self.nodes: list[_Node] = []

    def automaton(self, pattern: RowPattern) -> Automaton:
        end = _Node()
        start = self.compile(pattern, end, _Region())
        self.nodes.reverse()
        index = {id(node): i for i, node in enumerate(self.nodes)}
        index[id(end)] = len(self.nodes)
        arcs: list[Arc] = []
        for source, first in [(-1, start), *((i, n.next[0]) for i, n in enumerate(self.nodes))]:
            known: list[Arc] = []
            for node, labels, passing in _closure(first, end):
                arc = Arc(source, index[id(node)], labels, passing)
                if not any(_covers(other, arc) for other in known):
                    known.append(arc)
            arcs += [arc for arc in known if not self.counted_only(arc, known)]
        states = tuple(node.state for node in self.nodes if node.state)
        return Automaton(states, tuple(arcs), bool(self.counts))

    def counted_only(self, arc: Arc, arcs: list[Arc]) -> bool:
        """Whether there is the same arc without a count."""
        labels = set(arc.labels)
        return any(
            (other.target, other.passing) == (arc.target, arc.passing)
            and set(other.labels) < labels
            and labels - set(other.labels) <= self.counts
            for other in arcs
        )

    def compile(self, pattern: RowPattern, next_node: _Node, region: _Region) -> _Node:
        if isinstance(pattern, Variable):
            state = State(pattern.name, region.excluded, region.barred)
            self.nodes.append(_Node(state, next=[next_node]))
            return self.nodes[-1]
        if isinstance(pattern, Sequence):
            return self.sequence(pattern.elements, next_node, region)
        if isinstance(pattern, Alternation):
            return self.choice(pattern.elements, next_node, region)
        if isinstance(pattern, Permutation):
            return self.permutation(pattern, next_node, region)
        if isinstance(pattern, Exclusion):
            return self.compile(pattern.element, next_node, _Region(True, region.barred))
        if isinstance(pattern, Loop):
            return self.loop(pattern, next_node, region)
        if isinstance(pattern, Anchor):
            return _Node(label=anchor_words(pattern), next=[next_node])
        if isinstance(pattern, Absence):
            if pattern.over_gap:
                return self.sequence((pattern,), next_node, region)
            return _Node(label=f"next row is no {pattern.name}", next=[next_node])
        return next_node

    def choice(
        self, elements: tuple[RowPattern, ...], next_node: _Node, region: _Region
    ) -> _Node:
        compiled = [self.compile(each, next_node, region) for each in reversed(elements)]
        return _Node(next=compiled[::-1])

    def sequence(
        self, elements: tuple[RowPattern, ...], next_node: _Node, region: _Region
    ) -> _Node:
        """Compiles elements; absences over a gap bar the rows of the gap that follows them."""
        node = next_node
        for i in range(len(elements) - 1, -1, -1):
            element = elements[i]
            inside = region
            if isinstance(element, Absence) and element.over_gap:
                if i == len(elements) - 1:
                    node = _Node(label=f"no {element.name} follows", next=[node])
                continue
            first = i
            while first > 0 and _over_gap(elements[first - 1]):
                first -= 1
            for absence in elements[first:i]:
                inside = inside.barring(absence.name)  # type: ignore[union-attr]
            node = self.compile(element, node, inside)
        return node

    def permutation(self, pattern: Permutation, next_node: _Node, region: _Region) -> _Node:
        if not _orders(pattern, self.largest):
            self.counts.add(_EACH_ONCE)
            # After an element, one of the others follows, or the permutation is complete.
            after_each = [_Node() for _ in pattern.elements]
            compiled = [
                self.compile(element, after, region)
                for element, after in reversed(list(zip(pattern.elements, after_each)))
            ][::-1]
            for after in after_each:
                others = [c for c, other in zip(compiled, after_each) if other is not after]
                after.next = [_Node(label=_EACH_ONCE, next=others), next_node]
            return _Node(next=compiled)
        places: dict[frozenset[int], _Node] = {}

        def following(taken: frozenset[int]) -> _Node:
            left = [i for i in range(len(pattern.elements)) if i not in taken]
            if left and taken not in places:
                compiled = [
                    self.compile(pattern.elements[i], following(taken | {i}), region)
                    for i in reversed(left)
                ]
                places[taken] = _Node(next=compiled[::-1])
            return places[taken] if left else next_node

        return following(frozenset())

    def loop(self, loop: Loop, next_node: _Node, region: _Region) -> _Node:
        inside = region.barring(loop.stop) if loop.stop else region
        copies = _copies(loop, self.largest)
        if copies == 0:
            self.counts.add(times(loop))
            node = self.repeated(loop, next_node, inside, times(loop))
            return self.optional(loop, node, next_node) if loop.lower == 0 else node
        lower = loop.lower if isinstance(loop.lower, int) else 0
        if loop.upper is None:
            node = self.repeated(loop, next_node, inside, "")
            if lower == 0:
                return self.optional(loop, node, next_node)
            if lower > 1:
                node = _passing(loop, node)
            copies = lower - 1
        else:
            node = next_node
        for i in range(copies, 0, -1):
            node = self.compile(loop.element, node, inside)
            if i > 1:
                node = _passing(loop, node)
            if i > lower:
                node = self.optional(loop, node, next_node)
        return node

    def repeated(self, loop: Loop, next_node: _Node, region: _Region, label: str) -> _Node:
        """Compiles one copy of the body, with an arc back to its beginning."""
        decide = _Node()
        body = self.compile(loop.element, decide, region)
        again = _Node(label=label, next=[_passing(loop, body)])
        decide.next = [again, next_node] if loop.greedy else [next_node, again]
        return body

    def optional(self, loop: Loop, body: _Node, next_node: _Node) -> _Node:
        return _Node(next=[body, next_node] if loop.greedy else [next_node, body])


def anchor_words(anchor: Anchor) -> str:
    """Returns what an anchor means.

    Args:
        anchor: ``^`` or ``$``.
    """
    return "end of partition" if anchor.at_end else "start of partition"


def _over_gap(pattern: RowPattern) -> bool:
    return isinstance(pattern, Absence) and pattern.over_gap


def _passing(loop: Loop, node: _Node) -> _Node:
    return _Node(passing=True, next=[node]) if loop.loose else node


def _covers(known: Arc, arc: Arc) -> bool:
    """Whether an arc with a higher preference leaves nothing for another one."""
    return (
        known.target == arc.target
        and known.passing == arc.passing
        and set(known.labels) <= set(arc.labels)
    )


def _closure(first: _Node, end: _Node) -> Iterator[tuple[_Node, tuple[str, ...], bool]]:
    """The states that are reached without a row, in order of preference."""
    seen: set[tuple[int, frozenset[str], bool]] = set()
    pending: list[tuple[_Node, tuple[str, ...], bool]] = [(first, (), False)]
    while pending:
        node, labels, passing = pending.pop()
        if node.label:
            labels = tuple(dict.fromkeys((*labels, node.label)))
        passing = passing or node.passing
        key = (id(node), frozenset(labels), passing)
        if key in seen:
            continue
        seen.add(key)
        if node.state or node is end:
            yield node, labels, passing
        else:
            pending += [(each, labels, passing) for each in reversed(node.next)]
