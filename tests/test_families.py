"""Families: found by folder, recognised by what is rendered whatever the markers are called, and left out on request."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from autoparser_cli import families
from autoparser_cli.analysis.candidates import infer_all
from autoparser_cli.analysis.model import MessageSequence, TemplateAnalysis
from autoparser_cli.cli.main import run
from autoparser_cli.families import with_family
from autoparser_cli.inference import analyze
from autoparser_cli.parsing import build_parser
from autoparser_cli.templates import ChatTemplate
from tests.goldens import fixture_folders

FIXTURES = Path(__file__).parent.parent / "fixtures"
LANES = FIXTURES / "messages-in-lanes/template.jinja"
SHARED = Path(__file__).parent.parent.parent / "shared"

#: Turns of one message after the other; what is printed for a call is left to each test.
SEQUENCE = """
{%- for m in messages -%}
{%- if m.role == 'assistant' -%}
{%- if m.thinking -%}[TURN]bot[LANE]aside[SAY]{{ m.thinking }}[STOP]{%- endif -%}
{%- for c in m.tool_calls -%}
CALL
{%- else -%}[TURN]bot[LANE]answer[SAY]{{ m.content }}[STOP]
{%- endfor -%}
{%- else -%}[TURN]{{ m.role }}[SAY]{{ m.content }}[STOP]{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}[TURN]bot{%- endif -%}
"""
ARGUMENTS = "{{ c.function.arguments | tojson }}[RUN]"


def found(call: str) -> MessageSequence | None:
    return analyze(ChatTemplate.from_source(SEQUENCE.replace("CALL", call))).messages


def test_families_are_found_by_folder() -> None:
    modules = list(families.families())
    files = {path.stem for path in Path(families.__file__).parent.glob("*.py")} - {"__init__"}
    assert {module.__name__.rpartition(".")[2] for module in modules} == files
    assert 1 <= len(files) <= 2


def test_each_family_says_why_it_is_one() -> None:
    for module in families.families():
        assert "Why a family" in (module.__doc__ or "")
        assert module.NAME


def test_no_family_knows_a_marker() -> None:
    """Recognising goes by structure: outside docstrings no text of a family looks like a special token."""
    for module in families.families():
        tree = ast.parse(Path(module.__file__ or "").read_text())
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        docs = [
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        ]
        for text in texts:
            assert not (isinstance(text, str) and text not in docs and "<|" in text)


def test_recipient_before_the_channel() -> None:
    messages = found("[TURN]bot for:kit.{{ c.function.name }}[LANE]task json[SAY]" + ARGUMENTS)
    assert messages is not None
    assert (messages.start, messages.channel, messages.body) == ("[TURN]bot", "[LANE]", "[SAY]")
    assert (messages.recipient, messages.namespace, messages.content_type) == ("for:", "kit.", "json")
    assert messages.reasoning_channel == "aside"
    assert messages.content_channel == "answer"
    assert messages.call_channel == "task"
    assert messages.ends == ("[STOP]", "[RUN]")


def test_recipient_behind_the_channel() -> None:
    messages = found("[TURN]bot[LANE]task for:kit.{{ c.function.name }} [KIND]json[SAY]" + ARGUMENTS)
    assert messages is not None
    assert (messages.recipient, messages.namespace, messages.call_channel) == ("for:", "kit.", "task")
    assert messages.content_type == "json"


@pytest.mark.parametrize(
    "call",
    [
        "[TURN]bot[CALL]{{ c.function.name }}[WITH]" + ARGUMENTS,
        '[TURN]bot[LANE]task[SAY]{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}[RUN]',
        "[TURN]bot for:kit.{{ c.function.name }}[SAY]" + ARGUMENTS,
    ],
    ids=["own-markers", "name-in-json", "no-channel"],
)
def test_a_call_without_a_recipient_in_a_header_is_no_sequence(call: str) -> None:
    assert found(call) is None


def test_other_fixtures_have_no_family() -> None:
    for folder in fixture_folders():
        template = folder / "template.jinja"
        if template != LANES:
            assert with_family(next(infer_all(ChatTemplate.load(template)))) is None


def test_a_family_is_left_out_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", str(LANES), "--no-cache", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["family"] == "harmony"
    assert run(["analyze", str(LANES), "--no-cache", "--no-families", "--format", "json"]) == 0
    pure = json.loads(capsys.readouterr().out)
    assert pure["family"] == ""
    assert pure["reasoning"]["start"] == "<|lane|>notes<|say|>"


def test_pure_inference_has_no_messages() -> None:
    assert analyze(ChatTemplate.load(LANES), families=False).messages is None


PROSE = """
{%- set asked = 'Put your ideas between [idea][/idea] and what you answer between [out][/out].' -%}
{%- if ON %}<|system|>{{ asked }}<|stop|>{% endif -%}
{%- for m in messages -%}<|{{ m.role }}|>{{ m.content }}<|stop|>{%- endfor -%}
{%- if add_generation_prompt %}<|assistant|>{% endif -%}
"""


def analysis_of_prose(on: str, source: str = PROSE) -> TemplateAnalysis:
    return analyze(ChatTemplate.from_source(source.replace("ON", on)))


def test_markers_that_only_the_prose_names() -> None:
    analysis = analysis_of_prose("ponder is defined and ponder")
    assert analysis.family == "prose"
    assert (analysis.reasoning.mode.value, analysis.reasoning.start) == ("TAG_BASED", "[idea]")
    assert analysis.reasoning.end == "[/idea]"
    assert (analysis.content.mode.value, analysis.content.start) == ("WRAPPED_WITH_REASONING", "[out]")
    assert "markers-in-prose" in {warning.code for warning in analysis.warnings}
    assert {"[idea]", "[/idea]", "[out]", "[/out]"} <= set(analysis.preserved_tokens)


@pytest.mark.parametrize(
    ("output", "reasoning", "content"),
    [
        ("[idea]Hm.[/idea][out]Yes.[/out]", "Hm.", "Yes."),
        ("[idea]Hm.[/idea]\n[out]Yes.", "Hm.", "Yes."),
        ("[idea]Hm.[/idea]Yes.", "Hm.", "Yes."),
        ("[out]Yes.[/out]", "", "Yes."),
        ("Yes.", "", "Yes."),
        ("[idea]Hm.", "Hm.", ""),
    ],
)
def test_what_the_prose_asks_for_is_read(output: str, reasoning: str, content: str) -> None:
    result = build_parser(analysis_of_prose("ponder is defined and ponder")).parse(output)
    assert result.error is None
    assert (result.message.reasoning_content, result.message.content) == (reasoning, content)


def test_one_pair_is_reasoning_and_wraps_no_answer() -> None:
    source = PROSE.replace(" and what you answer between [out][/out]", "")
    analysis = analysis_of_prose("ponder is defined and ponder", source)
    assert (analysis.reasoning.start, analysis.content.mode.value) == ("[idea]", "PLAIN")


@pytest.mark.parametrize(
    ("on", "source"),
    [
        ("true", PROSE),
        ("ponder is defined and ponder", PROSE.replace("[/idea]", " [/idea]").replace("[/out]", " [/out]")),
        ("ponder is defined and ponder", PROSE.replace("[idea]", "[idea][/x]").replace("[/out]", "[/o]")),
        (
            "ponder is defined and ponder",
            PROSE.replace("{{ m.content }}", "[t]{{ m.reasoning_content }}[/t]{{ m.content }}"),
        ),
    ],
    ids=["always-there", "not-empty", "not-a-pair", "turns-have-reasoning"],
)
def test_prose_that_says_nothing_of_the_turn(on: str, source: str) -> None:
    assert analysis_of_prose(on, source).family == ""


@pytest.mark.skipif(not SHARED.is_dir(), reason="the collected templates are not here")
def test_family_of_collected_templates() -> None:
    """Of real templates a family takes those that it is for, and no other."""
    wanted = {"openai-gpt-oss-120b", "hub/gptoss_training", "ibm-granite-granite-3.3-2B-Instruct"}
    others = {"upstage-Solar-Open-100B", "Qwen-Qwen3-0.6B", "hub/gemma4", "ibm-granite-granite-4.0"}
    taken = set()
    for name in wanted | others:
        template = ChatTemplate.load(SHARED / "templates" / f"{name}.jinja")
        if analyze(template).family:
            taken.add(name)
    assert taken == wanted
