"""One function and many items -> their results, on all cores; an item that ends its process ends no other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from autoparser_cli.inference.limits import limit_memory

if TYPE_CHECKING:
    from concurrent.futures import Future

# The pool's own modules are imported where there is more than one process: they take a tenth of a quick command.

T = TypeVar("T")
R = TypeVar("R")

#: How many items a process may have been given, at most, when another one ends: one that it works on, one that waits.
_STARTED_AT_ONCE = 2


def run_all(
    function: Callable[[T], R],
    items: Sequence[T],
    *,
    lost: Callable[[T], R],
    jobs: int | None = None,
    weight: Callable[[T], float] | None = None,
) -> Iterator[tuple[int, R]]:
    """Yield each item's place and result, as they are done; heavy ones start first, so that none is left alone.

    `function` must be importable by name. `lost` gives the result of an item whose process ended (out of memory,
    say). With one job, or one item, all is done in this process, in order.
    """
    jobs = min(jobs or os.cpu_count() or 1, len(items))
    if jobs <= 1:
        yield from ((place, function(item)) for place, item in enumerate(items))
        return
    places = list(range(len(items)))
    if weight is not None:
        places.sort(key=lambda place: -weight(items[place]))
    yield from _on_cores(function, items, places, jobs, lost)


def in_order(results: Iterable[tuple[int, R]]) -> Iterator[R]:
    """Yield the results by place, each as soon as those before it are there."""
    early: dict[int, R] = {}
    following = 0
    for place, result in results:
        early[place] = result
        while following in early:
            yield early.pop(following)
            following += 1


def _on_cores(
    function: Callable[[T], R], items: Sequence[T], places: Sequence[int], jobs: int, lost: Callable[[T], R]
) -> Iterator[tuple[int, R]]:
    from concurrent.futures.process import BrokenProcessPool

    waiting = dict.fromkeys(places)
    while waiting:
        try:
            for place, result in _in_pool(function, items, list(waiting), jobs):
                del waiting[place]
                yield place, result
        except BrokenProcessPool:
            # Which item ended the process is not known, but they start in order: those that may have been running
            # go one by one, each in a process of its own, and the rest as before.
            for place in [*islice(waiting, _STARTED_AT_ONCE * jobs)]:
                del waiting[place]
                yield place, _alone(function, items[place], lost)


def _in_pool(
    function: Callable[[T], R], items: Sequence[T], places: Iterable[int], jobs: int
) -> Iterator[tuple[int, R]]:
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(jobs, initializer=limit_memory) as pool:
        broken: BrokenProcessPool | None = None
        running: dict[Future[R], int] = {pool.submit(function, items[place]): place for place in places}
        try:
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    place = running.pop(future)
                    if isinstance(error := future.exception(), BrokenProcessPool):
                        broken = error
                    else:
                        yield place, future.result()
            if broken is not None:
                raise broken
        finally:
            pool.shutdown(cancel_futures=True)


def _alone(function: Callable[[T], R], item: T, lost: Callable[[T], R]) -> R:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    try:
        with ProcessPoolExecutor(1, initializer=limit_memory) as pool:
            return pool.submit(function, item).result()
    except BrokenProcessPool:
        return lost(item)
