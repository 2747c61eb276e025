"""An output -> the ways to cut it into chunks; and deltas -> the message that they add up to."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from autoparser_cli.cases.model import Case
from autoparser_cli.errors import CaseError
from autoparser_cli.frozen import frozen
from autoparser_cli.messages import Delta, Message, ToolCall, ToolCallDelta

#: Random cuts of each output beside the recorded one and single characters, and the longest chunk of them.
RANDOM_CUTS = 3
LONGEST_CHUNK = 24


@frozen
class Cut:
    """One way to cut; `name` is for people."""

    name: str
    chunks: tuple[str, ...]


def cuts(case: Case, output: str) -> Iterator[Cut]:
    """Yield the recorded cut, single characters, the random cuts, and those that `chunking` names.

    The random ones depend on the case's id alone, so that a failure comes back. Raise CaseError.
    """
    if case.chunks:
        yield Cut("the recorded chunks", case.chunks)
    yield Cut("single characters", tuple(output))
    for number in range(RANDOM_CUTS):
        yield Cut(f"random cut {number}", _random_cut(output, 1, LONGEST_CHUNK, f"{case.id}:{number}"))
    yield from _named_cuts(case.chunking, output)


def _named_cuts(chunking: str, output: str) -> Iterator[Cut]:
    """Read `char`, or `random:1-4:seeds0-49`: chunks of 1 to 4 characters, one cut for each seed."""
    if chunking in ("", "char"):
        return
    match = re.fullmatch(r"random:(\d+)-(\d+):seeds(\d+)-(\d+)", chunking)
    if match is None:
        raise CaseError(f"`chunking` must be char or like random:1-4:seeds0-49, not {chunking!r}")
    shortest, longest, first, last = map(int, match.groups())
    for seed in range(first, last + 1):
        yield Cut(f"{chunking} seed {seed}", _random_cut(output, shortest, longest, str(seed)))


def _random_cut(output: str, shortest: int, longest: int, seed: str) -> tuple[str, ...]:
    generator = random.Random(seed)
    chunks, at = [], 0
    while at < len(output):
        end = at + generator.randint(max(1, shortest), longest)
        chunks.append(output[at:end])
        at = end
    return tuple(chunks)


@dataclass(slots=True)
class _OpenCall:
    name: str = ""
    id: str | None = None
    arguments: list[str] = field(default_factory=list)


def assemble(deltas: Iterable[Delta]) -> Message:
    """Put deltas together as a client does."""
    content: list[str] = []
    reasoning: list[str] = []
    calls: dict[int, _OpenCall] = {}
    for delta in deltas:
        content.append(delta.content or "")
        reasoning.append(delta.reasoning_content or "")
        if delta.tool_call is not None:
            _add(calls, delta.tool_call)
    made = tuple(ToolCall(call.name, "".join(call.arguments), call.id) for _, call in sorted(calls.items()))
    return Message("".join(content), "".join(reasoning), made)


def _add(calls: dict[int, _OpenCall], piece: ToolCallDelta) -> None:
    call = calls.setdefault(piece.index, _OpenCall())
    call.name = piece.name if piece.name is not None else call.name
    call.id = piece.id if piece.id is not None else call.id
    call.arguments.append(piece.arguments)
