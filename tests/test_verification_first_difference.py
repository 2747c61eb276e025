"""A turn that does not come back is traced to the line that wrote what was lost."""

from __future__ import annotations

import pytest

from autoparser_cli import ChatTemplate, analyze
from autoparser_cli.analysis.model import ProofStep

HEAD = (
    "{% for m in messages %}\n"
    "<|{{ m.role }}|>{{ m.content or '' }}\n"
    "{%- for c in m.tool_calls or [] %}\n"
    '<call>{"name": "{{ c.function.name }}", "arguments": '
)
TAIL = "}</call>\n{% endfor %}\n<|end|>\n{% endfor %}\n{% if add_generation_prompt %}<|assistant|>{% endif %}"


def failed(value: str) -> list[ProofStep]:
    template = ChatTemplate.from_source(f"{HEAD}\n{value}\n{TAIL}")
    return [step for step in analyze(template).proof.steps if not step.passed]


@pytest.mark.parametrize(
    "value",
    [
        "{{ c.function.arguments | tojson | replace('quotes', 'marks') }}",
        "{{ c.function.arguments | tojson | replace(': 3', ': 4') }}",
        "{{ c.function.arguments | tojson | replace('0.5', '0.25') }}",
    ],
)
def test_the_line_of_a_changed_value_is_told(value: str) -> None:
    (step,) = failed(value)
    assert (step.name, step.line) == ("every type", 5)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("replace(': 3', ': 4')", "the argument `days` is 4 instead of 3, in '<call>"),
        ("replace('false', '0')", "the argument `metric` is 0 instead of false, in '<call>"),
        ("replace('\"nothing\": null, ', '')", "the argument `nothing` is missing, in '<call>"),
        ("replace('nothing', 'any')", "the argument `nothing` is missing, in '<call>"),
        ('replace(\'"text":\', \'"more": 1, "text":\')', "the argument `more` was not given, in '<call>"),
    ],
)
def test_a_failed_turn_tells_what_came_back_and_what_was_printed(change: str, told: str) -> None:
    (step, *_) = failed(f"{{{{ c.function.arguments | tojson | {change} }}}}")
    assert step.detail.startswith(told)


def test_the_line_of_reasoning_that_reads_like_content_is_told() -> None:
    source = f"{HEAD}{{{{ c.function.arguments | tojson }}}}{TAIL}".replace(
        "\n<|{{ m.role }}|>", "\n<|{{ m.role }}|>\n{{ m.reasoning_content or '' }}\n"
    )
    steps = analyze(ChatTemplate.from_source(source)).proof.steps
    assert [(step.name, step.line) for step in steps if not step.passed] == [
        ("reasoning and content", 3),
        ("reasoning and call", 3),
    ]


@pytest.mark.parametrize(
    "value", ["{{ c.function.arguments | tojson }}", "{{ c.function.arguments | tojson | trim }}"]
)
def test_turns_that_come_back_have_no_line(value: str) -> None:
    assert failed(value) == []
    template = ChatTemplate.from_source(f"{HEAD}{value}{TAIL}")
    assert {step.line for step in analyze(template).proof.steps} == {None}
