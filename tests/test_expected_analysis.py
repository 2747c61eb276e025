"""The checker of expected analyses tells right from wrong, and the analysis of real templates stays right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.analysis.model import (
    AnalysisWarning,
    ArgumentFields,
    Capabilities,
    ContentFields,
    FunctionFields,
    GenerationPrompt,
    ReasoningFields,
    ReasoningMode,
    Switch,
    TemplateAnalysis,
    ToolFields,
    ToolFormatFields,
    ToolFormatMode,
    TurnFormat,
)
from benchmarks.check_expected import (
    EXPECTED,
    fact_checks,
    field_checks,
    main,
    mismatches,
    unexpected_switches,
)

TAGGED = TemplateAnalysis(
    template="tagged",
    capabilities=Capabilities(supports_parallel_tool_calls=True, content_with_calls="before"),
    reasoning=ReasoningFields(mode=ReasoningMode.TAG_BASED, start="<think>\n", end="\n</think>"),
    content=ContentFields(),
    tools=ToolFields(
        format=ToolFormatFields(
            mode=ToolFormatMode.TAG_WITH_TAGGED,
            per_call_start="<tool_call>\n",
            per_call_end="\n</tool_call>",
            separator="\n",
        ),
        function=FunctionFields(name_prefix="<function=", name_suffix=">\n", close="</function>"),
        arguments=ArgumentFields(
            name_prefix="<parameter=",
            name_suffix=">\n",
            value_suffix="\n</parameter>\n",
            value_encoding=(("string", "raw"), ("integer", "json"), ("boolean", "python")),
        ),
    ),
    turn=TurnFormat(header="", joints=(), end=""),
    calls=None,
    generation_prompt="<bot>",
    generation_prompts=(
        GenerationPrompt("<bot>"),
        GenerationPrompt("<bot></think>", (("enable_thinking", False),)),
        GenerationPrompt("<tool-bot>", after_tool=True),
    ),
    switches=(Switch("enable_thinking", None, (True, False), (True,)),),
)

EXPECTED_TAGGED: dict[str, Any] = {
    "template": "tagged",
    "reasoning": {"mode": "TAG_BASED", "start": "<think>", "end": "</think>"},
    "content": {"mode": "PLAIN", "start": "", "end": ""},
    "tools": {
        "format": "TAG_WITH_TAGGED",
        "call_open": "<tool_call><function=",
        "call_close": "</function></tool_call>",
        "call_id": "NONE",
        "args_start": ">",
        "arg_open": "<parameter=",
        "arg_mid": ">",
        "arg_close": "</parameter>",
    },
    "facts": {
        "call_separator": "\n",
        "value_encoding": {"string": "raw", "number": "json", "boolean": "python (True/False)"},
        "parallel": True,
        "content_with_calls": "before",
        "switches": [
            {
                "name": "enable_thinking",
                "default": None,
                "values": [True, False],
                "unset_acts_like": [True],
            }
        ],
        "gen_prompt_default": "<bot>",
        "gen_prompt_on": "<bot>",
        "gen_prompt_off": "<bot></think>",
        "gen_prompt_after_tool": "<tool-bot>",
    },
}


def wrong_fields(expected: dict[str, Any], analysis: TemplateAnalysis) -> list[str]:
    return [mismatch.field for mismatch in mismatches(field_checks(expected, analysis))]


def wrong_facts(expected: dict[str, Any], analysis: TemplateAnalysis) -> list[str]:
    return [mismatch.field for mismatch in mismatches(fact_checks(expected, analysis))]


def with_tools(**changes: object) -> dict[str, Any]:
    return {**EXPECTED_TAGGED, "tools": {**EXPECTED_TAGGED["tools"], **changes}}


def with_facts(**changes: object) -> dict[str, Any]:
    return {**EXPECTED_TAGGED, "facts": {**EXPECTED_TAGGED["facts"], **changes}}


def test_an_analysis_as_expected_has_no_mismatch() -> None:
    assert wrong_fields(EXPECTED_TAGGED, TAGGED) == []
    assert wrong_facts(EXPECTED_TAGGED, TAGGED) == []


@pytest.mark.parametrize(
    "field", ["call_open", "call_close", "call_id", "args_start", "arg_open", "arg_mid", "arg_close"]
)
def test_each_marker_of_a_call_is_compared(field: str) -> None:
    assert wrong_fields(with_tools(**{field: "<other>"}), TAGGED) == [f"tools.{field}"]


def test_reasoning_markers_are_stripped_but_not_emptied_of_inner_spaces() -> None:
    expected = {**EXPECTED_TAGGED, "reasoning": {"mode": "TAG_BASED", "start": "<th ink>", "end": "</think>"}}
    assert wrong_fields(expected, TAGGED) == ["reasoning.start"]


def test_accept_allows_the_named_field_alone() -> None:
    expected = with_tools(call_open="<a>", call_close="<b>")
    expected["accept"] = {"tools.call_open": ["<tool_call><function="]}
    assert wrong_fields(expected, TAGGED) == ["tools.call_close"]


def test_json_keys_that_are_not_named_must_be_the_usual_ones() -> None:
    form = ToolFormatFields(
        mode=ToolFormatMode.JSON_NATIVE,
        section_start="<call>",
        section_end="</call>",
        name_field="function.name",
        args_field="function.parameters",
    )
    analysis = replace(TAGGED, tools=ToolFields(format=form))
    tools = {"format": "JSON_NATIVE", "call_open": "<call>", "call_close": "</call>", "call_id": "NONE"}
    expected = {**EXPECTED_TAGGED, "tools": tools}
    assert wrong_fields(expected, analysis) == ["tools.args_field"]
    expected["tools"] = {**tools, "args_field": "parameters"}
    assert wrong_fields(expected, analysis) == []
    expected["tools"] = {**tools, "args_field": "parameters", "tools_array_wrapped": True}
    assert wrong_fields(expected, analysis) == ["tools.tools_array_wrapped"]


def test_a_format_of_none_with_a_note_needs_a_warning() -> None:
    none = {"format": "NONE", "call_open": "", "call_close": "", "call_id": "NONE"}
    expected = {**EXPECTED_TAGGED, "tools": none, "note": "calls are not rendered"}
    silent = replace(TAGGED, tools=ToolFields())
    assert wrong_fields(expected, silent) == ["tools.warning"]
    warned = replace(silent, warnings=(AnalysisWarning("no-calls", "calls are not rendered"),))
    assert wrong_fields(expected, warned) == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"call_separator": ""}, "facts.call_separator"),
        ({"value_encoding": {"string": "json"}}, "facts.value_encoding.string"),
        ({"value_encoding": {"null": "json"}}, "facts.value_encoding.null"),
        ({"parallel": False}, "facts.parallel"),
        ({"content_with_calls": "after"}, "facts.content_with_calls"),
        ({"gen_prompt_off": "<bot>"}, "facts.gen_prompt_off"),
        ({"gen_prompt_after_tool": "<bot>"}, "facts.gen_prompt_after_tool"),
    ],
)
def test_each_fact_is_compared(changes: dict[str, object], field: str) -> None:
    assert wrong_facts(with_facts(**changes), TAGGED) == [field]


def test_a_switch_that_was_not_found_costs_all_its_facts() -> None:
    blind = replace(TAGGED, switches=())
    assert wrong_facts(EXPECTED_TAGGED, blind) == [
        "facts.switches.enable_thinking",
        "facts.switches.enable_thinking.default",
        "facts.switches.enable_thinking.unset_acts_like",
    ]


def test_one_is_not_true_among_the_values_of_a_switch() -> None:
    odd = replace(TAGGED, switches=(Switch("enable_thinking", None, (1, 0), (1,)),))
    assert wrong_facts(EXPECTED_TAGGED, odd) == ["facts.switches.enable_thinking.unset_acts_like"]


def test_switches_beyond_the_expected_ones_are_named() -> None:
    more = replace(TAGGED, switches=(*TAGGED.switches, Switch("date", None, ("D",), ())))
    assert unexpected_switches(EXPECTED_TAGGED, more) == ["date"]


@pytest.mark.skipif(not EXPECTED.exists(), reason="the shared expectations are not beside the project")
def test_the_analysis_of_a_real_template_is_as_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Qwen-Qwen2.5-7B-Instruct.jinja", "Qwen3-Coder.jinja", "google-gemma-2-2b-it.jinja")
    lines = [line for line in EXPECTED.read_text().splitlines() if json.loads(line)["template"] in names]
    folder = tmp_path / "expected"
    folder.mkdir()
    (folder / "analysis.jsonl").write_text("\n".join(lines))
    (tmp_path / "templates").symlink_to(EXPECTED.parent.parent / "templates")
    assert main([str(folder / "analysis.jsonl")]) == 0, capsys.readouterr().out
