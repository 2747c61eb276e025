"""What one process may take while it runs templates from strangers.

Rounds, seconds and output of a render are counted inside of the render (`templates.environment`), on every
system and in every thread. Memory cannot be counted there: a text may double in one expression; nor can the time
of one expression, which may work on a million texts. So commands and worker processes lower their own limit of
memory and set an alarm, where the system has these.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import FrameType

from autoparser_cli.errors import ResourceLimitError

#: How much more memory than now one may map. Analysing a template takes a hundredth of it.
MORE_MEMORY = 2 << 30

#: The most seconds for one template: twice of what all renders of an analysis may take together.
MAX_SECONDS = 60.0


@contextmanager
def template_limits() -> Iterator[None]:
    """Bound the memory and the time of what is done with one template. Raise ResourceLimitError."""
    with memory_limit(), template_time_limit():
        yield


def template_time_limit() -> AbstractContextManager[None]:
    """Bound the time of what is done with one template. Raise ResourceLimitError."""
    seconds = MAX_SECONDS
    told = f"the template took longer than {seconds:g} s"
    return time_limit(seconds, lambda: ResourceLimitError(told, kind="TimeLimit"))


@contextmanager
def time_limit(seconds: float, error: Callable[[], BaseException]) -> Iterator[None]:
    """Raise an error in the body after `seconds` of wall clock, where the system can.

    It cannot on Windows, nor off the main thread; and an alarm that somebody else has set is left alone.
    """
    if not hasattr(signal, "setitimer") or signal.getitimer(signal.ITIMER_REAL)[0] > 0:
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise error()

    try:
        before = signal.signal(signal.SIGALRM, stop)
    except ValueError:  # not the main thread
        yield
        return
    # Again each second: what is raised while memory is collected is swallowed.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        # None where the one before was set from outside of Python, which cannot be set again.
        signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)


@contextmanager
def memory_limit(more: int | None = None) -> Iterator[None]:
    """Let the process map at most `more` bytes (None: MORE_MEMORY) beyond what it has; the limit before is restored.

    Where the system knows no such limit (Windows), nothing happens.
    """
    before = limit_memory(more)
    try:
        yield
    finally:
        if before is not None:
            _set_limit(before)


def limit_memory(more: int | None = None) -> int | None:
    """Lower the limit until the process ends; return the limit before, None where nothing was changed."""
    try:
        import resource
    except ImportError:
        return None
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _mapped_bytes() + (MORE_MEMORY if more is None else more)
    known = [limit for limit in (before, hard) if limit != resource.RLIM_INFINITY]
    if any(limit <= wanted for limit in known) or not _set_limit(wanted):
        return None
    return before


def _set_limit(soft: int) -> bool:
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (soft, resource.getrlimit(resource.RLIMIT_AS)[1]))
        return True
    return False


def _mapped_bytes() -> int:
    """Return the size of the process's address space; 1 GB where the system does not tell."""
    import resource

    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return 1 << 30
    return pages * resource.getpagesize()
