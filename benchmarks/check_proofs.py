"""Templates -> which of their analyses are wholly proved, and what failed on the rest.

    python -m benchmarks.check_proofs [FOLDER ...] [-k TEXT] [--quiet]

A proof is whole where every round trip that was tried passed and at least one was tried. The rest are grouped by what failed,
each with its first failure's detail. An error inside the analysis is a bug and makes the exit code 1, as does a template
whose proof is not whole.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(__file__).parent.parent.parent / "shared" / "templates"

#: How much of a failure's detail is printed.
DETAIL = 400


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one template's proof came to: the names of the failed steps, details, and the group it is listed under."""

    template: str
    whole: bool
    group: str
    details: tuple[str, ...] = ()
    is_bug: bool = False


def check(path: Path) -> Outcome:
    """Analyse one template."""
    from autoparser_cli.errors import AutoparserError
    from autoparser_cli.inference import analyze
    from autoparser_cli.templates import ChatTemplate

    try:
        analysis = analyze(ChatTemplate.load(path))
    except AutoparserError as error:
        return Outcome(path.name, False, f"{type(error).__name__}: {error}")
    except Exception as error:  # one template's bug must not hide the others
        return Outcome(path.name, False, f"internal error {type(error).__name__}: {error}", is_bug=True)
    proof = analysis.proof
    warnings = tuple(f"warning {warning.code}: {warning.message}" for warning in analysis.warnings)
    if not proof.tried:
        return Outcome(path.name, False, "nothing tried", warnings)
    failed = [step for step in proof.steps if not step.passed]
    if not failed:
        return Outcome(path.name, True, "")
    details = tuple(f"{step.name}: {step.detail}" for step in failed)
    return Outcome(path.name, False, ", ".join(step.name for step in failed), details)


def grouped(outcomes: Iterable[Outcome]) -> list[str]:
    """Return the lines about everything that is not whole, the largest group first."""
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if not outcome.whole:
            groups[outcome.group].append(outcome)
    lines: list[str] = []
    for group, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append(f"{len(members)} x {group}")
        for outcome in members:
            lines.append(f"    {outcome.template}")
            lines += [f"        {_shortened(detail)}" for detail in outcome.details]
    return lines


def _shortened(detail: str) -> str:
    return detail if len(detail) <= DETAIL else detail[:DETAIL] + " ..."


def main(arguments: list[str] | None = None) -> int:
    """Check all templates, print the figure and then the rest; 1 where a proof is not whole."""
    options = _read_options(arguments)
    paths = [path for root in options.paths for path in _templates(root) if options.select in path.name]
    outcomes = [check(path) for path in paths]
    whole = sum(outcome.whole for outcome in outcomes)
    _write(f"whole {whole} / {len(outcomes)}")
    if not options.quiet:
        for line in grouped(outcomes):
            _write(line)
    bugs = sum(outcome.is_bug for outcome in outcomes)
    _write(f"internal errors {bugs}")
    return 0 if outcomes and whole == len(outcomes) else 1


def _templates(root: Path) -> list[Path]:
    return [root] if root.is_file() else sorted(root.rglob("*.jinja"))


def _read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="check_proofs", description="Count the analyses that are wholly proved."
    )
    parser.add_argument("paths", nargs="*", type=Path, default=[SHARED])
    parser.add_argument("-k", dest="select", default="", help="only templates whose name holds this text")
    parser.add_argument("--quiet", action="store_true", help="only the figures")
    return parser.parse_args(arguments)


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
