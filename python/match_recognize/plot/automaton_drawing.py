"""Draws an automaton: its states in a line, arcs to later states above, to earlier ones below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from match_recognize.plot import shapes
from match_recognize.plot.automaton import Arc, Automaton, automaton, fewest_states
from match_recognize.plot.pattern_shapes import tooltip
from match_recognize.plot.shapes import SMALL, line, number, point, text, text_width
from match_recognize.row_pattern.tree import RowPattern

#: More states than these are not drawn.
LIMIT = 40

LANE = 26
RADIUS = 8

#: Between two ports of a state.
PORT = 13


@dataclass
class Drawing:
    """A drawn automaton.

    Attributes:
        width: in pixels.
        height: in pixels.
        elements: SVG elements.
        legend: what its signs mean, one line each.
    """

    width: float
    height: float
    elements: list[str]
    legend: list[str]


@dataclass
class _Place:
    """Where a state is, and where arcs leave it."""

    center: float
    width: float
    half: float

    @property
    def left(self) -> float:
        return self.center - self.width / 2

    @property
    def right(self) -> float:
        return self.center + self.width / 2


def draw(pattern: RowPattern, conditions: Mapping[str, str]) -> Drawing:
    """Draws the automaton of a pattern, if it does not have too many states.

    Args:
        pattern: the pattern, with absences over gaps as elements.
        conditions: by variable in capitals, its condition.

    Returns:
        The drawing, whose left upper corner is at 0.
    """
    # The number of arcs may grow with the square of the states, so they are counted first.
    states = fewest_states(pattern)
    if states > LIMIT:
        return Drawing(
            0, 0, [], [f"The automaton has {states} states. It is drawn up to {LIMIT}."]
        )
    return _Drawer(automaton(pattern), conditions).drawing()


class _Drawer:
    def __init__(self, machine: Automaton, conditions: Mapping[str, str]) -> None:
        self.machine, self.conditions = machine, conditions
        self.end = len(machine.states)
        self.rank: dict[Arc, int] = {}
        outgoing: dict[int, list[Arc]] = {}
        for arc in machine.arcs:
            outgoing.setdefault(arc.source, []).append(arc)
            self.rank[arc] = len(outgoing[arc.source])
        self.several = {source for source, arcs in outgoing.items() if len(arcs) > 1}
        # Two arcs to the next state cannot both be straight.
        self.straight: dict[int, Arc] = {}
        for arc in machine.arcs:
            if arc.target == arc.source + 1:
                self.straight.setdefault(arc.source, arc)
        bent = [arc for arc in machine.arcs if self.straight.get(arc.source) != arc]
        self.above = [arc for arc in bent if arc.target > arc.source]
        self.below = [arc for arc in bent if arc.target <= arc.source]

    def drawing(self) -> Drawing:
        self.places = self.placed()
        above, below = self.lanes(self.above), self.lanes(self.below)
        half = max(place.half for place in self.places.values())
        self.y = half + self.room(above)
        arcs = self.machine.arcs
        elements = [each for arc in arcs for each in self.lines(arc, above, below)]
        elements += [each for i in self.places for each in self.state(i)]
        elements += [each for arc in arcs for each in self.labels(arc, above, below)]
        extents = [self.extent(arc) for arc in self.above + self.below]
        right = max([self.places[self.end].right, *(high for _, high in extents)])
        # A label may be wider than its arc, and reach over the left side.
        shift = -min([0, *(low for low, _ in extents)])
        if shift > 0.05:
            elements = [f'<g transform="translate({number(shift)} 0)">', *elements, "</g>"]
        height = 2 * half + self.room(above) + self.room(below)
        return Drawing(right + shift, height, elements, self.legend())

    def legend(self) -> list[str]:
        lines = ["Each box waits for a row of its variable."]
        if self.several:
            lines.append("Numbers: the order of preference of the arcs that leave a box.")
        if any(arc.passing for arc in self.machine.arcs):
            lines.append("Dashed arc: rows may be passed over before the next row.")
        if any(state.excluded for state in self.machine.states):
            lines.append("Dashed box: ALL ROWS PER MATCH does not return the row.")
        return lines

    def words(self, index: int) -> tuple[str, str]:
        """The name in a box, and the line below it."""
        if index == -1:
            return "start", ""
        if index == self.end:
            return "match", ""
        state = self.machine.states[index]
        return state.name, f"no {', '.join(state.barred)}" if state.barred else ""

    def ports(self, arcs: list[Arc], index: int) -> list[Arc]:
        """The bent arcs that leave a state on one side, the longest first."""
        leaving = [arc for arc in arcs if arc.source == index]
        return sorted(leaving, key=lambda arc: (-abs(arc.target - arc.source), self.rank[arc]))

    def placed(self) -> dict[int, _Place]:
        barred = any(state.barred for state in self.machine.states)
        places: dict[int, _Place] = {}
        left = 0.0
        for index in range(-1, self.end + 1):
            ports = max(len(self.ports(arcs, index)) for arcs in (self.above, self.below))
            name, note = self.words(index)
            letters = max(text_width(name), text_width(note, SMALL)) + 22
            width = max(letters, 2 * (PORT * (ports + 1)))
            places[index] = _Place(left + width / 2, width, 22 if barred else 15)
            straight = self.straight.get(index)
            label = text_width(self.label(straight), SMALL) + 24 if straight else 0
            left += width + max(46, label)
        return places

    @staticmethod
    def label(arc: Arc) -> str:
        return ", ".join(arc.labels)

    def leaves(self, arc: Arc) -> float:
        """Where a bent arc leaves its state."""
        arcs = self.ports(self.above if arc.target > arc.source else self.below, arc.source)
        if arc.target <= arc.source:
            # Below, the longest arc leaves on the right, so that it crosses none of the others.
            arcs = arcs[::-1]
        return self.places[arc.source].center + 5 + PORT * arcs.index(arc)

    def arrives(self, arc: Arc) -> float:
        return self.places[arc.target].center - 9

    def extent(self, arc: Arc) -> tuple[float, float]:
        """From where to where an arc and its label reach."""
        begin, end = sorted((self.leaves(arc), self.arrives(arc)))
        middle, half = (begin + end) / 2, text_width(self.label(arc), SMALL) / 2
        return min(begin, middle - half) - 4, max(end, middle + half) + 4

    def lanes(self, arcs: list[Arc]) -> dict[Arc, int]:
        """Gives each arc the nearest height on which it touches no other; short arcs first."""
        taken: list[list[tuple[float, float]]] = []
        lanes: dict[Arc, int] = {}
        for arc in sorted(arcs, key=lambda each: abs(each.target - each.source)):
            low, high = self.extent(arc)
            lane = 0
            while lane < len(taken) and any(a < high and low < b for a, b in taken[lane]):
                lane += 1
            if lane == len(taken):
                taken.append([])
            taken[lane].append((low, high))
            lanes[arc] = lane
        return lanes

    @staticmethod
    def room(lanes: Mapping[Arc, int]) -> float:
        return LANE * max(lanes.values()) + 22 + 18 if lanes else 4

    def height(self, arc: Arc, above: Mapping[Arc, int], below: Mapping[Arc, int]) -> float:
        """The height of the horizontal part of a bent arc."""
        half = self.places[arc.source].half
        if arc in above:
            return self.y - half - LANE * above[arc] - 22
        return self.y + half + LANE * below[arc] + 22

    def lines(self, arc: Arc, above: Mapping[Arc, int], below: Mapping[Arc, int]) -> list[str]:
        source, target = self.places[arc.source], self.places[arc.target]
        if self.straight.get(arc.source) == arc:
            path = f"M{point(source.right, self.y)} H{number(target.left - 3)}"
            return [line(path, arc.passing), shapes.head(target.left - 1, self.y, "right")]
        sign = -1 if arc in above else 1
        begin, end = self.leaves(arc), self.arrives(arc)
        edge = self.y + sign * source.half
        height = self.height(arc, above, below)
        turn = RADIUS if end > begin else -RADIUS
        path = (
            f"M{point(begin, edge)} V{number(height - sign * RADIUS)} "
            f"Q{point(begin, height)} {point(begin + turn, height)} "
            f"H{number(end - turn)} Q{point(end, height)} "
            f"{point(end, height - sign * RADIUS)} V{number(edge + sign * 3)}"
        )
        direction = "down" if arc in above else "up"
        return [line(path, arc.passing), shapes.head(end, edge + sign, direction)]

    def labels(self, arc: Arc, above: Mapping[Arc, int], below: Mapping[Arc, int]) -> list[str]:
        source, target = self.places[arc.source], self.places[arc.target]
        if self.straight.get(arc.source) == arc:
            rank = (source.right + 4, self.y - 5)
            middle = ((source.right + target.left) / 2, self.y + 14)
        else:
            begin, end = self.leaves(arc), self.arrives(arc)
            height = self.height(arc, above, below)
            past = -source.half - 3 if arc in above else source.half + 11
            rank = (begin + 3, self.y + past)
            middle = ((begin + end) / 2, height + (-5 if arc in above else 13))
        drawn: list[str] = []
        if arc.source in self.several:
            drawn.append(text(*rank, str(self.rank[arc]), "label", SMALL, "start"))
        if arc.labels:
            drawn.append(text(*middle, self.label(arc), "label", SMALL))
        return drawn

    def state(self, index: int) -> list[str]:
        place = self.places[index]
        name, note = self.words(index)
        outer = index in (-1, self.end)
        excluded = not outer and self.machine.states[index].excluded
        inside = [
            shapes.box(
                place.left,
                self.y - place.half,
                place.width,
                2 * place.half,
                "test" if outer else "box",
                15 if outer else 5,
                excluded,
            ),
            text(place.center, self.y + (-1 if note else 5), name),
        ]
        if note:
            inside.append(text(place.center, self.y + 14, note, "dim", SMALL))
        if outer:
            return inside
        return [shapes.titled(inside, tooltip(name, self.conditions))]
