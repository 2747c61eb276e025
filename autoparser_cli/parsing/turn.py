"""A turn's joints, markers and calls -> the states of the grammar that reads it.

A state for each part, with the ways out of it: what may follow as printed, and what is understood as a repair.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from autoparser_cli.analysis.model import TemplateAnalysis, TurnPart
from autoparser_cli.parsing.calls import AFTER_CALLS, NEXT_CALL, CallExpressions
from autoparser_cli.parsing.closing import doubled_close
from autoparser_cli.parsing.next_calls import NextCall
from autoparser_cli.parsing.options import ParseOptions
from autoparser_cli.parsing.response import response_ways
from autoparser_cli.parsing.wire import (
    first_marker,
    is_strong,
    leading_white,
    literal_items,
    markers_of,
    trailing_white,
)
from autoparser_cli.peg.expressions import (
    Ahead,
    Choice,
    Exit,
    Expression,
    Goto,
    Grammar,
    Literal,
    Margin,
    Mark,
    Not,
    Optional,
    Peek,
    Rest,
    Sequence,
    Space,
    Span,
    Text,
    Unclosed,
)
from autoparser_cli.peg.names import Cases

START, REASONING, AFTER_REASONING, CONTENT, DONE, END, RECOVERY = (
    "start", "reasoning", "after_reasoning", "content", "done", "end", "recovery",
)  # fmt: skip
SECOND_REASONING = "second-reasoning"
TEXT_AFTER_CALLS = "text-after-calls"
STRAY_REASONING = "reasoning-markers-without-reasoning"
UNCLOSED_REASONING = "call-in-unclosed-reasoning"
CONTENT_IN_REASONING = "content-in-unclosed-reasoning"
DOUBLED_MARKER = "doubled-marker"
REASONING_NOT_OPENED = "reasoning-end-without-start"

#: The first tag of a marker text: `<|channel>` of `<|channel>thought`.
_TAG = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")


class Turn:
    """Builds the states of one assistant turn."""

    def __init__(self, analysis: TemplateAnalysis, cases: Cases, options: ParseOptions) -> None:
        self.analysis = analysis
        self.options = options
        self.joints: Mapping[tuple[TurnPart, TurnPart], str] = {
            (joint.before, joint.after): joint.text for joint in analysis.turn.joints
        }
        self.kept = options.reasoning_format == "none"
        self.ending = self._ending()
        self.calls: CallExpressions | None = None
        if analysis.calls is not None and cases:
            self.calls = CallExpressions(analysis.calls, cases, self.ending, options.lenient)
        self.reasoning_start = analysis.reasoning.start.strip()
        self.reasoning_end = self._reasoning_end()

    def grammar(self) -> Grammar:
        """Return the grammar of the turn."""
        states: dict[str, Expression] = {
            START: self._start(),
            REASONING: self._reasoning(),
            AFTER_REASONING: self._after_reasoning(),
            CONTENT: self._content(),
        }
        if self.calls is not None:
            states[NEXT_CALL] = NextCall(self.calls).expression()
            for others in filter(None, (self.calls.several(), self.calls.listed())):
                states[others.state] = NextCall(others).expression()
            states[AFTER_CALLS] = self._after_calls()
            states[RECOVERY] = Text("skipped", (*self.calls.exits(), *self._end_exits("")), DONE)
        states[END] = Rest(self.ending)
        states[DONE] = Sequence(())
        return Grammar(states, START)

    def _between(self, before: TurnPart, after: TurnPart) -> str:
        """Return what is printed between two parts, empty where they never stand so."""
        return self.joints.get((before, after), "")

    def _ending(self) -> tuple[str, ...]:
        """Return the markers that may close the turn, in order."""
        joints = [joint for joint in self.analysis.turn.joints if joint.after is TurnPart.END]
        closing = self.analysis.reasoning.end.strip()
        markers = [
            marker
            for joint in joints
            for marker in markers_of(joint.text)
            if marker != closing or joint.before is TurnPart.CONTENT
        ]
        return tuple(dict.fromkeys((*markers, *markers_of(self.analysis.turn.end))))

    def _reasoning_end(self) -> str:
        """Return the marker that closes reasoning, empty where there is none."""
        end = self.analysis.reasoning.end.strip()
        if end:
            return first_marker(end)
        for after in (TurnPart.CONTENT, TurnPart.CALLS):
            marker = first_marker(self._between(TurnPart.REASONING, after))
            if marker:
                return marker
        return ""

    def _marker(self, kind: str, text: str, *behind: Expression) -> list[Expression]:
        """Return a reasoning marker; it is text of the content itself where reasoning is left there."""
        items = [*literal_items(text), *behind]
        return [Span(kind, Sequence(tuple(items)))] if self.kept and items else items

    # ----------------------------------------------------------------------------------------------- states

    def _start(self) -> Expression:
        ways: list[Expression] = []
        to_reasoning = self.joints.get((TurnPart.START, TurnPart.REASONING))
        if to_reasoning is not None and to_reasoning.strip():
            ways.append(self._open_reasoning(to_reasoning))
        start = self.reasoning_start
        if start and start not in (to_reasoning or ""):
            ways.append(self._open_reasoning(self.analysis.reasoning.start))
        if self.reasoning_end and not self._starts_without_marker():
            mark = [] if self._may_start_closed() else [Mark("repair", REASONING_NOT_OPENED)]
            end = [Space(), *mark, *self._marker("closing", self.reasoning_end)]
            ways.append(Sequence((*end, Goto(AFTER_REASONING))))
        for text in self._texts(TurnPart.START, TurnPart.CALLS)[:1]:  # the longest may be left out
            ways += self._into_calls(text)
        for text in self._texts(TurnPart.START, TurnPart.CONTENT):
            ways += self._into_content(text)
        if self._starts_without_marker():
            ways.insert(0, Sequence((Ahead((self.reasoning_end,)), Goto(REASONING))))
        return Choice((*ways, Goto(CONTENT)))

    def _may_start_closed(self) -> bool:
        """Tell whether the template itself closes reasoning that it has not opened."""
        starts = [joint.text for joint in self.analysis.turn.joints if joint.before is TurnPart.START]
        return any(first_marker(text) == self.reasoning_end for text in starts)

    def _starts_without_marker(self) -> bool:
        """Tell whether reasoning may begin without a marker, so that only its end tells of it."""
        text = self.joints.get((TurnPart.START, TurnPart.REASONING))
        return bool(self.reasoning_end) and not self.reasoning_start and text is not None and not text.strip()

    def _open_reasoning(self, text: str) -> Expression:
        lead = trailing_white(text)
        items = self._marker("opening", text.strip(), Margin(lead))
        return Sequence((Space(leading_white(text)), *_doubled_tag(text.strip()), *items, Goto(REASONING)))

    def _into_calls(self, before: str) -> list[Expression]:
        if self.calls is None:
            return []
        return [Sequence((Space(exit_.trim), exit_.item)) for exit_ in self.calls.exits(before)]

    def _into_content(self, text: str) -> list[Expression]:
        if not text.strip():
            return []
        items = literal_items(text.rstrip())
        return [Sequence((Space(), *items, Margin(trailing_white(text)), Goto(CONTENT)))]

    def _reasoning(self) -> Expression:
        kind = "content" if self.kept else "reasoning"
        exits: list[Exit] = []
        closing: list[str] = []
        if self.reasoning_end:
            exits.append(self._reasoning_exit())
            closing.append(self.reasoning_end)
        for after in (TurnPart.CONTENT, TurnPart.CALLS):
            text = self._between(TurnPart.REASONING, after)
            marker = first_marker(text)
            if marker and self.reasoning_end not in text:
                closing.append(marker)
                exits += self._other_exit(text, after)
        to_calls = self.joints.get((TurnPart.REASONING, TurnPart.CALLS))
        if to_calls is not None and not to_calls.strip():
            # Nothing closes reasoning but the call behind it.
            exits += self._other_exit(to_calls, TurnPart.CALLS)
        exits += self._content_in_reasoning(closing)
        if self.calls is not None and closing:
            for exit_, head in self.calls.certain_exits():
                item = Sequence((Mark("repair", UNCLOSED_REASONING), exit_.item))
                exits.append(Exit(exit_.anchor, Unclosed(head, tuple(closing), item), exit_.trim))
        exits += self._end_exits("")
        return Text(kind, tuple(exits), DONE)

    def _content_in_reasoning(self, closing: list[str]) -> list[Exit]:
        """Return the way into content whose opening marker stands in reasoning that is never closed."""
        opening = self._behind_reasoning(TurnPart.CONTENT).strip()
        if not is_strong(opening) or not closing:
            return []
        items = literal_items(opening)
        mark = Mark("repair", CONTENT_IN_REASONING)
        found = Unclosed(Sequence(tuple(items)), tuple(closing), Sequence((mark, *items, Goto(CONTENT))))
        return [Exit(first_marker(opening), found)]

    def _reasoning_exit(self) -> Exit:
        texts = [text for (before, _), text in self.joints.items() if before is TurnPart.REASONING]
        trims = [text[: text.find(self.reasoning_end)] for text in texts if self.reasoning_end in text]
        trims = [trim for trim in trims if not trim.strip()]
        item = Sequence((*self._marker("closing", self.reasoning_end), Goto(AFTER_REASONING)))
        return Exit(self.reasoning_end, item, "" if self.kept else max(trims, key=len, default=""))

    def _other_exit(self, text: str, after: TurnPart) -> list[Exit]:
        if after is TurnPart.CALLS:
            return [*self.calls.exits(text)] if self.calls is not None else []
        items = (*literal_items(text.rstrip()), Margin(trailing_white(text)), Goto(CONTENT))
        return [Exit(first_marker(text), Sequence(items), leading_white(text))]

    def _after_reasoning(self) -> Expression:
        ways: list[Expression] = []
        ways += self._into_calls(self._behind_reasoning(TurnPart.CALLS))
        for text in self._texts(TurnPart.REASONING, TurnPart.CONTENT):
            ways += self._into_content(self._behind_end(text))
        again = self.reasoning_start
        if again:
            mark = Mark("repair", SECOND_REASONING)
            opened = self._open_reasoning(self.analysis.reasoning.start)
            ways.append(Sequence((Space(), Peek(Sequence(literal_items(again))), mark, opened)))
        ways += self._ends()
        plain = self._behind_reasoning(TurnPart.CONTENT)
        margin: list[Expression] = [] if self.kept else [Margin(leading_white(plain))]
        return Choice((*ways, Sequence((*margin, Goto(CONTENT)))))

    def _behind_reasoning(self, after: TurnPart) -> str:
        """Return what is printed between the marker that closes reasoning and the next part."""
        return self._behind_end(self._between(TurnPart.REASONING, after))

    def _behind_end(self, text: str) -> str:
        if self.reasoning_end and self.reasoning_end in text:
            return text[text.index(self.reasoning_end) + len(self.reasoning_end) :]
        return ""

    def _texts(self, before: TurnPart, after: TurnPart) -> list[str]:
        """Return all that is printed between two parts in one turn or another, the longest first."""
        joints = self.analysis.turn.joints
        texts = dict.fromkeys(j.text for j in joints if (j.before, j.after) == (before, after))
        return sorted(texts, key=len, reverse=True)

    def _content(self) -> Expression:
        exits: list[Exit] = []
        if self.calls is not None:
            exits += self.calls.exits(self._between(TurnPart.CONTENT, TurnPart.CALLS))
        exits += self._stray_reasoning() + self._later_reasoning()
        exits += self._end_exits(self._between(TurnPart.CONTENT, TurnPart.END))
        text = Text("content", tuple(exits), DONE)
        if self.options.json_schema is None:
            return text
        return Choice((*response_ways(self.options.json_schema, Goto(END)), text))

    def _later_reasoning(self) -> list[Exit]:
        """Return the way into reasoning that the template prints behind content."""
        text = self._between(TurnPart.CONTENT, TurnPart.REASONING)
        marker = first_marker(text)
        if not is_strong(marker):
            return []
        return [Exit(marker, self._open_reasoning(text.lstrip()), leading_white(text))]

    def _stray_reasoning(self) -> list[Exit]:
        """Return the ways over reasoning markers in content that hold nothing, or stand at the end."""
        if not self.reasoning_end or not is_strong(self.reasoning_end) or self.kept:
            return []
        if self.reasoning_end in self.ending:
            return []  # it closes content as well
        end = Literal(self.reasoning_end)
        at_end = Sequence((end, Peek(Rest(self.ending)), Mark("repair", STRAY_REASONING), Goto(END)))
        exits = [Exit(self.reasoning_end, at_end)]
        if self.reasoning_start:
            start = literal_items(self.reasoning_start)
            empty = Sequence((*start, Space(), end, Mark("repair", STRAY_REASONING), Goto(CONTENT)))
            exits.append(Exit(first_marker(self.reasoning_start), empty))
        return exits

    def _end_exits(self, before: str) -> list[Exit]:
        """Return the ways out of a text that end the turn: each of its closing markers."""
        trim = leading_white(before + self.analysis.turn.end) if before.strip() or not before else before
        return [
            Exit(marker, Sequence((Literal(marker), Goto(END))), trim)
            for marker in self.ending
            if is_strong(marker)
        ]

    def _ends(self) -> list[Expression]:
        return [
            Sequence((Space(), Literal(marker), Goto(END))) for marker in self.ending if is_strong(marker)
        ]

    def _after_calls(self) -> Expression:
        ways = [*self._into_calls(""), Rest(self.ending), *self._ends()]
        to_reasoning = self._between(TurnPart.CALLS, TurnPart.REASONING)
        if is_strong(first_marker(to_reasoning)):
            ways.append(self._open_reasoning(to_reasoning))
        to_content = self.joints.get((TurnPart.CALLS, TurnPart.CONTENT))
        ways += self._into_content(to_content or "")
        closing = self.calls.closing() if self.calls is not None else ()
        if self.options.lenient:
            ways += [doubled_close(marker, AFTER_CALLS) for marker in closing]
        unexpected: list[Expression] = []
        for marker in (self.reasoning_start, self.reasoning_end, *closing):
            if marker:
                unexpected.append(Not(Sequence((Space(), Literal(first_marker(marker))))))
        if to_content is None or to_content.strip():
            unexpected.append(Mark("repair", TEXT_AFTER_CALLS))
        margin: list[Expression] = [Margin(to_content)] if to_content and not to_content.strip() else []
        return Choice((*ways, Sequence((*unexpected, *margin, Goto(CONTENT)))))


def _doubled_tag(text: str) -> list[Expression]:
    """Return the first tag of a marker that goes on behind it (`<|channel>thought`), written once too often."""
    tag = _TAG.match(text)
    if tag is None or tag[0] == text or not is_strong(tag[0]):
        return []
    mark = Mark("repair", DOUBLED_MARKER)
    return [Optional(Sequence((Literal(tag[0]), Space(), Peek(Literal(tag[0])), mark)))]
