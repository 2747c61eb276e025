"""`[tool.autoparser]` of the nearest pyproject.toml, and the command line over it -> what to check, and how.

[tool.autoparser]
select = ["AP0", "AP1"]            # codes or the beginnings of codes; default: all
ignore = ["AP405"]
engines = ["transformers", "llama.cpp"]
exclude = ["vendor/*"]
baseline = "lint-baseline.json"
fail-on = "warning"
[tool.autoparser.per-file-ignores]
"old/*.jinja" = ["AP003"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from autoparser_cli.errors import InputError
from autoparser_cli.frozen import frozen
from autoparser_cli.linting.engines import ENGINES
from autoparser_cli.linting.files import matches
from autoparser_cli.linting.rule import Severity
from autoparser_cli.linting.rules import all_rules


@frozen
class LintConfig:
    """What to check. Codes may be the beginnings of codes; an empty `select` means all."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    engines: tuple[str, ...] = tuple(ENGINES)
    exclude: tuple[str, ...] = ()
    baseline: Path | None = None
    fail_on: Severity = Severity.WARNING
    seconds: float = 20.0
    cache: bool = False

    def wants(self, code: str, *paths: str) -> bool:
        """Tell whether findings of `code` in a file are asked for; `paths` are the ways in which it is written."""
        if self.select and not code.startswith(self.select):
            return False
        if self.ignore and code.startswith(self.ignore):
            return False
        return not any(
            code.startswith(codes)
            for pattern, codes in self.per_file_ignores.items()
            if codes and any(matches(path, [pattern]) for path in paths)
        )


_KEYS = frozenset({"select", "ignore", "per-file-ignores", "engines", "exclude", "baseline", "fail-on"})


def read_config(start: Path) -> LintConfig:
    """Read the nearest pyproject.toml at or above `start`; defaults where there is none. Raise InputError."""
    folder = start.resolve()
    for candidate in (folder, *folder.parents):
        path = candidate / "pyproject.toml"
        if path.is_file():
            return _read(path)
    return LintConfig()


def check_config(config: LintConfig) -> LintConfig:
    """Return `config` where all that it names exists. Raise InputError."""
    codes = [rule.code for rule in all_rules()]
    per_file = [code for group in config.per_file_ignores.values() for code in group]
    for code in (*config.select, *config.ignore, *per_file):
        if not any(known.startswith(code) for known in codes) or not code:
            raise InputError(
                f"no rule is called {code!r}",
                hint=f"codes are {codes[0]} to {codes[-1]}; see `autoparser rule`",
            )
    for engine in config.engines:
        if engine not in ENGINES:
            raise InputError(f"no engine is called {engine!r}", hint=f"there is {', '.join(ENGINES)}")
    return config


def split_codes(values: Sequence[str]) -> tuple[str, ...]:
    """Read codes that are separated by commas, or given one by one."""
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip())


def read_per_file(assignments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read `PATTERN:CODE,CODE` as on the command line. Raise InputError."""
    found: dict[str, tuple[str, ...]] = {}
    for assignment in assignments:
        pattern, colon, codes = assignment.rpartition(":")
        if not colon or not pattern:
            raise InputError(f"--per-file-ignores {assignment}: must be PATTERN:CODE,CODE")
        found[pattern] = (*found.get(pattern, ()), *split_codes([codes]))
    return found


def read_severity(text: str, where: str) -> Severity:
    """Read a severity by its name. Raise InputError."""
    try:
        return Severity(text)
    except ValueError:
        raise InputError(f"{where}: must be error, warning or info, not {text!r}") from None


def _read(path: Path) -> LintConfig:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    table = data.get("tool", {}).get("autoparser", {})
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        raise InputError(
            f"{path}: [tool.autoparser] has no setting {unknown[0]!r}",
            hint=f"there is {', '.join(sorted(_KEYS))}",
        )
    per_file = table.get("per-file-ignores", {})
    if not isinstance(per_file, dict):
        raise InputError(f"{path}: per-file-ignores must be a table of lists of codes")
    return LintConfig(
        select=_texts(table, "select", path),
        ignore=_texts(table, "ignore", path),
        per_file_ignores={pattern: _texts(per_file, pattern, path) for pattern in per_file},
        engines=_texts(table, "engines", path) or tuple(ENGINES),
        exclude=_texts(table, "exclude", path),
        baseline=path.parent / str(table["baseline"]) if "baseline" in table else None,
        fail_on=read_severity(str(table.get("fail-on", "warning")), f"{path}: fail-on"),
    )


def _texts(table: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{path}: {key} must be a list of texts")
    return tuple(value)
