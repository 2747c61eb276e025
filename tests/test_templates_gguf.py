"""GGUF metadata: templates, tokens, both byte orders, and files that lie about their lengths."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.errors import SourceError
from autoparser_cli.templates import ChatTemplate, RenderInputs

TEMPLATE = "{{ bos_token }}{{ messages[0].content }}é{{ eos_token }}"


class Gguf:
    """Writes the header of a GGUF file."""

    def __init__(self, order: str = "<", version: int = 3) -> None:
        self.order, self.version = order, version
        self.length = "I" if version == 1 else "Q"
        self.entries: list[bytes] = []

    def number(self, form: str, value: Any) -> bytes:
        return struct.pack(self.order + form, value)

    def text(self, value: str) -> bytes:
        data = value.encode()
        return self.number(self.length, len(data)) + data

    def add(self, key: str, kind: int, value: bytes) -> Gguf:
        self.entries.append(self.text(key) + self.number("I", kind) + value)
        return self

    def string(self, key: str, value: str) -> Gguf:
        return self.add(key, 8, self.text(value))

    def texts(self, key: str, *values: str) -> Gguf:
        body = b"".join(self.text(value) for value in values)
        return self.add(key, 9, self.number("I", 8) + self.number(self.length, len(values)) + body)

    def data(self) -> bytes:
        head = b"GGUF" + self.number("I", self.version) + self.number(self.length, 0)
        return head + self.number(self.length, len(self.entries)) + b"".join(self.entries) + b"\xff" * 64


def loaded(tmp_path: Path, data: bytes) -> ChatTemplate:
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    return ChatTemplate.load(path)


def full(gguf: Gguf) -> Gguf:
    floats = gguf.number("I", 6) + gguf.number(gguf.length, 3) + b"\0" * 12
    inner = gguf.number("I", 4) + gguf.number(gguf.length, 2) + b"\0" * 8
    gguf.string("general.architecture", "x").add("a.flag", 7, b"\1").add("a.real", 12, gguf.number("d", 1.5))
    gguf.add("tokenizer.ggml.scores", 9, floats)
    gguf.add("a.nested", 9, gguf.number("I", 9) + gguf.number(gguf.length, 1) + inner)
    gguf.texts("tokenizer.ggml.tokens", "<unk>", "<s>", "</s>").texts("tokenizer.ggml.merges", "a b")
    gguf.add("tokenizer.ggml.bos_token_id", 4, gguf.number("I", 1))
    gguf.add("tokenizer.ggml.eos_token_id", 4, gguf.number("I", 2))
    gguf.add("tokenizer.ggml.padding_token_id", 4, gguf.number("I", 900))
    return gguf.string("tokenizer.chat_template", TEMPLATE)


@pytest.mark.parametrize(("order", "version"), [("<", 3), ("<", 2), ("<", 1), (">", 3)])
def test_template_and_special_tokens_are_read(tmp_path: Path, order: str, version: int) -> None:
    template = loaded(tmp_path, full(Gguf(order, version)).data())
    assert template.render(RenderInputs([{"role": "user", "content": "hi"}])) == "<s>hié</s>"
    assert template.special_tokens == {"bos_token": "<s>", "eos_token": "</s>"}


def test_named_templates_are_variants(tmp_path: Path) -> None:
    gguf = Gguf().texts("tokenizer.chat_templates", "tool_use").string("tokenizer.chat_template", "D")
    template = loaded(tmp_path, gguf.string("tokenizer.chat_template.tool_use", "T").data())
    assert {name: kept.source for name, kept in template.variants.items()} == {
        "default": "D",
        "tool_use": "T",
    }
    assert template.source == "T"


def test_a_model_folder_with_one_gguf_is_read(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(full(Gguf()).data())
    assert ChatTemplate.load(tmp_path).source == TEMPLATE


def test_a_file_without_a_template_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no tokenizer\.chat_template"):
        loaded(tmp_path, Gguf().string("general.name", "x").data())


@pytest.mark.parametrize("cut", [4, 6, 12, 30, 60])
def test_a_cut_file_is_refused(tmp_path: Path, cut: int) -> None:
    with pytest.raises(SourceError, match="damaged"):
        loaded(tmp_path, full(Gguf()).data()[:cut])


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (8, struct.pack("<Q", 2**62)),
        (9, struct.pack("<IQ", 6, 2**62)),
        (9, struct.pack("<IQ", 8, 2**40)),
        (9, struct.pack("<IQ", 99, 1)),
        (77, b""),
        (8, struct.pack("<Q", 1) + b"\xff"),
    ],
)
def test_lying_lengths_and_unknown_types_are_refused(tmp_path: Path, kind: int, value: bytes) -> None:
    gguf = Gguf().add("tokenizer.chat_template", kind, value)
    with pytest.raises(SourceError, match="damaged"):
        loaded(tmp_path, gguf.data())


def test_arrays_nested_without_end_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="damaged"):
        loaded(tmp_path, Gguf().add("a", 9, struct.pack("<IQ", 9, 1) * 50_000).data())
