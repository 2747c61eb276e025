"""An inference -> the same with what no render shows, where its template belongs to a family.

A family is one module of this package: `NAME`, and `recognise(inference)`, which returns the analysis it would have, or None.
It goes by what renders showed, never by a name or by source text. There is no list: the modules are found in the folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from autoparser_cli.analysis.candidates import Inference

__all__ = ["families", "with_family"]


def families() -> Iterator[ModuleType]:
    """Give the modules of this package in the order of their names."""
    for module in sorted(iter_modules(__path__), key=lambda module: module.name):
        yield import_module(f"{__name__}.{module.name}")


def with_family(inference: Inference) -> Inference | None:
    """Return the inference as the first family that recognises it has it; None where none does."""
    for family in families():
        analysis = family.recognise(inference)
        if analysis is not None:
            return replace(inference, analysis=replace(analysis, family=family.NAME))
    return None
