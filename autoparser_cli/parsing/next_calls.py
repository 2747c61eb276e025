"""What stands behind a call -> expressions: one more, or the end of the section."""

from __future__ import annotations

from autoparser_cli.frozen import frozen
from autoparser_cli.parsing.calls import AFTER_CALLS, MISSING_SECTION_START, CallExpressions
from autoparser_cli.parsing.closing import doubled_close
from autoparser_cli.parsing.wire import (
    core,
    core_text,
    first_marker,
    is_strong,
    leading_white,
    literal_items,
    without_last_space,
)
from autoparser_cli.peg.expressions import (
    Choice,
    Expression,
    Goto,
    Literal,
    Mark,
    Optional,
    Peek,
    Rest,
    Run,
    Sequence,
    Space,
    Span,
)
from autoparser_cli.peg.fields import OTHER_SEPARATOR
from autoparser_cli.peg.parts import WHITE_SPACE_REPAIR

MISSING_SECTION_END = "missing-section-end"
EARLY_SECTION_END = "section-ends-before-a-call"


@frozen
class NextCall:
    """Builds the state behind a call."""

    calls: CallExpressions

    def expression(self) -> Expression:
        """Return the state behind a call: one more, or the end of the section."""
        ways = [self._another(), *self._behind_early_end(), *self._ends_without_marker(), self._section_end()]
        end = first_marker(self.calls.format.section_end)
        if end and not self.calls.format.array_wrapped and not self.calls.before_call():
            ways = [ways[-1], *ways[:-1]]  # no marker stands before a name, and the end could be read as one
        if self.calls.format.section_end_optional or (not end and not self.calls.format.array_wrapped):
            ways.append(Goto(AFTER_CALLS))
        elif self._closed_by_call():
            if not self.calls.format.section_start.strip():  # it closes the turn, and engines strip what does
                ways.append(Sequence((Peek(Rest(self.calls.ending)), Goto(AFTER_CALLS))))
            ways.append(Sequence((Mark("repair", MISSING_SECTION_END), Goto(AFTER_CALLS))))
        if self.calls.lenient:
            ends = [
                marker
                for marker in self.calls.closing()
                if not self.calls.format.section_end.strip().startswith(marker)
            ]
            ways[1:1] = [doubled_close(marker, self.calls.state) for marker in ends]
            if not self.calls.format.parallel:
                ways.insert(1, self._separated())
        return Choice(tuple(ways)) if len(ways) > 1 else ways[0]

    def _ends_without_marker(self) -> list[Expression]:
        """Return the end of a section whose marker is missing, where the turn ends or the next section begins."""
        end, start = (
            first_marker(self.calls.format.section_end),
            first_marker(self.calls.format.section_start),
        )
        if not end or self.calls.format.array_wrapped or self.calls.format.section_end_optional:
            return []
        follows: list[Expression] = [Rest(self.calls.ending)]
        if start:
            follows.append(Sequence((Space(), Literal(start))))
        marked = (Peek(Choice(tuple(follows))), Mark("repair", MISSING_SECTION_END), Goto(AFTER_CALLS))
        return [Sequence(marked)]

    def _closed_by_call(self) -> bool:
        """Tell whether no marker opened the section, and each call has its own end."""
        opened = self.calls.format.section_start.strip() or self.calls.format.array_wrapped
        return not opened and is_strong(core(self.calls.format.per_call_end))

    def _another(self) -> Expression:
        """Return one more call in the same section."""
        separator, per_call = self.calls.format.separator, self.calls.format.per_call_start
        lead = leading_white(core_text(per_call))
        if lead:
            per_call = (core_text(per_call)[len(lead) :], *per_call[1:])
        items: list[Expression] = []
        if self.calls.format.array_wrapped:
            items += [Space(), Literal(","), Space(separator.strip(","))]
        elif separator.strip():
            items.append(Space(leading_white(separator)))
            printed: Expression = Sequence((*literal_items(separator.lstrip()), Space(lead)))
            known = is_strong(core(per_call))
            items.append(Optional(printed, missing=WHITE_SPACE_REPAIR) if known else printed)
        else:
            items.append(Space(separator + lead))
        strong = self.calls.format.array_wrapped or is_strong(self.calls.before_body())
        # Where several calls have a section of their own, another one is not printed here.
        marks = [Mark("repair", MISSING_SECTION_START)] if self.calls.format.several_start else []
        call = self.calls.call(per_call, strong)
        return Sequence((*items, *marks, Mark("call"), *call, Goto(self.calls.state)))

    def _behind_early_end(self) -> list[Expression]:
        """Return one more call behind the end of the section, and of the turn, which some templates print behind the
        second call already, and then behind each.
        """
        end, start = self.calls.format.section_end, core(self.calls.format.per_call_start)
        if not (self.calls.format.section_end_optional and end.strip() and is_strong(start)):
            return []
        white = Space(free=True)
        closed = [white, *literal_items(end.strip()), white]
        for marker in self.calls.ending:
            closed += [Optional(Literal(marker)), white]
        another = (
            Mark("repair", EARLY_SECTION_END),
            Mark("call"),
            *self.calls.call(self.calls.format.per_call_start, True),
        )
        return [Sequence((*closed, *another, Goto(self.calls.state)))]

    def _separated(self) -> Expression:
        """Return one more call behind a separator, where the template prints one call only."""
        separator = Span("skipped", Run("separator", "[,;]", "a separator"))
        items = (Space(), separator, Mark("repair", OTHER_SEPARATOR), Mark("call"))
        strong = is_strong(self.calls.before_body())
        return Sequence(
            (*items, *self.calls.call(self.calls.format.per_call_start, strong), Goto(self.calls.state))
        )

    def _section_end(self) -> Expression:
        items: list[Expression] = []
        if self.calls.format.array_wrapped:
            items += [Space(free=True), Literal("]"), Space()]
        elif self.calls.format.section_end.strip():
            items.append(Space())
        markers = literal_items(self.calls.format.section_end.rstrip())
        first = next((at for at, item in enumerate(markers) if isinstance(item, Literal)), len(markers)) + 1
        items += [*markers[:first], *self._rest_of_end(markers[first:])]
        return Sequence((*without_last_space(items), Goto(AFTER_CALLS)))

    def _rest_of_end(self, items: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """Return the markers behind the first one of a section's end; the output may stop before them.

        Templates print the end of the turn there, which a model's output does not hold.
        """
        markers = [item.text for item in items if isinstance(item, Literal)]
        if not markers:
            return items
        cut: Expression = Rest((*markers, *self.calls.ending))
        if not set(markers) <= set(self.calls.ending):
            cut = Sequence((cut, Mark("repair", MISSING_SECTION_END)))
        return (Choice((Sequence(items), cut)),)
