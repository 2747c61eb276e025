"""Formats that take a closer look: templates that need several unusual shapes at once, text that begins like a tag."""

from __future__ import annotations

import pytest

from autoparser_cli.inference import analyze
from autoparser_cli.parsing import build_parser
from autoparser_cli.templates import ChatTemplate

NEEDS_SYSTEM_AND_PARTS = """
{%- if messages[0].role != 'system' %}{{ raise_exception('a system message comes first') }}{% endif -%}
{%- for m in messages -%}
<{{ m.role }}>
{%- if m.content is string %}{{ raise_exception('parts only') }}{% endif -%}
{%- for part in m.content or [] %}{{ part.text }}{% endfor %}
{%- for call in m.tool_calls or [] %}!!{{ call.function.name }}!{{ call.function.arguments | tojson }}!!{% endfor -%}
</{{ m.role }}>
{% endfor -%}
{%- if add_generation_prompt %}<assistant>{% endif %}"""

TAGS_IN_TAGS = """
{%- macro written(value) -%}
{%- if value is mapping -%}
{%- for key, inner in value.items() %}<{{ key }}>{{ written(inner) }}</{{ key }}>{% endfor -%}
{%- else -%}{{ value if value is string else value | tojson }}{%- endif -%}
{%- endmacro -%}
{%- for m in messages -%}
<|{{ m.role }}|>{{ m.content or '' }}
{%- for call in m.tool_calls or [] -%}
<call fn="{{ call.function.name }}">{{ written(call.function.arguments) }}</call>
{%- endfor -%}
<|end|>
{% endfor -%}
{%- if add_generation_prompt %}<|assistant|>{% endif %}"""

TOKEN = """
{%- if not sep_token is defined %}{% set sep_token = '<sep>' %}{% endif -%}
{%- for m in messages %}{{ m.role }}: {{ m.content }}{{ sep_token + (eos_token | default('')) }}{% endfor -%}
{%- if add_generation_prompt %}assistant: {% endif %}"""

WITH_TOOLS = """
{%- for m in messages -%}
<|{{ m.role }}|>{{ m.content or '' }}
{%- SHOWN -%}
{%- for call in m.tool_calls or [] -%}<call>{{ call.function | tojson }}</call>{%- endfor -%}
<|end|>
{% endfor -%}
{%- if add_generation_prompt %}<|assistant|>{% endif %}"""

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "note",
            "parameters": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "place": {"type": "object"}},
            },
        },
    }
]


def test_several_unusual_shapes_at_once_are_found() -> None:
    analysis = analyze(ChatTemplate.from_source(NEEDS_SYSTEM_AND_PARTS))
    assert 0 < analysis.proof.tried == analysis.proof.passed
    assert {warning.code for warning in analysis.warnings} == {"needs-system", "needs-parts"}
    assert analysis.tools.format.per_call_start == "!!"


@pytest.mark.parametrize("text", ["<", "<b", "<b>bold</b>", "</", "<|"])
def test_a_declared_text_that_begins_like_a_tag_is_text(text: str) -> None:
    parser = build_parser(analyze(ChatTemplate.from_source(TAGS_IN_TAGS)), tools=TOOLS)
    result = parser.parse(f'<call fn="note"><text>{text}</text><place><city>Oslo</city></place></call>')
    assert result.error is None
    assert [call.arguments for call in result.message.tool_calls] == [
        f'{{"text": "{text}", "place": {{"city": "Oslo"}}}}'
    ]


def test_a_token_that_the_template_has_a_text_for_is_that_text() -> None:
    analysis = analyze(ChatTemplate.from_source(TOKEN))
    assert analysis.turn.end == "<sep>"
    result = build_parser(analysis).parse("Hello.<sep>")
    assert (result.message.content, result.error) == ("Hello.", None)


@pytest.mark.parametrize(
    ("shown", "supported"),
    [
        ("if m.role == 'system' and tools %}{{ tools | tojson }}{% endif", True),
        ("if loop.first %}{% for tool in tools %}{{ tool | tojson }}{% endfor %}{% endif", True),
        ("if m.role == 'user' and tools %}\n{{ tools | tojson }}{% endif", True),
        (
            "if loop.first and tools %}{% for tool in tools %}{{ tool.function.name }};{% endfor %}{% endif",
            True,
        ),
        ("if loop.first and tools %}You have tools.{% endif", True),
        ("if m.role == 'system' and tools %}{% endif", False),
        ("if false %}{% endif", False),
    ],
    ids=[
        "beside a system message",
        "needed",
        "behind the question",
        "by name",
        "a word on them",
        "none of them",
        "never",
    ],
)
def test_tools_are_supported_wherever_they_are_printed(shown: str, supported: bool) -> None:
    analysis = analyze(ChatTemplate.from_source(WITH_TOOLS.replace("SHOWN", shown)))
    assert analysis.capabilities.supports_tools is supported
    assert 0 < analysis.proof.tried == analysis.proof.passed


@pytest.mark.parametrize(
    "place",
    ["behind the answer", "before the last message", "behind the question", "as an example of a call"],
)
def test_tools_are_no_part_of_a_turn_wherever_they_stand(place: str) -> None:
    example = 'Call so: <call>{"name": "{{ tools[0].function.name }}", "arguments": {}}</call>'
    source = {
        "behind the answer": WITH_TOOLS.replace(
            "{% endfor -%}\n{%- if add",
            "{% endfor -%}\n{%- if tools %}<|tools|>{{ tools | tojson }}<|end|>\n{% endif %}{%- if add",
        ),
        "before the last message": WITH_TOOLS.replace(
            "{%- for m in messages -%}",
            "{%- for m in messages -%}\n"
            "{%- if loop.last and tools %}<|tools|>{{ tools | tojson }}<|end|>\n{% endif -%}",
        ),
    }.get(place, WITH_TOOLS)
    shown = example if place == "as an example of a call" else "{{ tools | tojson }}"
    user = f"if m.role == 'user' and tools %}}\n{shown}{{% endif"
    analysis = analyze(
        ChatTemplate.from_source(
            source.replace("SHOWN", user if source == WITH_TOOLS else "if false %}{% endif")
        )
    )
    assert (analysis.turn.header, analysis.turn.end.strip()) == ("<|assistant|>", "<|end|>")
    assert analysis.tools.format.per_call_start == "<call>"
    assert analysis.tools.format.section_end == ""
    assert analysis.warnings == ()
    assert 6 < analysis.proof.tried == analysis.proof.passed


def test_the_results_that_a_call_needs_are_no_part_of_its_turn() -> None:
    refusal = "{%- if m.tool_calls and loop.last %}{{ raise_exception('a call needs a result') }}{% endif -%}"
    source = WITH_TOOLS.replace("{%- SHOWN -%}", refusal)
    analysis = analyze(ChatTemplate.from_source(source))
    assert {warning.code for warning in analysis.warnings} == {"answered-calls"}
    assert (analysis.tools.format.per_call_end, analysis.tools.format.section_end) == ("</call>", "")
    assert 6 < analysis.proof.tried == analysis.proof.passed


@pytest.mark.parametrize(
    "written",
    ["m.thoughts", "m['thinking_text']", "m.get('inner_reasoning')", "m.cot", "m.analysis"],
)
def test_reasoning_is_read_from_a_field_that_is_named_like_it(written: str) -> None:
    source = WITH_TOOLS.replace(
        "{%- SHOWN -%}", f"{{%- if {written} %}}<think>{{{{ {written} }}}}</think>{{% endif -%}}"
    )
    analysis = analyze(
        ChatTemplate.from_source(
            source.replace("<|{{ m.role }}|>{{ m.content or '' }}\n", "<|{{ m.role }}|>\n").replace(
                "{%- for call", "{{- m.content or '' }}{%- for call"
            )
        )
    )
    assert (analysis.reasoning.start, analysis.reasoning.end) == ("<think>", "</think>")
    assert analysis.reasoning.field in written
    assert 8 < analysis.proof.tried == analysis.proof.passed


@pytest.mark.parametrize("written", ["m.citations", "m.task", "tools.thoughts", "m.count"])
def test_another_field_is_no_reasoning(written: str) -> None:
    source = WITH_TOOLS.replace(
        "{%- SHOWN -%}", f"{{%- if {written} is string %}}<x>{{{{ {written} }}}}</x>{{% endif -%}}"
    )
    assert analyze(ChatTemplate.from_source(source)).reasoning.field == ""
