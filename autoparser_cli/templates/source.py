"""A path, a model folder or standard input -> the text of the chat templates kept there, and the special
tokens.

Several templates in one place (`default`, `tool_use`, `rag` ...) are kept by name, as Hugging Face
transformers names them. What a tokenizer class defines only in code (a default `bos_token`) cannot be seen
from its files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from autoparser_cli.errors import SourceError
from autoparser_cli.frozen import frozen

#: The variables that a tokenizer brings into each render.
SPECIAL_TOKEN_NAMES = (
    "bos_token",
    "eos_token",
    "unk_token",
    "sep_token",
    "pad_token",
    "cls_token",
    "mask_token",
)

#: No chat template and no tokenizer configuration is near this size; weights are beyond it.
MAX_SOURCE_BYTES = 100_000_000

_TEMPLATE_FILE = "chat_template.jinja"
_MORE_TEMPLATES = "additional_chat_templates"
_TOKENIZER_CONFIG = "tokenizer_config.json"
#: JSON files of a model folder that may hold the template, in the order in which they are asked.
_JSON_FILES = ("chat_template.json", _TOKENIZER_CONFIG, "processor_config.json")


@frozen
class KeptTemplates:
    """The templates of one place by name, and the special tokens that the tokenizer beside them defines."""

    name: str
    templates: Mapping[str, str]
    special_tokens: Mapping[str, str] = field(default_factory=dict)

    def choose(self, variant: str | None) -> str:
        """Return the name of the template to use: `variant`, else `tool_use`, `default`, or the first."""
        if variant is not None and variant not in self.templates:
            raise SourceError(
                f"{self.name}: no template is named {variant!r}", hint=f"there is {', '.join(self.templates)}"
            )
        for name in (variant, "tool_use", "default"):
            if name is not None and name in self.templates:
                return name
        return next(iter(self.templates))


def read_source(source: str | Path) -> KeptTemplates:
    """Read templates from a file, a folder or, for `-`, standard input. Raise SourceError."""
    if str(source) == "-":
        return _from_text(_decode(sys.stdin.buffer.read(), "<stdin>"), "<stdin>", {})
    if str(source) == "":  # what a shell makes of a variable that is not set, and no name of this folder
        raise SourceError("an empty name names no template")
    path = Path(source)
    if path.is_dir():
        return _from_folder(path)
    return _from_file(path)


def _from_folder(folder: Path) -> KeptTemplates:
    tokens = _tokens_in(folder)
    templates = _template_files(folder)
    if templates:
        return KeptTemplates(str(folder), templates, tokens)
    for name in _JSON_FILES:
        config = _read_json(folder / name) if (folder / name).is_file() else {}
        if config.get("chat_template") is not None:
            found = _named_templates(config["chat_template"], str(folder / name))
            return KeptTemplates(str(folder), found, tokens)
    return _from_file(_only_candidate(folder))


def _template_files(folder: Path) -> dict[str, str]:
    templates = {}
    if (folder / _TEMPLATE_FILE).is_file():
        templates["default"] = _read_text(folder / _TEMPLATE_FILE)
    for path in sorted((folder / _MORE_TEMPLATES).glob("*.jinja")):
        templates[path.stem] = _read_text(path)
    return templates


def _only_candidate(folder: Path) -> Path:
    candidates = [
        *sorted(folder.glob("*.jinja")),
        *sorted(folder.glob("*.j2")),
        *sorted(folder.glob("*.gguf")),
    ]
    if not candidates:
        raise SourceError(f"{folder}: a folder without a chat template")
    if len(candidates) > 1:
        names = ", ".join(path.name for path in candidates[:5])
        raise SourceError(
            f"{folder}: {len(candidates)} files could be the template: {names}", hint="name one"
        )
    return candidates[0]


def _from_file(path: Path) -> KeptTemplates:
    data = _read_bytes(path)
    if data.startswith(b"GGUF"):
        from autoparser_cli.templates.gguf import read_gguf

        templates, tokens = read_gguf(path)
        return KeptTemplates(str(path), templates, tokens)
    text = _decode(data, str(path))
    if path.suffix == ".json":
        config = _parse_json(text, str(path))
        if config.get("chat_template") is None:
            raise SourceError(f"{path}: no chat_template in it")
        tokens = {**_tokens_in(path.parent), **_named_tokens(config)}
        return KeptTemplates(str(path), _named_templates(config["chat_template"], str(path)), tokens)
    home = path.parent.parent if path.parent.name == _MORE_TEMPLATES else path.parent
    return _from_text(text, str(path), _tokens_in(home))


def _from_text(text: str, name: str, tokens: Mapping[str, str]) -> KeptTemplates:
    """Take `text` as a template, or as a tokenizer's configuration where it is JSON that holds one."""
    if text.lstrip().startswith("{") and '"chat_template"' in text:
        try:
            config = json.loads(text)
        except (ValueError, RecursionError):
            config = None
        if isinstance(config, dict) and config.get("chat_template") is not None:
            templates = _named_templates(config["chat_template"], name)
            return KeptTemplates(name, templates, {**tokens, **_named_tokens(config)})
    return KeptTemplates(name, {"default": _not_empty(text, name)}, tokens)


def _named_templates(value: Any, where: str) -> dict[str, str]:
    """Read a `chat_template` field: one text, a list of {name, template}, or an object of texts by name."""
    if isinstance(value, str):
        return {"default": _not_empty(value, where)}
    try:
        named = value if isinstance(value, dict) else {item["name"]: item["template"] for item in value}
    except (TypeError, KeyError):
        named = {}
    if not named or not all(isinstance(text, str) for item in named.items() for text in item):
        raise SourceError(f"{where}: chat_template is neither a text nor a list of named templates")
    return {name: _not_empty(text, where) for name, text in named.items()}


def _tokens_in(folder: Path) -> dict[str, str]:
    """Read the special tokens of the tokenizer in `folder`; of two files one wins, as in transformers."""
    config_path, map_path = folder / _TOKENIZER_CONFIG, folder / "special_tokens_map.json"
    config = _read_json(config_path) if config_path.is_file() else {}
    tokens = _named_tokens(config)
    if "added_tokens_decoder" not in config and map_path.is_file():
        tokens |= _named_tokens(_read_json(map_path))
    return tokens


def _named_tokens(config: Mapping[str, Any]) -> dict[str, str]:
    tokens = {}
    for name in SPECIAL_TOKEN_NAMES:
        value = config.get(name)
        text = value.get("content") if isinstance(value, dict) else value
        if isinstance(text, str):
            tokens[name] = text
    return tokens


def _read_json(path: Path) -> dict[str, Any]:
    return _parse_json(_read_text(path), str(path))


def _parse_json(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(f"{where}:{error.lineno}: not valid JSON: {error.msg}") from error
    except RecursionError as error:
        raise SourceError(f"{where}: JSON that is nested too deeply") from error
    except ValueError as error:  # a number that is longer than Python reads
        raise SourceError(f"{where}: not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise SourceError(f"{where}: not a JSON object")
    return value


def _read_text(path: Path) -> str:
    return _not_empty(_decode(_read_bytes(path), str(path)), str(path))


def _read_bytes(path: Path) -> bytes:
    """Read a file, of a GGUF only its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(4)
            if head == b"GGUF":
                return head
            data = head + file.read(MAX_SOURCE_BYTES)
    except OSError as error:
        raise SourceError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        raise SourceError(f"{str(path)!r}: not a path") from error
    if len(data) > MAX_SOURCE_BYTES:
        raise SourceError(f"{path}: too large for a chat template")
    return data


def _decode(data: bytes, where: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"{where}: not UTF-8 (byte {error.start})") from error
    if "\0" in text:
        raise SourceError(f"{where}: not a text file")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _not_empty(text: str, where: str) -> str:
    if not text.strip():
        raise SourceError(f"{where}: empty")
    return text
