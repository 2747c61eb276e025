"""Small templates for the lint rules: a sound one, and how each rule's examples differ from it."""

from __future__ import annotations

from dataclasses import dataclass

#: A template that no rule has anything to say about.
SOUND = """\
{%- macro text(content) -%}
{%- if content is string -%}{{ content }}
{%- elif content -%}{%- for part in content -%}{{ part.text }}{%- endfor -%}
{%- endif -%}
{%- endmacro -%}
{%- if tools -%}
<|system|>Tools: {{ tools | tojson }}<|end|>
{%- endif -%}
{%- for message in messages -%}
<|{{ message.role }}|>
{%- if message.reasoning_content -%}<think>{{ message.reasoning_content }}</think>{%- endif -%}
{{- text(message.content) }}
{%- for call in message.tool_calls or [] -%}
<tool_call>{"name": "{{ call.function.name }}", "arguments":{{ ' ' }}
{%- if call.function.arguments is string -%}{{ call.function.arguments }}
{%- else -%}{{ call.function.arguments | tojson }}
{%- endif -%}
}</tool_call>
{%- endfor -%}
<|end|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}
"""


def changed(old: str, new: str) -> str:
    """Return the sound template with one thing changed."""
    assert old in SOUND, old
    return SOUND.replace(old, new)


def around(body: str) -> str:
    """Return the sound template with something in front of it that is compiled and rendered."""
    return f"{body}{SOUND}"


@dataclass(frozen=True)
class Examples:
    """Templates that a rule must find something in, and near ones in which it must not."""

    wrong: tuple[str, ...]
    right: tuple[str, ...]
