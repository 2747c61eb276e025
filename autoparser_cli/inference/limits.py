"""What one process may take while it runs templates from strangers.

Rounds, seconds and output of a render are counted inside of the render (`templates.environment`), on every
system and in every thread. Memory cannot be counted there: a text may double in one expression. So commands and
worker processes lower their own limit, where the system has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: How much more memory than now one may map. Analysing a template takes a hundredth of it.
MORE_MEMORY = 2 << 30


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
