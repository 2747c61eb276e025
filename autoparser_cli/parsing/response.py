"""The JSON Schema of a response -> the ways to write one: fenced, or bare."""

from __future__ import annotations

from typing import Any

from autoparser_cli.peg.expressions import Cut, Expression, Json, Literal, Peek, Run, Sequence, Space


def response_ways(schema: Any, ended: Expression) -> tuple[Expression, Expression]:
    """Return an answer in JSON behind a fence, and one without; `ended` follows either."""
    fenced = (
        *(Space(), Literal("```json"), Cut(), Space()),
        *(Json("content", schema), Space(), Literal("```")),
    )
    bare = (Space(), Peek(Run("peeked", r"[\[{\"0-9tfn-]", "JSON")), Cut(), Json("content", schema))
    return Sequence((*fenced, Space(), ended)), Sequence((*bare, Space(), ended))
