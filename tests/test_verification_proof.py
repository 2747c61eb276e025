"""A proof tries what the template shows: as many turns as it renders, each once, and says which did not come back."""

from __future__ import annotations

import pytest

from autoparser_cli import ChatTemplate, analyze
from autoparser_cli.analysis.model import Proof

TEMPLATE = """\
{%- for tool in tools or [] %}{{ tool.function.name }}:
{%- for key, value in tool.function.parameters.properties.items() %} {{ key }} ({{ PARAMETER }})
{%- endfor %}|{% endfor %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}
{%- for call in m.tool_calls or [] %}<call>{"name": "{{ call.function.name }}", "arguments": {{ ARGUMENTS }}}</call>
{%- endfor %}<|end|>{% endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}"""

CALLS = ["call", "every type", "odd text", "no arguments", "two calls", "three calls", "content and call"]


def proof_of(parameter: str = "value.type", arguments: str = "call.function.arguments | tojson") -> Proof:
    source = TEMPLATE.replace("PARAMETER", parameter).replace("ARGUMENTS", arguments)
    return analyze(ChatTemplate.from_source(source)).proof


@pytest.mark.parametrize(
    "parameter", ["value.type", "value.description + '.'", "value.type + value.description"]
)
def test_calls_are_tried_whatever_the_template_demands_of_a_parameter(parameter: str) -> None:
    proof = proof_of(parameter)
    assert [step.name for step in proof.steps] == ["content", *CALLS]
    assert proof.passed == proof.tried


def test_what_a_template_loses_fails_by_name() -> None:
    kept = "dict(call.function.arguments.items() | selectattr(1, 'ne', none)) | tojson"
    proof = proof_of(arguments=kept)
    failed = [step for step in proof.steps if not step.passed]
    assert [step.name for step in failed] == ["every type"]
    assert "nothing" not in failed[0].detail.split(" in ")[0]
