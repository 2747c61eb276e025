"""The README's examples: `$ autoparser ...` in a `console` block, and below it what the command prints.

Run as a program, it writes the README anew with what the commands print now.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

_BLOCK = re.compile(r"^```console\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<command>autoparser .*)\n(?P<printed>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A command line and what the README says that it prints."""

    command: str
    printed: str


def examples(text: str) -> Iterator[Example]:
    """Find the examples in a Markdown text."""
    for block in _BLOCK.finditer(text):
        for found in _COMMAND.finditer(block["body"]):
            yield Example(found["command"], found["printed"])


def run(command: str) -> str:
    """Run a command line at the project's root and return what it prints, errors and all."""
    words = shlex.split(command)
    words[0] = str(Path(sys.executable).with_name(words[0]))
    environment = {name: value for name, value in os.environ.items() if name != "AUTOPARSER_DEBUG"}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.stdout.decode()


def rewrite(text: str) -> str:
    """Return the Markdown with each example's output as it is now."""

    def replace_block(block: re.Match[str]) -> str:
        body = _COMMAND.sub(lambda found: f"$ {found['command']}\n{run(found['command'])}", block["body"])
        return f"```console\n{body}```"

    return _BLOCK.sub(replace_block, text)


if __name__ == "__main__":
    README.write_text(rewrite(README.read_text()))
