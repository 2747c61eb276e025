"""One rendered turn -> the literals and slots it is made of.

A turn is cut out of the render (behind the last place of the user's text; never at the right), its needles are found, sorted by
position, and what stands between them are literals. Literals are kept as they stand, white space included.
"""

from __future__ import annotations

import re
from dataclasses import replace

from autoparser_cli.analysis.conversations import Conventions, Renderer, Turn, user_message
from autoparser_cli.analysis.model import TurnPart
from autoparser_cli.analysis.probes import CONTENT, DESCRIPTION, USER
from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.diffing.split import common_prefix_length
from autoparser_cli.frozen import frozen


@frozen
class Span:
    """A stretch of a text, 0-based and half open."""

    start: int
    end: int


@frozen
class TurnShape:
    """A turn as `literals[0] parts[0] literals[1] ... literals[-1]`.

    The literal before CALLS runs up to the first slot of the first call; the one behind starts at the end of the last call's last
    slot. `calls` is the text between (and `calls_start` where it begins in `text`).
    """

    text: str
    parts: tuple[TurnPart, ...]
    literals: tuple[str, ...]

    def before(self, part: TurnPart) -> str | None:
        """Return the literal in front of a part, None where the shape does not have it."""
        return self.literals[self.parts.index(part)] if part in self.parts else None

    def after(self, part: TurnPart) -> str | None:
        """Return the literal behind a part, None where the shape does not have it."""
        return self.literals[self.parts.index(part) + 1] if part in self.parts else None

    @property
    def opening(self) -> str:
        """Return the literal before the first part."""
        return self.literals[0]

    def behind(self, at: int) -> TurnShape:
        """Return the shape without the first `at` characters, which are part of its opening."""
        return replace(self, text=self.text[at:], literals=(self.opening[at:], *self.literals[1:]))

    def ending(self, tail: str) -> TurnShape:
        """Return the shape with this tail, which is a beginning of its own."""
        text = self.text[: len(self.text) - len(self.tail)] + tail
        return replace(self, text=text, literals=(*self.literals[:-1], tail))

    @property
    def tail(self) -> str:
        """Return the literal behind the last part."""
        return self.literals[-1]

    def pairs(self) -> list[tuple[TurnPart, TurnPart, str]]:
        """Return (part, next part, literal between) with START and END at the borders."""
        stops = (TurnPart.START, *self.parts, TurnPart.END)
        return [(stops[i], stops[i + 1], literal) for i, literal in enumerate(self.literals)]


def turn_text(renderer: Renderer, turn: Turn, conventions: Conventions, tools: object = None) -> str | None:
    """Render a turn and return what stands behind the user's text; None where the template raises."""
    text = renderer.turn(turn, conventions, tools=tools)  # type: ignore[arg-type]
    if text is None:
        return None
    cut = cut_turn(renderer, text, conventions)
    if DESCRIPTION in cut or _names_tools(renderer, cut, turn, conventions):
        return _without_tools(renderer, cut, conventions, tools)
    return cut


def _names_tools(renderer: Renderer, text: str, turn: Turn, conventions: Conventions) -> bool:
    """Tell whether a name that stands more than once is one of tools that are printed behind the user's text."""
    if all(text.count(call.name) < 2 for call in turn.calls[:1]):
        return False
    prompt = renderer.prompt(conventions, generation=False, tools=True) or ""
    return prompt.rpartition(USER)[2] != user_tail(renderer, conventions)


def _without_tools(renderer: Renderer, text: str, conventions: Conventions, tools: object) -> str:
    """Leave out the tools where they are printed behind the user's text, as a turn without them shows it."""
    if not conventions.needs_tools:
        return text.replace(tools_behind(renderer, conventions, tools), "", 1)
    prompt = renderer.render([user_message(conventions)], conventions, tools=tools)  # type: ignore[arg-type]
    behind = prompt.rpartition(USER)[2] if prompt and USER in prompt else ""
    return text.removeprefix(behind)


def tools_behind(renderer: Renderer, conventions: Conventions, tools: object) -> str:
    """Return what a plain answer with these tools has more behind the user's text than one without."""
    turn = Turn(content=CONTENT)
    shown, plain = (renderer.turn(turn, conventions, tools=given) for given in (tools, None))  # type: ignore[arg-type]
    if not shown or not plain or USER not in shown or USER not in plain:
        return ""
    shown, plain = shown.rpartition(USER)[2], plain.rpartition(USER)[2]
    before = common_prefix_length(shown, plain)
    behind = common_prefix_length(shown[before:][::-1], plain[before:][::-1])
    return shown[before : len(shown) - behind] if before + behind == len(plain) else ""


def cut_turn(renderer: Renderer, text: str, conventions: Conventions) -> str:
    """Return what stands behind the last place of the user's text, or behind what a prompt without the turn shares."""
    at = text.rfind(USER)
    if at >= 0:
        return text[at + len(USER) :]
    prompt = renderer.prompt(conventions, generation=False)
    return text[common_prefix_length(prompt, text) :] if prompt else text


def user_tail(renderer: Renderer, conventions: Conventions) -> str:
    """Return what a prompt without generation prompt prints behind the user's text."""
    prompt = renderer.prompt(conventions, generation=False)
    if prompt is None:
        return ""
    at = prompt.rfind(USER)
    return prompt[at + len(USER) :] if at >= 0 else ""


def shape_of(text: str, turn: Turn, calls: Span | None) -> TurnShape | None:
    """Find the parts of a turn in its text; None where one is missing or stands twice."""
    found: list[tuple[int, int, TurnPart]] = []
    for part, needle in ((TurnPart.REASONING, turn.reasoning), (TurnPart.CONTENT, turn.content)):
        if not needle:
            continue
        at = text.find(needle)
        if at < 0 or text.find(needle, at + 1) >= 0:
            return None
        found.append((at, at + len(needle), part))
    if calls is not None:
        found.append((calls.start, calls.end, TurnPart.CALLS))
    found.sort()
    literals, done = [], 0
    for start, end, _ in found:
        if start < done:
            return None
        literals.append(text[done:start])
        done = end
    return TurnShape(text, tuple(part for _, _, part in found), (*literals, text[done:]))


def shared_start(texts: list[str]) -> str:
    """Return the longest common beginning that cuts no marker of any text in two, nor a marker from the word it labels."""
    if not texts:
        return ""
    length = len(texts[0])
    for text in texts[1:]:
        length = min(length, common_prefix_length(texts[0], text))
    while True:
        snapped = min(_floor(text, length) for text in texts)
        if snapped == length:
            break
        length = snapped
    return texts[0][: _before_label(texts, length)]


def shared_end(texts: list[str]) -> str:
    """Return the longest common ending that cuts no marker of any text in two, nor a marker from the word it closes."""
    if not texts:
        return ""
    length = len(texts[0])
    for text in texts[1:]:
        length = min(length, common_prefix_length(texts[0][::-1], text[::-1]))
    while True:
        snapped = min(_tail_floor(text, length) for text in texts)
        if snapped == length:
            break
        length = snapped
    return texts[0][len(texts[0]) - behind_label(texts, length) :]


def _before_label(texts: list[str], at: int) -> int:
    """Step back over a marker that a word follows at once in every text: `<|open|>think`, `<|open|>tools`."""
    while at and all(_is_word(text[at : at + 1]) for text in texts):
        span = next((span for span in marker_spans(texts[0][:at]) if span[1] == at), None)
        if span is None:
            break
        at = span[0]
    return at


def behind_label(texts: list[str], length: int) -> int:
    """Step over a marker that ends a label in every text: `<|close|>call<|sep|>`, `<|close|>tools<|sep|>`."""
    while length and all(_ends_label(text[: len(text) - length]) for text in texts):
        tail = texts[0][len(texts[0]) - length :]
        span = next((span for span in marker_spans(tail) if span[0] == 0), None)
        if span is None:
            break
        length -= span[1]
    return length


_LABEL = re.compile(r"\w+$")


def _ends_label(text: str) -> bool:
    """Tell whether a text ends with a word directly behind a marker."""
    word = _LABEL.search(text)
    return word is not None and any(end == word.start() for _, end in marker_spans(text[: word.start()]))


def _is_word(character: str) -> bool:
    return character.isalnum()


def _floor(text: str, at: int) -> int:
    for start, end in marker_spans(text):
        if start < at < end:
            return start
        if start >= at:
            break
    return at


def _tail_floor(text: str, length: int) -> int:
    at = len(text) - length
    for start, end in marker_spans(text):
        if start < at < end:
            return len(text) - end
        if start >= at:
            break
    return length


def core(text: str) -> str:
    """Return a literal without the white space at its ends."""
    return text.strip()
