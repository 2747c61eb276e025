"""Case files and folders -> cases, each with the place it stands at.

Understood are JSON lines, and one JSON or YAML file of cases: a list, or an object with `cases` whose other
keys are defaults for each case. Beside a template `x.jinja`, the cases of `x.yaml` or `x.cases.yaml` need no
`template`. In a folder, case files are `*.jsonl`, `cases.*` and `*.cases.*`: other JSON belongs to models.

A case that cannot be read becomes an invalid result and leaves the others alone; so does a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from autoparser_cli.cases.from_json import read_case
from autoparser_cli.cases.model import Case, CaseResult, Status
from autoparser_cli.errors import AutoparserError, CaseError
from autoparser_cli.frozen import frozen

STRUCTURED = (".json", ".yaml", ".yml")
TEMPLATE_SUFFIXES = (".jinja", ".jinja2", ".j2")
_TOO_DEEP = "JSON that is nested too deeply"


@frozen
class RawCase:
    """A case as it stands in its file; `line` is 1-based, None where the file does not tell."""

    file: Path
    line: int | None
    number: int
    data: Any

    @property
    def where(self) -> str:
        """The place, for people."""
        return f"{self.file}:{self.line}" if self.line is not None else f"{self.file}, case {self.number}"


def read_cases(paths: Iterable[Path]) -> tuple[list[Case], list[CaseResult]]:
    """Read all cases of files and folders; the second list has what cannot be run, as results.

    Raise CaseError for a path that does not exist, and for a folder without case files.
    """
    cases: list[Case] = []
    invalid: list[CaseResult] = []
    for file in find_files(paths):
        seen: set[str] = set()
        try:
            raws = read_raw(file)
        except CaseError as error:
            invalid.append(_invalid(file.name, file, str(file), str(error)))
            continue
        for raw in raws:
            read = _read(raw, seen)
            if isinstance(read, Case):
                cases.append(read)
            else:
                invalid.append(read)
    return cases, invalid


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the case files, those of folders sorted. Raise CaseError."""
    for path in paths:
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.is_file() and _looks_like_cases(file))
            if not found:
                raise CaseError(f"{path}: no case file in this folder (*.jsonl, cases.yaml, NAME.cases.yaml)")
            yield from found
        elif path.exists():
            yield path
        else:
            raise CaseError(f"{path}: no such file or folder")


def read_raw(file: Path) -> list[RawCase]:
    """Read a file's cases without looking into them. Raise CaseError where the file as a whole is not one."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CaseError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CaseError(f"is not UTF-8: {error.reason} at byte {error.start}") from None
    if file.suffix == ".jsonl":
        return _read_lines(file, text)
    if file.suffix in STRUCTURED:
        return _read_structured(file, text)
    raise CaseError(f"is not a case file: its name must end with .jsonl, {', '.join(STRUCTURED)}")


def _looks_like_cases(file: Path) -> bool:
    if file.suffix == ".jsonl":
        return True
    return file.suffix in STRUCTURED and (file.stem == "cases" or file.stem.endswith(".cases"))


def _read(raw: RawCase, seen: set[str]) -> Case | CaseResult:
    name = raw.data.get("id") if isinstance(raw.data, Mapping) else None
    name = name if isinstance(name, str) and name else f"case {raw.number}"
    try:
        if isinstance(raw.data, CaseError):
            raise raw.data
        case = read_case(with_template(raw), folder=raw.file.parent, file=str(raw.file), where=raw.where)
        if case.id in seen:
            raise CaseError(f"the id {case.id} stands in this file twice")
        seen.add(case.id)
    except AutoparserError as error:
        return _invalid(name, raw.file, raw.where, str(error))
    return case


def _invalid(name: str, file: Path, where: str, message: str) -> CaseResult:
    return CaseResult(name, str(file), where, "", "parse", Status.INVALID, f"{where}: {message}")


def with_template(raw: RawCase) -> Any:
    """Give a case without a template the one that its file is named after."""
    data = raw.data
    if not isinstance(data, Mapping) or "template" in data or "template_inline" in data:
        return data
    stem = raw.file.stem.removesuffix(".cases")
    for suffix in TEMPLATE_SUFFIXES:
        if (raw.file.parent / (stem + suffix)).exists():
            return {**data, "template": stem + suffix}
    return data


def _read_lines(file: Path, text: str) -> list[RawCase]:
    # Not splitlines(): JSON may hold U+2028 and other characters that it takes for line ends.
    cases: list[RawCase] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data: Any = json.loads(line)
        except ValueError as error:
            data = CaseError(f"not JSON: {error}")
        except RecursionError:
            data = CaseError(_TOO_DEEP)
        cases.append(RawCase(file, number, len(cases) + 1, data))
    if not cases:
        raise CaseError("has no cases")
    return cases


def _read_structured(file: Path, text: str) -> list[RawCase]:
    if file.suffix == ".json":
        try:
            data = json.loads(text)
        except ValueError as error:
            raise CaseError(f"is not JSON: {error}") from None
        except RecursionError:
            raise CaseError(_TOO_DEEP) from None
        return _spread(file, data, [])
    data, lines = _load_yaml(text)
    return _spread(file, data, lines)


def _spread(file: Path, data: Any, lines: list[int]) -> list[RawCase]:
    """Take a file's object apart into cases, and give each the file's defaults."""
    defaults: dict[str, Any] = {}
    items = data
    if isinstance(data, Mapping):
        items = data.get("cases", [data])
        defaults = {key: value for key, value in data.items() if key != "cases"} if "cases" in data else {}
    if not isinstance(items, list) or not items:
        raise CaseError("holds neither a list of cases nor an object with `cases`")
    cases = []
    for index, item in enumerate(items):
        merged = {**defaults, **item} if isinstance(item, Mapping) else item
        cases.append(RawCase(file, lines[index] if index < len(lines) else None, index + 1, merged))
    return cases


def _load_yaml(text: str) -> tuple[Any, list[int]]:
    """Return the data, and the line of each case."""
    import yaml

    try:
        data = yaml.safe_load(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise CaseError(f"is not YAML: {' '.join(str(error).split())}") from None
    return data, [node.start_mark.line + 1 for node in case_nodes(root)]


def case_nodes(root: Any) -> list[Any]:
    """Return the YAML nodes of the cases under a file's root node."""
    import yaml

    if isinstance(root, yaml.MappingNode):
        inner = next((value for key, value in root.value if key.value == "cases"), None)
        if inner is None:
            return [root]
        root = inner
    return list(root.value) if isinstance(root, yaml.SequenceNode) else []
