"""A rendered text -> its markers, of every alphabet and shape, and the text between them.

A marker is recognised by its shape alone, never by its name: `<think>`, `<|im_start|>`,
`<｜tool▁calls▁begin｜>`, `<parameter name="x">`, `<<SYS>>`, `[TOOL_CALLS]`, `[/THINK]`, `⟨call⟩`, `◁think▷`,
`【call】`, `]<]name[>[`, `]~b]`, `>>>` and a code fence with its language. JSON lists, comparisons (`a < b`)
and bare list items (`[true]`) are text.

Shape cannot tell a marker from text that is written like one (`List<String>`, a quoted 《title》). Such text
counts as a marker: a difference then grows to its borders, which is harmless, while a marker cut in two is
not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from autoparser_cli.frozen import frozen

#: Every repetition is bounded, so that a text of nothing but `<` is still read in linear time.
_ATTRIBUTE = (
    r"""[ \t]{1,4}[^\s<>="'/]{1,80}[ \t]?=[ \t]?(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s<>"'=]{1,80})"""
)

_PAIRS = (
    "⟨⟩",
    "⟪⟫",
    "⟦⟧",
    "◁▷",
    "◀▶",
    "【】",
    "〔〕",
    "〈〉",
    "〈〉",
    "《》",
    "「」",
    "『』",
    "❮❯",
    "‹›",
    "«»",
    "＜＞",
    "﹤﹥",
)

#: What opens and what closes, of every alphabet.
BRACKETS = ("()", "[]", "{}", "<>", *_PAIRS)

#: Each begins with a fixed character, so that the regular-expression engine skips ordinary text quickly.
_SHAPES = (
    r"\]<\][^\s\[\]<>]{1,40}\[>\[",  # brackets turned outwards
    r"\]~[^\s\[\]]{1,20}[\[\]]",
    r"\[[^\s\[\]]{1,20}~\[",
    r"<<[^\s<>]{1,60}>>",
    r"\[\[/?(?!(?:true|false|null|None|True|False|NaN|Infinity)\])[^\W\d_][\w:. -]{0,60}\]\]",
    r"<[|｜][^<>\n]{1,100}?[|｜]>",
    r"</?[^\s<>=+*()\[\]{},;.'\"\d/-][^\s<>]{0,100}?(?:" + _ATTRIBUTE + r"){0,8}[ \t]?/?>",
    r"\[/?(?!(?:true|false|null|None|True|False|NaN|Infinity)\])[^\W\d_][\w:.-]{0,60}\]",
    r"\[/?[A-Z][A-Z_]{0,30}(?: [A-Z_]{1,30}){1,4}\]",
    r">>>",
    r"````{0,7}[\w+.-]{0,40}",
    *(f"{pair[0]}[^\\s{pair}]{{1,60}}{pair[1]}" for pair in _PAIRS),
)

#: Up to here a text is a literal of some template, and asked about a dozen times.
_SHORT = 200

_MARKER = re.compile("|".join(_SHAPES))


@frozen
class Segment:
    """A piece of a text from `start` on (0-based, in code points)."""

    text: str
    start: int
    is_marker: bool

    @property
    def end(self) -> int:
        """Return the offset behind the piece."""
        return self.start + len(self.text)


def segment(text: str) -> tuple[Segment, ...]:
    """Cut a text into markers and the text between them; together the pieces are the text, none is empty."""
    return tuple(_pieces(text))


def marker_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every marker, from left to right; they do not overlap."""
    if len(text) <= _SHORT:
        return iter(_short_spans(text))
    return (match.span() for match in _MARKER.finditer(text))


@lru_cache(maxsize=1024)
def _short_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _MARKER.finditer(text))


def markers(text: str) -> tuple[str, ...]:
    """Return the markers of a text in order, repeated ones too."""
    return tuple(match.group() for match in _MARKER.finditer(text))


def first_marker(text: str) -> str:
    """Return the first marker of a text, empty where it has none."""
    return next((text[start:end] for start, end in marker_spans(text)), "")


def is_marker(text: str) -> bool:
    """Tell whether a text as a whole is one marker."""
    return _MARKER.fullmatch(text) is not None


def _pieces(text: str) -> Iterator[Segment]:
    done = 0
    for start, end in marker_spans(text):
        if start > done:
            yield Segment(text[done:start], done, is_marker=False)
        yield Segment(text[start:end], start, is_marker=True)
        done = end
    if done < len(text):
        yield Segment(text[done:], done, is_marker=False)
