"""A way to write calls, in Jinja -> a small whole template, and what a turn of it looks like to a parser."""

from __future__ import annotations

import json
from typing import Any

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.inference import analyze
from autoparser_cli.parsing import ParseResult, build_parser
from autoparser_cli.templates import ChatTemplate, RenderInputs

_TEMPLATE = """
{%- for m in messages -%}
<|{{ m.role }}|>
{%- if m.role == 'assistant' -%}
BEFORE
{%- set calls = m.tool_calls or [] -%}
{%- if calls -%}
CALLS
{%- endif -%}
BEHIND
{%- else -%}{{ m.content }}
{%- endif -%}
<|end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}"""

_CONTENT = "{{ m.content or '' }}"
PROMPT = "<|assistant|>"

_TEXT, _NUMBER, _FLAG = {"type": "string"}, {"type": "number"}, {"type": "boolean"}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": name,
            "parameters": {"type": "object", "properties": properties, "required": []},
        },
    }
    for name, properties in {
        "tide": {"port": _TEXT, "days": {"type": "integer"}, "metric": _FLAG, "level": _NUMBER},
        "note": {
            "text": _TEXT,
            "tags": {"type": "array"},
            "place": {"type": "object"},
            "none": {"type": "null"},
        },
        "ring": {},
    }.items()
]

OSLO: tuple[str, dict[str, Any]] = ("tide", {"port": "Oslo"})
TYPED: tuple[str, dict[str, Any]] = (
    "tide",
    {"port": "Tromsø 東京", "days": 3, "metric": False, "level": -0.25},
)
ODD: tuple[str, dict[str, Any]] = (
    "note",
    {
        "text": 'say "hi", it\'s <b>1 & 2</b> {x}\n[y]',
        "tags": ["a", "b, c", 1],
        "place": {"k": {"deep": None}, "on": True},
        "none": None,
    },
)
RING: tuple[str, dict[str, Any]] = ("ring", {})


def template(calls: str, before: str = _CONTENT, behind: str = "") -> ChatTemplate:
    """Return a template that writes a turn's `calls` as the source says, between `before` and `behind`."""
    source = _TEMPLATE.replace("BEFORE", before).replace("CALLS", calls).replace("BEHIND", behind)
    return ChatTemplate.from_source(source)


def proved(chat_template: ChatTemplate) -> TemplateAnalysis:
    """Return the analysis, which proves whole."""
    analysis = analyze(chat_template)
    assert [(step.name, step.detail) for step in analysis.proof.steps if not step.passed] == []
    assert analysis.proof.tried > 1
    return analysis


def output(
    chat_template: ChatTemplate, *calls: tuple[str, dict[str, Any]], content: str = "", reasoning: str = ""
) -> str:
    """Return what stands behind the prompt in a turn with these calls."""
    question = {"role": "user", "content": "Hello"}
    turn: dict[str, Any] = {"role": "assistant", "content": content}
    if calls:
        turn["tool_calls"] = [
            {"id": f"call{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(calls)
        ]
    if reasoning:
        turn["reasoning_content"] = reasoning
    text = chat_template.render(RenderInputs(messages=[question, turn], tools=TOOLS))
    return text.rpartition(PROMPT)[2]


def parse(analysis: TemplateAnalysis, text: str, chunk: int = 0) -> ParseResult:
    """Parse an output, as a whole or in chunks."""
    parser = build_parser(analysis, tools=TOOLS, generation_prompt=PROMPT)
    if not chunk:
        return parser.parse(text)
    stream = parser.stream()
    for at in range(0, len(text), chunk):
        stream.feed(text[at : at + chunk])
    return stream.close()


def calls_of(result: ParseResult) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls of an output that fits."""
    assert result.error is None, result.error
    return [(call.name, json.loads(call.arguments)) for call in result.message.tool_calls]
