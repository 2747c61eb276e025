"""A regular node -> a regular expression that both Python's `re` (Lark) and Rust's `regex` (llguidance)
read alike.
"""

from __future__ import annotations

from autoparser_cli.grammars.nodes import Alt, Chars, Node, Repeat, Seq, Text, Token

#: What both engines may read as syntax, in a class or outside, and `/`, which ends an expression in a Lark
#: file.
SPECIAL = set('\\.+*?()|[]{}^$-/&~#"')
CONTROLS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def regex(node: Node) -> str:
    """Write a node that holds no rule as an expression, in brackets where it has alternatives.

    Raises TypeError otherwise.
    """
    # Lark drops the backslash of `\\"` even where it belongs to an escaped backslash, so a quote behind
    # one is spelled by its code.
    return _regex(node).replace('\\"', "\\\\x22")


def _regex(node: Node) -> str:
    if isinstance(node, Text):
        return "".join(_char(ord(char)) for char in node.text)
    if isinstance(node, Chars):
        return _class(node)
    if isinstance(node, Token):
        return _regex(node.item)
    if isinstance(node, Seq):
        return "".join(_regex(item) for item in node.items)
    if isinstance(node, Alt):
        return f"(?:{'|'.join(_regex(item) for item in node.items)})"
    if isinstance(node, Repeat):
        return _repeated(node)
    raise TypeError(f"{type(node).__name__} is not regular")


def regex_text(text: str) -> str:
    """Write a literal."""
    return regex(Text(text))


def _char(code: int) -> str:
    char = chr(code)
    if char in CONTROLS:
        return CONTROLS[char]
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    if char in SPECIAL:
        return "\\" + char if char != '"' else char
    return char


def _class(chars: Chars) -> str:
    parts = [_char(low) if low == high else f"{_char(low)}-{_char(high)}" for low, high in chars.ranges]
    return f"[{'^' if chars.negated else ''}{''.join(parts)}]"


def _repeated(node: Repeat) -> str:
    item = _regex(node.item)
    single = isinstance(node.item, Chars | Alt) or (isinstance(node.item, Text) and len(node.item.text) == 1)
    item = item if single else f"(?:{item})"
    short = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((node.low, node.high))
    if short is None:
        high = "" if node.high is None else str(node.high)
        short = f"{{{node.low}}}" if node.low == node.high else f"{{{node.low},{high}}}"
    return item + short
