"""A JSON Schema as a grammar takes what the schema allows and refuses what it forbids, in every engine."""

from __future__ import annotations

import json

import pytest
from grammar_runs import ENGINES, EXACT, accepts, schema_grammar

from autoparser_cli.analysis.model import PYTHON_ENCODING, ValueEncoding
from autoparser_cli.grammars.dialects import Engine
from autoparser_cli.grammars.json_schema import read_schema

NODE = {
    "type": "object",
    "properties": {"v": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}},
    "required": ["v"],
}
SCHEMAS = {
    "string": ({"type": "string"}, ["", 'a"\\\n<é😀'], [1, None, ["a"]]),
    "string length": ({"type": "string", "minLength": 2, "maxLength": 3}, ["ab", "abc"], ["a", "abcd"]),
    "pattern": (
        {"type": "string", "pattern": "^[a-c]+\\d{2}$"},
        ["a12", "cab00"],
        ["12", "a1", "a123", "A12"],
    ),
    "pattern with escapes": ({"type": "string", "pattern": "^hello\\!$"}, ["hello!"], ["hello", "hello\\!"]),
    "pattern with quote": ({"type": "string", "pattern": '^"\\\\[^"]$'}, ['"\\x', '"\\\n'], ['"\\"', "x"]),
    "date": ({"type": "string", "format": "date"}, ["2024-02-29"], ["2024-13-01", "24-01-01", "today"]),
    "date-time": ({"type": "string", "format": "date-time"}, ["2024-02-29T10:00:00Z"], ["2024-02-29"]),
    "uuid": ({"type": "string", "format": "uuid"}, ["01234567-89ab-cdef-0123-456789abcdef"], ["01234567"]),
    "integer": ({"type": "integer"}, [0, -12, 10**20], [1.5, "1", True, None]),
    "integer bounds": ({"type": "integer", "minimum": -3, "maximum": 120}, [-3, 0, 99, 120], [-4, 121, 1000]),
    "exclusive bounds": (
        {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
        [1, 9],
        [0, 10, -1],
    ),
    "number": ({"type": "number"}, [0, -1.5, 1e30], ["1", None]),
    "boolean": ({"type": "boolean"}, [True, False], [0, "true", None]),
    "null": ({"type": "null"}, [None], [0, "null", False]),
    "enum": ({"enum": ["a", 'b"', 3, None]}, ["a", 'b"', 3, None], ["c", 4, "3"]),
    "const": ({"const": {"k": [1, "x"]}}, [{"k": [1, "x"]}], [{"k": [1]}, {}]),
    "list of types": ({"type": ["integer", "null"]}, [1, None], ["1", 1.5]),
    "nullable": ({"type": "string", "nullable": True}, ["x", None], [1]),
    "array bounds": (
        {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
        [[1], [1, 2, 3]],
        [[], [1, 2, 3, 4], ["1"]],
    ),
    "prefix items": (
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
        [[], [1], [1, "a"]],
        [["a"], [1, 2], [1, "a", 3]],
    ),
    "optional keys": (
        {"type": "object", "properties": {k: {"type": "integer"} for k in "abcd"}, "required": ["b"]},
        [{"b": 1}, {"a": 1, "b": 2}, {"b": 1, "d": 2}, {"a": 1, "b": 2, "c": 3, "d": 4}],
        [{}, {"a": 1}, {"b": "x"}, {"b": 1, "e": 1}],
    ),
    "all optional": (
        {"type": "object", "properties": {k: {"type": "integer"} for k in "abc"}},
        [{}, {"a": 1}, {"c": 1}, {"a": 1, "c": 2}],
        [{"a": 1, "x": 1}, {"a": None}],
    ),
    "additional": (
        {
            "type": "object",
            "properties": {"ab": {"type": "string"}},
            "additionalProperties": {"type": "integer"},
        },
        [{}, {"ab": "x"}, {"ab": "x", "abc": 1}, {"a": 1, "b": 2}],
        [{"x": "y"}, {"ab": 1}],
    ),
    "open object": ({"type": "object"}, [{}, {"x": [1, {"y": None}]}], [[], 1]),
    "anything": ({}, [1, "x", None, [{"a": [True]}]], []),
    "recursive": (
        {"$ref": "#/$defs/node", "$defs": {"node": NODE}},
        [{"v": 1}, {"v": 1, "next": {"v": 2, "next": None}}],
        [{"next": None}, {"v": 1, "next": {"w": 2}}],
    ),
    "all of": (
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            ]
        },
        [{"a": 1, "b": "x"}],
        [{"a": 1}, {"b": "x"}, {"a": "1", "b": "x"}],
    ),
    "one of objects": (
        {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"k": {"const": "a"}, "x": {"type": "integer"}},
                    "required": ["k", "x"],
                },
                {
                    "type": "object",
                    "properties": {"k": {"const": "b"}, "y": {"type": "string"}},
                    "required": ["k", "y"],
                },
            ]
        },
        [{"k": "a", "x": 1}, {"k": "b", "y": "z"}],
        [{"k": "a", "y": "z"}, {"k": "c"}],
    ),
    "ref beside a bound": (
        {
            "allOf": [{"$ref": "#/$defs/small"}],
            "maximum": 5,
            "$defs": {"small": {"type": "integer", "minimum": 0}},
        },
        [0, 5],
        [6, -1],
    ),
    "python type names": (
        {"type": "dict", "properties": {"a": {"type": "float"}}},
        [{"a": 1.5}],
        [{"a": "x"}],
    ),
}


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.value)
@pytest.mark.parametrize("name", SCHEMAS)
def test_allowed_values_are_taken(name: str, engine: Engine) -> None:
    schema, allowed, _ = SCHEMAS[name]
    grammar = schema_grammar(schema, wide=engine is Engine.LARK)
    for value in allowed:
        for style in ({}, {"indent": 2}, {"separators": (",", ":")}):
            text = json.dumps(value, ensure_ascii=False, **style)
            assert accepts(grammar, engine, text), text


@pytest.mark.parametrize("engine", EXACT, ids=lambda engine: engine.value)
@pytest.mark.parametrize("name", SCHEMAS)
def test_forbidden_values_are_refused(name: str, engine: Engine) -> None:
    schema, allowed, forbidden = SCHEMAS[name]
    grammar = schema_grammar(schema)
    assert all(accepts(grammar, engine, json.dumps(value)) for value in allowed[:1])
    for value in forbidden:
        assert not accepts(grammar, engine, json.dumps(value)), value


@pytest.mark.parametrize("engine", EXACT, ids=lambda engine: engine.value)
def test_broken_json_is_refused(engine: Engine) -> None:
    grammar = schema_grammar({})
    for text in (
        "",
        "{",
        "[1,]",
        '{"a": 1,}',
        "01",
        "-",
        '"a',
        "tru",
        "1 2",
        "{a: 1}",
        "'a'",
        '"\\x"',
        "-0x1",
    ):
        assert not accepts(grammar, engine, text), text


@pytest.mark.parametrize("engine", EXACT, ids=lambda engine: engine.value)
def test_keys_stand_in_the_order_of_the_schema_unless_any_order_is_asked(engine: Engine) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
    swapped = '{"b": 1, "a": 2}'
    assert not accepts(schema_grammar(schema), engine, swapped)
    loose = schema_grammar(schema, any_order=True)
    assert accepts(loose, engine, swapped)
    assert not accepts(loose, engine, '{"b": 1, "c": 2}')
    assert any("any order" in note for note in loose.notes)


@pytest.mark.parametrize("engine", EXACT, ids=lambda engine: engine.value)
def test_other_encodings(engine: Engine) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}, "c": {"enum": ["x", "y"]}},
    }
    python = schema_grammar(schema, encoding=PYTHON_ENCODING)
    assert accepts(python, engine, "{'a': 'it\\'s', 'b': True, 'c': \"x\"}")
    assert not accepts(python, engine, "{'a': 'x', 'b': true}")
    assert not accepts(python, engine, "{'c': 'z'}")
    own = ValueEncoding(quotes=(('<|"|>', '<|"|>'),), escapes=PYTHON_ENCODING.escapes.NONE, bare_keys=True)
    bare = schema_grammar(schema, encoding=own)
    assert accepts(bare, engine, '{a:<|"|>it"s<|"|>,b:true,c:<|"|>y<|"|>}')
    assert not accepts(bare, engine, '{a:"x"}')
    assert not accepts(bare, engine, '{c:<|"|>z<|"|>}')


def test_what_cannot_be_enforced_is_named() -> None:
    schema = {
        "type": "object",
        "properties": {
            "glob": {"type": "string", "pattern": "[a-z]+"},
            "near": {"type": "string", "pattern": "^(?=a).*$"},
            "many": {"type": "array", "uniqueItems": True},
            "lost": {"$ref": "#/nowhere"},
        },
    }
    notes = read_schema(schema, where="find").notes
    assert "pattern of find.glob is not anchored; treated as plain string" in notes
    assert any("find.near" in note and "looks ahead" in note for note in notes)
    assert any("uniqueItems of find.many" in note for note in notes)
    assert any("#/nowhere" in note for note in notes)


def test_optional_keys_grow_with_their_number_and_not_with_their_subsets() -> None:
    from autoparser_cli.grammars.gbnf import gbnf_text

    def size(count: int) -> int:
        properties = {f"key_{n}": {"type": "string"} for n in range(count)}
        return len(gbnf_text(schema_grammar({"type": "object", "properties": properties})))

    assert size(48) < 64 * 1024
    assert size(48) < 5 * size(12)
