"""Text of templates, models and file names -> text that cannot control a terminal: what does not print is escaped."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return `text` with its line ends, blanks and tabs as they are, and escaped what else does not print."""
    if all(line.isprintable() for line in text.split("\n")):
        return text
    return "".join(character if character in " \n\t" else escaped(character) for character in text)


def escaped(character: str) -> str:
    """Return a character that prints as it is, any other one as Python writes it."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
