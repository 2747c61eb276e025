"""The files beside a template -> the special tokens of the tokenizer, and how its configuration says outputs
are parsed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_CONFIG = "tokenizer_config.json"


def added_tokens(path: Path | None) -> frozenset[str]:
    """Return the texts of the tokens that were added as a whole; empty where no file tells."""
    folder = _folder(path)
    if folder is None:
        return frozenset()
    found = set(_texts(_read(folder / "tokenizer.json").get("added_tokens")))
    found.update(_read(folder / "added_tokens.json"))
    found.update(_texts(list(_mapping(_read(folder / _CONFIG).get("added_tokens_decoder")).values())))
    return frozenset(found)


def whole_vocabulary(path: Path | None) -> frozenset[str]:
    """Return every token of the model itself, where `tokenizer.json` has them by their text."""
    folder = _folder(path)
    model = _mapping(_read(folder / "tokenizer.json").get("model")) if folder else {}
    vocabulary = model.get("vocab")
    return frozenset(vocabulary) if isinstance(vocabulary, Mapping) else frozenset()


def stop_tokens(path: Path | None) -> frozenset[str]:
    """Return the texts of the tokens that `generation_config.json` stops at; empty where it does not tell."""
    folder = _folder(path)
    if folder is None:
        return frozenset()
    stops = _read(folder / "generation_config.json").get("eos_token_id")
    wanted = {str(stop) for stop in (stops if isinstance(stops, list) else [stops])}
    decoder = _mapping(_read(folder / _CONFIG).get("added_tokens_decoder"))
    found = {text for number, entry in decoder.items() if number in wanted for text in _texts([entry])}
    added = _read(folder / "tokenizer.json").get("added_tokens")
    for entry in added if isinstance(added, list) else []:
        if isinstance(entry, Mapping) and str(entry.get("id")) in wanted:
            found.update(_texts([entry]))
    return frozenset(found)


def has_stop_tokens(path: Path | None) -> bool:
    """Tell whether `generation_config.json` says at which tokens to stop."""
    folder = _folder(path)
    return folder is not None and "eos_token_id" in _read(folder / "generation_config.json")


def configuration(path: Path | None) -> Mapping[str, Any]:
    """Return the tokenizer's configuration beside the template, or the file itself where it is that."""
    folder = _folder(path)
    if path is not None and path.suffix == ".json":
        return _read(path)
    return _read(folder / _CONFIG) if folder else {}


def _folder(path: Path | None) -> Path | None:
    if path is None or str(path) == "-":
        return None
    return path.parent.parent if path.parent.name == "additional_chat_templates" else path.parent


def _read(path: Path) -> Mapping[str, Any]:
    """Read a JSON object; a file that is none is somebody else's finding."""
    try:
        return _mapping(json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(entries: Any) -> list[str]:
    if not isinstance(entries, list):
        return []
    return [str(entry["content"]) for entry in entries if isinstance(entry, Mapping) and "content" in entry]
