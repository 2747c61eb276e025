"""How long commands take to start, beside the imports that they cannot do without.

    python -m benchmarks.startup

Each pair is run by turns, and the quickest of each counts. Times are the processor's, of the command and what it starts:
ratios hold on a busy machine, times do not.
`analyze` is measured on a typical template, with its compile time taken off; first as it is found in the cache, as all but the
first time.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.table import Row, print_rows

ROOT = Path(__file__).parent.parent
TEMPLATE = ROOT / "fixtures/reasoning-tagged/template.jinja"
ROUNDS = 15

PYTHON = [sys.executable, "-c"]
AUTOPARSER = [str(Path(sys.executable).with_name("autoparser"))]
PAIRS = (
    (["--version"], "import typer", 1.2),
    (["--help"], "import typer, typer.rich_utils", 1.3),
    (["analyze", str(TEMPLATE)], "import typer, rich.console, rich.table, jinja2.sandbox", 2.0),
    (["analyze", str(TEMPLATE), "--no-cache"], "import typer, rich.console, rich.table, jinja2.sandbox", 2.0),
)


def rows() -> Iterator[Row]:
    """Measure each pair."""
    compiling = compile_seconds()
    for arguments, imports, limit in PAIRS:
        ours, floor = quickest_of_each([*AUTOPARSER, *arguments], [*PYTHON, imports])
        if arguments[0] == "analyze":
            ours -= compiling
        words = " ".join(word for word in arguments if word != str(TEMPLATE))
        yield Row(f"autoparser {words}", ours, f"python -c '{imports.split(',')[0]} ...'", floor, limit)


def quickest_of_each(one: list[str], other: list[str]) -> tuple[float, float]:
    """Run two command lines by turns; return the quickest time of each, in seconds."""
    times: tuple[list[float], list[float]] = ([], [])
    with TemporaryDirectory() as folder:
        # All modules are compiled beforehand, as those of an installed package are.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        run = partial(subprocess.run, cwd=ROOT, env=environment, capture_output=True, check=True)
        run(one)
        run(other)
        for _ in range(ROUNDS):
            for command, found in zip((one, other), times, strict=True):
                before = children_seconds()
                run(command)
                found.append(children_seconds() - before)
    return min(times[0]), min(times[1])


def children_seconds() -> float:
    """Return the processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_seconds() -> float:
    """Measure how long Jinja takes to compile the template."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    source = TEMPLATE.read_text()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True).from_string(source)
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    print_rows(rows())
