"""Files and values on the command line: read exactly, or refused in one clear line."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from autoparser_cli.cli.analyze import _expand
from autoparser_cli.cli.options import (
    arriving_chunks,
    load_schema,
    load_tools,
    read_json,
    read_kwargs,
    read_text,
)
from autoparser_cli.cli.parse import _read_chunks
from autoparser_cli.errors import InputError, SourceError, ToolsError


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "file"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_text_is_read_exactly_as_it_is(tmp_path: Path) -> None:
    text = "\ufeffa\r\nb\rc\n\n"
    assert read_text(written(tmp_path, text)) == text


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("é\r\n".encode())))
    assert read_text("-") == "é\r\n"


def test_chunks_of_standard_input_are_there_before_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader) as stdin, os.fdopen(writer, "wb", buffering=0) as model:
        monkeypatch.setattr(sys, "stdin", stdin)
        chunks = arriving_chunks(2)
        model.write("aé\r".encode())
        assert next(chunks) == "aé"
        model.write("\né".encode()[:-1])
        assert next(chunks) == "\r\n"
        model.write("é".encode()[-1:])
        model.close()
        assert list(chunks) == ["é"]


@pytest.mark.parametrize(
    ("pieces", "said"), [([b"ab\xff"], "byte 2 is 0xff"), ([b"a\xc3", b"("], "byte 1 is 0xc3")]
)
def test_a_stream_that_is_not_utf8_is_refused(
    pieces: list[bytes], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class InPieces(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return pieces.pop(0) if pieces else b""

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(InPieces()))
    with pytest.raises(SourceError, match=said):
        list(arriving_chunks(4))


@pytest.mark.parametrize(("data", "said"), [(b"ab\xff", "byte 2 is 0xff"), (b"\xed\xa0\x80", "not UTF-8")])
def test_text_that_is_not_utf8_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        read_text(written(tmp_path, data))


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read_text(tmp_path / "missing")
    with pytest.raises(SourceError, match="is a directory"):
        read_text(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[1,]", "9" * 10_000])
def test_what_is_not_json_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"file: not JSON"):
        read_json(written(tmp_path, text))


def test_json_that_is_nested_too_deeply_is_refused_with_its_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"file: nested too deeply"):
        read_json(written(tmp_path, "[" * 100_000))


def test_tools_are_read_in_all_their_shapes(tmp_path: Path) -> None:
    bare = {"name": "f", "parameters": {"type": "object"}}
    for data in ([bare], [{"type": "function", "function": bare}], {"tools": [bare]}):
        assert [tool.name for tool in load_tools(written(tmp_path, json.dumps(data)))] == ["f"]
    assert load_tools(None) == ()


def test_bad_tools_name_the_file_and_the_entry(tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match=r"file\[1\]: the tool has no name"):
        load_tools(written(tmp_path, '[{"name": "f"}, {"name": ""}]'))


@pytest.mark.parametrize(
    ("assignment", "value"),
    [
        ("a=true", True),
        ("a=1", 1),
        ('a="1"', "1"),
        ("a=high", "high"),
        ("a=", ""),
        ("a=b=c", "b=c"),
        ("a=[1]", [1]),
    ],
)
def test_kwargs_are_json_or_else_text(assignment: str, value: object) -> None:
    assert read_kwargs([assignment]) == {"a": value}


@pytest.mark.parametrize("assignment", ["a", "=1", "a b=1", ""])
def test_kwargs_without_a_name_are_refused(assignment: str) -> None:
    with pytest.raises(InputError, match="NAME=VALUE"):
        read_kwargs([assignment])


@pytest.mark.parametrize("name", ["messages", "tools", "add_generation_prompt"])
def test_what_every_template_is_given_is_no_kwarg(name: str) -> None:
    with pytest.raises(InputError, match=f"--kwarg {name}: .* options of their own"):
        read_kwargs([f"{name}=5"])


def test_a_schema_is_an_object_or_a_truth_value(tmp_path: Path) -> None:
    assert load_schema(None) is None
    assert load_schema(written(tmp_path, "true")) is True
    assert load_schema(written(tmp_path, '{"type": "object"}')) == {"type": "object"}
    for text in ("5", '"object"', "[{}]", "null"):
        with pytest.raises(InputError, match="not a JSON Schema"):
            load_schema(written(tmp_path, text))


@pytest.mark.parametrize(
    ("stream", "chunks"), [(None, ["abcde"]), ("2", ["ab", "cd", "e"]), ("9", ["abcde"]), ("0", ["abcde"])]
)
def test_an_output_is_cut_into_chunks(tmp_path: Path, stream: str | None, chunks: list[str]) -> None:
    assert _read_chunks(str(written(tmp_path, "abcde")), stream) == chunks


def test_an_empty_output_has_no_chunks(tmp_path: Path) -> None:
    assert _read_chunks(str(written(tmp_path, "")), None) == []


@pytest.mark.parametrize("text", ['["a", "b\\n"]', '"a"\n"b\\n"\n'])
def test_chunks_can_come_from_a_file(tmp_path: Path, text: str) -> None:
    assert _read_chunks(None, str(written(tmp_path, text))) == ["a", "b\n"]


@pytest.mark.parametrize("text", ["[1]", "a", '{"a": 1}'])
def test_chunks_that_are_not_strings_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="list of strings"):
        _read_chunks(None, str(written(tmp_path, text)))


def test_output_and_chunks_together_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds the output already"):
        _read_chunks("output.txt", str(written(tmp_path, "[]")))


def test_no_output_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="no output"):
        _read_chunks(None, None)


def test_a_folder_stands_for_the_templates_below_it(tmp_path: Path) -> None:
    for name in ("b/two.jinja", "a.jinja", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert _expand([str(tmp_path)]) == [str(tmp_path / "a.jinja"), str(tmp_path / "b/two.jinja")]


def test_a_model_folder_stands_for_itself(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text("{}")
    (tmp_path / "other.jinja").write_text("x")
    assert _expand([str(tmp_path), "-"]) == [str(tmp_path), "-"]


def test_a_folder_without_templates_is_left_for_loading_to_refuse(tmp_path: Path) -> None:
    assert _expand([str(tmp_path)]) == [str(tmp_path)]
