"""The shapes of a turn -> its header, its end and the markers around its parts.

Every combination that the template renders gives a shape; what two shapes share tells what belongs to whom.
"""

from __future__ import annotations

import re

from autoparser_cli.analysis.model import TurnPart
from autoparser_cli.analysis.observing import Observed, from_prompt, literals
from autoparser_cli.analysis.shapes import TurnShape, core, shared_end, shared_start
from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.frozen import frozen

START, REASONING, CONTENT, CALLS, END = (
    TurnPart.START,
    TurnPart.REASONING,
    TurnPart.CONTENT,
    TurnPart.CALLS,
    TurnPart.END,
)

#: What the names of two markers that belong together do not share.
_AT_BORDERS = re.compile(r"begin|start|open|end|stop|close|[\W_]")


@frozen
class Markers:
    """The literals around the parts of a turn, white space included; `turn_tail` is all that stands behind content."""

    header: str = ""
    end: str = ""
    turn_tail: str = ""
    reasoning_start: str = ""
    reasoning_end: str = ""
    content_start: str = ""
    content_end: str = ""
    wrapped_start: str = ""
    call_open: str = ""
    call_close: str = ""


def find_markers(seen: Observed) -> Markers:
    """Take the literals of all shapes apart."""
    seen = from_prompt(seen)
    shapes = list(seen.shapes.values())
    end = _turn_end(shapes, seen.earlier_tail)
    reasoning_end = _before_reopening(seen, shapes, _reasoning_end(shapes, end)) or seen.stripped_end
    header = _header(seen, shapes, reasoning_end)
    start = _first(literals(shapes, START, REASONING), header) or seen.stripped_start
    start = start or shared_end(literals(shapes, CONTENT, REASONING) + literals(shapes, CALLS, REASONING))
    if seen.stripped_end:
        header = _without_opener(header, seen.stripped_start)
    else:
        reasoning_end = _settle_end(seen, shapes, header, start, reasoning_end)
    content_start = _content_start(shapes, header, start, reasoning_end)
    wrapped = _wrapped_start(shapes, reasoning_end, content_start)
    content_end = _content_end(shapes, end) if content_start or wrapped else ""
    call_open = _call_open(shapes, header, start, reasoning_end, content_end)
    return Markers(
        header=_own_header(header, seen.user_tail),
        end=end,
        turn_tail=next(iter(literals(shapes, CONTENT, END)), ""),
        reasoning_start=start,
        reasoning_end=reasoning_end,
        content_start=content_start,
        content_end=content_end,
        wrapped_start=wrapped,
        call_open=call_open,
        call_close=_call_close(shapes, end),
    )


# ------------------------------------------------------------------------------------------------------ the borders


def _turn_end(shapes: list[TurnShape], earlier_tail: str) -> str:
    """Return what closes every turn: what the tails of content and of calls share; the whole tail where there is only one.

    Some templates leave the last turn's end to the model if it holds content, but not if it holds calls: then what closes an
    earlier turn tells.
    """
    content = literals(shapes, CONTENT, END)
    calls = literals(shapes, CALLS, END)
    if not content or not calls:
        return shared_end(content or calls)
    end = shared_end(content + calls)
    if end or any(core(text) for text in content):
        return end
    return _overlap(shared_end(calls), earlier_tail)


def _overlap(text: str, behind: str) -> str:
    """Return the longest whole markers at the end of one text that the other begins with."""
    for start, _ in marker_spans(text):
        if behind.startswith(text[start:]):
            return text[start:]
    return ""


def _before_reopening(seen: Observed, shapes: list[TurnShape], guess: str) -> str:
    """Cut a guess at the end of reasoning where the turn opens once more: a turn of several messages."""
    opening = core(_own_header(shared_start([shape.opening for shape in shapes]), seen.user_tail))
    at = guess.find(opening) if opening else -1
    return guess[:at] if at > 0 else guess


def _header(seen: Observed, shapes: list[TurnShape], reasoning_end: str) -> str:
    """Return what opens every turn, behind the user's text."""
    openings = [shape.opening for shape in shapes] + list(seen.bare)
    marker = core(reasoning_end)
    own_from = len(shared_start([*openings, seen.user_tail]))
    plain = [text for text in openings if not (marker and marker in text[own_from:])]
    closed = [text for text in openings if marker and marker in text[own_from:]]
    header = shared_start(plain or openings)
    opened = core(next(iter(literals(shapes, START, REASONING)), seen.stripped_start))
    for text in closed:
        before = text[: text.find(marker, own_from)]
        cut = _last_marker_start(before)
        if not opened.endswith(core(before[cut:])) or _prompts_open(seen, core(before[cut:]), marker):
            cut = len(before)
        header = shared_start([header, text[:cut]])
    prompts = [seen.user_tail + prompt for prompt in seen.prompts if prompt]
    for prompt in prompts:
        if len(prompt) < len(header) or not prompt.startswith(header):
            shared = shared_start([header, prompt])
            header = shared if len(shared) > len(seen.user_tail) else header
    if not _own_header(header, seen.user_tail):
        header = _prompt_before_word(prompts, openings) or header
    return _without_call_opener(header, shapes)


def _prompt_before_word(prompts: list[str], openings: list[str]) -> str:
    """Return the prompt where it opens every turn and a word goes on behind it, which alone would make it part of a label."""
    prompt = min(prompts, key=len, default="")
    behind = [text[len(prompt) :] if text.startswith(prompt) else "" for text in openings]
    return prompt if behind and all(text[:1].isalnum() for text in behind) else ""


def _prompts_open(seen: Observed, opener: str, reasoning_end: str) -> bool:
    """Tell whether prompts open reasoning behind a marker that opens turns, which print its end only."""
    wanted = _label_of(reasoning_end)
    if not wanted or _label_of(opener) == wanted:
        return False
    markers = (prompt[start:end] for prompt in seen.prompts for start, end in marker_spans(prompt))
    return any(_label_of(marker) == wanted and core(marker) != reasoning_end for marker in markers)


def _without_call_opener(header: str, shapes: list[TurnShape]) -> str:
    """Leave to the call what also opens it behind content: a prompt may end with it."""
    for opener in literals(shapes, CONTENT, CALLS):
        if core(opener) and header.endswith(opener):
            return header[: len(header) - len(opener)]
    return header


def _without_opener(header: str, opener: str) -> str:
    return header[: header.rfind(opener)] if opener and core(header).endswith(core(opener)) else header


def _last_marker_start(text: str) -> int:
    """Return where the last marker of a text begins, or its end where there is none."""
    spans = list(marker_spans(text))
    return spans[-1][0] if spans else len(text)


def _own_header(header: str, user_tail: str) -> str:
    return header[len(shared_start([header, user_tail])) :]


# -------------------------------------------------------------------------------------------------- reasoning, content


def _reasoning_end(shapes: list[TurnShape], end: str) -> str:
    """Return a first guess: what follows reasoning whatever comes next."""
    to_content = literals(shapes, REASONING, CONTENT)
    to_calls = literals(shapes, REASONING, CALLS)
    following = to_content + to_calls
    if not following:
        return _first_tail(literals(shapes, REASONING, END), end)
    return shared_start(following) or following[0]


def _settle_end(seen: Observed, shapes: list[TurnShape], header: str, start: str, guess: str) -> str:
    """Take off what belongs to the content or call that follows, and to a new turn header."""
    if not guess:
        return ""
    for part in (CONTENT, CALLS):
        behind = literals(shapes, REASONING, part)
        plain = [
            text.removeprefix(header) for text in literals(shapes, START, part) if text.startswith(header)
        ]
        plain = [text for text in plain if not (core(start) and core(text).startswith(core(start)))]
        for text in behind:
            for opening in plain:
                if opening.strip() and text.endswith(opening):
                    without = shared_start([guess, text[: len(text) - len(opening)]])
                    # Where nothing is left, what opens content is the end of a reasoning that is not there.
                    guess = without if core(without) else guess
    guess = _before_content(seen, shapes, header, start, guess)
    own = core(_own_header(header, seen.user_tail))
    if own and own in guess:
        guess = guess[: guess.find(own)]
    return _only_first_marker(_up_to_counterpart(guess, start), shapes)


def _up_to_counterpart(guess: str, start: str) -> str:
    """Cut a guess behind its first marker where that is named as the one that opens reasoning: `<think>`, `</think>`.

    Where calls stand behind an empty content block, all that opens content follows reasoning in every turn.
    """
    spans, opening = list(marker_spans(guess)), core(start)
    if len(spans) < 2 or guess[: spans[0][0]].strip() or not opening:
        return guess
    if _label_of(guess[slice(*spans[0])]) != _label_of(opening):
        return guess
    return _with_white(guess, spans[0][1])


def _label_of(marker: str) -> str:
    """Return what the name of a marker shares with that of its counterpart."""
    return _AT_BORDERS.sub("", marker.lower())


def _with_white(text: str, at: int) -> str:
    """Return a text up to a place and the white space behind it."""
    return text[: at + len(text[at:]) - len(text[at:].lstrip())]


def _before_content(seen: Observed, shapes: list[TurnShape], header: str, start: str, guess: str) -> str:
    """Take off what a prompt opens content with, where calls print an empty content block and so share it."""
    for prompt in seen.prompts:
        opened = core(prompt.removeprefix(header)) if prompt.startswith(header) else ""
        if not opened or (core(start) and core(start) in opened):
            continue
        at = guess.rfind(opened)
        if core(guess[:at]) and all(opened in text for text in literals(shapes, REASONING, CONTENT)):
            return guess[:at]
    return guess


def _only_first_marker(guess: str, shapes: list[TurnShape]) -> str:
    """Where only one thing ever follows reasoning, nothing tells its end from what opens next: the first marker ends it."""
    if len(literals(shapes, REASONING, CONTENT)) and len(literals(shapes, REASONING, CALLS)):
        return guess
    spans = list(marker_spans(guess))
    if len(spans) < 2 or guess[: spans[0][0]].strip():
        return guess
    return _with_white(guess, spans[0][1])


def _content_start(shapes: list[TurnShape], header: str, start: str, reasoning_end: str) -> str:
    texts = literals(shapes, START, CONTENT)
    found = [_without_empty_reasoning(text.removeprefix(header), start, reasoning_end) for text in texts]
    return found[0] if found and found[0].strip() else ""


def _without_empty_reasoning(text: str, start: str, reasoning_end: str) -> str:
    """Take an opened and at once closed reasoning block (or its bare end) off the front of a text."""
    marker = core(reasoning_end)
    if core(start) and core(text) == core(start):
        return ""
    if not marker or marker not in text:
        return text
    before, _, behind = text.partition(marker)
    return behind if before.strip() in ("", core(start)) else text


def _wrapped_start(shapes: list[TurnShape], reasoning_end: str, content_start: str) -> str:
    """Return what wraps content beside reasoning only."""
    for text in literals(shapes, REASONING, CONTENT):
        rest = text.removeprefix(reasoning_end)
        if rest.strip() and rest.strip() != content_start.strip():
            return rest
    return ""


def _content_end(shapes: list[TurnShape], end: str) -> str:
    tails = literals(shapes, CONTENT, END)
    return _first_tail(tails, end)


def _call_open(shapes: list[TurnShape], header: str, start: str, reasoning_end: str, content_end: str) -> str:
    openings = []
    for shape in shapes:
        for before, after, text in shape.pairs():
            if after is not CALLS:
                continue
            if before is START:
                openings.append(_without_empty_reasoning(text.removeprefix(header), start, reasoning_end))
            elif before is REASONING:
                openings.append(_behind(text, reasoning_end))
            else:
                openings.append(_behind(text, content_end))
    return shared_end(openings).lstrip()


def _call_close(shapes: list[TurnShape], end: str) -> str:
    """Return what closes the calls whatever comes next: the end of a turn with calls may be another than that of content."""
    tail = _first_tail(literals(shapes, CALLS, END), end)
    to_content = literals(shapes, CALLS, CONTENT)
    return shared_start([tail, *to_content]) if to_content else tail


def _behind(text: str, marker: str) -> str:
    stripped = core(marker)
    return text.partition(stripped)[2] if stripped and stripped in text else text


def _first(texts: list[str], header: str) -> str:
    return texts[0].removeprefix(header) if texts else ""


def _first_tail(texts: list[str], end: str) -> str:
    return texts[0].removesuffix(end) if texts else ""
