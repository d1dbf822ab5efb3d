"""The analyzed plans of statements as text, for comparisons."""

from __future__ import annotations

import re
from typing import Any

import clauses


def plan(frame: Any) -> str:
    """The analyzed plan, its columns numbered, and its pattern in one spelling."""
    canonical = frame._jdf.queryExecution().analyzed().canonicalized()
    before, word, rest = str(canonical.toString()).partition("PATTERN (")
    assert word
    end = clauses.closing(rest, 0)
    shown = [before + clauses.pattern(rest[:end]) + rest[end:]]
    nodes = [canonical]
    while nodes:
        # The text of a clause has neither its conditions nor its measures.
        node = nodes.pop()
        shown.append(node.expressions().mkString("\n"))
        nodes += [node.children().apply(i) for i in range(node.children().size())]
    return in_one_order("\n".join(shown))


#: Operators whose operands Spark puts in the order of their hashes. Those of subqueries differ
#: from plan to plan.
COMMUTATIVE = (" AND ", " OR ", " = ", " <=> ", " + ", " * ", " & ", " | ", " ^ ")

#: Comparisons that Spark turns around for the same reason.
TURNED = {" > ": " < ", " >= ": " <= "}


def in_one_order(text: str) -> str:
    """A plan's text with commutative operands in alphabetical order, and no ``>`` nor ``>=``."""
    groups: list[str] = []

    def expanded(text: str) -> str:
        return re.sub("\0(\\d+)\0", lambda found: groups[int(found[1])], text)

    open_groups = [""]
    for char in text:
        if char == "(":
            open_groups.append("")
        elif char == ")" and len(open_groups) > 1:
            group = open_groups.pop()
            for operator, turned in TURNED.items():
                if operator in group:
                    group = turned.join(reversed(group.split(operator)))
            for operator in COMMUTATIVE:
                if operator in group:
                    group = operator.join(sorted(map(expanded, group.split(operator))))
            groups.append(f"({expanded(group)})")
            open_groups[-1] += f"\0{len(groups) - 1}\0"
        else:
            open_groups[-1] += char
    return expanded("(".join(open_groups))
