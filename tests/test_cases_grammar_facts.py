"""Cases of the kinds grammar, lint and feature are judged by what they say of grammars, renders and results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import wire_formats

from autoparser_cli.analysis.model import AnalysisWarning
from autoparser_cli.cases.from_json import read_case
from autoparser_cli.cases.judging import judge
from autoparser_cli.cases.model import CaseResult, Status
from autoparser_cli.cases.replaying import AnalysedTemplate
from autoparser_cli.templates import ChatTemplate

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn"}}\n</tool_call>'
TOOLS = [{"type": "function", "function": tool} for tool in wire_formats.TOOLS]


def judged(kind: str, facts: dict[str, Any], analysis: Any = wire_formats.HERMES, **more: Any) -> CaseResult:
    data = {
        "id": "x",
        "kind": kind,
        "template_inline": "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}",
        "generation_prompt": "<|im_start|>assistant\n",
        "tools": TOOLS,
        "expect_more": facts,
        **more,
    }
    case = read_case(data, folder=Path(), file="f", where="f:1")
    template = ChatTemplate.from_source(data["template_inline"])
    return judge(case, AnalysedTemplate(template, analysis))


@pytest.mark.parametrize(
    "facts",
    [
        {"gbnf_loads": True, "every_rule_defined_once": True, "every_tool_callable": True},
        {"rule_name_pattern": "^[a-z0-9-]+$", "forbidden_in_gbnf": ["\\-"]},
        {"accept": [CALL], "reject": [CALL.replace("city", "town"), CALL[:-1]]},
        {"accept_after_reasoning": [CALL]},
        {"preserved_tokens_include": []},
        {"message_mentions": ["free words are passed over"]},
    ],
)
def test_true_facts_about_a_grammar_pass(facts: dict[str, Any]) -> None:
    result = judged("grammar", facts)
    assert (result.status, result.reason) == (Status.PASSED, "")


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"rule_name_pattern": "^x$"}, "rules have names that are not allowed"),
        ({"forbidden_in_gbnf": ["root"]}, "the grammar has 'root'"),
        ({"accept": [CALL.replace("city", "town")]}, "the grammar must accept a sample"),
        ({"reject": [CALL]}, "the grammar must reject a sample"),
        ({"preserved_tokens_include": ["<none>"]}, "preserved tokens are missing"),
        ({"diagnostics": ["pattern of find.glob is not anchored"]}, "nothing is said about find.glob"),
    ],
)
def test_a_false_fact_about_a_grammar_is_named(facts: dict[str, Any], reason: str) -> None:
    result = judged("grammar", facts)
    assert (result.status, result.reason) == (Status.FAILED, reason)


def test_what_an_output_parses_to_is_compared() -> None:
    call = {"name": "get_weather", "arguments": {"city": "Bonn"}}
    right = {"parsed": {"content": "", "reasoning": "", "tool_calls": [call]}}
    wrong = {"parsed": {"content": "", "reasoning": "", "tool_calls": []}}
    assert judged("grammar", right, output=CALL).status is Status.PASSED
    assert judged("lint", right, output=CALL).status is Status.PASSED
    assert judged("lint", wrong, output=CALL).reason == "parsed: 0 calls expected, 1 found"


def test_no_grammar_at_all_is_a_failure() -> None:
    result = judged("grammar", {"gbnf_loads": True}, replace(wire_formats.HERMES, calls=None))
    assert result.status is Status.FAILED
    assert "no grammar" in result.reason


def test_a_feature_with_an_output_is_judged_up_to_its_error() -> None:
    unknown = CALL.replace("get_weather", "unknown")
    called = [{"name": "get_weather", "arguments": {"city": "Bonn"}}]
    wanted = {
        "strict_error": {"at_text": "unknown", "offset": len(CALL) + 1 + unknown.index("unknown")},
        "recognised": {"content": "", "tool_calls": called},
        "unparsed_tail_starts_with": "<tool_call>",
    }
    output = f"{CALL}\n{unknown}"
    assert judged("feature", wanted, output=output).status is Status.PASSED
    tail = judged("feature", wanted | {"unparsed_tail_starts_with": "x"}, output=output)
    assert tail.reason == "another text is left unparsed"
    more = {"recognised": {"content": "more", "tool_calls": called}}
    message = judged("feature", wanted | more, output=output)
    assert message.reason == "up to the error: content differs"


def test_a_feature_without_an_output_is_judged_by_the_analysis() -> None:
    states = {"output_states": ["tool format: NONE", "reason: the template does not render tool calls"]}
    plain = replace(wire_formats.HERMES, calls=None)
    assert judged("feature", states, plain).reason == "the analysis differs in reason"
    warned = replace(plain, warnings=(AnalysisWarning("no-tool-calls", "does not render tool calls"),))
    assert judged("feature", states, warned).status is Status.PASSED
    other = {"output_states": ["tool format: JSON_NATIVE"]}
    assert judged("feature", other, warned).reason == "the analysis differs in tool format"
