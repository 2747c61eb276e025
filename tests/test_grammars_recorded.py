"""Outputs that real templates printed: every grammar takes them, and Lark's tree says what the parser says."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from grammar_runs import ENGINES

from autoparser_cli import ChatTemplate, analyze, build_parser
from autoparser_cli.grammars.check import compile_grammar
from autoparser_cli.grammars.dialects import DIALECTS, Dialect, Engine
from autoparser_cli.grammars.export import BudgetState, budget_state, export
from autoparser_cli.grammars.syntax_tree import syntaxes_of

SHARED = Path(__file__).parent.parent.parent / "shared"
RECORDED = SHARED / "conformance" / "roundtrip.jsonl"
#: One for each kind of format: records in a list, tags, nested tags, ids with a count, keys without quotes, messages.
TEMPLATES = (
    "Cohere2MoE",
    "GLM-4.7-Flash",
    "GigaChat3-10B-A1.8B",
    "Kimi-K3",
    "MiniMax-M3",
    "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use",
    "Qwen3-Coder",
    "moonshotai-Kimi-K2",
    "muse-glimmer",
)

pytestmark = pytest.mark.skipif(
    not RECORDED.exists(), reason="the recorded outputs are not beside the project"
)


@cache
def analysis(name: str) -> Any:
    """Analyze a template once."""
    return analyze(ChatTemplate.load(str(SHARED / "templates" / f"{name}.jinja")))


@cache
def recorded() -> dict[str, list[dict[str, Any]]]:
    """Return the confirmed cases with tools, by template."""
    cases: dict[str, list[dict[str, Any]]] = {}
    for line in RECORDED.open(encoding="utf-8"):
        case = json.loads(line)
        if case.get("confirmed") and case.get("tools"):
            cases.setdefault(Path(case["template"]).stem, []).append(case)
    return cases


@cache
def parser_and_grammar(name: str, engine: Engine, tools: str, prompt: str | None) -> tuple[Any, Any]:
    """Build the parser and compile the grammar for tools and the end of a prompt, once for all cases with them."""
    parser = build_parser(analysis(name), json.loads(tools), prompt)
    return parser, compile_grammar(
        export(analysis(name), parser, DIALECTS[engine], whole_output=True), engine
    )


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.value)
@pytest.mark.parametrize("name", TEMPLATES)
def test_recorded_outputs_are_taken(name: str, engine: Engine) -> None:
    for case in recorded()[name]:
        tools = json.dumps(case["tools"])
        parser, grammar = parser_and_grammar(name, engine, tools, case.get("generation_prompt"))
        result = parser.parse(case["output"])
        check = grammar.check(case["output"])
        assert result.error is None
        assert check.accepted, (case["id"], case["output"][check.offset :][:60], check.expected)
        if check.said is not None:
            assert check.said.differences(result.message, syntaxes_of(parser.grammar)) == (), case["id"]


@pytest.mark.parametrize("name", TEMPLATES)
def test_48_optional_parameters_stay_under_64_kb(name: str) -> None:
    properties = {f"option_{number}": {"type": "string"} for number in range(48)}
    tools = [{"name": "choose", "parameters": {"type": "object", "properties": properties}}]
    parser = build_parser(analysis(name), tools, "", tool_choice="required")
    assert len(export(analysis(name), parser, Dialect.GBNF).text.encode()) < 65536


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_budget_counts_where_the_recorded_prompt_leaves_reasoning_open(name: str) -> None:
    lines = (SHARED / "expected" / "analysis.jsonl").read_text(encoding="utf-8").splitlines()
    expected = next(entry for entry in map(json.loads, lines) if entry["template"] == f"{name}.jinja")
    start, end = (expected["reasoning"][key].strip() for key in ("start", "end"))
    prompts = [text for key, text in expected["facts"].items() if key.startswith("gen_prompt") and text]
    assert prompts
    for prompt in prompts:
        is_open = bool(start) and start in prompt and end not in prompt[prompt.rindex(start) :]
        wanted = BudgetState.COUNTING if is_open else BudgetState.IDLE
        assert budget_state(analysis(name), prompt) is wanted, prompt
