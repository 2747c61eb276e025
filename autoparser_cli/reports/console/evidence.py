"""The evidence of an analysis -> what each comparison compared, how the sides differ, the conclusion."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from autoparser_cli.analysis.model import Evidence
from autoparser_cli.reports.console.screen import Screen, marker_text, plain_text, visible

#: How much of the common text shows beside a difference; all of it with `--all-probes`.
CONTEXT = 60


def show_evidence(screen: Screen, evidence: Sequence[Evidence], *, everything: bool = False) -> None:
    """Show the comparisons that decided something, or all of them with both renders in full."""
    shown = [entry for entry in evidence if everything or entry.decided]
    for entry in shown:
        screen.show(
            screen.section(f"{entry.probe}  {entry.question}", _comparison(entry, everything), style="blue")
        )
    if len(shown) < len(evidence):
        left = len(evidence) - len(shown)
        screen.show(Text(f"{left} more comparisons changed nothing; --all-probes shows them.", style="dim"))


def _comparison(entry: Evidence, everything: bool) -> RenderableType:
    own = [text if everything else _shortened(text) for text in (entry.split.left, entry.split.right)]
    parts: list[RenderableType] = [
        *_side("-", entry.left_name, own[0], entry, entry.error_left, "red"),
        *_side("+", entry.right_name, own[1], entry, entry.error_right, "green"),
        Text.assemble(("→ ", "bold"), plain_text(entry.conclusion, style="bold")),
    ]
    if everything:
        parts += [
            Text(f"render of {entry.left_name}:", style="dim"),
            plain_text(entry.error_left or entry.left),
            Text(f"render of {entry.right_name}:", style="dim"),
            plain_text(entry.error_right or entry.right),
        ]
    return Group(*parts)


def _shortened(text: str) -> str:
    """Leave out the middle of a long text: a system prompt that only one side has."""
    return text if len(text) <= 4 * CONTEXT else f"{text[: 2 * CONTEXT]}…{text[-2 * CONTEXT :]}"


def _side(sign: str, name: str, own: str, entry: Evidence, error: str, colour: str) -> list[RenderableType]:
    """Draw what only this side has, between the ends of what both have."""
    head = Text.assemble((f"{sign} ", f"bold {colour}"), (name, "dim"))
    if error:
        return [head, Text(f"  raised: {visible(error, keep=' ')}", style="yellow")]
    before = entry.split.prefix[-CONTEXT:]
    after = entry.split.suffix[:CONTEXT]
    line = Text.assemble(
        ("  …" if len(entry.split.prefix) > CONTEXT else "  ", "dim"),
        (visible(before), "dim"),
        marker_text(own, style=f"bold {colour}") if own else ("∅", f"bold {colour}"),
        (visible(after), "dim"),
        ("…" if len(entry.split.suffix) > CONTEXT else "", "dim"),
    )
    return [head, line]
