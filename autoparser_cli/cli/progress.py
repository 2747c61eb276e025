"""A progress bar on standard error for a person who waits, and nothing for a pipe or a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

#: Told how much is done, and of how much.
Progress: TypeAlias = Callable[[int, int], None]

#: A run that is over sooner needs no bar.
_LONG_SECONDS = 1.0


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """Give a function that moves a bar; on no terminal it does nothing."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    started = time.monotonic()
    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None, visible=False)

        def show(done: int, total: int) -> None:
            waited = time.monotonic() - started > _LONG_SECONDS
            bar.update(task, completed=done, total=total, visible=waited)

        yield show
