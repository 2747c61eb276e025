"""Evidence and comparisons of templates -> what `autoparser diff` prints on a terminal or into a pipe."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from autoparser_cli.analysis.model import Evidence
from autoparser_cli.comparison.changes import refusals, text_changes
from autoparser_cli.comparison.grammars import rule_blocks, without_states
from autoparser_cli.comparison.model import Area, BehaviourComparison, Difference
from autoparser_cli.diffing.lines import Block, diff_lines
from autoparser_cli.reports.console.diff_lines import Look, draw_blocks
from autoparser_cli.reports.console.screen import Indented, Screen, visible
from autoparser_cli.reports.printable import printable

#: So many conversations are named beside a change; JSON has them all.
_MOST_NAMES = 6
_TITLES = {
    Area.REASONING: "Reasoning",
    Area.CONTENT: "Content",
    Area.TOOLS: "Tool calls",
    Area.TURN: "Between the parts of a turn",
    Area.GENERATION_PROMPT: "Generation prompt",
    Area.SWITCHES: "Switches",
    Area.CAPABILITIES: "Capabilities",
    Area.PRESERVED_TOKENS: "Preserved tokens",
    Area.WARNINGS: "Warnings",
}


def show_diffs(screen: Screen, evidence: Iterable[Evidence], context: int) -> None:
    """Show each comparison as git shows a diff: what was asked, both sides, the conclusion."""
    look = _look(screen, context)
    for at, entry in enumerate(evidence):
        if at:
            screen.show(Text())
        screen.show(*_evidence_rows(entry, look))


def show_comparison(screen: Screen, comparison: BehaviourComparison, context: int) -> None:
    """Show all that differs between two templates."""
    screen.show(*_comparison_rows(comparison, _look(screen, context)))


def _look(screen: Screen, context: int) -> Look:
    return Look(side_by_side=screen.wide, colours=screen.coloured, context=context, width=screen.width)


def _evidence_rows(entry: Evidence, look: Look) -> Iterator[RenderableType]:
    yield Text.assemble((entry.probe, "bold cyan"), "  ", (entry.question, "bold"))
    yield Text.assemble(("--- ", "red"), (entry.left_name, "red"))
    yield Text.assemble(("+++ ", "green"), (entry.right_name, "green"))
    yield from _body_rows(entry, look)
    conclusion = visible(entry.conclusion or "nothing", keep=" ")
    if entry.decided:
        yield Text.assemble(("⇒ ", "bold"), conclusion)
    else:
        yield Text(f"⇒ {conclusion} (decided nothing)", "dim")


def _body_rows(entry: Evidence, look: Look) -> Iterator[RenderableType]:
    for name, error, style in (
        (entry.left_name, entry.error_left, "red"),
        (entry.right_name, entry.error_right, "green"),
    ):
        if error:
            yield Text.assemble(
                ("! ", "yellow"), (name, style), f" does not render: {visible(error, keep=' ')}"
            )
    if not entry.error_left and not entry.error_right:
        yield from _diff_rows(diff_lines(entry.left, entry.right, paired=True), look)


def _diff_rows(blocks: tuple[Block, ...], look: Look) -> Iterator[RenderableType]:
    if any(block.changed for block in blocks):
        yield from draw_blocks(blocks, look)
    else:
        yield Text("  no difference", "dim")


def _comparison_rows(comparison: BehaviourComparison, look: Look) -> Iterator[RenderableType]:
    yield Text.assemble(("--- ", "red"), (printable(comparison.old), "red"))
    yield Text.assemble(("+++ ", "green"), (printable(comparison.new), "green"))
    yield from _summary(comparison)
    for area, title in _TITLES.items():
        found = [difference for difference in comparison.differences if difference.area is area]
        if found:
            yield from _heading(title)
            yield from _token_rows(found) if area is Area.PRESERVED_TOKENS else _fact_rows(found, look)
    yield from _rendered_rows(comparison, look)
    if comparison.grammar.differs:
        yield from _heading("Grammar (GBNF, standard tools), rule by rule")
        yield from _grammar_rows(comparison, look)
    yield from _recorded_rows(comparison)


def _summary(comparison: BehaviourComparison) -> Iterator[Text]:
    pairs = comparison.rendered
    differing = sum(pair.differs for pair in pairs)
    if comparison.same:
        yield Text(
            f"The same behaviour: all facts, and the text of all {len(pairs)} conversations.", "bold green"
        )
        return
    facts = len(comparison.differences)
    parts = [
        f"{facts} fact{'' if facts == 1 else 's'}",
        f"the text of {differing} of {len(pairs)} conversations",
    ]
    if comparison.grammar.differs:
        parts.append("the grammar")
    if comparison.recorded is not None:
        parts.append(f"{len(comparison.recorded)} of {comparison.recorded_tried} recorded outputs")
    yield Text(f"Different: {', '.join(parts)}.", "bold")


def _heading(title: str) -> tuple[Text, Text]:
    return Text(), Text(title, "bold cyan")


def _fact_rows(found: Sequence[Difference], look: Look) -> Iterator[RenderableType]:
    rows = _alike(found)
    if not look.side_by_side:
        for names, difference in rows:
            yield Text(f"  {names}")
            yield Text.assemble(("  - ", "red"), (_value(difference.old), "red"))
            yield Text.assemble(("  + ", "green"), (_value(difference.new), "green"))
        return
    table = Table.grid(expand=True, padding=(0, 2))
    for ratio in (2, 3, 3):
        table.add_column(ratio=ratio, overflow="fold")
    for names, difference in rows:
        table.add_row(
            Text("  " + names.replace(", ", ",\n  ")),
            Text(_value(difference.old), "red"),
            Text(_value(difference.new), "green"),
        )
    yield table


def _token_rows(found: Sequence[Difference]) -> Iterator[Text]:
    """List the tokens that are gone, and those that are new."""
    for sign, style, tokens in (
        ("-", "red", [difference.old for difference in found if difference.new is None]),
        ("+", "green", [difference.new for difference in found if difference.old is None]),
    ):
        if tokens:
            yield Text(f"  {sign} {'  '.join(visible(token, keep=' ') for token in tokens)}", style)


def _alike(found: Sequence[Difference]) -> list[tuple[str, Difference]]:
    """Put the names of facts together that changed alike (how each type of argument is written, say)."""
    groups: dict[str, list[Difference]] = {}
    for difference in found:
        groups.setdefault(repr((difference.old, difference.new)), []).append(difference)
    return [(", ".join(each.field for each in group), group[0]) for group in groups.values()]


def _value(value: Any) -> str:
    """Show a value: a text with its white space, anything else as JSON."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return f"“{_text_value(value)}”"
    return visible(json.dumps(value, ensure_ascii=False, default=str), keep=" ")


def _text_value(text: str) -> str:
    """Show blanks where they could be overlooked: at the ends, or more than one together."""
    return visible(text, keep="" if text != text.strip() or "  " in text else " ")


def _rendered_rows(comparison: BehaviourComparison, look: Look) -> Iterator[RenderableType]:
    if not any(pair.differs for pair in comparison.rendered):
        return
    yield from _heading("Rendered text")
    for change in text_changes(comparison.rendered):
        place = change.place
        yield _named(change.conversations)
        first = printable(change.conversations[0])
        yield Text(f"  line {place.line}, column {place.column} of “{first}”", "dim")
        yield from draw_blocks(change.blocks, look)
    for refusal in refusals(comparison.rendered):
        yield _named(refusal.conversations)
        yield _outcome("- ", "red", refusal.error_old)
        yield from _source_rows(refusal.lines if refusal.error_old else ())
        yield _outcome("+ ", "green", refusal.error_new)
        yield from _source_rows(refusal.lines if refusal.error_new else ())


def _source_rows(lines: Sequence[str]) -> Iterator[Text]:
    return (Text(f"    {visible(line, keep=' ')}", "dim") for line in lines)


def _named(conversations: Sequence[str]) -> RenderableType:
    return Indented(Text(_names(conversations), "bold"))


def _names(conversations: Sequence[str]) -> str:
    """Name the conversations of a change; of many the first, since a change in the system prompt is in nearly all."""
    if len(conversations) == 1:
        return printable(conversations[0])
    more = len(conversations) - _MOST_NAMES
    shown = conversations if more <= 1 else conversations[:_MOST_NAMES]
    rest = f", and {more} more" if more > 1 else ""
    return printable(f"{len(conversations)} conversations: {', '.join(shown)}{rest}")


def _outcome(sign: str, style: str, error: str) -> Text:
    told = f"does not render: {visible(error, keep=' ')}" if error else "renders"
    return Text.assemble((sign, style), (told, style))


def _grammar_rows(comparison: BehaviourComparison, look: Look) -> Iterator[RenderableType]:
    grammar = comparison.grammar
    if grammar.old is None or grammar.new is None:
        yield Text("- none" if grammar.old is None else "- there is one", "red")
        yield Text("+ none" if grammar.new is None else "+ there is one", "green")
    else:
        blocks, states = without_states(rule_blocks(grammar.old, grammar.new))
        yield from draw_blocks(blocks, look)
        for name, count in states.items():
            yield Text(f"  ⋮ {count} states of {name} (--format json has them)", "dim")


def _recorded_rows(comparison: BehaviourComparison) -> Iterator[RenderableType]:
    if comparison.recorded is None:
        return
    yield from _heading(f"Recorded outputs ({comparison.recorded_tried})")
    if not comparison.recorded:
        yield Text("  all are read the same", "green")
    for difference in comparison.recorded:
        before = "passed" if difference.passed_old else "failed"
        after = "passes" if difference.passed_new else "fails"
        yield Text(f"  {difference.case}: {before}, now {after}{_detail(difference.detail)}")


def _detail(detail: str) -> str:
    return f" ({visible(detail, keep=' ')})" if detail else ""
