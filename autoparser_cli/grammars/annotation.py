"""A grammar -> the text that is printed: comments for the person who sets up a sampler, then the grammar."""

from __future__ import annotations

import json

from autoparser_cli.grammars.dialects import Dialect
from autoparser_cli.grammars.export import ExportedGrammar

#: What begins a comment; JSON has none.
COMMENTS = {Dialect.GBNF: "#", Dialect.LARK: "//", Dialect.LLGUIDANCE: "//"}


def annotated(exported: ExportedGrammar) -> str:
    """Return the grammar with all that a sampler needs before it, as comments where the dialect has them."""
    mark = COMMENTS.get(exported.dialect)
    if mark is None:
        return exported.text
    return "".join(f"{mark} {line}\n" for line in facts(exported)) + "\n" + exported.text


def facts(exported: ExportedGrammar) -> list[str]:
    """Say what a sampler needs to know, a line each; texts are JSON strings, so that white space shows."""
    triggers = ", ".join(map(_quoted, exported.triggers)) or "none"
    lines = [
        "lazy: yes, from a trigger on" if exported.lazy else "lazy: no, from the first token on",
        f"triggers: {triggers}",
        f"preserved tokens: {', '.join(map(_quoted, exported.preserved_tokens)) or 'none'}",
        f"generation prompt: {_quoted(exported.generation_prompt)}",
        f"grammar prefill: {_quoted(exported.prefill)} (the grammar begins behind the generation prompt)",
        f"reasoning: from {_quoted(exported.reasoning_start)} to {_quoted(exported.reasoning_end)}",
        f"reasoning budget, first state: {exported.budget.value}",
    ]
    return [*lines, *(f"note: {' '.join(note.split())}" for note in exported.notes)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
