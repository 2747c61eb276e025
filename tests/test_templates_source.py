"""Where templates are kept, and what is refused as a place for one."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.errors import SourceError, TemplateSyntaxError
from autoparser_cli.templates import ChatTemplate, RenderInputs

USER = {"role": "user", "content": "hi"}
SOURCE = "{{ bos_token }}{{ messages[0].content }}"


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def rendered(template: ChatTemplate) -> str:
    return template.render(RenderInputs([USER]))


@pytest.mark.parametrize("name", ["a.jinja", "a.j2", "a.txt", "template"])
def test_any_text_file_is_a_template(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, SOURCE)
    template = ChatTemplate.load(path)
    assert (template.name, template.source, rendered(template)) == (str(path), SOURCE, "hi")


def test_line_ends_are_read_as_newlines(tmp_path: Path) -> None:
    assert ChatTemplate.load(write(tmp_path / "a.jinja", b"a\r\nb\rc\n")).source == "a\nb\nc\n"


@pytest.mark.parametrize("bos", ["<s>", {"content": "<s>", "lstrip": False}])
def test_a_tokenizer_config_brings_the_special_tokens(tmp_path: Path, bos: Any) -> None:
    path = write(
        tmp_path / "tokenizer_config.json", {"chat_template": SOURCE, "bos_token": bos, "pad_token": None}
    )
    template = ChatTemplate.load(path)
    assert template.special_tokens == {"bos_token": "<s>"}
    assert rendered(template) == "<s>hi"


def test_the_tokens_beside_a_template_file_count(tmp_path: Path) -> None:
    write(tmp_path / "tokenizer_config.json", {"bos_token": "<a>"})
    write(tmp_path / "special_tokens_map.json", {"bos_token": "<b>", "eos_token": {"content": "</b>"}})
    template = ChatTemplate.load(write(tmp_path / "chat_template.jinja", SOURCE))
    assert template.special_tokens == {"bos_token": "<b>", "eos_token": "</b>"}
    write(tmp_path / "tokenizer_config.json", {"bos_token": "<a>", "added_tokens_decoder": {}})
    assert rendered(ChatTemplate.load(tmp_path / "chat_template.jinja")) == "<a>hi"


def test_the_processors_file_takes_the_tokens_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "tokenizer_config.json", {"bos_token": "<s>"})
    assert (
        rendered(ChatTemplate.load(write(tmp_path / "chat_template.json", {"chat_template": SOURCE})))
        == "<s>hi"
    )


def test_in_a_folder_the_template_file_wins_over_the_configuration(tmp_path: Path) -> None:
    write(tmp_path / "tokenizer_config.json", {"chat_template": "old", "bos_token": "<s>"})
    assert rendered(ChatTemplate.load(tmp_path)) == "old"
    write(tmp_path / "chat_template.jinja", SOURCE)
    assert rendered(ChatTemplate.load(tmp_path)) == "<s>hi"


def test_a_folder_with_one_template_of_any_name_is_that_template(tmp_path: Path) -> None:
    write(tmp_path / "mine.jinja", SOURCE)
    assert ChatTemplate.load(tmp_path).name.endswith("mine.jinja")
    write(tmp_path / "other.j2", SOURCE)
    with pytest.raises(SourceError, match=r"2 files .* mine\.jinja, other\.j2"):
        ChatTemplate.load(tmp_path)


# -------------------------------------------------------------------------------------------- variants


@pytest.mark.parametrize(
    "field",
    [
        [
            {"name": "default", "template": "D"},
            {"name": "tool_use", "template": "T"},
            {"name": "rag", "template": "R"},
        ],
        {"default": "D", "tool_use": "T", "rag": "R"},
    ],
)
def test_named_templates_are_variants(tmp_path: Path, field: Any) -> None:
    path = write(tmp_path / "tokenizer_config.json", {"chat_template": field})
    template = ChatTemplate.load(path)
    assert template.source == "T"
    assert {name: kept.source for name, kept in template.variants.items()} == {
        "default": "D",
        "tool_use": "T",
        "rag": "R",
    }
    assert template.for_tools(True).source == "T"
    assert template.for_tools(False).source == "D"
    assert ChatTemplate.load(path, variant="rag").source == "R"
    assert ChatTemplate.load(path, variant="rag").name == f"{path}#rag"
    with pytest.raises(SourceError, match="'other'"):
        ChatTemplate.load(path, variant="other")


def test_additional_template_files_are_variants(tmp_path: Path) -> None:
    write(tmp_path / "tokenizer_config.json", {"bos_token": "<s>"})
    write(tmp_path / "chat_template.jinja", "D")
    extra = write(tmp_path / "additional_chat_templates" / "rag.jinja", SOURCE)
    template = ChatTemplate.load(tmp_path)
    assert (template.source, sorted(template.variants)) == ("D", ["default", "rag"])
    assert template.for_tools(True).source == "D"
    assert rendered(ChatTemplate.load(extra)) == "<s>hi"


def test_without_default_the_first_is_taken(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", {"chat_template": {"rag": "R", "x": "X"}})
    template = ChatTemplate.load(path)
    assert template.source == template.for_tools(True).source == "R"


def test_a_broken_variant_does_not_spoil_the_others(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", {"chat_template": {"default": "D", "rag": "{% if %}"}})
    assert ChatTemplate.load(path).source == "D"
    with pytest.raises(TemplateSyntaxError, match="#rag:1:"):
        ChatTemplate.load(path, variant="rag")


# --------------------------------------------------------------------------------------- standard input


@pytest.mark.parametrize("text", [SOURCE, json.dumps({"chat_template": SOURCE})])
def test_standard_input_may_be_a_template_or_a_configuration(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    template = ChatTemplate.load("-")
    assert (template.name, template.source) == ("<stdin>", SOURCE)


def test_empty_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    with pytest.raises(SourceError, match="<stdin>: empty"):
        ChatTemplate.load("-")


# --------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jinja", "", "empty"),
        ("a.jinja", " \n\n", "empty"),
        ("a.jinja", b"caf\xe9", "not UTF-8 .byte 3."),
        ("a.jinja", b"a\x00b", "not a text file"),
        ("a.json", "{", r"a\.json:1: not valid JSON"),
        ("a.json", "[]", "not a JSON object"),
        ("a.json", {"bos_token": "<s>"}, "no chat_template"),
        ("a.json", {"chat_template": None}, "no chat_template"),
        ("a.json", {"chat_template": 3}, "neither a text nor"),
        ("a.json", {"chat_template": []}, "neither a text nor"),
        ("a.json", {"chat_template": [{"name": "default"}]}, "neither a text nor"),
        ("a.json", {"chat_template": {"default": 3}}, "neither a text nor"),
        ("a.json", {"chat_template": " "}, "empty"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", '{"a": ' + "9" * 5000 + "}", "not valid JSON"),
    ],
)
def test_what_is_no_template_is_refused_by_name(tmp_path: Path, name: str, content: Any, words: str) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(SourceError, match=words) as caught:
        ChatTemplate.load(path)
    assert str(path) in str(caught.value)
    assert caught.value.exit_code == 2


def test_no_such_file_and_a_folder_without_a_template_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        ChatTemplate.load(tmp_path / "absent.jinja")
    with pytest.raises(SourceError, match="without a chat template"):
        ChatTemplate.load(tmp_path)
    with pytest.raises(SourceError, match="not a path"):
        ChatTemplate.load("a\0b")
