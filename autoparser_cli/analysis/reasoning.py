"""Reasoning that a template only strips from history -> its markers.

The opener is what the generation prompt leaves open, or what a marker of the same shape would be; the closer is tried inside a
content: where the template drops the part in front of it, it is one. What the render does decides.
"""

from __future__ import annotations

import re
from itertools import pairwise

from autoparser_cli.analysis.conversations import Conventions, Renderer, Turn, assistant_message, user_message
from autoparser_cli.analysis.probes import CONTENT, REASONING
from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.frozen import frozen

#: The closer most templates strip at; a probe like any other.
COMMON_CLOSER = "</think>"


@frozen
class Stripped:
    """Markers of reasoning that stands inside content; `start` is empty where only the end is recognised."""

    start: str
    end: str
    before: str
    after: str


def stripped_reasoning(
    renderer: Renderer, conventions: Conventions, prompts: tuple[str, ...]
) -> Stripped | None:
    """Try closers inside a content; None where the template strips at none of them."""
    for opener, closer, text in _pairs(prompts):
        before, after = renderer_texts(renderer, conventions, closer)
        for rendered in (before, after):
            if rendered is not None and CONTENT in rendered and REASONING not in rendered:
                return Stripped(opener or closer.replace("/", "", 1), closer, text, "")
    return _empty_block(prompts)


def _empty_block(prompts: tuple[str, ...]) -> Stripped | None:
    """Find a block that a prompt opens and closes at once: what stands in it when thinking is on is reasoning."""
    for prompt in prompts:
        spans = list(marker_spans(prompt))
        for (start, end), (closes, behind) in pairwise(spans):
            opener, between, closer = prompt[start:end], prompt[end:closes], prompt[closes:behind]
            if closer in closers(opener) and not between.strip():
                half = len(between) // 2
                return Stripped(opener, between[half:] + closer, between[:half], prompt[behind:])
    return None


def renderer_texts(
    renderer: Renderer, conventions: Conventions, closer: str
) -> tuple[str | None, str | None]:
    """Render content with the closer in it as the last message and in front of a further user turn."""
    turn = Turn(content=f"{REASONING}{closer}{CONTENT}")
    messages = [user_message(conventions), assistant_message(turn, conventions)]
    return renderer.render(messages, conventions), renderer.render(
        [*messages, user_message(conventions, "Zlater")], conventions
    )


def _pairs(prompts: tuple[str, ...]) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for prompt in prompts:
        spans = list(marker_spans(prompt))
        for start, end in spans[-2:]:
            opener = prompt[start:end]
            for closer in closers(opener):
                if (opener, closer, "") not in found:
                    found.append((opener, closer, prompt[end:] if prompt[end:].isspace() else ""))
    known = {closer for _, closer, _ in found}
    if COMMON_CLOSER not in known:
        found.append(("", COMMON_CLOSER, ""))
    return found


def closers(opener: str) -> list[str]:
    """Return the markers that would close this one by shape: a slash in front of its name."""
    name = re.search(r"\w", opener)
    if name is None or "/" in opener:
        return []
    return [opener[: name.start()] + "/" + opener[name.start() :]]
