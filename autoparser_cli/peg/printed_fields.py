"""Fields that are there as a whole and as printed -> JSON text, each by a few steps in C.

What differs in any way, or is not all there yet, is left to the reader in `fields.py`, which says the same of what both
can read.
"""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from autoparser_cli.peg.expressions import Fields, Literal
from autoparser_cli.peg.field_forms import STRING, FormPart, printed_text
from autoparser_cli.peg.parts import KEY_LIMIT, WHITE, WHITE_SPACE_REPAIR, white_end
from autoparser_cli.peg.source import Source
from autoparser_cli.peg.values import ARGUMENTS, raw_to_json


def printed_fields(
    node: Fields, forms: list[FormPart], continuations: tuple[str, ...], end: str
) -> PrintedFields | None:
    """Return the reader of fields whose markers never vary, None for others.

    `continuations` are what may stand behind a field; `end` is what ends the fields though a field begins like it.
    """
    opening = printed_text(node.open)
    if not opening or node.separator.strip() or not continuations or node.key_entities:
        return None
    for form in forms:
        varies = not printed_text(form.form.mid) or not printed_text(form.form.close).strip()
        if varies or not form.raw or form.nested or form.form.before or form.form.entities:
            return None
    return PrintedFields(node, [_PrintedForm(form, continuations) for form in forms], end)


class _PrintedForm:
    """One form with its close, which counts where one of `continuations` stands behind it."""

    def __init__(self, part: FormPart, continuations: tuple[str, ...]) -> None:
        self.part = part
        self.mid = printed_text(part.form.mid) + part.form.lead
        self.close = printed_text(part.form.close)
        self.core = self.close.rstrip()
        behind = "|".join(map(re.escape, continuations))
        self.tail = re.compile(f"{re.escape(self.core)}{WHITE.pattern}(?={behind})")

    def value(self, source: Source, start: int, end: int, types: frozenset[str] | None) -> str:
        """Return the raw text between two positions as JSON text; give out the repairs that it takes."""
        text = self.part.without_trail(source, source.text[start:end], end)
        if types == STRING:
            return encode_basestring(text)
        converted, repair = raw_to_json(text, types, self.part.syntax)
        if repair:
            source.emit("repair", repair, start)
        return converted


class PrintedFields:
    """Reads as many fields as are there as printed."""

    def __init__(self, node: Fields, forms: list[_PrintedForm], end: str) -> None:
        self.forms = forms
        first = next(item.text for item in node.open if isinstance(item, Literal))
        apart = not node.end.startswith(first) and not first.startswith(node.end)
        #: What ends the fields, where no field can begin like it.
        self.end = node.end if apart else ""
        no_end = f"(?!{re.escape(end)})" if end else ""
        key = f"((?!/)[^{re.escape(node.key)}]{{1,{KEY_LIMIT}}}+)"
        mids = "|".join(f"({re.escape(form.mid)})" for form in forms)
        opening = printed_text(node.open)
        no_white = "" if opening == opening.rstrip() else r"(?![ \t\n\r])"  # more of it is no part of a name
        self.head = re.compile(f"{WHITE.pattern}{no_end}{re.escape(opening)}{no_white}{key}(?:{mids})")

    def read(self, source: Source) -> tuple[bool, bool]:
        """Read fields and give them out; return whether there were any, and whether their end stands behind them."""
        text, pos, head = source.text, source.pos, self.head
        found: list[str] = []
        while field := head.match(text, pos):
            form = self.forms[(field.lastindex or 2) - 2]
            start = field.end()
            at = text.find(form.core, start)
            tail = form.tail.match(text, at) if at >= 0 else None
            if tail is None:
                break
            source.key = field[1]
            _, types, key = form.part.declared(source)
            found.append(key + form.value(source, start, at, types))
            pos = tail.end()
            if form.close == form.core:
                pos = at + len(form.core)
            elif text[at:pos] != form.close:
                source.emit("repair", WHITE_SPACE_REPAIR, at)
        ended = bool(self.end) and text.startswith(self.end, white_end(text, pos))
        source.emit(ARGUMENTS, "{" + ", ".join(found) + "}" * ended)
        source.pos = pos
        return bool(found), ended
