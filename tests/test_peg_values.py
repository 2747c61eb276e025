"""Values in pieces: JSON verbatim, other forms as JSON text, raw text by its declared types."""

from __future__ import annotations

import json

import pytest

from autoparser_cli.peg.encoded_values import encoded_value
from autoparser_cli.peg.expressions import JSON_SYNTAX, Syntax
from autoparser_cli.peg.json_values import json_value
from autoparser_cli.peg.schema import declared_types, property_types
from autoparser_cli.peg.source import Match, Source
from autoparser_cli.peg.values import raw_to_json

PYTHON = Syntax((("'", "'"), ('"', '"')), "python", true="True", false="False", null="None")
GEMMA = Syntax((('<|"|>', '<|"|>'),), "none", bare_keys=True)


def read(make: object, text: str, size: int) -> tuple[bool, str, list[str]]:
    source = Source()
    match: Match | None = None
    done: bool | None = None
    events = []
    for at in range(0, len(text), size):
        source.feed(text[at : at + size])
        match = match or make(source)  # type: ignore[operator]
        if done is None:
            done = _resume(match)
        events += source.take()
    source.close()
    if done is None and match is not None:
        done = _resume(match)
    events += source.take()
    value = "".join(part for kind, part, _ in events if kind == "arguments")
    return bool(done), value, [part for kind, part, _ in events if kind == "repair"]


def _resume(match: Match) -> bool | None:
    try:
        next(match)
    except StopIteration as stop:
        return bool(stop.value)
    return None


def read_json(text: str, size: int = 1) -> tuple[bool, str]:
    return read(lambda source: json_value(source, "arguments"), text, size)[:2]


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, -2.5e3, true, null, {"b": "x\\u00e9\\n\\""}], "c": {}}',
        "[]",
        '""',
        "{ }",
        "[ 1 ,2]",
        '"\\\\"',
    ],
)
@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_json_is_given_out_verbatim(text: str, size: int) -> None:
    assert read_json(text + " rest", size) == (True, text)


def test_a_number_ends_only_where_something_else_begins() -> None:
    assert read_json("3.14}", 2) == (True, "3.14")
    assert read_json("3.14", 2) == (True, "3.14")


@pytest.mark.parametrize(
    "text",
    ['{"a" 1}', "{a: 1}", '["x" "y"]', '{"a": }', '"\\x"', '"a\nb"', "01,", "NaN", "[1,]", '{"a": 1,}', "}"],
)
@pytest.mark.parametrize("size", [1, 100])
def test_what_is_not_json_fails(text: str, size: int) -> None:
    assert not read_json(text, size)[0]


@pytest.mark.parametrize("text", ['{"a": "b', "[1, 2", '"x\\u00', '{"a"', "tru"])
def test_json_cut_short_fails(text: str) -> None:
    assert not read_json(text)[0]


def test_depth_does_not_matter() -> None:
    text = "[" * 20000 + "]" * 20000
    assert read_json(text, 5000) == (True, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': True, 'b': [None, 'x\\'y\\n\\x41\\u00e9'], \"c\": 'say \"hi\"'}",
         {"a": True, "b": [None, "x'y\nAé"], "c": 'say "hi"'}),
        ("'\\\\d+'", "\\d+"),
        ("'\\d'", "\\d"),
        ("[]", []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 3, 100])
def test_python_values_become_json(text: str, value: object, size: int) -> None:
    done, shown, repairs = read(lambda source: encoded_value(source, "arguments", PYTHON), text + ")", size)
    assert done
    assert json.loads(shown) == value
    assert repairs == []


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_own_quotes_and_bare_keys_become_json(size: int) -> None:
    text = '{city:<|"|>a,"b\\n}<|"|>,key with space:1.5e-05,in:{x:[true,null]},t:<|"|><|"<|"|>}'
    done, shown, _ = read(lambda source: encoded_value(source, "arguments", GEMMA), text, size)
    assert done
    assert json.loads(shown) == {
        "city": 'a,"b\\n}', "key with space": 1.5e-05, "in": {"x": [True, None]}, "t": '<|"',
    }  # fmt: skip


def test_a_literal_of_another_language_is_a_repair() -> None:
    done, shown, repairs = read(lambda source: encoded_value(source, "arguments", PYTHON), "[true]", 1)
    assert (done, shown, repairs) == (True, "[true]", ["literal-of-another-language"])


@pytest.mark.parametrize("size", [1, 3, 100])
def test_constants_of_python_in_json_are_repairs(size: int) -> None:
    text = '{"a": True, "b": [None, "True"], "c": False}'
    done, shown, repairs = read(lambda source: json_value(source, "arguments"), text + ".", size)
    assert (done, shown) == (True, '{"a": true, "b": [null, "True"], "c": false}')
    assert repairs == ["literal-of-another-language"] * 3


@pytest.mark.parametrize("text", ['{"a": Truely}', '{"a": TRUE}', "{True: 1}"])
def test_other_words_in_json_are_none(text: str) -> None:
    assert not read_json(text + ".")[0]


@pytest.mark.parametrize("text", ["nonsense ", "{'a' 1}", "[1 2]", "{x:1}", "1_000 "])
def test_what_is_no_value_fails(text: str) -> None:
    assert not read(lambda source: encoded_value(source, "arguments", PYTHON), text, 1)[0]


STRING, INTEGER = frozenset({"string"}), frozenset({"integer"})


@pytest.mark.parametrize(
    ("text", "types", "shown"),
    [
        ("5", STRING, '"5"'),
        ('{"a": 1}', STRING, '"{\\"a\\": 1}"'),
        (" 5\n", INTEGER, "5"),
        ("2 dollars", INTEGER | STRING, '"2 dollars"'),
        ("2", INTEGER | STRING, "2"),
        ("null", frozenset({"null", "string"}), "null"),
        ("01234", frozenset({"null", "string"}), '"01234"'),
        ("2026-08-03", frozenset({"null", "string"}), '"2026-08-03"'),
        ("1e20", frozenset({"number"}), "1e20"),
        ("3.0", INTEGER, "3.0"),
        ("seven", INTEGER, '"seven"'),
        ("5", None, "5"),
        ("text", None, '"text"'),
        ("NaN", frozenset({"number"}), '"NaN"'),
        ('["a", 1]', frozenset({"array"}), '["a", 1]'),
        ("{not json", frozenset({"object", "string"}), '"{not json"'),
        ("9" * 5000, STRING | INTEGER, json.dumps("9" * 5000)),
    ],
)
def test_raw_text_is_read_by_its_declared_types(text: str, types: frozenset[str] | None, shown: str) -> None:
    assert raw_to_json(text, types, JSON_SYNTAX) == (shown, "")


def test_python_in_raw_text_is_a_repair_unless_the_template_prints_it() -> None:
    boolean = frozenset({"boolean"})
    assert raw_to_json("True", boolean, JSON_SYNTAX) == ("true", "literal-of-another-language")
    assert raw_to_json("True", boolean, PYTHON) == ("true", "")
    assert raw_to_json("True", STRING, PYTHON) == ('"True"', "")
    assert raw_to_json("{'a': None}", frozenset({"object"}), PYTHON) == ('{"a": null}', "")


def test_declared_types_follow_unions_and_references() -> None:
    schema = {
        "properties": {
            "a": {"$ref": "#/$defs/A"},
            "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "c": {"enum": [1, "x"]},
            "d": {"type": ["string", "null"]},
            "e": {},
            "f": {"oneOf": [{"type": "string"}, {}]},
            "g": {"$ref": "#/$defs/loop"},
        },
        "$defs": {"A": {"type": "object"}, "loop": {"$ref": "#/$defs/loop"}},
    }
    found = {key: property_types(schema, key) for key in "abcdefgh"}
    assert found == {
        "a": {"object"}, "b": {"integer", "null"}, "c": {"integer", "string"}, "d": {"string", "null"},
        "e": None, "f": None, "g": None, "h": None,
    }  # fmt: skip


def test_nothing_is_declared_by_what_is_no_schema() -> None:
    assert declared_types(True, True) is None
    assert property_types(None, "a") is None
