"""A chat template, or many -> what was inferred about each, proved by round trips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from autoparser_cli.analysis import model
from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.errors import AutoparserError, ResourceLimitError
from autoparser_cli.frozen import frozen
from autoparser_cli.inference.cache import load_result, store_result
from autoparser_cli.inference.limits import template_limits
from autoparser_cli.inference.processes import in_order, run_all
from autoparser_cli.templates import ChatTemplate

#: What became of one template of many.
Outcome: TypeAlias = TemplateAnalysis | AutoparserError


def analyze(template: ChatTemplate, *, families: bool = True, cache: bool = False) -> TemplateAnalysis:
    """Infer the output format of a template and prove it by round trips.

    `cache`: look into the user's cache folder first, and keep there what is found, all but the evidence. Raise
    TemplateSyntaxError, and ResourceLimitError for a template that takes more than it may.
    """
    made_of = [template.source, sorted(template.special_tokens.items()), families]
    found = load_result(made_of, TemplateAnalysis, model) if cache else None
    if found is not None:
        return replace(found, template=template.name)
    # What is kept is told without loading the inference, the parser and the proof.
    from autoparser_cli.inference.proving import proved_analysis

    try:
        found = proved_analysis(template, families=families)
    except ResourceLimitError as error:
        place = template.name if error.line is None else f"{template.name}:{error.line}"
        raise ResourceLimitError(f"{place}: {error}", line=error.line, kind=error.kind) from error
    except (MemoryError, RecursionError) as error:
        # What the template printed was within bounds, and yet too long or too deeply nested to be compared.
        wanted = "memory" if isinstance(error, MemoryError) else "recursion"
        raise ResourceLimitError(
            f"{template.name}: the analysis takes more {wanted} than it may", kind=type(error).__name__
        ) from error
    if cache:
        store_result(made_of, replace(found, template="", evidence=()))
    return found


def analyze_many(
    sources: Sequence[str],
    *,
    families: bool = True,
    cache: bool = False,
    evidence: bool = False,
    jobs: int | None = None,
) -> Iterator[Outcome]:
    """Load and analyze templates on all cores; yield what became of each, in order.

    With `evidence` the analyses bring it, and are made anew.
    `sources` are what `ChatTemplate.load` takes. An error of one is its outcome and does not stop the others.
    """
    tasks = [_Task(source, families, cache and not evidence, evidence) for source in sources]
    if "-" in sources:
        jobs = 1  # another process has another standard input
    return in_order(run_all(_analyze_source, tasks, lost=_lost, jobs=jobs, weight=_weight))


@frozen
class _Task:
    source: str
    families: bool
    cache: bool
    evidence: bool


def _analyze_source(task: _Task) -> Outcome:
    try:
        with template_limits():
            found = analyze(ChatTemplate.read(task.source), families=task.families, cache=task.cache)
            return replace(found, evidence=tuple(found.evidence)) if task.evidence else found
    except AutoparserError as error:
        return error


def _lost(task: _Task) -> Outcome:
    return ResourceLimitError(
        f"{task.source}: the process that analyzed it ended (out of memory?)", kind="MemoryError"
    )


def _weight(task: _Task) -> float:
    path = Path(task.source)
    return path.stat().st_size if path.is_file() else 0
