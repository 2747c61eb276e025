"""Compare what the analysis finds with a file of expected results; a template counts where all is right.

    python -m benchmarks.check_expected [EXPECTED.jsonl] [-k TEXT] [--quiet]

Prints each mismatch, then `matched / templates` and the share of the facts, which are counted apart. Fields
are put together again before they are compared (section start + per-call start + name prefix is what stands
before the first name), and markers are compared without white space, so it does not matter how a text is
shared out among the fields.

Not judged: what the expectation of a tag-based format does not name, and switches found beyond the expected
ones (they are listed).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoparser_cli.analysis.model import (
    GenerationPrompt,
    Switch,
    TemplateAnalysis,
    ToolFields,
    ToolFormatMode,
)

EXPECTED = Path(__file__).parent.parent.parent / "shared" / "expected" / "analysis.jsonl"

#: What the keys of a call's JSON are where the expectation does not name them.
USUAL_JSON = {
    "name_field": "name",
    "args_field": "arguments",
    "id_field": "",
    "gen_id_field": "",
    "tools_array_wrapped": False,
    "fun_name_is_key": False,
}
#: The markers of `tools` that are compared without any white space, where they are expected at all.
SPACELESS = (
    "call_open",
    "call_close",
    "arg_open",
    "arg_mid",
    "arg_close",
    "args_start",
    "call_id_prefix",
    "call_id_suffix",
    "separator",
)

#: The types of an analysis' value encodings that an expectation's key stands for.
VALUE_TYPES = {"number": ("number", "integer"), "object": ("object",), "boolean": ("boolean",)}

#: A dotted field, the values that are right, the values that were found.
FieldPair = tuple[str, tuple[object, ...], tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One field that is not as expected."""

    field: str
    expected: object
    found: object

    def __str__(self) -> str:
        return f"{self.field}: expected {self.expected!r}, found {self.found!r}"


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """One expectation: any of `accepted` is right, in any of `found` (ways to put fields together)."""

    field: str
    accepted: tuple[object, ...]
    found: tuple[object, ...]

    def mismatch(self) -> Mismatch | None:
        """Return what is wrong, or None."""
        if any(_same(left, right) for left in self.accepted for right in self.found):
            return None
        return Mismatch(self.field, self.accepted[0], self.found[0] if self.found else None)


def field_checks(expected: Mapping[str, Any], analysis: TemplateAnalysis) -> Iterator[FieldCheck]:
    """Pair what one line of the file expects with what the analysis has, field by field."""
    for field, accepted, found in _field_pairs(expected, analysis):
        tidy = _without_spaces if field.removeprefix("tools.") in SPACELESS else _stripped
        accepted = (accepted[0], *expected.get("accept", {}).get(field, []))
        yield FieldCheck(field, tuple(map(tidy, accepted)), tuple(map(tidy, found)))


def fact_checks(expected: Mapping[str, Any], analysis: TemplateAnalysis) -> Iterator[FieldCheck]:
    """Pair what rendering shows beyond the fields with what the analysis says about it."""
    facts, can = expected["facts"], analysis.capabilities
    if "call_separator" in facts:
        yield FieldCheck("facts.call_separator", (facts["call_separator"],), tuple(_separators(analysis)))
    written = dict(analysis.tools.arguments.value_encoding)
    for key, text in facts.get("value_encoding", {}).items():
        found = [_encoding_class(written[name]) for name in VALUE_TYPES.get(key, (key,)) if name in written]
        yield FieldCheck(f"facts.value_encoding.{key}", (_encoding_class(text),), tuple(found))
    for key, value in (
        ("parallel", can.supports_parallel_tool_calls),
        ("content_with_calls", can.content_with_calls),
        ("string_arguments", can.string_arguments),
    ):
        if key in facts:
            yield FieldCheck(f"facts.{key}", (facts[key],), (value,))
    yield from _switch_checks(facts.get("switches", []), analysis)
    for key in ("default", "on", "off", "after_tool"):
        if f"gen_prompt_{key}" in facts:
            found_texts = tuple(_generation_prompts(analysis, key))
            yield FieldCheck(f"facts.gen_prompt_{key}", (facts[f"gen_prompt_{key}"],), found_texts)


def unexpected_switches(expected: Mapping[str, Any], analysis: TemplateAnalysis) -> list[str]:
    """Return the names of switches that the expectation does not have."""
    known = {switch["name"] for switch in expected["facts"].get("switches", [])}
    return [switch.name for switch in analysis.switches if switch.name not in known and not switch.in_message]


def mismatches(checks: Iterable[FieldCheck]) -> list[Mismatch]:
    """Return what is wrong among the checks."""
    return [wrong for check in checks if (wrong := check.mismatch()) is not None]


def _field_pairs(expected: Mapping[str, Any], analysis: TemplateAnalysis) -> Iterator[FieldPair]:
    for concern, fields in (("reasoning", analysis.reasoning), ("content", analysis.content)):
        yield f"{concern}.mode", (expected[concern]["mode"],), (fields.mode.value,)
        for border in ("start", "end"):
            yield f"{concern}.{border}", (expected[concern][border],), (getattr(fields, border),)
    yield "tools.format", (expected["tools"]["format"],), (analysis.tools.format.mode.value,)
    if expected["tools"]["format"] == ToolFormatMode.NONE.value:
        yield "tools.warning", (True,), (bool(analysis.warnings) or not expected.get("note"),)
    else:
        yield from _call_pairs(expected["tools"], analysis)


def _call_pairs(wanted: Mapping[str, Any], analysis: TemplateAnalysis) -> Iterator[FieldPair]:
    tools = analysis.tools
    yield "tools.call_id", (wanted["call_id"],), (tools.call_id.pos.value,)
    texts = _call_texts(analysis)
    for field in SPACELESS:
        if field in wanted:
            yield f"tools.{field}", (wanted[field],), texts[field]
    if "name_in_id" in wanted and tools.call_id.pos.value == wanted["call_id"]:
        yield "tools.name_in_id", (wanted["name_in_id"],), (tools.call_id.name_in_id,)
    if wanted["format"] != ToolFormatMode.JSON_NATIVE.value:
        return
    for field, usual in USUAL_JSON.items():
        if not (wanted.get("fun_name_is_key") and field in ("name_field", "args_field")):
            yield f"tools.{field}", (wanted.get(field, usual),), (_json_field(tools, field),)


def _call_texts(analysis: TemplateAnalysis) -> dict[str, tuple[str, ...]]:
    tools = analysis.tools
    form, function, arguments, call_id = tools.format, tools.function, tools.arguments, tools.call_id
    if form.mode is ToolFormatMode.JSON_NATIVE:
        opening, closing = form.section_start + form.per_call_start, form.per_call_end + form.section_end
    else:
        bracket = ("[", "]") if form.tools_array_wrapped else ("", "")
        opening = form.section_start + bracket[0] + form.per_call_start + function.name_prefix
        closing = arguments.end + function.close + form.per_call_end + bracket[1] + form.section_end
    between = function.name_suffix + arguments.start
    # The id's suffix is the same text as what opens the arguments: fields may name it under either.
    behind_id = function.name_suffix + call_id.suffix + arguments.start
    texts = {
        "call_open": (opening,),
        "call_close": (closing,),
        "args_start": (between, behind_id, call_id.suffix),
        "arg_open": (arguments.name_prefix,),
        "arg_mid": (arguments.name_suffix + arguments.value_prefix,),
        "arg_close": (arguments.value_suffix,),
        "separator": (arguments.separator,),
        "call_id_prefix": (call_id.prefix,),
        "call_id_suffix": (call_id.suffix,),
    }
    # Expectations show the first call, whose number stands where the fields say INDEX.
    first = str(analysis.calls.index_base) if analysis.calls is not None else "0"
    return {
        field: (*found, *(text.replace("INDEX", first) for text in found)) for field, found in texts.items()
    }


def _json_field(tools: ToolFields, field: str) -> object:
    value = getattr(tools.format, field)
    # The expectation names the key itself; the fields have the whole path (`function.name`).
    return value.rpartition(".")[2] if isinstance(value, str) else value


def _separators(analysis: TemplateAnalysis) -> Iterator[str]:
    tools = analysis.tools
    yield tools.format.separator
    before = tools.arguments.end + tools.function.close + tools.format.per_call_end
    after = tools.format.per_call_start + tools.function.name_prefix
    yield before[len(before.rstrip()) :] + tools.format.separator + after[: len(after) - len(after.lstrip())]
    if tools.format.separator.strip():  # white space at its ends may be counted to the calls
        yield tools.format.separator.strip()


def _encoding_class(text: str) -> str:
    """Reduce a description such as `python repr (also arrays)` to the kind it names."""
    lowered = text.lower()
    if lowered.startswith(("between", "in single quotes", "quoted")):
        return "quoted"
    if lowered.startswith(("{key", "bare")):
        return "bare keys"
    if lowered.startswith("left out"):
        return "left out"
    if lowered == "none":
        return "python"
    return lowered.replace(";", " ").split()[0] if lowered.split() else ""


def _switch_checks(expected: list[dict[str, Any]], analysis: TemplateAnalysis) -> Iterator[FieldCheck]:
    by_name = {switch.name: switch for switch in analysis.switches}
    for wanted in expected:
        name = wanted["name"]
        switch = by_name.get(name) or _in_message(name, analysis)
        yield FieldCheck(f"facts.switches.{name}", (True,), (switch is not None,))
        default, unset = (switch.default, switch.unset_acts_like) if switch else ("(not found)", ())
        if (
            name in analysis.supplied_variables
            and switch
            and all(isinstance(one, str) for one in switch.values)
        ):
            default = "REQUIRED (string)"
        yield FieldCheck(f"facts.switches.{name}.default", (wanted["default"],), (default,))
        # Only the values that the expectation tried can be compared.
        shared = [value for value in unset if any(_same(value, tried) for tried in wanted["values"])]
        found: tuple[object, ...] = (_in_order(shared),) if switch else ()
        yield FieldCheck(
            f"facts.switches.{name}.unset_acts_like", (_in_order(wanted["unset_acts_like"]),), found
        )


def _in_message(name: str, analysis: TemplateAnalysis) -> Switch | None:
    """Return the switch by texts in a message that an expectation describes in words: `/think or /no_think in ...`."""
    spoken = [switch for switch in analysis.switches if switch.in_message]
    return next((switch for switch in spoken if all(value in name for value in switch.values)), None)


def _generation_prompts(analysis: TemplateAnalysis, which: str) -> Iterator[str]:
    """Return the prompts recorded for `which`; the default one where no switched one is recorded."""
    prompts = analysis.generation_prompts
    if which == "after_tool":
        yield from (prompt.text for prompt in prompts if prompt.after_tool and not prompt.kwargs)
        return
    plain = [prompt for prompt in prompts if not prompt.after_tool]
    switched = [] if which == "default" else [prompt for prompt in plain if _turns(prompt) == which]
    if switched:
        yield from (prompt.text for prompt in switched)
        return
    yield from (prompt.text for prompt in plain if not prompt.kwargs)
    yield analysis.generation_prompt


def _turns(prompt: GenerationPrompt) -> str:
    """Tell which way the prompt's variables turn thinking: `on`, `off`, or neither."""
    values = [value for _, value in prompt.kwargs]
    if not values:
        return ""
    off = [
        value is False or value == 0 or str(value).lstrip("/").startswith(("no", "off", "dis", "min"))
        for value in values
    ]
    return "off" if all(off) else "" if any(off) else "on"


def _same(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def _in_order(values: Iterable[object]) -> str:
    return json.dumps(sorted(json.dumps(value, sort_keys=True) for value in values))


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _without_spaces(value: object) -> object:
    return "".join(value.split()) if isinstance(value, str) else value


def main(arguments: list[str] | None = None) -> int:
    """Check a whole file and print what differs; 1 where a template does not match."""
    from autoparser_cli.inference import analyze
    from autoparser_cli.templates import ChatTemplate

    options = _read_options(arguments)
    templates = options.expected.parent.parent / "templates"
    counts = {"templates": 0, "matched": 0, "facts": 0, "facts right": 0}
    for line in options.expected.read_text(encoding="utf-8").splitlines():
        expected = json.loads(line)
        if options.select not in expected["template"]:
            continue
        counts["templates"] += 1
        try:
            analysis = analyze(ChatTemplate.load(templates / expected["template"]))
        except Exception as error:  # one template that cannot be analysed must not hide the others' figures
            _say(options, [f"{expected['template']}: {type(error).__name__}: {error}"])
            counts["facts"] += _count_facts(expected)
            continue
        wrong, facts = mismatches(field_checks(expected, analysis)), list(fact_checks(expected, analysis))
        wrong_facts = mismatches(facts)
        counts["matched"] += not wrong
        counts["facts"] += len(facts)
        counts["facts right"] += len(facts) - len(wrong_facts)
        _say(options, _lines(expected, wrong, wrong_facts, unexpected_switches(expected, analysis)))
    share = 100 * counts["facts right"] / max(1, counts["facts"])
    _write(f"matched {counts['matched']} / {counts['templates']}")
    _write(f"facts {counts['facts right']} / {counts['facts']} = {share:.1f} %")
    return 0 if counts["matched"] == counts["templates"] else 1


def _count_facts(expected: Mapping[str, Any]) -> int:
    facts = expected["facts"]
    listed = ("switches", "value_encoding")
    plain = sum(1 for key in facts if key not in listed)
    return plain + 3 * len(facts.get("switches", [])) + len(facts.get("value_encoding", {}))


def _read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="check_expected", description="Compare analyses with expected results."
    )
    parser.add_argument("expected", nargs="?", type=Path, default=EXPECTED)
    parser.add_argument("-k", dest="select", default="", help="only templates whose name holds this text")
    parser.add_argument("--quiet", action="store_true", help="only the two figures")
    return parser.parse_args(arguments)


def _lines(
    expected: Mapping[str, Any], wrong: list[Mismatch], wrong_facts: list[Mismatch], extra: list[str]
) -> list[str]:
    if not wrong and not wrong_facts and not extra:
        return []
    lines = [f"{'ok  ' if not wrong else 'FAIL'} {expected['template']}"]
    lines += [f"     {mismatch}" for mismatch in (*wrong, *wrong_facts)]
    return [*lines, f"     more switches: {', '.join(extra)}"] if extra else lines


def _say(options: argparse.Namespace, lines: list[str]) -> None:
    if not options.quiet:
        for line in lines:
            _write(line)


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
