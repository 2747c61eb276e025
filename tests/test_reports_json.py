"""JSON reports: the shapes that scripts rely on."""

from __future__ import annotations

import json

from autoparser_cli.analysis.model import (
    AnalysisWarning,
    ArgumentFields,
    Capabilities,
    ContentFields,
    Evidence,
    GenerationPrompt,
    Proof,
    ProofStep,
    ReasoningFields,
    Switch,
    TemplateAnalysis,
    ToolFields,
    ToolFormatFields,
    TurnFormat,
)
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.messages import Message, ToolCall
from autoparser_cli.parsing import Finding, ParseError, ParseResult, Repair
from autoparser_cli.parsing.trace import TraceStep
from autoparser_cli.reports.json import analysis_to_json, result_to_json, steps_to_json, to_text

ANALYSIS = TemplateAnalysis(
    template="a.jinja",
    capabilities=Capabilities(supports_tools=True),
    reasoning=ReasoningFields(),
    content=ContentFields(),
    tools=ToolFields(
        format=ToolFormatFields(parameter_order=("name", "arguments")),
        arguments=ArgumentFields(value_encoding=(("string", "raw"),)),
    ),
    turn=TurnFormat("", (), ""),
    calls=None,
    generation_prompt="<|turn|>",
    generation_prompts=(GenerationPrompt("<|turn|><muse>", (("enable_thinking", True),), True),),
    switches=(Switch("enable_thinking", None, (True, False), (False,)),),
    warnings=(AnalysisWarning("calls-not-rendered", "no calls", 3),),
    evidence=(Evidence("R1", "?", "l", "r", "a", "b", DiffSplit("", "a", "b", ""), "no"),),
    proof=Proof((ProofStep("one", True), ProofStep("two", False, "lost"))),
)


def test_analysis_has_the_fields_that_scripts_rely_on() -> None:
    report = json.loads(to_text(analysis_to_json(ANALYSIS)))
    assert report["template"] == "a.jinja"
    assert report["capabilities"]["supports_tools"] is True
    assert report["reasoning"] == {"mode": "NONE", "start": "", "end": "", "field": ""}
    assert report["content"] == {"mode": "PLAIN", "start": "", "end": "", "requires_nonnull_content": False}
    assert set(report["tools"]) == {"format", "function", "arguments", "call_id"}
    assert report["tools"]["format"]["mode"] == "NONE"
    assert report["tools"]["format"]["parameter_order"] == ["name", "arguments"]
    assert report["tools"]["call_id"]["pos"] == "NONE"
    assert report["preserved_tokens"] == []
    assert report["generation_prompt"] == "<|turn|>"


def test_pairs_become_objects() -> None:
    report = analysis_to_json(ANALYSIS)
    assert report["tools"]["arguments"]["value_encoding"] == {"string": "raw"}
    assert report["generation_prompts"] == [
        {"text": "<|turn|><muse>", "kwargs": {"enable_thinking": True}, "after_tool": True}
    ]
    assert report["warnings"] == [{"code": "calls-not-rendered", "message": "no calls", "line": 3}]


def test_proof_counts_and_names_failures() -> None:
    assert analysis_to_json(ANALYSIS)["proof"] == {
        "passed": 1,
        "tried": 2,
        "failed": [{"name": "two", "detail": "lost"}],
    }


def test_evidence_is_there_only_when_asked_for() -> None:
    assert "evidence" not in analysis_to_json(ANALYSIS)
    evidence = analysis_to_json(ANALYSIS, with_evidence=True)["evidence"]
    assert evidence[0]["split"] == {"prefix": "", "left": "a", "right": "b", "suffix": ""}


def test_result_is_a_chat_completions_message() -> None:
    result = ParseResult(Message("", "why", (ToolCall("f", '{"a":1}', "c1"),)))
    assert result_to_json(result) == {
        "message": {
            "role": "assistant",
            "content": "",
            "reasoning_content": "why",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
            ],
        },
        "error": None,
        "repairs": [],
        "findings": [],
    }


def test_error_repairs_and_findings_are_objects() -> None:
    error = ParseError(3, 1, 4, ("</x>",), "tail", ToolCall("f", '{"a":'))
    result = ParseResult(Message(), error, (Repair("white-space", 2),), (Finding("wrong-type", "f", 0, 1),))
    report = result_to_json(result)
    assert {name: report["error"][name] for name in ("offset", "line", "column", "expected", "unparsed")} == {
        "offset": 3,
        "line": 1,
        "column": 4,
        "expected": ["</x>"],
        "unparsed": "tail",
    }
    assert report["repairs"] == [{"name": "white-space", "offset": 2}]
    assert report["findings"] == [{"code": "wrong-type", "message": "f", "call": 0, "offset": 1}]


def test_steps_are_objects() -> None:
    assert steps_to_json([TraceStep("content", "a", 0)]) == [{"kind": "content", "text": "a", "offset": 0}]


def test_letters_stay_as_they_are_and_lone_surrogates_survive() -> None:
    assert to_text({"a": "é｜"}) == '{\n  "a": "é｜"\n}'
    assert to_text("\x9b\x1b") == '"\\u009b\\u001b"'
    written = to_text({"a": "\ud83d"}).encode("utf-8", "backslashreplace")
    assert json.loads(written) == {"a": "\ud83d"}
