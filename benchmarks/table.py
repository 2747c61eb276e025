"""Measured rows -> one table: ours, what it is measured beside in the same run, and the ratio of the two.

Times are the processor's, and the least of several turns: ratios hold from machine to machine, times do not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

HEAD = ("what", "ours", "beside", "", "ratio", "at most")


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement in seconds; `limit` is the highest good ratio, None where there is none to keep."""

    what: str
    ours: float
    beside: str
    other: float
    limit: float | None = None

    @property
    def ratio(self) -> float:
        """Return how many times the other we take."""
        return self.ours / self.other

    def cells(self) -> tuple[str, ...]:
        """Return the row as texts."""
        ratio = f"{self.ratio:.2f}" if self.ratio < 10 else f"{self.ratio:.0f}"
        limit = "" if self.limit is None else f"{self.limit:g}"
        if self.limit is not None and self.ratio > self.limit:
            limit += " !"
        return (self.what, duration(self.ours), self.beside, duration(self.other), ratio, limit)


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def least(run: Callable[[], object], times: int = 5) -> float:
    """Return the least of several turns."""
    return least_of_each([run], times)[0]


def least_of_each(runs: list[Callable[[], object]], times: int = 5) -> list[float]:
    """Run several things by turns; return the least time of each."""
    found = [float("inf")] * len(runs)
    for _ in range(times):
        for number, run in enumerate(runs):
            start = time.process_time()
            run()
            found[number] = min(found[number], time.process_time() - start)
    return found


def worst(rows: Iterable[Row]) -> list[Row]:
    """Keep the highest ratio of each kind: what is done, beside what."""
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        kind = (row.what.split()[0] if not row.what.startswith("autoparser") else row.what, row.beside)
        if kind not in found or found[kind].ratio < row.ratio:
            found[kind] = row
    return list(found.values())


def print_rows(rows: Iterable[Row], *, markdown: bool = False) -> None:
    """Print a table, each row as soon as it is measured."""
    if markdown:
        print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
        for row in rows:
            print(f"| {' | '.join(row.cells())} |")
        return
    print_line(HEAD)
    for row in rows:
        print_line(row.cells())


def print_line(cells: tuple[str, ...]) -> None:
    """Print one line in columns."""
    what, ours, beside, other, ratio, limit = cells
    print(f"{what:<38} {ours:>9}  {beside:<34} {other:>9} {ratio:>7} {limit:>8}".rstrip(), flush=True)
