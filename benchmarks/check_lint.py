"""Lint findings over a folder of templates -> what people can check by reading: a random draw, or where each rule strikes.

    python -m benchmarks.check_lint [FOLDER ...] --draw 40 --seed 1
    python -m benchmarks.check_lint [FOLDER ...] --where 3

The draw shows each finding with the template's line. `--where` shows the first places of each rule, and the rules that find
nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autoparser_cli.linting.report import LintReport
    from autoparser_cli.linting.rule import Violation

SHARED = Path(__file__).parent.parent.parent / "shared" / "templates"


def drawn(report: LintReport, count: int, seed: int) -> Iterator[str]:
    """Yield findings drawn at random, each with its line of the template."""
    found = report.violations
    for number, item in enumerate(random.Random(seed).sample(found, min(count, len(found))), 1):
        yield f"{number}. {item.code} {item.name} [{item.severity.value}] {item.path}:{item.line}"
        yield f"   {item.message}"
        if item.template_line is not None:
            yield f"   | {_line(item)}"


def places(report: LintReport, count: int) -> Iterator[str]:
    """Yield for each rule the first places at which it finds something."""
    from autoparser_cli.linting.rules import all_rules

    by_code: dict[str, list[Violation]] = defaultdict(list)
    for item in report.violations:
        by_code[item.code].append(item)
    for rule in all_rules():
        found = by_code[rule.code]
        yield f"{rule.code} {rule.name}: {len(found)} findings in {len({item.path for item in found})} files"
        for item in found[:count]:
            yield f"    {item.path}:{item.line}: {item.message}"


def _line(item: Violation) -> str:
    lines = Path(item.path).read_text(encoding="utf-8").split("\n")
    return lines[(item.template_line or 1) - 1].strip()[:200]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[SHARED])
    parser.add_argument("--draw", type=int, default=40, metavar="N", help="findings to draw (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    parser.add_argument("--where", type=int, metavar="N", help="show N places of each rule instead")
    options = parser.parse_args()
    from autoparser_cli.linting.config import LintConfig
    from autoparser_cli.linting.runner import lint

    report = lint(options.folders, LintConfig(cache=False))
    lines = places(report, options.where) if options.where else drawn(report, options.draw, options.seed)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 3 if report.exit_code == 3 else 0


if __name__ == "__main__":
    sys.exit(main())
