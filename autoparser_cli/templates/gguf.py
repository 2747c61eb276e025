"""A GGUF file -> the chat templates and special tokens in its metadata; the tensors are never read.

Format: magic, version, tensor count, key count, then keys with typed values (GGUF versions 1 to 3, either
byte order). All lengths are checked against the size of the file: they come from strangers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from autoparser_cli.errors import SourceError

_TEMPLATE_KEY = "tokenizer.chat_template"
_TOKENS_KEY = "tokenizer.ggml.tokens"
#: The key of a token's id -> the variable that templates know it by. The spelling of `seperator` is the
#: format's.
_TOKEN_ID_KEYS = {
    "tokenizer.ggml.bos_token_id": "bos_token",
    "tokenizer.ggml.eos_token_id": "eos_token",
    "tokenizer.ggml.unknown_token_id": "unk_token",
    "tokenizer.ggml.seperator_token_id": "sep_token",
    "tokenizer.ggml.padding_token_id": "pad_token",
    "tokenizer.ggml.cls_token_id": "cls_token",
    "tokenizer.ggml.mask_token_id": "mask_token",
}

#: The format's type numbers: those of a fixed size as `struct` writes them, and two that have a length.
_FIXED = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING = 8
_ARRAY = 9


def read_gguf(path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the templates by name and the special tokens. Raise SourceError."""
    templates: dict[str, str] = {}
    ids: dict[str, int] = {}
    vocabulary: list[bytes] = []
    try:
        with path.open("rb") as file:
            for key, value in _Metadata(file, path.stat().st_size):
                if isinstance(value, bytes) and key.startswith(_TEMPLATE_KEY):
                    name = key.removeprefix(_TEMPLATE_KEY)
                    if name == "" or name.startswith("."):
                        templates[name[1:] or "default"] = value.decode("utf-8")
                elif isinstance(value, int) and key in _TOKEN_ID_KEYS:
                    ids[_TOKEN_ID_KEYS[key]] = value
                elif isinstance(value, list):
                    vocabulary = value
    except OSError as error:
        raise SourceError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, struct.error, RecursionError) as error:
        raise SourceError(f"{path}: a damaged GGUF file") from error
    if not templates:
        raise SourceError(f"{path}: no {_TEMPLATE_KEY} in its metadata")
    tokens = {
        name: vocabulary[at].decode("utf-8", "replace") for name, at in ids.items() if at < len(vocabulary)
    }
    return templates, tokens


class _Metadata:
    """Iterates over keys and values: bytes for a text, int or float for a number, a list for the vocabulary.

    All other arrays are skipped and given as None.
    """

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        file.seek(4)
        version = file.read(4)
        # The byte order is not marked: it is the one in which the version is a small number.
        self._order = "<" if int.from_bytes(version, "little") < 0x10000 else ">"
        self._length = "I" if struct.unpack(self._order + "I", version)[0] == 1 else "Q"

    def __iter__(self) -> Iterator[tuple[str, bytes | float | list[bytes] | None]]:
        self._number(self._length)  # the count of tensors
        for _ in range(int(self._number(self._length))):
            key = self._text().decode("utf-8")
            yield key, self._value(int(self._number("I")), keep=key == _TOKENS_KEY)

    def _value(self, kind: int, keep: bool) -> bytes | float | list[bytes] | None:
        if kind == _STRING:
            return self._text()
        if kind == _ARRAY:
            return self._array(keep)
        return self._number(_FIXED[kind] if kind in _FIXED else _unknown(kind))

    def _array(self, keep: bool) -> list[bytes] | None:
        kind = int(self._number("I"))
        count = int(self._number(self._length))
        if kind == _STRING:
            texts = [self._text() for _ in range(self._within_file(count))]
            return texts if keep else None
        if kind == _ARRAY:
            for _ in range(self._within_file(count)):
                self._array(keep=False)
            return None
        width = struct.calcsize("=" + (_FIXED[kind] if kind in _FIXED else _unknown(kind)))
        self._file.seek(self._within_file(count * width), 1)
        return None

    def _text(self) -> bytes:
        length = self._within_file(int(self._number(self._length)))
        data = self._file.read(length)
        if len(data) < length:
            raise ValueError("cut inside a text")
        return data

    def _number(self, form: str) -> float:
        data = self._file.read(struct.calcsize("=" + form))
        value: float = struct.unpack(self._order + form, data)[0]
        return value

    def _within_file(self, length: int) -> int:
        if length > self._size:
            raise ValueError("a length beyond the end of the file")
        return length


def _unknown(kind: int) -> str:
    raise ValueError(f"unknown type {kind}")
