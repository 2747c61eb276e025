"""One case's JSON object -> `Case`, with every key checked.

An unknown key is an error: a misspelt `expct` must not make a case pass. What a kind that is not judged holds
is not checked beyond its id.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from autoparser_cli.cases.expectations import (
    check_keys,
    read_error,
    read_expected,
    read_generator,
    read_more,
    text_list,
    typed,
)
from autoparser_cli.cases.model import (
    DEFAULT_MESSAGES,
    JUDGED_KINDS,
    PARSE_KINDS,
    Case,
    CaseOptions,
    TemplateRef,
)
from autoparser_cli.errors import CaseError
from autoparser_cli.messages import read_tools

#: For people, and for `-k`; they do not change the judgement.
NOT_JUDGED: Final = frozenset(
    {"tier", "tags", "canonical", "template_note", "extra", "symptom", "why", "note", "source", "confirmed"}
)
KEYS: Final = NOT_JUDGED | {
    "id",
    "kind",
    "template",
    "template_inline",
    "template_kwargs",
    "messages",
    "tools",
    "options",
    "generation_prompt",
    "output",
    "output_hex",
    "generator",
    "probe",
    "chunks",
    "chunking",
    "partial",
    "truncated",
    "stop",
    "never_leak",
    "expect",
    "expect_error",
    "expect_more",
    "compare",
}
OPTION_KEYS: Final = frozenset(CaseOptions.__dataclass_fields__)
TOOL_CHOICES: Final = ("auto", "required", "none")


def read_case(data: object, *, folder: Path, file: str, where: str) -> Case:
    """Read one case; a relative `template` is looked for in `folder`. Raise CaseError, ToolsError."""
    if not isinstance(data, Mapping):
        raise CaseError(f"a case must be an object, not {type(data).__name__}")
    name = typed(data, "id", str, None)
    if not name:
        raise CaseError("the case has no `id`")
    kind = typed(data, "kind", str, "parse")
    if kind not in JUDGED_KINDS:
        return Case(name, file, where, TemplateRef(source=""), kind=kind)
    check_keys(data, KEYS, "")
    partial = typed(data, "partial", bool, False)
    read_tools(data.get("tools"))
    case = Case(
        id=name,
        file=file,
        where=where,
        template=_read_template(data, folder),
        kind=kind,
        template_kwargs=typed(data, "template_kwargs", Mapping, {}),
        messages=_read_messages(data),
        tools=tuple(data.get("tools") or ()),
        options=_read_options(typed(data, "options", Mapping, {})),
        generation_prompt=typed(data, "generation_prompt", str, None),
        output=_read_output(data),
        generator=read_generator(data),
        chunks=text_list(data, "chunks"),
        chunking=typed(data, "chunking", str, ""),
        partial=partial,
        truncated=typed(data, "truncated", bool, False),
        stop=text_list(data, "stop"),
        never_leak=text_list(data, "never_leak"),
        expect=read_expected(data["expect"], "expect", partial=partial) if "expect" in data else None,
        expect_error=read_error(data),
        more=read_more(data, partial=partial, parses=_parses(kind, data)),
        exact=frozenset(key for key, how in typed(data, "compare", Mapping, {}).items() if how == "exact"),
        rendered="confirmed" in data,
        probe=tuple(data.get("probe") or ()),
        tags=text_list(data, "tags"),
    )
    if _parses(kind, data):
        _check_complete(case)
    return case


def _parses(kind: str, data: Mapping[str, Any]) -> bool:
    return kind in PARSE_KINDS or (kind == "feature" and "output" in data)


def _check_complete(case: Case) -> None:
    if case.generator is not None:
        return
    if case.output is None:
        raise CaseError("the case has no `output`")
    if case.expect is None and case.expect_error is None and case.more.recognised is None:
        raise CaseError(
            "the case has neither `expect` nor `expect_error` (`--update` records what it gives now)"
        )
    if case.chunks and "".join(case.chunks) != case.output:
        raise CaseError("`chunks` put together are not `output`")


def _read_template(data: Mapping[str, Any], folder: Path) -> TemplateRef:
    inline = typed(data, "template_inline", str, None)
    path = typed(data, "template", str, None)
    if (inline is None) == (path is None):
        raise CaseError("the case needs one of `template` and `template_inline`")
    if inline is not None:
        return TemplateRef(source=inline)
    found = folder / str(path)
    if not found.exists():
        raise CaseError(f"the template {path} does not exist (looked for {found})")
    return TemplateRef(path=found.resolve())


def _read_messages(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    messages = typed(data, "messages", list, None)
    if messages is None:
        return DEFAULT_MESSAGES
    if not messages or not all(isinstance(message, Mapping) for message in messages):
        raise CaseError("`messages` must be a list of objects, with at least one")
    return tuple(messages)


def _read_options(options: Mapping[str, Any]) -> CaseOptions:
    check_keys(options, OPTION_KEYS, "options.")
    choice = options.get("tool_choice")
    if isinstance(choice, str) and choice not in TOOL_CHOICES:
        raise CaseError("`options.tool_choice` must be auto, required, none or a named function")
    continued = typed(options, "continue_final_message", str, None)
    if continued not in (None, "content", "reasoning"):
        raise CaseError("`options.continue_final_message` must be content or reasoning")
    return CaseOptions(
        tool_choice=choice,
        parallel_tool_calls=typed(options, "parallel_tool_calls", bool, None),
        reasoning_format=typed(options, "reasoning_format", str, None),
        json_schema=typed(options, "json_schema", Mapping, None),
        add_generation_prompt=typed(options, "add_generation_prompt", bool, True),
        continue_final_message=continued,
    )


def _read_output(data: Mapping[str, Any]) -> str | None:
    encoded = typed(data, "output_hex", str, None)
    if encoded is None:
        output: str | None = typed(data, "output", str, None)
        return output
    try:
        raw = bytes.fromhex(encoded)
    except ValueError as error:
        raise CaseError(f"`output_hex` is not hexadecimal: {error}") from None
    return raw.decode("utf-8", errors="replace")
