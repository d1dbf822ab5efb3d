"""SQL text of the user that becomes a part of a statement."""

from __future__ import annotations

from match_recognize.builder.places import refusal
from match_recognize.sql_text.tokens import closing, tokens


def check_text(text: str, what: str, commas: bool) -> None:
    """Refuses a text that can run into what is written after it in the statement.

    It lacks the other half of a parenthesis or quote, or has a comma outside of parentheses.
    """
    found = list(tokens(text))
    shown = text.strip()
    depth = 0
    for i, token in enumerate(found):
        if token.text in ("'", '"', "`"):
            raise refusal(f"{what} has a {token.text} without its other half: {shown}")
        if token.kind == "open" and closing(found, i) is None:
            raise refusal(f"{what} has a ( without its ): {shown}")
        depth += (token.kind == "open") - (token.kind == "close")
        if depth < 0:
            raise refusal(f"{what} has a ) without its (: {shown}")
        if token.text == "," and not (commas or depth):
            raise refusal(
                f"{what} has a comma, so it is more than one expression: {shown}. Give each its "
                "own name."
            )
