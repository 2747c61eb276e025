"""A template's source -> its tokens with the place of each, for what the syntax tree does not tell apart or
has no column for.
"""

from __future__ import annotations

import jinja2

from autoparser_cli.frozen import frozen

_LEXER = jinja2.Environment(trim_blocks=True, lstrip_blocks=True).lexer


@frozen
class Token:
    """A token: Jinja's kind of it, its text, its line and column (1-based), where it starts and ends in the
    source.
    """

    kind: str
    text: str
    line: int
    column: int
    start: int
    end: int


def read_tokens(source: str) -> tuple[Token, ...]:
    """Return the tokens without white space; those before an error where the source has one."""
    tokens: list[Token] = []
    at = 0
    try:
        for line, kind, text in _LEXER.tokeniter(source, None):
            # Jinja leaves trimmed white space out, so that the next token may stand a little further on.
            start = source.find(text, at)
            if start < 0:
                break
            at = start + len(text)
            if kind != "whitespace":
                column = start - source.rfind("\n", 0, start)
                tokens.append(Token(kind, text, line, column, start, at))
    except jinja2.TemplateSyntaxError:
        pass
    return tuple(tokens)
