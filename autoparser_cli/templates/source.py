"""A path, a model folder or standard input -> the text of the chat templates kept there, and the special tokens beside them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autoparser_cli.errors import SourceError


@dataclass(frozen=True, slots=True)
class KeptTemplates:
    """The templates of one place by name (`default` where there is one), and what the tokenizer beside them defines."""

    name: str
    templates: Mapping[str, str]
    special_tokens: Mapping[str, str] = field(default_factory=dict)

    def choose(self, variant: str | None) -> str:
        """Return the name of the template to use."""
        if variant is not None and variant not in self.templates:
            raise SourceError(f"{self.name}: no template {variant!r}, there is {', '.join(self.templates)}")
        preferred = (variant, "tool_use", "default")
        return next((name for name in preferred if name in self.templates), next(iter(self.templates)))


def read_source(source: str | Path) -> KeptTemplates:
    """Read templates from a file, a folder or, for `-`, standard input. Raise SourceError."""
    if str(source) == "-":
        return KeptTemplates("<stdin>", {"default": sys.stdin.read()})
    path = Path(source)
    try:
        return KeptTemplates(str(source), {"default": path.read_text("utf-8")})
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error
