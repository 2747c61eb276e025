"""Arguments that a template writes one by one -> the fields that the matcher reads.

Beside the forms that the template prints stand those in which models write the values of a call as in Python's syntax.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.analysis.model import PYTHON_ENCODING, JsonType, TaggedArguments, ValueForm
from autoparser_cli.parsing.wire import (
    core_text,
    cores,
    leading_white,
    marker_items,
    syntax_of,
    trailing_white,
)
from autoparser_cli.peg.expressions import Fields, Form

_ASSIGNS = ("=", ":", ": ")
_KEY_STOPS = "<>\n\"'"


def fields_of(arguments: TaggedArguments, end: str, other_ends: tuple[str, ...] = ()) -> Fields:
    """Return arguments that are written one by one."""
    as_call = not arguments.open
    raw = {(form.before, form.mid) for form in arguments.forms if form.encoding.is_raw}
    forms = tuple(_form(form, (form.before, form.mid) in raw, as_call) for form in arguments.forms)
    stops = set(_KEY_STOPS)
    for form in arguments.forms:
        first = form.mid[0] if form.mid else ""
        stops.update(first[:1] if isinstance(first, str) else "")
    return Fields(
        open=tuple(marker_items(arguments.open)),
        forms=forms,
        separator=arguments.separator,
        end=end,
        other_ends=tuple(text for text in other_ends if text not in ("", end)),
        key="".join(sorted(stops)),
        other_forms=tuple(_unquoted(arguments)) if as_call else (),
        key_entities=arguments.key_entities,
    )


def _unquoted(arguments: TaggedArguments) -> Iterator[Form]:
    """Give the forms in which a model writes values that the template puts between quotes, whatever they are."""
    for form in arguments.forms:
        quote = core_text(form.close)[:1]
        if not form.encoding.is_raw or quote not in ("'", '"') or core_text(form.mid)[-1:] != quote:
            continue
        if len(form.mid) == len(form.close) == 1:
            bare = replace(form, types=frozenset(JsonType), encoding=PYTHON_ENCODING)
            mid, close = core_text(form.mid)[:-1], core_text(form.close)[1:]
            yield _form(replace(bare, mid=(mid,), close=(close,) if close else ()), False, False)


def _form(form: ValueForm, beside_raw: bool, as_call: bool) -> Form:
    """Return one way to write a value; white space next to what is, or may be, raw text is kept apart.

    `as_call`: the arguments are written as in a call of Python's, in which models put strings in quotes.
    """
    raw = beside_raw or bool(cores(form.close))
    mid, close, lead, trail = form.mid, form.close, "", ""
    if raw:
        if mid and isinstance(mid[-1], str):
            lead = trailing_white(mid[-1])
            mid = (*mid[:-1], mid[-1][: len(mid[-1]) - len(lead)])
        if cores(close) and isinstance(close[0], str):
            trail = leading_white(close[0])
            close = (close[0][len(trail) :], *close[1:])
    own = syntax_of(form.encoding)
    assigned = as_call and not form.close and core_text(form.mid) in _ASSIGNS
    return Form(
        types=frozenset(kind.value for kind in form.types),
        mid=tuple(marker_items(tuple(piece for piece in mid if piece != ""))),
        close=tuple(marker_items(tuple(piece for piece in close if piece != ""))),
        syntax=None if form.encoding.is_raw else own,
        raw=own,
        lead=lead,
        trail=trail,
        nested=form.encoding.nested,
        item_name=form.encoding.item_name,
        before=tuple(marker_items(form.before)),
        quoted=syntax_of(PYTHON_ENCODING) if assigned else None,
        entities=form.encoding.entities,
    )
