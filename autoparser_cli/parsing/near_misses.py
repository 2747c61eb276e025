"""An output that does not fit -> how little was missing, in sentences: for people who ask why.

Four sources: a call that was taken for text, what a lenient parser repaired, what the schemas say, and the
smallest edit (one marker put in, taken out or spelt as printed) with which the output fits. Only markers that
stand in the grammar are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from itertools import islice, pairwise
from textwrap import shorten
from typing import Any

from autoparser_cli.frozen import frozen
from autoparser_cli.parsing.nearly_json import nearly_json
from autoparser_cli.parsing.output_parser import OutputParser, ParseResult
from autoparser_cli.parsing.repair_words import repair_words
from autoparser_cli.peg.expressions import Literal

_TAG = re.compile(r"</?[^<>\s]{1,60}>|\[/?[A-Z_]{2,40}\]")
#: A tool's name behind a quote or a sign that opens, or before one that opens arguments or closes a name: not a word
#: in a sentence.
_AS_IN_A_CALL = r"""(?:["'=:>.|/]\s{0,2}|(?=NAME\s{0,2}[({<>"'\[|]))(?<!\w)(?P<name>NAME)(?!\w)"""
_OPENED = re.compile(r"[{\[](?=\s*[\w'\"{\[])")
_EXTRA = re.compile(r"[\]}]+")
_BRACKETS = ("}", "]", '"', "}}", '"}', '"}}')
#: How many objects before the place of an error are tried to be read as something else than JSON.
_OBJECTS, _OBJECTS_IN_ALL = 4, 32
#: Edits that are tried, and the length of an output beyond which none is.
_TRIES = 200
_LONGEST = 20_000


@frozen
class NearMiss:
    """One thing that was missing: `name` for machines, a sentence, and what to try (may be empty)."""

    name: str
    offset: int
    message: str
    advice: str


def near_misses(
    parser: OutputParser, output: str, result: ParseResult, tolerant: ParseResult
) -> tuple[NearMiss, ...]:
    """Return what was missing, the nearest first.

    `result` is the parser's, `tolerant` that of a lenient parser of the same format.
    """
    found = (
        [*_edits(parser, output, result)] if result.error is not None else [*_unread(parser, output, result)]
    )
    given = {"unparsed-text"} if found else set()
    for miss in _repaired(parser, output, tolerant):
        if miss.name not in given:  # the first of a kind tells enough
            found.append(miss)
        given.add(miss.name)
    for finding in result.findings or tolerant.findings:
        advice = "give the parameter a value" if finding.code == "missing-parameter" else ""
        found.append(NearMiss(finding.code, finding.offset, finding.message, advice))
    return tuple(found)


def _unread(parser: OutputParser, output: str, result: ParseResult) -> Iterator[NearMiss]:
    unread = unread_call(parser, output, result)
    if unread is not None:
        name, offset = unread
        rewritten = _first_fitting(parser, output, result, _rewritten(output, 0, offset))
        if rewritten is not None:
            yield _told(rewritten, output)
            return
        message = (
            f"`{name}` stands here as in a call, but what stands around it is not how the template writes one"
        )
        advice = "compare with a call of the template; is it the template that the model was trained with?"
        yield NearMiss("call-as-text", offset, message, advice)


def unread_call(parser: OutputParser, output: str, result: ParseResult) -> tuple[str, int] | None:
    """Find the first tool whose name stands as in a call where none was read, and the name's offset.

    It is looked for in the content, and in reasoning that nothing follows: in other reasoning models plan calls.
    """
    message = result.message
    text = message.content or message.reasoning_content or ""
    if message.tool_calls or not text or parser.options.tool_choice == "none":
        return None
    found = [
        (called.start("name"), name)
        for name in parser.allowed
        if (called := re.search(_AS_IN_A_CALL.replace("NAME", re.escape(name)), text))
    ]
    if not found:
        return None
    at, name = min(found)
    return name, max(output.find(text), 0) + at


def _repaired(parser: OutputParser, output: str, tolerant: ParseResult) -> Iterator[NearMiss]:
    for repair in tolerant.repairs:
        message, advice = repair_words(repair.name)
        if repair.name == "unknown-tool":
            name = re.match(r"[\w.:/$-]*", output[repair.offset :])
            near = get_close_matches(name[0] if name else "", list(parser.schemas), 1)
            message += f": `{name[0]}`" if name and name[0] else ""
            advice = f"did the model mean `{near[0]}`? {advice}" if near else advice
        yield NearMiss(repair.name, repair.offset, message, advice)


@frozen
class _Edit:
    """Put `text` in place of what stands from `start` to `end`."""

    name: str
    start: int
    end: int
    text: str


def _edits(parser: OutputParser, output: str, result: ParseResult) -> Iterator[NearMiss]:
    """Give the first edit with which the whole output fits."""
    if len(output) > _LONGEST or result.error is None:
        return
    begin = len(output) - len(result.error.unparsed)
    tried = islice(_candidates(output, begin, result.error.offset, sorted(markers_of(parser))), _TRIES)
    fitting = _first_fitting(parser, output, result, tried)
    if fitting is not None:
        yield _told(fitting, output)


def _first_fitting(
    parser: OutputParser, output: str, result: ParseResult, edits: Iterable[_Edit]
) -> _Edit | None:
    """Return the first edit with which the whole output fits and has a call more, and no marker is left in the content."""
    markers = markers_of(parser)
    for edit in edits:
        fitting = parser.parse(output[: edit.start] + edit.text + output[edit.end :])
        leaks = any(marker in fitting.message.content for marker in markers)
        more = len(fitting.message.tool_calls) > len(result.message.tool_calls)
        if fitting.error is None and more and not leaks:
            return edit
    return None


def _told(edit: _Edit, output: str) -> NearMiss:
    old = output[edit.start : edit.end].strip()
    at = edit.end - len(old)
    if edit.name == "misspelt-marker":
        message = f"`{old}` stands where `{edit.text}` would fit: a wrong closing tag, or a misspelt one"
        return NearMiss(edit.name, at, message, f"write `{edit.text}`")
    if edit.name == "doubled-marker":
        return NearMiss(edit.name, at, f"`{old}` stands here a second time", "take it out")
    if edit.name == "extra-bracket":
        return NearMiss(
            edit.name, at, f"`{old}` closes nothing: without it the whole output fits", "take it out"
        )
    if edit.name == "not-json":
        message = "this is nearly JSON: with quotes, keys and words as JSON has them the whole output fits"
        return NearMiss(edit.name, edit.start, message, f"write `{shorten(edit.text, 200)}`")
    if edit.name == "extra-comma":
        return NearMiss(edit.name, edit.start, "nothing follows this comma", "take it out")
    message = f"`{edit.text}` is missing here: with it the whole output fits"
    return NearMiss(edit.name, at, message, f"put `{edit.text}` in")


def _candidates(output: str, begin: int, failed: int, markers: list[str]) -> Iterator[_Edit]:
    """Give edits, the likeliest first; `failed` is where the parser got to."""
    tags = list(_TAG.finditer(output, begin))
    for found in tags:
        if not any(marker.startswith(found[0]) for marker in markers):
            for near in get_close_matches(found[0], markers, 2, 0.5):
                yield _Edit("misspelt-marker", found.start(), found.end(), near)
    for left, right in pairwise(tags):
        if left[0] == right[0] and not output[left.end() : right.start()].strip():
            yield _Edit("doubled-marker", left.end(), right.end(), "")
    yield from _rewritten(output, begin, failed)
    comma = len(output[:failed].rstrip()) - 1
    if output[comma : comma + 1] == ",":
        yield _Edit("extra-comma", comma, comma + 1, "")
    extra = _EXTRA.match(output, failed)
    if extra is not None:
        yield _Edit("extra-bracket", failed, extra.end(), "")
    places = dict.fromkeys([failed, len(output), *(found.start() for found in reversed(tags))])
    for place in places:
        before = len(output[begin:place].rstrip()) + begin
        yield from (_Edit("missing-bracket", before, before, text) for text in _BRACKETS)
        closing = [marker for marker in markers if marker.startswith(("</", "[/")) or marker.endswith("|>")]
        yield from (_Edit("missing-marker", place, place, marker) for marker in closing)


def _rewritten(output: str, begin: int, failed: int) -> Iterator[_Edit]:
    """Give what is nearly JSON before a place as JSON: of what opens next to it the outermost first, then all there is."""
    opened = [found.start() for found in _OPENED.finditer(output, begin, failed + 1)]
    for at in opened[-_OBJECTS:]:
        meant = nearly_json(output, at)
        if meant is not None:
            yield _Edit("not-json", at, meant[1], meant[0])
    pieces, known = [], begin
    for found in islice(_OPENED.finditer(output, begin), _OBJECTS_IN_ALL):
        meant = nearly_json(output, found.start()) if found.start() >= known else None
        if meant is not None:
            pieces += [output[known : found.start()], meant[0]]
            known = meant[1]
    if pieces:
        yield _Edit("not-json", begin, len(output), "".join((*pieces, output[known:])))


def markers_of(parser: OutputParser) -> set[str]:
    """Return the markers that stand in a parser's grammar."""
    found: set[str] = set()
    seen: set[int] = set()

    def collect(node: Any) -> None:
        if isinstance(node, Literal):
            found.add(node.text)
        elif isinstance(node, tuple):
            for item in node:
                collect(item)
        elif is_dataclass(node) and id(node) not in seen:
            seen.add(id(node))
            for field in fields(node):
                collect(getattr(node, field.name))

    for state in parser.grammar.states.values():
        collect(state)
    return {text.strip() for text in found if len(text.strip()) > 2}
