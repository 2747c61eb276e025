"""What one analysis with its proof costs beside Jinja's own compile of the same template, in one warm process.

    python -m benchmarks.bench_analysis [EXPECTED.jsonl] [--rounds N] [--profile]

For each template of the list: the time of compiling it as Jinja does, the time of loading and analysing it (no
cache), and the ratio of what the analysis costs beyond the compile. The median of the ratios counts; of a few
rounds by turns the quickest of each is taken. `--profile` shows what the time goes to instead.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from autoparser_cli.inference import analyze
from autoparser_cli.templates import ChatTemplate
from autoparser_cli.templates.environment import GenerationTag
from benchmarks.table import Row

EXPECTED = Path(__file__).parent.parent.parent / "shared" / "expected" / "analysis.jsonl"
FIXTURES = Path(__file__).parent.parent / "fixtures"
LIMIT = 0.5


@dataclass(frozen=True, slots=True)
class Timing:
    """One template's seconds."""

    name: str
    compile: float
    analysis: float

    @property
    def ratio(self) -> float:
        """Return what the analysis costs beyond the compile, in compiles."""
        return (self.analysis - self.compile) / self.compile


def timing(path: Path, rounds: int) -> Timing:
    """Measure one template, by turns."""
    source = path.read_text("utf-8")
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols]
    )
    compiles, analyses = [], []
    for _ in range(rounds):
        compiles.append(seconds(lambda: environment.from_string(source)))
        analyses.append(seconds(lambda: analyze(ChatTemplate.from_source(source))))
    return Timing(path.name, min(compiles), min(analyses))


def seconds(run: Callable[[], object]) -> float:
    """Time one run by the processor's clock: others may be busy on the machine."""
    start = time.process_time()
    run()
    return time.process_time() - start


def template_paths(expected: Path) -> list[Path]:
    """Return the templates that a list of expected analyses names; the project's own where there is none."""
    if not expected.is_file():
        return sorted(FIXTURES.glob("*/template.jinja"))
    named = [
        json.loads(line)["template"] for line in expected.read_text("utf-8").splitlines() if line.strip()
    ]
    return [path for name in named if (path := _find(expected.parent.parent, name)) is not None]


def rows() -> Iterator[Row]:
    """Measure all, and tell of the template with the median ratio."""
    timings = sorted((timing(path, 2) for path in template_paths(EXPECTED)), key=lambda entry: entry.ratio)
    median = timings[len(timings) // 2]
    what = f"analyze, median of {len(timings)} templates"
    yield Row(what, median.analysis - median.compile, "Jinja's compile of it", median.compile, LIMIT)


def _find(root: Path, name: str) -> Path | None:
    return next((path for path in (root / name, root / "templates" / name) if path.is_file()), None)


def print_timings(timings: Sequence[Timing]) -> None:
    """Print the dearest, and the figures."""
    for entry in sorted(timings, key=lambda entry: -entry.ratio)[:8]:
        print(
            f"  {entry.name[:56]:<56} compile {entry.compile * 1e3:6.1f} ms  "
            f"analysis {entry.analysis * 1e3:6.1f} ms  beyond {entry.ratio:5.2f}x"
        )
    ratios = [entry.ratio for entry in timings]
    compiling = statistics.median(entry.compile for entry in timings)
    analysing = statistics.median(entry.analysis for entry in timings)
    print(
        f"analysis with proof, {len(timings)} templates: median compile {compiling * 1e3:.1f} ms, "
        f"analysis {analysing * 1e3:.1f} ms; beyond the compile {statistics.median(ratios):.2f}x "
        f"(at most {LIMIT})"
    )


def print_profile(paths: Sequence[Path]) -> None:
    """Show where the time goes, over all templates."""
    profile = cProfile.Profile()
    for path in paths:
        source = path.read_text("utf-8")
        profile.runcall(lambda source=source: analyze(ChatTemplate.from_source(source)))
    statistics_ = pstats.Stats(profile).strip_dirs()
    statistics_.sort_stats("cumulative").print_stats(70)
    statistics_.sort_stats("tottime").print_stats(40)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("expected", type=Path, nargs="?", default=EXPECTED)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--profile", action="store_true")
    options = arguments.parse_args()
    paths = template_paths(options.expected)
    if options.profile:
        print_profile(paths)
    else:
        print_timings([timing(path, options.rounds) for path in paths])


if __name__ == "__main__":
    main()
