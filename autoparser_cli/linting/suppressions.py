"""`{# autoparser: ignore[AP012] reason #}` -> which findings its author has accepted, and which of these
comments are no good.

A comment behind something excuses its line. A comment alone on its line excuses the next line, too. `ignore-
file[...]` excuses
the whole template, and so the findings that have no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from autoparser_cli.frozen import frozen
from autoparser_cli.linting.rule import Edit, Hit
from autoparser_cli.linting.tokens import Token, read_tokens

_COMMENT = re.compile(r"^\s*autoparser:\s*(ignore(?:-file)?)\s*(?:\[([^\]]*)\])?\s*(.*?)\s*$", re.DOTALL)

NO_REASON = "AP901"
UNUSED = "AP902"
UNKNOWN = "AP903"


@frozen
class Suppression:
    """One comment: the codes that it excuses (or prefixes of codes), the lines, and why."""

    line: int
    codes: tuple[str, ...]
    lines: frozenset[int]
    whole_file: bool
    reason: str
    removal: Edit | None = None

    def covers(self, code: str, line: int | None) -> bool:
        """Tell whether a finding is excused; one without a reason excuses nothing."""
        if not self.reason or not any(code.startswith(own) for own in self.codes):
            return False
        return self.whole_file or line in self.lines


def read_suppressions(source: str) -> tuple[Suppression, ...]:
    """Find the comments of a template."""
    lines = source.split("\n")
    return tuple(
        _read(text, opening, closing, lines, source)
        for opening, text, closing in _comments(source)
        if _COMMENT.match(text)
    )


def apply_suppressions(
    found: Sequence[tuple[str, Hit]], suppressions: Sequence[Suppression]
) -> tuple[list[tuple[str, Hit]], list[tuple[str, Hit]], frozenset[int]]:
    """Split findings (with their codes) into kept and excused; the third value has the indices of the used
    comments.
    """
    kept: list[tuple[str, Hit]] = []
    excused: list[tuple[str, Hit]] = []
    used: set[int] = set()
    for code, hit in found:
        covering = [index for index, item in enumerate(suppressions) if item.covers(code, hit.line)]
        used.update(covering)
        (excused if covering else kept).append((code, hit))
    return kept, excused, frozenset(used)


def judge_suppressions(
    suppressions: Sequence[Suppression], used: frozenset[int], known: Iterable[str], evaluated: Iterable[str]
) -> Iterator[tuple[str, Hit]]:
    """Find comments without a reason, with an unknown code, and those that excuse nothing although their
    rules ran.
    """
    known, evaluated = tuple(known), frozenset(evaluated)
    for index, item in enumerate(suppressions):
        listed = ", ".join(item.codes) or "nothing"
        unknown = [code for code in item.codes if not any(name.startswith(code) for name in known)]
        if not item.codes or not item.reason:
            yield (
                NO_REASON,
                Hit(f"this comment excuses {listed} without a reason, and so it excuses nothing", item.line),
            )
        elif unknown:
            yield UNKNOWN, Hit(f"no rule is called {', '.join(unknown)}", item.line)
        elif index not in used and _all_ran(item.codes, known, evaluated):
            edits = (item.removal,) if item.removal else ()
            yield UNUSED, Hit(f"nothing here is found by {listed}", item.line, edits=edits)


def _all_ran(codes: Iterable[str], known: Iterable[str], evaluated: frozenset[str]) -> bool:
    return all(name in evaluated for name in known if any(name.startswith(code) for code in codes))


def _comments(source: str) -> Iterator[tuple[Token, str, Token]]:
    """Yield what opens each comment, its text, and what closes it."""
    tokens = read_tokens(source)
    for opening, token, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.kind == "comment":
            yield opening, token.text.rstrip("-+"), closing


def _read(text: str, opening: Token, closing: Token, lines: Sequence[str], source: str) -> Suppression:
    found = _COMMENT.match(text)
    assert found is not None
    kind, codes, reason = found.groups()
    line, end = opening.line, opening.line + text.count("\n")
    alone = lines[line - 1].lstrip().startswith("{#") and lines[end - 1].rstrip().endswith("#}")
    named = tuple(code.strip() for code in (codes or "").split(",") if code.strip())
    covered = frozenset(range(line, end + (2 if alone else 1)))
    removal = _removal(opening, closing, source, alone=alone)
    return Suppression(line, named, covered, kind == "ignore-file", reason, removal)


def _removal(opening: Token, closing: Token, source: str, *, alone: bool) -> Edit | None:
    """Return what takes a comment out, with its line where it stands alone; None where it also trims white space."""
    if opening.text != "{#" or not closing.text.startswith("#}"):
        return None
    if alone:
        stop = source.find("\n", closing.start)
        return Edit(source.rfind("\n", 0, opening.start) + 1, len(source) if stop < 0 else stop + 1, "")
    return Edit(opening.start, closing.start + len("#}"), "")
