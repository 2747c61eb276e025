"""The rules, one a file. A module here whose `check` is a `Rule` is a rule; there is no list to keep."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import pairwise
from pkgutil import iter_modules

from autoparser_cli.linting.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Import every rule and return them by code. Raise ValueError where two have one code."""
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    rules = sorted((module.check for module in modules), key=lambda rule: rule.code)
    for first, second in pairwise(rules):
        if first.code == second.code:
            raise ValueError(f"two rules have the code {first.code}: {first.name} and {second.name}")
    return tuple(rules)
