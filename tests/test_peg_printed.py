"""Arguments that are there as a whole and as printed are read by patterns: they say what the slower readers say."""

from __future__ import annotations

import json

import formats
import pytest
from call_templates import OSLO, calls_of, parse, proved, template

from autoparser_cli.parsing import ParseResult, build_parser

FIELDS = [
    "<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n",
    "<parameter=city>\nOslo\n</parameter>\n<parameter=city>\nRome\n</parameter>\n",
    "<parameter=city>\na</parameter>\n b\n</parameter>\n",
    "<parameter=city>\n\n\n</parameter>\n<parameter=days>\n-0\n</parameter>\n",
    "<parameter=city>Oslo</parameter><parameter=days>3</parameter>",
    "<parameter=city>\nOslo\n</parameter>\n\n<parameter=days>\n 3 \n</parameter>",
    "<parameter=days>\n1e3\n</parameter>\n",
    "<parameter=days>\n007\n</parameter>\n",
    "<parameter=days>\n12345678901234567890\n</parameter>\n",
    "<parameter=days>\nTrue\n</parameter>\n",
    '<parameter=other>\n["a\nb"]\n</parameter>\n',
    "<parameter=/city>\nOslo\n</parameter>\n",
    "<parameter=>\nOslo\n</parameter>\n",
    f"<parameter={'k' * 300}>\nOslo\n</parameter>\n",
    f"<parameter={'k' * 256}>\nOslo\n</parameter>\n",
    f"<parameter={'k' * 257}>\nOslo\n</parameter>\n",
    '<parameter=city>\nsays "a\\b"\té\n</parameter>\n',
    "<parameter=city>\n<parameter=days>\n3\n</parameter>\n",
    "<parameter=other>\n[1, 2]\n</parameter>\n",
    "",
]
MEMBERS = [
    'city:<|"|>Oslo<|"|>,days:3',
    'city:<|"|>Oslo<|"|>,city:<|"|>Rome<|"|>',
    'city:<|"|>a<|b<|"<|"|>',
    'city:<|"|>a "b" \\n \n<|"|>, days: 3 ',
    'city:"a \\"b\\" \\u00e9"',
    "days:-1.5e3,more:[1,{a:true}],none:null",
    "days:007",
    "days:3,",
    "days:3 city:4",
    "a b:3,days:2",
    'città:<|"|>Oslo<|"|>',
    "days:True,city:None",
    "days:<|city:3",
    "",
]


def read(name: str, output: str, size: int, lenient: bool = False) -> ParseResult:
    stream = build_parser(getattr(formats, name), formats.TOOLS, lenient=lenient).stream()
    for at in range(0, len(output), size):
        stream.feed(output[at : at + size])
    return stream.close()


@pytest.mark.parametrize("fields", FIELDS)
def test_printed_fields_say_what_fields_in_pieces_say(fields: str) -> None:
    output = f"<tool_call>\n<function=get_weather>\n{fields}</function>\n</tool_call>"
    whole = read("CODER", output, len(output))
    assert whole == read("CODER", output, 1) == read("CODER", output, 5)


@pytest.mark.parametrize("members", MEMBERS)
def test_printed_members_say_what_members_in_pieces_say(members: str) -> None:
    output = f"<|tool_call>call:get_weather{{{members}}}<tool_call|>"
    whole = read("GEMMA", output, len(output))
    assert whole == read("GEMMA", output, 1) == read("GEMMA", output, 5)


def test_what_is_printed_is_given_out_as_json() -> None:
    fields = f"<tool_call>\n<function=get_weather>\n{FIELDS[0]}</function>\n</tool_call>"
    members = f"<|tool_call>call:get_weather{{{MEMBERS[0]}}}<tool_call|>"
    for name, output in (("CODER", fields), ("GEMMA", members)):
        (call,) = read(name, output, len(output)).message.tool_calls
        assert json.loads(call.arguments) == {"city": "Oslo", "days": 3}


CALLS = [
    '{"name":\u00a0"get_weather", "arguments": {"city": "Oslo"}}',
    '{"name": "get_weather",\u2028"arguments": {"city": "Oslo"}}',
    '{\u2003"name": "get_weather", "arguments": {"city": "Oslo"}}',
    '{"name": "get_weather"\n,\t"arguments" :\r\n{"city": "Oslo"}}',
    '{"name": "get_weather", "arguments": {"city": "Oslo"}, "id": {}}',
    '{"name": "get_weather", "arguments": null}',
    '{"name": "get_weather", "arguments": nul}',
]


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_a_printed_record_says_what_a_record_in_pieces_says(call: str, lenient: bool) -> None:
    output = f"<tool_call>\n{call}\n</tool_call>"
    whole = read("HERMES", output, len(output), lenient)
    assert whole == read("HERMES", output, 1, lenient) == read("HERMES", output, 5, lenient)


def test_white_space_behind_what_opens_a_name_is_no_part_of_it() -> None:
    chat_template = template(
        "{% for call in calls -%}<call {{ call.function.name }}>"
        "{%- for key, value in call.function.arguments.items() -%}<arg {{ key }}>{{ value }}</arg>"
        "{%- endfor -%}</call>{% endfor %}"
    )
    analysis = proved(chat_template)
    text = "<call tide><arg  port>Oslo</arg></call>"
    whole = parse(analysis, text)
    assert calls_of(whole) == [OSLO]
    assert [repair.name for repair in whole.repairs] == ["white-space"]
    assert parse(analysis, text, chunk=1) == whole


@pytest.mark.parametrize("chunk", [0, 1, 4])
def test_an_id_that_is_no_string_is_given_out_as_a_whole(chunk: int) -> None:
    analysis = proved(
        template(
            "{% for call in calls -%}<call>"
            '{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}, "id": "{{ call.id }}"}'
            "</call>{% endfor %}"
        )
    )
    for written in ('{"a": [1]}', "[12, 3]", "123"):
        text = f'<call>{{"name": "ring", "arguments": {{}}, "id": {written}}}</call>'
        result = parse(analysis, text, chunk)
        assert calls_of(result) == [("ring", {})]
        assert result.message.tool_calls[0].id == written
