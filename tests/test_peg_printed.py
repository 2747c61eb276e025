"""Arguments that are there as a whole and as printed are read by patterns: they say what the slower readers say."""

from __future__ import annotations

import json

import formats
import pytest

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


def read(name: str, output: str, size: int) -> ParseResult:
    stream = build_parser(getattr(formats, name), formats.TOOLS).stream()
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
