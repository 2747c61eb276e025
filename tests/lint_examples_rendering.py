"""Wrong and near templates for the rules that render (AP0xx) and parse back (AP1xx)."""

from __future__ import annotations

from tests.lint_templates import SOUND, Examples, around, changed

_TEXT = "{{- text(message.content) }}"
_ARGUMENTS = (
    "{%- if call.function.arguments is string -%}{{ call.function.arguments }}\n"
    "{%- else -%}{{ call.function.arguments | tojson }}\n{%- endif -%}"
)
_LOOP = "{%- for message in messages -%}"
_CALLS = "{%- for call in message.tool_calls or [] -%}"
_CALL_NAME = '"name": "{{ call.function.name }}"'
_PROMPT = "{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}"
_REASONING = "{%- if message.reasoning_content -%}<think>{{ message.reasoning_content }}</think>{%- endif -%}"
_PLAIN = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"


def _tagged(value: str) -> str:
    """Return the sound template with arguments as tags around `value`."""
    body = f"{{%- for k, v in call.function.arguments.items() -%}}<p={{{{ k }}}}>{value}</p>{{%- endfor -%}}"
    call = changed(_ARGUMENTS, body)
    return call.replace(
        '{"name": "{{ call.function.name }}", "arguments":{{ \' \' }}', "<f={{ call.function.name }}>"
    ).replace("}</tool_call>", "</f></tool_call>")


EXAMPLES = {
    "AP001": Examples(
        (
            "{% if x %}",
            "{{ messages[0].content }",
            "{% for m in messages %}{% endif %}",
            "{% frobnicate %}",
            "{% break %}",
        ),
        (SOUND, "{# {% if x %} #}ok", "{% raw %}{% if x %}{% endraw %}"),
    ),
    "AP002": Examples(
        (
            around("{{ messages[1].content.upper() }}"),
            around("{{ persona.name }}"),
            around("{{ raise_exception('no') }}"),
            around("{% for tool in tools %}{{ tool.name }}{% endfor %}"),
        ),
        (
            SOUND,
            around("{{ persona }}"),
            around("{% for tool in tools or [] %}{{ tool.name }}{% endfor %}"),
            around("{% if not messages %}{{ raise_exception('no') }}{% endif %}"),
            (
                "{% for m in messages %}{% for part in m.content %}{{ part['text'] + '' }}{% endfor "
                "%}{% endfor %}"
            ),
        ),
    ),
    "AP003": Examples(
        (
            changed(
                _LOOP,
                _LOOP
                + (
                    "{% if message.role == 'system' and not loop.first %}{{ raise_exception('late') "
                    "}}{% endif %}"
                ),
            ),
            changed(
                _LOOP,
                _LOOP
                + (
                    "{% if loop.previtem and loop.previtem.role == message.role == 'user' %}{{ "
                    "raise_exception('two') }}{% endif %}"
                ),
            ),
            changed(
                _LOOP, _LOOP + "{% if message.role == 'developer' %}{{ raise_exception('who') }}{% endif %}"
            ),
            changed(
                _LOOP,
                _LOOP
                + (
                    "{% if message.role == 'tool' and loop.previtem.role == 'tool' %}{{ "
                    "raise_exception('two') }}{% endif %}"
                ),
            ),
        ),
        (
            SOUND,
            changed(_LOOP, _LOOP + "{% if message.role == 'robot' %}{{ raise_exception('who') }}{% endif %}"),
            changed(
                _LOOP, _LOOP + "{% if message.content is none %}{{ raise_exception('none') }}{% endif %}"
            ),
        ),
    ),
    "AP004": Examples(
        (
            changed(
                _ARGUMENTS, "{%- for k, v in call.function.arguments.items() -%}{{ k }}={{ v }}{%- endfor -%}"
            ),
            changed(_ARGUMENTS, "{{ '' + call.function.arguments }}"),
            changed(
                _ARGUMENTS,
                (
                    "{%- if call.function.arguments is string -%}{{ raise_exception('no') }}{%- endif "
                    "-%}{{ call.function.arguments | tojson }}"
                ),
            ),
        ),
        (SOUND, changed(_ARGUMENTS, "{{ call.function.arguments | tojson }}"), _PLAIN),
    ),
    "AP005": Examples(
        (
            changed(_ARGUMENTS, "{{ call.function.arguments | tojson }}"),
            changed(_ARGUMENTS, "{{ call.function.arguments | tojson(indent=None) }}"),
            changed(_ARGUMENTS, "{% set a = call.function.arguments %}{{ a | tojson | trim }}"),
        ),
        (
            SOUND,
            # JSON in a string for both: encoded once more on purpose.
            changed(
                _ARGUMENTS,
                (
                    "{{ (call.function.arguments if call.function.arguments is string else "
                    "call.function.arguments | tojson) | tojson }}"
                ),
            ),
            changed(_ARGUMENTS, "{{ call.function.arguments }}"),
        ),
    ),
    "AP006": Examples(
        (
            changed(_TEXT, "{{ message.content }}"),
            changed(_TEXT, "{{ message.content | string }}"),
            changed(_TEXT, "{{ message['content'] ~ '' }}"),
        ),
        (
            SOUND,
            changed(_TEXT, "{{ message.content or '' }}"),
            changed(_TEXT, "{% if message.content %}{{ message.content }}{% endif %}"),
        ),
    ),
    "AP007": Examples(
        (
            changed(_TEXT, "{{ message.content + '' }}"),
            changed(_TEXT, "{{ message.content.strip() }}"),
            changed(_TEXT, "{% if '</think>' in message.content %}{% endif %}{{ message.content }}"),
        ),
        (
            SOUND,
            changed(_TEXT, "{{ (message.content or '') + '' }}"),
            changed(_TEXT, "{{ message.content | trim }}"),
        ),
    ),
    "AP008": Examples(
        (
            changed(_TEXT, "{{ message.content or '' }}"),
            changed(_TEXT, "{{ '' + (message.content or '') }}"),
            changed(_TEXT, "{% for part in message.content or [] %}{{ part.text }}{% endfor %}"),
            changed(_TEXT, "{% if message.content is string %}{{ message.content }}{% endif %}"),
        ),
        (
            SOUND,
            changed(_TEXT, "{{ message.content if message.content is string else text(message.content) }}"),
            changed("{{ part.text }}", "{{ part['text'] }}"),
        ),
    ),
    "AP009": Examples(
        (
            changed(_LOOP, "{%- for message in messages if message.role != 'system' -%}"),
            changed(_LOOP, "{%- for message in messages[:1] -%}"),
            changed(_TEXT, "{% if message.role == 'user' %}" + _TEXT + "{% endif %}"),
            changed(_LOOP, "{%- for message in messages if message.role != 'developer' -%}"),
            changed(_LOOP, "{%- for message in conversations or [] -%}"),
        ),
        (
            SOUND,
            changed(_TEXT, "{{- text(message.content) | trim }}"),
            changed(_LOOP, "{%- for message in messages if message.role != 'robot' -%}"),
        ),
    ),
    "AP010": Examples(
        (
            around("{{ messages[0].content }}"),
            changed(_TEXT, _TEXT * 2),
            changed(
                _LOOP,
                "{% if messages[0].role == 'system' %}<|system|>{{ messages[0].content }}{% endif %}" + _LOOP,
            ),
        ),
        (
            SOUND,
            changed(
                _LOOP,
                (
                    "{% if messages[0].role == 'system' %}{{ messages[0].content }}{% endif %}{% for "
                    "message in messages if message.role != 'system' %}"
                ),
            ),
            around("{{ messages[0].role }}"),
        ),
    ),
    "AP011": Examples(
        (
            changed(_LOOP, "{%- for message in messages | reverse -%}"),
            changed(_LOOP, "{%- for message in messages | sort(attribute='role') -%}"),
            changed(
                _LOOP,
                (
                    "{%- for m in messages if m.role == 'system' %}{{ m.content }}{% endfor %}{%- for "
                    "message in messages if message.role != 'system' -%}"
                ),
            ),
        ),
        (
            SOUND,
            changed(_LOOP, "{%- for message in messages[:-1] + messages[-1:] -%}"),
            changed(_LOOP, "{%- for message in messages[::1] -%}"),
        ),
    ),
    "AP012": Examples(
        (
            changed("{{ tools | tojson }}", "{{ tools }}"),
            changed(
                "{{ tools | tojson }}",
                (
                    "{% for tool in tools %}{{ tool.function.parameters.properties }}{% endfor %}{{ "
                    "tools | tojson }}"
                ),
            ),
            changed("{{ call.function.arguments | tojson }}", "{{ call.function.arguments }}"),
            changed("{{ tools | tojson }}", "{{ tools[0].function.parameters.required }}"),
            _tagged("{{ v }}"),
            _tagged("{{ v | tojson if v is mapping or v is sequence else v | string }}"),
            changed(_TEXT, "{% if message.role == 'tool' %}{{ message }}{% else %}" + _TEXT + "{% endif %}"),
        ),
        (
            SOUND,
            changed("{{ tools | tojson }}", "{{ tools | tojson(indent=2) }}"),
            changed("{{ tools | tojson }}", "{% for tool in tools %}{{ tool.function.name }}{% endfor %}"),
            _tagged("{{ v if v is string else v | tojson }}"),
            # Python's calls throughout are a notation of their own.
            _tagged('{{ "\'" ~ v ~ "\'" if v is string else v }}'),
        ),
    ),
    "AP013": Examples(
        (
            changed(_CALLS, "{%- for call in [] -%}"),
            changed(_CALLS, "{%- for call in message.calls or [] -%}"),
            changed(
                _CALLS, "{% if message.tool_calls %}{{ raise_exception('no calls') }}{% endif %}" + _CALLS
            ),
        ),
        (SOUND, changed(_CALLS, "{%- for call in message['tool_calls'] or [] -%}"), _PLAIN),
    ),
    "AP014": Examples(
        (
            changed(_CALLS, "{%- for call in (message.tool_calls or [])[:1] -%}"),
            changed(
                _CALLS,
                (
                    "{% if message.tool_calls and message.tool_calls | length > 1 %}{{ "
                    "raise_exception('one') }}{% endif %}"
                )
                + _CALLS,
            ),
            changed(_CALLS, "{%- for call in (message.tool_calls or [])[-1:] -%}"),
        ),
        (
            SOUND,
            changed(_CALLS, "{%- for call in (message.tool_calls or [])[:2] -%}"),
            changed(_CALLS, "{%- for call in [] -%}"),
        ),
    ),
    "AP015": Examples(
        (
            changed(_LOOP, "{%- for message in messages if message.role != 'tool' -%}"),
            changed(_TEXT, "{% if message.role != 'tool' %}" + _TEXT + "{% endif %}"),
            changed(
                _LOOP, _LOOP + "{% if message.role == 'tool' %}{{ raise_exception('no results') }}{% endif %}"
            ),
        ),
        (
            SOUND,
            changed(_CALLS, "{%- for call in [] -%}"),
            changed(_LOOP, "{%- for message in messages if message.role != 'ipython' -%}"),
        ),
    ),
    "AP016": Examples(
        (
            changed("{%- if tools -%}", "{%- if false -%}"),
            changed("{%- if tools -%}", "{%- if functions -%}"),
            changed("{%- if tools -%}", "{%- if tools and persona is defined -%}"),
        ),
        (SOUND, changed("{{ tools | tojson }}", "{{ tools | length }}"), _PLAIN),
    ),
    "AP017": Examples(
        (
            changed(_CALL_NAME, _CALL_NAME + ', "id": "{{ call.id }}"'),
            changed(_TEXT, "{{ message.tool_call_id or '' }}" + _TEXT),
            changed(_TEXT, "{% if message.role == 'tool' %}[{{ message.tool_call_id }}]{% endif %}" + _TEXT),
        ),
        (
            SOUND,
            changed(_CALL_NAME, _CALL_NAME + ', "id": "{{ call.id }}"').replace(
                _TEXT, "{{ message.tool_call_id or '' }}" + _TEXT
            ),
            changed(_CALL_NAME, _CALL_NAME + ', "id": "{{ loop.index }}"'),
        ),
    ),
    "AP018": Examples(
        (
            changed(_PROMPT, ""),
            changed(_PROMPT, "{% if add_generation_prompt and false %}<|assistant|>{% endif %}"),
            changed(_PROMPT, "{{ '' if add_generation_prompt else '' }}"),
        ),
        (
            SOUND,
            (
                "{% for m in messages %}{{ '[INST]' + m.content + '[/INST]' if m.role == 'user' else "
                "m.content }}{% endfor %}"
            ),
            changed("<|assistant|>", "#"),
        ),
    ),
    "AP019": Examples(
        (
            changed(_PROMPT, "{% if add_generation_prompt %}<|assistant|>{% else %}<|eos|>{% endif %}"),
            around("{% if add_generation_prompt %}Answer now.{% endif %}"),
            changed(
                "<|end|>\n{%- endfor -%}",
                "{% if not (loop.last and add_generation_prompt) %}<|end|>{% endif %}{%- endfor -%}",
            ),
        ),
        (
            SOUND,
            changed(_PROMPT, ""),
            changed(_PROMPT, "{% if add_generation_prompt %}\n<|assistant|>\n<think>\n{% endif %}"),
        ),
    ),
    "AP020": Examples(
        (
            changed("<|end|>\n{%- endfor -%}", "<|end|>{% if loop.last %}<|eos|>{% endif %}{%- endfor -%}"),
            changed(_PROMPT, "{% if add_generation_prompt %}<|assistant|>{% else %}<|eos|>{% endif %}"),
            around("{{ messages | length }}"),
            changed(
                _TEXT, "{% if message.role == 'assistant' and loop.last %}<think></think>{% endif %}" + _TEXT
            ),
        ),
        (
            SOUND,
            changed("<|end|>\n{%- endfor -%}", "{% if not loop.last %}<|end|>{% endif %}{%- endfor -%}"),
            around("{{ messages[0].role }}"),
        ),
    ),
    "AP021": Examples(
        (
            around("{{ strftime_now('%Y-%m-%d') }}"),
            around("{% set today = strftime_now('%d %b') %}Today is {{ today }}."),
            around("{% if strftime_now is defined %}{{ strftime_now('%B') }}{% endif %}"),
        ),
        (SOUND, around("{% set today = strftime_now('%Y') %}"), around("{{ date_string or '26 Jul 2024' }}")),
    ),
    "AP022": Examples(
        (
            changed(_TEXT, "<turn>" + _TEXT + "{% if message.role == 'user' %}</turn>{% endif %}"),
            (
                "{% for m in messages %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]{% else "
                "%}{{ m.content }}[/INST]{% endif %}{% endfor %}"
            ),
            changed(
                _TEXT,
                "<|msg_start|>"
                + _TEXT
                + "{% if message.role == 'user' %}<|msg_start|>{% endif %}<|msg_end|>",
            ),
        ),
        (
            SOUND,
            changed(_TEXT, "<turn>" + _TEXT + "</turn>"),
            # Only ever opened: a separator, not one of a pair.
            changed(_TEXT, "<turn>" + _TEXT),
        ),
    ),
    "AP023": Examples(
        (
            around("{{ bos_token }}{{ bos_token }}"),
            around("{{ bos_token }}\n{{ bos_token }}"),
            changed(_LOOP, "{{ bos_token }}" + _LOOP + "{{ bos_token }}"),
        ),
        (SOUND, around("{{ bos_token }}"), changed(_LOOP, _LOOP + "{{ bos_token }}")),
    ),
    "AP024": Examples(
        (
            changed(_TEXT, "{% if not message.tool_calls %}" + _TEXT + "{% endif %}"),
            changed(
                _TEXT,
                "{% if message.tool_calls and message.content %}{{ raise_exception('both') }}{% endif %}"
                + _TEXT,
            ),
            changed(_TEXT, "{{ '' if message.tool_calls else text(message.content) }}"),
        ),
        (
            SOUND,
            changed(_TEXT, "{% if message.content %}" + _TEXT + "{% endif %}"),
            changed(_CALLS, "{%- for call in [] -%}"),
        ),
    ),
    "AP025": Examples(
        (
            changed(_TEXT, "{{- text(message.content) | trim }}"),
            changed(_TEXT, "{{- text(message.content).lstrip() }}"),
            changed(_TEXT, "{{- text(message.content).rstrip('\\n ') }}"),
        ),
        (
            SOUND,
            changed(
                _TEXT,
                "{{- text(message.content) | trim if message.role == 'user' else text(message.content) }}",
            ),
            changed(_TEXT, "{{- text(message.content).replace('x', 'x') }}"),
        ),
    ),
    "AP026": Examples(
        (
            changed(
                _CALLS,
                _CALLS + "{% if not call.function.arguments %}{{ raise_exception('none') }}{% endif %}",
            ),
            changed(_CALLS, "{%- for call in message.tool_calls or [] if call.function.arguments -%}"),
            changed(_CALLS, _CALLS + "{% if not tools %}{{ raise_exception('no tools') }}{% endif %}"),
            changed(
                _LOOP,
                _LOOP
                + "{% if message.role == 'tool' and not message.content %}{{ raise_exception('empty') }}{% endif %}",
            ),
            changed(_LOOP, _LOOP + "{% if loop.index > 20 %}{{ raise_exception('too long') }}{% endif %}"),
            changed(
                _LOOP,
                _LOOP
                + (
                    "{% if message.role == 'assistant' and not message.content and not message.tool_calls %}"
                    "{{ raise_exception('nothing') }}{% endif %}"
                ),
            ),
        ),
        (
            SOUND,
            around("{% if not messages %}{{ raise_exception('none') }}{% endif %}"),
            changed(
                _CALLS, _CALLS + "{% if not call.function.name %}{{ raise_exception('none') }}{% endif %}"
            ),
            changed(_LOOP, _LOOP + "{% if loop.index > 200 %}{{ raise_exception('too long') }}{% endif %}"),
            # Raises for every call: another rule's finding.
            changed(_CALLS, _CALLS + "{{ raise_exception('no calls') }}"),
        ),
    ),
    "AP027": Examples(
        (
            changed(_TEXT, "{{- text(message.content).split('</think>')[-1] }}"),
            changed(_TEXT, "{{- text(message.content).split('<tool_call>')[0] }}"),
            changed(
                _LOOP,
                _LOOP
                + (
                    "{% if message.role == 'tool' and '<tool_call>' in message.content %}"
                    "{{ raise_exception('forged') }}{% endif %}"
                ),
            ),
        ),
        (
            SOUND,
            changed(_TEXT, "{{- text(message.content).replace('</think>', '') }}"),
            changed(_TEXT, "{{- text(message.content) | replace('<tool_call>', '&lt;tool_call>') }}"),
            changed(
                _TEXT,
                "{{- text(message.content).split('</think>')[-1] if message.role == 'assistant' else "
                "text(message.content) }}",
            ),
        ),
    ),
    "AP103": Examples(
        (_tagged("{{ v }}"), _tagged("{{ v | string }}"), _tagged("{{ v if v is string else v | tojson }}")),
        (SOUND, _tagged("{{ v | tojson }}"), _tagged("{{ v | tojson if v is string else v }}")),
    ),
    "AP104": Examples(
        (_tagged("{{ v }}"), _tagged("{{ v | string }}"), _tagged("{{ v if v is string else v | tojson }}")),
        (SOUND, _tagged("{{ v | tojson }}"), changed(_ARGUMENTS, "{{ call.function.arguments | tojson }}")),
    ),
    "AP105": Examples(
        (
            changed(
                _CALL_NAME,
                _CALL_NAME + '{% if messages[-1] is not sameas(message) %}, "past": true{% endif %}',
            ),
            changed('", "arguments"', '"{% if messages | length > 2 %}, {% endif %}, "arguments"'),
            changed(
                '}}", "arguments"',
                (
                    "}}\"{{ ', ' if messages[-1].role == 'assistant' and messages[-1].tool_calls else "
                    "' , ' }}\"arguments\""
                ),
            ),
        ),
        (SOUND, changed(_CALL_NAME, _CALL_NAME + ', "id": "{{ call.id }}"'), _PLAIN),
    ),
    "AP107": Examples(
        (
            changed(_REASONING, "{{ message.reasoning_content or '' }}"),
            changed(
                _REASONING, "{% if message.reasoning_content %}{{ message.reasoning_content }}{% endif %}"
            ),
            changed(_REASONING, "").replace(
                _TEXT,
                (
                    "{% if message.tool_calls %}<think>{{ message.reasoning_content or message.content "
                    "}}</think>{% else %}"
                )
                + _TEXT
                + "{% endif %}",
            ),
        ),
        (SOUND, changed(_REASONING, ""), changed("<think>", "[[").replace("</think>", "]]")),
    ),
}
