"""Arguments one by one, each between its own markers: read as they come, given out as one JSON object.

A raw value ends where its close stands *and* a further field or the end of the fields follows, so that a
value may hold the markers. Declared strings are given out as they come; what may be something else is held
until its end.
"""

from __future__ import annotations

import re
from collections.abc import Generator

from autoparser_cli.peg.encoded_values import encoded_value, json_string_piece
from autoparser_cli.peg.expressions import Expression, Fields, Form, Literal, Same, Slot, Space, Syntax
from autoparser_cli.peg.field_ends import FieldEnds
from autoparser_cli.peg.field_forms import STRING, Compile, FormPart, key_text, printed_text
from autoparser_cli.peg.json_values import json_value
from autoparser_cli.peg.parts import KEY_LIMIT, Part, attempt, skip_printed, white_end
from autoparser_cli.peg.printed_fields import printed_fields
from autoparser_cli.peg.schema import property_schema
from autoparser_cli.peg.source import Match, Source, begins
from autoparser_cli.peg.values import ARGUMENTS, raw_to_json, without_entities

_NESTED_LIMIT = 64
OTHER_QUOTES = "other-quotes"
OTHER_SEPARATOR = "separator-the-template-lacks"


def fields_part(node: Fields, compile_items: Compile) -> Part:
    """Compile fields."""
    forms = _by_markers(node.forms, compile_items)
    return None, _Reader(node, forms, compile_items).object


def _by_markers(forms: tuple[Form, ...], compile_items: Compile) -> list[FormPart]:
    by_markers: dict[tuple[tuple[Expression, ...], tuple[Expression, ...]], list[Form]] = {}
    for form in forms:
        by_markers.setdefault((form.before, form.mid), []).append(form)
    # The longest first: what wraps some texts (`<value><![CDATA[`) begins as the plain form does.
    markers = sorted(by_markers, key=lambda pair: _literal_length(pair[0] + pair[1]), reverse=True)
    return [FormPart(by_markers[pair], len(by_markers), compile_items) for pair in markers]


class _Reader:
    """Reads all fields of a call."""

    def __init__(self, node: Fields, forms: list[FormPart], compile_items: Compile) -> None:
        self.node = node
        self.other_forms = _by_markers(node.other_forms, compile_items)
        #: The forms by what stands before a key.
        self.by_opening = _by_opening([*forms, *self.other_forms], compile_items)
        self.open = compile_items(node.open) if node.open else None
        self.open_core = "".join(item.text for item in node.open if isinstance(item, Literal))
        self.separator = node.separator.strip()
        self.key_end = re.compile(f"[{re.escape(node.key)}]")
        mid_starts = tuple(printed_text(form.form.mid)[:1] for form in forms)
        self.ends = FieldEnds(node, self.open_core, self.key_end, mid_starts)
        #: What ends the fields, where it begins as a further field does.
        longer = len(node.end) > len(self.open_core) > 0
        self.end = node.end if longer and node.end.startswith(self.open_core) else ""
        self.all_ends = tuple(text for text in (node.end, *node.other_ends) if text)
        self.printed = printed_fields(node, forms, self.ends.continuations, self.end)

    def object(self, source: Source, depth: int = 0) -> Match:
        """Read fields to the last one; a nested object too."""
        first, ended = True, False
        if self.printed is not None:
            found, ended = self.printed.read(source)
            first = not found
        else:
            source.emit(ARGUMENTS, "{")
        if ended:
            return True
        while (form := (yield from self.begin(source, first))) is not None:
            source.emit(ARGUMENTS, ("" if first else ", ") + key_text(source.key))
            first = False
            if not (yield from self.value(source, form, depth)):
                return False
        source.emit(ARGUMENTS, "}")
        return True

    def begin(self, source: Source, first: bool) -> Generator[None, None, FormPart | None]:
        """Read what stands before a value; return its form, None where no further field begins."""
        held = source.hold()
        found = None
        if (yield from self.opening(source, first)):
            behind_open = source.pos
            for before, forms in self.by_opening:
                if before is None or (yield from attempt(before, source)):
                    found = yield from self.named(source, forms)
                if found is not None:
                    break
                source.pos = behind_open
        if found is None:
            source.back(held)
        source.keep(held)
        return found

    def named(self, source: Source, forms: list[FormPart]) -> Generator[None, None, FormPart | None]:
        """Read a key and what stands behind it; return the form that this is."""
        if not (yield from self.key(source)):
            return None
        behind_key = source.pos
        for form in forms:
            if (yield from attempt(form.mid, source)):
                if form in self.other_forms:
                    source.emit("repair", OTHER_QUOTES)
                return form
            source.pos = behind_key
        return None

    def opening(self, source: Source, first: bool) -> Match:
        """Read the separator and what opens a field."""
        yield from _skip_white(source)
        if not first and not (yield from self.between(source)):
            return False
        yield from _skip_white(source)
        if self.open is None:
            return not (yield from self.ended(source))
        while self.end and not source.closed and begins(source.text, source.pos, self.end):
            yield
        if self.end and source.text.startswith(self.end, source.pos):
            return source.fail(source.pos, self.open_core)
        return (yield from attempt(self.open, source))

    def between(self, source: Source) -> Match:
        """Read the separator of two fields; where something opens a field, it may be missing."""
        if not self.separator:
            if self.open is None and source.text.startswith(",", source.pos):
                source.emit("repair", OTHER_SEPARATOR)
                source.pos += 1
            return True
        while not source.closed and begins(source.text, source.pos, self.separator):
            yield
        if source.text.startswith(self.separator, source.pos):
            source.pos += len(self.separator)
        elif self.open is None:
            return source.fail(source.pos, self.separator)
        return True

    def ended(self, source: Source) -> Match:
        """Tell whether what ends the fields stands here, where nothing opens one."""
        while not source.closed and any(begins(source.text, source.pos, end) for end in self.all_ends):
            yield
        return source.text.startswith(self.all_ends, source.pos)

    def key(self, source: Source) -> Match:
        """Read a key: all up to a character that ends one."""
        while True:
            text, start = source.text, source.pos
            found = self.key_end.search(text, start, start + KEY_LIMIT + 1)
            end = found.start() if found else -1
            if end >= 0:
                break
            if source.closed or len(text) - start > KEY_LIMIT:
                return source.fail(start, "a parameter name")
            yield
        if end == start or text[start] == "/":
            return source.fail(start, "a parameter name")
        source.key = without_entities(text[start:end]) if self.node.key_entities else text[start:end]
        source.pos = end
        return True

    def value(self, source: Source, form: FormPart, depth: int) -> Match:
        """Read a value and its close."""
        may_nest = form.nested is not None and depth < _NESTED_LIMIT and form.value_types(source) != STRING
        if may_nest and (yield from self.is_nested(source)):
            ok = yield from self.nested(source, form, depth)
            if not ok:
                return False
        elif form.raw:
            if not (yield from self.raw(source, form)):
                return False
        elif not (yield from self.encoded(source, form)):
            return False
        if form.close is None:
            return True
        while form.white and not source.closed and begins(source.text, source.pos, form.white):
            yield
        if form.white and source.text.startswith(form.white, source.pos):
            source.pos += len(form.white)
            return True
        return (yield from attempt(form.close, source))

    def encoded(self, source: Source, form: FormPart) -> Match:
        """Read a self-delimiting value, and the white space around it."""
        yield from _skip_white(source)
        syntax = form.syntax_of_next(source)
        if syntax.is_json and form.form.quoted is not None and source.text.startswith("'", source.pos):
            source.emit("repair", OTHER_QUOTES)
            ok = yield from encoded_value(source, ARGUMENTS, form.form.quoted)
        elif syntax.is_json:
            ok = yield from json_value(source, ARGUMENTS)
        else:
            ok = yield from encoded_value(source, ARGUMENTS, syntax)
        if ok and form.close is not None and not form.white:
            yield from _skip_white(source)
        return ok

    def is_nested(self, source: Source) -> Match:
        """Tell whether the value is fields again."""
        while True:
            at = white_end(source.text, source.pos)
            rest = source.text[at : at + len(self.open_core) + 1]
            if len(rest) > len(self.open_core) or source.closed or not self.open_core.startswith(rest):
                break
            yield
        return rest.startswith(self.open_core) and not rest.endswith("/")

    def nested(self, source: Source, form: FormPart, depth: int) -> Match:
        """Read an object or a list that is fields again."""
        key, case = source.key, source.case
        source.case = property_schema(case, key)
        ok = yield from self.items(source, form, depth)
        source.key, source.case = key, case
        return ok

    def items(self, source: Source, form: FormPart, depth: int) -> Match:
        """Read the fields of a nested value: a list where they are named as items are."""
        assert form.nested is not None
        name = form.nested.item_name
        held = source.hold()
        found = yield from self.begin(source, True)
        listed = found is not None and bool(name) and source.key == name
        source.back(held)
        source.keep(held)
        if not listed:
            return (yield from self.object(source, depth + 1))
        source.emit(ARGUMENTS, "[")
        first = True
        while (item := (yield from self.begin(source, first))) is not None:
            if not first:
                source.emit(ARGUMENTS, ", ")
            first = False
            schema = source.case
            source.case = (
                {"properties": {name: (schema or {}).get("items")}} if isinstance(schema, dict) else None
            )
            ok = yield from self.value(source, item, depth + 1)
            source.case = schema
            if not ok:
                return False
        source.emit(ARGUMENTS, "]")
        return True

    def raw(self, source: Source, form: FormPart) -> Match:
        """Read raw text to its close; a declared string is given out as it comes."""
        types = form.value_types(source)
        streamed = types == STRING and not form.form.entities
        anchor = _core(form.form.close, source) or self.ends.last_resort
        while skip_printed(source, form.form.lead) is None:
            yield
        if form.form.quoted is not None and (yield from self.quoted(source, form.form.quoted)):
            return True
        if streamed:
            source.emit(ARGUMENTS, '"')
        at = yield from self.ends.find(source, anchor, form.form.trail, streamed)
        if at < 0:
            return source.fail(len(source.text), *([anchor] if anchor else self.ends.starts))
        self.take_raw(source, form, at, types)
        return True

    def quoted(self, source: Source, syntax: Syntax) -> Match:
        """Read a string in quotes that the template would not print: only where it is the whole value."""
        while source.pos == len(source.text) and not source.closed:
            yield
        if not source.text.startswith(tuple(quote for quote, _ in syntax.quotes), source.pos):
            return False
        held = source.hold()
        source.emit("repair", OTHER_QUOTES)
        whole: bool | None = yield from encoded_value(source, ARGUMENTS, syntax)
        if whole:
            while (whole := self.ends.follows(source, source.pos, closed=False)) is None:
                yield
        if not whole:
            source.back(held)
        source.keep(held)
        return bool(whole)

    def take_raw(self, source: Source, form: FormPart, at: int, types: frozenset[str] | None) -> None:
        """Give out a raw value, or the rest of a string, that ends at a position."""
        value = form.without_trail(source, source.text[source.pos : at], at)
        if types == STRING and not form.form.entities:
            source.emit(ARGUMENTS, json_string_piece(value) + '"')
        else:
            value = without_entities(value) if form.form.entities else value
            converted, repair = raw_to_json(value, types, form.syntax)
            if repair:
                source.emit("repair", repair)
            source.emit(ARGUMENTS, converted)
        source.pos = at


def _skip_white(source: Source) -> Match:
    while (at := white_end(source.text, source.pos)) == len(source.text) and not source.closed:
        yield
    source.pos = at
    return True


def _by_opening(forms: list[FormPart], compile_items: Compile) -> list[tuple[Part | None, list[FormPart]]]:
    found: dict[tuple[Expression, ...], list[FormPart]] = {}
    for form in forms:
        found.setdefault(form.form.before, []).append(form)
    return [(compile_items(before) if before else None, group) for before, group in found.items()]


def _literal_length(items: tuple[Expression, ...]) -> int:
    return sum(len(item.text) for item in items if isinstance(item, Literal))


def _core(close: tuple[Expression, ...], source: Source) -> str:
    """Return the text of a close up to its last character that is not white space, empty where nothing closes."""
    text = ""
    for item in close:
        if isinstance(item, Literal):
            text += item.text
        elif isinstance(item, Same):
            text += source.key if item.slot == Slot.KEY else source.tag
        elif isinstance(item, Space):
            text += item.printed
    return text.rstrip() or text
