"""Ways to write calls that are put together from parts: each is inferred, proved, and read back, also in small chunks."""

from __future__ import annotations

import pytest
from call_templates import ODD, OSLO, PROMPT, RING, TOOLS, TYPED, calls_of, output, parse, proved, template

from autoparser_cli.grammars.check import compile_grammar
from autoparser_cli.grammars.dialects import Dialect, Engine
from autoparser_cli.grammars.export import export
from autoparser_cli.parsing import build_parser

FORMATS = {
    "line breaks between a section and its calls": """<calls>
{% for call in calls -%}<call name="{{ call.function.name }}">{{ call.function.arguments | tojson }}</call>
{% endfor -%}</calls>""",
    "calls as the items of an indented list": """<|calls|>[
    {% for call in calls -%}
    {"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
    {%- if not loop.last %},
    {% endif %}{% endfor %}
]<|/calls|>""",
    "objects within objects": """{% for call in calls -%}
<call>{"tool": {"kind": "function", "made": {"id": "{{ call.id }}", "function": {
{%- set arguments = call.function.arguments | tojson -%}
"arguments": {{ arguments }}, "name": "{{ call.function.name }}"}}}}</call>
{%- endfor %}""",
    "one argument a tag": """<do>
{%- for call in calls %}
<fn={{ call.function.name }}>
{% for key, value in call.function.arguments.items() -%}
<p={{ key }}>{{ value if value is string else value | tojson }}</p>
{% endfor -%}
</fn>
{%- endfor %}
</do>""",
    "raw values that only the next key's marker ends": """{% for call in calls -%}
<|fn|>{{ call.function.name }}
{%- for key, value in call.function.arguments.items() -%}
<|key|>{{ key }}<|value|>{{ value if value is string else value | tojson }}
{%- endfor -%}<|/fn|>{% endfor %}""",
    "raw values that only a separator ends": """<|fns|>{% for call in calls -%}
<|fn|>{{ call.function.name }}<|args|>
{%- for key, value in call.function.arguments.items() -%}
{{ key }}<|is|>{{ value if value is string else value | tojson }}{{ '<|and|>' if not loop.last }}
{%- endfor -%}<|/fn|>{% endfor %}<|/fns|>""",
    "a list in which the next call ends the arguments": """<todo>
{% for call in calls -%}
- tool: {{ call.function.name }}
{% for key, value in call.function.arguments.items() %}
{{- '  ' + key + ': ' }}{{ value | tojson }}
{% endfor -%}{% endfor %}</todo>""",
    "the type that a tool declares beside each name": """{% for call in calls -%}
{%- set tool = (tools | selectattr('function.name', 'equalto', call.function.name) | first).function -%}
<call {{ call.function.name }}>
{%- for key, value in call.function.arguments.items() -%}
<arg {{ key }} {{ tool.parameters.properties[key].type }}>{{ value if value is string else value | tojson }}</arg>
{%- endfor -%}</call>{% endfor %}""",
    "quotes for what a tool declares as text": """{% for call in calls -%}
{%- set tool = (tools | selectattr('function.name', 'equalto', call.function.name) | first).function -%}
<call {{ call.function.name }}>
{%- for key, value in call.function.arguments.items() -%}
{%- set text = tool.parameters.properties[key].type == 'string' -%}
<arg {{ key }}>{{ '«' + value + '»' if text else value | tojson }}</arg>
{%- endfor -%}</call>{% endfor %}""",
    "Python's values, and objects as JSON": """<calls>[{% for call in calls -%}
{{ call.function.name }}({% for key, value in call.function.arguments.items() -%}
{{ key }}={{ value | tojson if value is mapping or value is string else value }}{{ ', ' if not loop.last }}
{%- endfor %}){{ ', ' if not loop.last }}{%- endfor %}]</calls>""",
    "lines of keys and raw values": """{% for call in calls -%}
<|fn|>{{ call.function.name }}
{% for key, value in call.function.arguments.items() -%}
{{ key }}={{ value if value is string else value | tojson }}
{% endfor -%}<|/fn|>{% endfor %}""",
    "a type before the name of each argument": """{% for call in calls -%}
<call name="{{ call.function.name }}">
{%- for key, value in call.function.arguments.items() -%}
<arg type="{{ 'string' if value is string else 'json' }}" name="{{ key }}">
{{- value if value is string else value | tojson }}</arg>
{%- endfor -%}</call>{% endfor %}""",
    "a tag for each type, around its value": """{% for call in calls -%}
<call name="{{ call.function.name }}">
{%- for key, value in call.function.arguments.items() -%}
{%- set kind = 'text' if value is string else 'bool' if value is boolean else 'json' -%}
<{{ kind }} name="{{ key }}">{{ value if value is string else value | tojson }}</{{ kind }}>
{%- endfor -%}</call>{% endfor %}""",
    "names and values with entities": """{% for call in calls -%}
<call name="{{ call.function.name }}">
{%- for key, value in call.function.arguments.items() -%}
<arg name="{{ key | e }}">{{ (value if value is string else value | tojson) | e }}</arg>
{%- endfor -%}</call>{% endfor %}""",
    "the name behind its arguments": """<|calls|>{% for call in calls -%}
<|call|>{{ call.function.arguments | tojson }}<|to|>{{ call.function.name }}<|/call|>
{%- endfor -%}<|/calls|>""",
    "numbered calls in a section": """<plan>
{% for call in calls -%}
{{ loop.index }}. {{ call.function.name }} {{ call.function.arguments | tojson }}
{% endfor -%}</plan>""",
    "a list of two or more": """[TOOLS]{% if calls | length > 1 %}[{% endif -%}
{%- for call in calls -%}
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}{{ ', ' if not loop.last }}
{%- endfor -%}{% if calls | length > 1 %}]{% endif %}""",
    "a tag around two or more": """{% if calls | length > 1 %}<all>
{% endif -%}
{%- for call in calls -%}
<call tool="{{ call.function.name }}">{{ call.function.arguments | tojson }}</call>
{% endfor -%}
{%- if calls | length > 1 %}</all>{% endif %}""",
    "a marker of letters no name has, directly behind the name": """{% for call in calls -%}
<|fn|>{{ call.function.name }}
{%- for key, value in call.function.arguments.items() -%}
«key»{{ key }}%is%{{ value if value is string else value | tojson }}
{%- endfor -%}<|/fn|>{% endfor %}""",
    "bare names between markers that could be names": """«calls»
{%- for call in calls -%}
{{ call.function.name }}#{% for key, value in call.function.arguments.items() -%}
<k>{{ key }}<v>{{ value | tojson }}{% endfor %}{{ '\\n' if not loop.last }}
{%- endfor -%}«/calls»""",
    "attributes of a tag that closes itself": """<run>{% for call in calls -%}
<{{ call.function.name }}{% for key, value in call.function.arguments.items() %} {{ key }}={{ value | tojson }}{% endfor %}/>
{%- endfor -%}</run>""",
}
#: Lark's lexer cannot tell the comma of a list from text, which may stand behind a call without a list.
TEXT_MAY_FOLLOW_ONE_CALL = ("a list of two or more",)

TURNS = {
    "one call": (OSLO,),
    "two calls": (OSLO, TYPED),
    "three calls": (TYPED, ODD, OSLO),
    "four calls, one without arguments": (RING, ODD, OSLO, OSLO),
}

#: Formats of which a model would write another one: the section is closed behind the second call, and again behind each later one.
CLOSED_TOO_EARLY = """{% for call in calls -%}
{%- if loop.first %}<calls>{% else %}
{% endif -%}
<call>{{ call.function.name }}<args>{{ call.function.arguments | tojson }}</call>
{%- if not loop.first %}</calls>END{% endif %}
{%- endfor %}"""


@pytest.mark.parametrize("calls", TURNS.values(), ids=TURNS)
@pytest.mark.parametrize("source", FORMATS.values(), ids=FORMATS)
def test_calls_read_back_without_a_repair(source: str, calls: tuple) -> None:
    chat_template = template(source)
    analysis = proved(chat_template)
    text = output(chat_template, *calls)
    result = parse(analysis, text)
    assert calls_of(result) == list(calls)
    assert result.repairs == ()
    assert result.message.content == ""
    assert parse(analysis, text, chunk=3) == result


@pytest.mark.parametrize("end", ["", "<|end|>\n"], ids=["section", "section and turn"])
def test_a_section_that_is_closed_before_its_last_call_goes_on(end: str) -> None:
    chat_template = template(CLOSED_TOO_EARLY.replace("END", end))
    analysis = proved(chat_template)
    calls = (OSLO, TYPED, ODD, RING)
    text = output(chat_template, *calls)
    assert text.count("</calls>") == 3
    result = parse(analysis, text)
    assert calls_of(result) == list(calls)
    assert {repair.name for repair in result.repairs} == {"section-ends-before-a-call"}
    assert parse(analysis, text, chunk=3) == result


def test_a_section_that_is_closed_once_is_not_reopened() -> None:
    analysis = proved(template(CLOSED_TOO_EARLY.replace("END", "")))
    text = '<calls><call>tide<args>{"port": "Oslo"}</call></calls>And more text.<|end|>\n'
    result = parse(analysis, text)
    assert calls_of(result) == [OSLO]
    assert result.message.content == "And more text."


@pytest.mark.parametrize("chunk", [0, 1])
def test_only_a_declared_parameter_ends_a_raw_line(chunk: int) -> None:
    analysis = proved(template(FORMATS["lines of keys and raw values"]))
    text = "<|fn|>tide\nport=Oslo\nharbour=West\nlevel=2\nday\n<|/fn|><|end|>\n"
    result = parse(analysis, text, chunk)
    assert calls_of(result) == [("tide", {"port": "Oslo\nharbour=West", "level": "2\nday"})]
    assert [finding.code for finding in result.findings] == ["wrong-type"]


def test_a_raw_value_that_nothing_ends_is_an_error() -> None:
    analysis = proved(template(FORMATS["raw values that only the next key's marker ends"]))
    result = parse(analysis, "<|fn|>tide<|key|>port<|value|>Oslo<|/f")
    assert result.error is not None and "<|/fn|>" in result.error.expected
    assert result.message.tool_calls == ()


def test_named_fields_show_a_type_that_stands_before_the_name() -> None:
    analysis = proved(template(FORMATS["a tag for each type, around its value"]))
    fields = analysis.tools.arguments
    assert (fields.name_prefix, fields.name_suffix, fields.value_suffix) == ('<TYPE name="', '">', "</TYPE>")


def test_the_type_before_a_name_tells_how_a_value_is_read() -> None:
    analysis = proved(template(FORMATS["a type before the name of each argument"]))
    arguments = '<arg type="string" name="a">5</arg><arg type="json" name="b">5</arg>'
    result = build_parser(analysis).parse(f'<call name="any">{arguments}</call>')
    assert calls_of(result) == [("any", {"a": "5", "b": 5})]


def test_a_type_that_the_template_does_not_print_is_an_error() -> None:
    analysis = proved(template(FORMATS["a type before the name of each argument"]))
    result = parse(analysis, '<call name="tide"><arg type="text" name="port">Oslo</arg></call>')
    assert result.error is not None and 'string" name="' in result.error.expected
    assert result.message.tool_calls == ()


@pytest.mark.parametrize("name", FORMATS)
def test_grammars_take_what_the_template_prints(name: str) -> None:
    chat_template = template(FORMATS[name])
    analysis = proved(chat_template)
    parser = build_parser(analysis, tools=TOOLS, generation_prompt=PROMPT)
    for dialect, engine in ((Dialect.GBNF, Engine.GBNF), (Dialect.LARK, Engine.LARK)):
        if dialect is Dialect.LARK and name in TEXT_MAY_FOLLOW_ONE_CALL:
            continue
        grammar = compile_grammar(export(analysis, parser, dialect), engine)
        for calls in ((OSLO,), (TYPED, OSLO), (RING, RING, OSLO)):
            text = output(chat_template, *calls)
            assert grammar.check(text).accepted, (dialect, text)
        assert not grammar.check(output(chat_template, OSLO).replace("tide", "tyde")).accepted


@pytest.mark.parametrize("chunk", [0, 1, 5])
def test_entities_are_read_back_and_written_by_grammars(chunk: int) -> None:
    chat_template = template(FORMATS["names and values with entities"])
    analysis = proved(chat_template)
    arguments = {'q&a "x" <y>': "fish &amp; chips, <b>'s</b>", "n": [1, "<"]}
    tools = [{"name": "ask", "parameters": {"properties": {key: {} for key in arguments}}}]
    tools[0]["parameters"]["additionalProperties"] = False
    text = output(chat_template, ("ask", arguments))
    assert 'name="q&amp;a' in text and "fish &amp;amp; chips" in text
    parser = build_parser(analysis, tools=tools, generation_prompt=PROMPT)
    stream = parser.stream()
    for at in range(0, len(text), chunk or len(text)):
        stream.feed(text[at : at + (chunk or len(text))])
    assert calls_of(stream.close()) == [("ask", arguments)]
    grammar = compile_grammar(export(analysis, parser, Dialect.GBNF), Engine.GBNF)
    assert grammar.check(text).accepted
    assert not grammar.check(text.replace("q&amp;a", "q&a")).accepted


@pytest.mark.parametrize(
    "written",
    [
        "{% filter escape %}{{ key }}{% endfilter %}",
        "{{ [key] | map('escape') | first }}",
        "{{ key | replace('&', '&#38;') }}",
    ],
)
def test_entities_in_names_are_seen_whatever_writes_them(written: str) -> None:
    source = FORMATS["names and values with entities"].replace("{{ key | e }}", written)
    chat_template = template(source)
    text = output(chat_template, ("ask", {"q&a": "x"}))
    assert 'name="q&a"' not in text
    parser = build_parser(proved(chat_template), generation_prompt=PROMPT)
    assert calls_of(parser.parse(text)) == [("ask", {"q&a": "x"})]


def test_what_only_looks_like_an_entity_stands_for_itself() -> None:
    analysis = proved(template(FORMATS["names and values with entities"]))
    result = parse(analysis, '<call name="tide"><arg name="port">a &copy b &amp &lt; &madeup;</arg></call>')
    assert calls_of(result) == [("tide", {"port": "a &copy b &amp < &madeup;"})]


def test_text_is_left_alone_where_the_template_writes_no_entities() -> None:
    analysis = proved(template(FORMATS["a type before the name of each argument"]))
    text = '<call name="tide"><arg type="string" name="port">a &lt; b</arg></call>'
    assert calls_of(parse(analysis, text)) == [("tide", {"port": "a &lt; b"})]


def test_what_stands_around_several_calls_must_be_closed_and_may_be_left_out() -> None:
    analysis = proved(template(FORMATS["a tag around two or more"]))
    assert analysis.calls is not None
    assert (analysis.calls.several_start, analysis.calls.several_end) == ("<all>\n", "</all>")
    call = '<call tool="tide">{"port": "Oslo"}</call>\n'
    open_ = parse(analysis, f"<all>\n{call}And then?")
    assert open_.error is not None and "</all>" in open_.error.expected
    bare = parse(analysis, f"{call}{call}<|end|>\n")
    assert calls_of(bare) == [OSLO, OSLO]
    assert [repair.name for repair in bare.repairs] == ["missing-section-start"]
    one = parse(analysis, f"<all>\n{call}</all><|end|>\n")
    assert calls_of(one) == [OSLO]


BETWEEN_MARKERS = "{% for call in calls %}\n<call>\n{{ call.function | tojson }}\n</call>{% endfor %}"
ONE = '{"name": "tide", "arguments": {"port": "Oslo"}}'
OTHER = '{"name": "ring", "arguments": {}}'


@pytest.mark.parametrize("chunk", [0, 1])
@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (f"<call>\n[{ONE}, {OTHER}]\n</call>", [OSLO, RING]),
        (f"<call>[{ONE}]</call><|end|>\n", [OSLO]),
        (f"<call>\n[{ONE}]\n</call>\n<call>\n{OTHER}\n</call>", [OSLO, RING]),
    ],
    ids=["two", "one", "one, and one as printed"],
)
def test_a_list_of_calls_in_the_place_of_one_is_a_repair(text: str, calls: list, chunk: int) -> None:
    result = parse(proved(template(BETWEEN_MARKERS)), text, chunk)
    assert calls_of(result) == calls
    assert "calls-as-a-list" in {repair.name for repair in result.repairs}
    assert result.message.content == ""


@pytest.mark.parametrize(
    "text", [f"<call>[{ONE}", f"<call>[{ONE}, {OTHER}</call>", "<call>[1]</call>", "Write <call> [x]."]
)
def test_what_is_no_list_of_calls_is_none(text: str) -> None:
    result = parse(proved(template(BETWEEN_MARKERS)), text)
    assert result.error is not None or result.message.content == text
    assert len(result.message.tool_calls) < 2 or result.error is not None
