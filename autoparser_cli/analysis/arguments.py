"""Tagged arguments -> the markers around a key and a value, and how each type of value is written.

The text behind a value is compared between the first and the last of two arguments: what both share closes a value, what only the
last has belongs to the call.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.conversations import Call
from autoparser_cli.analysis.model import (
    JSON_ENCODING,
    PYTHON_ENCODING,
    RAW_ENCODING,
    JsonType,
    TaggedArguments,
    ValueEncoding,
    ValueForm,
    Var,
)
from autoparser_cli.analysis.probes import KEYS, VALUES
from autoparser_cli.analysis.shapes import behind_label, shared_end, shared_start
from autoparser_cli.analysis.value_encoding import ODD_KEY, SAMPLES, entities_of, quoted_encoding, spellings
from autoparser_cli.analysis.variables import SENTINELS, marker_text
from autoparser_cli.diffing.segments import BRACKETS
from autoparser_cli.diffing.split import common_prefix_length
from autoparser_cli.frozen import frozen

#: Renders a call with these arguments and returns the turn's text; None where the template raises.
CallText = Callable[[Call], str | None]
KEY = SENTINELS[Var.KEY]


@frozen
class ArgumentFrame:
    """What stands around an integer argument: `before` its key, `mid`, `close`, and the `separator` to the next.

    `head` is the text of the turn up to `before` of the first argument.
    """

    before: str
    mid: str
    close: str
    separator: str
    head: str = ""


def argument_frame(text_one: str, text_two: str | None, name_end: int) -> ArgumentFrame | None:
    """Compare a call with one argument and the same with two (both with integer values)."""
    one = _places(text_one, KEYS[:1], (VALUES[0],), name_end)
    if one is None:
        return None
    key_at, key_end, value_at, value_end = one[0]
    lead, mid, rest = text_one[name_end:key_at], text_one[key_end:value_at], text_one[value_end:]
    mid, rest = mid.replace(KEYS[0], KEY), rest.replace(KEYS[0], KEY)
    two = _places(text_two, KEYS, VALUES[:2], name_end) if text_two else None
    if text_two is None or two is None:
        return ArgumentFrame("", mid, "", "")
    between = text_two[two[0][3] : two[1][0]].replace(KEYS[0], KEY)
    before = shared_end([lead, between]).lstrip()
    before = before[len(before) - behind_label([between], len(before)) :]
    before = before[_closing_brackets(before, between[: len(between) - len(before)]) :].lstrip()
    left = between[: len(between) - len(before)]
    close = shared_start([left, rest]) if left else ""
    return ArgumentFrame(before, mid, close, left[len(close) :], text_one[: key_at - len(before)])


def _closing_brackets(text: str, before: str) -> int:
    """Count the brackets at the start of a text that close what was opened before it."""
    for count, char in enumerate(text):
        opening = next((pair[0] for pair in BRACKETS if pair[1] == char), "")
        if not opening or before.count(opening) <= before.count(char):
            return count
        before += char
    return len(text)


@frozen
class Written:
    """How a value of one type stands between its name and the next argument.

    `before` is what stands before the name, `item_name` where a list is tags inside tags; `unescaped` where quotes hold a text with the same quotes in it.
    """

    kind: JsonType
    mid: str
    spelling: str
    close: str
    item_name: str = ""
    unescaped: bool = False
    before: str = ""
    entities: tuple[tuple[str, str], ...] = ()


def tagged_arguments(call_text: CallText, frame: ArgumentFrame, name: str) -> TaggedArguments:
    """Probe every type of value, each as the first of two arguments, and group what is alike into forms."""
    around = {
        (kind, place): texts
        for place, (kind, value) in enumerate(SAMPLES)
        if (texts := _around(call_text, frame, name, value)) is not None
    }
    inside = {key: text for key, (_, text) in around.items()}
    seen: list[Written] = []
    for (kind, place), (before, text) in around.items():
        found = _split_value(text, frame, SAMPLES[place][1])
        if found is not None:
            seen.append(Written(kind, *found, before=before))
        elif "&" in text and (escaped := _escaped_value(text, frame, seen, kind, SAMPLES[place][1])):
            seen.append(replace(escaped, before=before))
    seen = _unescaped(seen, inside, frame) + _nested(inside, seen, frame)
    if not any(written.kind is JsonType.INTEGER for written in seen):
        seen.append(Written(JsonType.INTEGER, frame.mid, "json", frame.close, before=frame.before))
    opening = _shared_opening([written.before for written in seen])
    keys = _key_entities(call_text, frame)
    return TaggedArguments(marker_text(opening), _forms(seen, frame, len(opening)), frame.separator, keys)


def _shared_opening(befores: list[str]) -> str:
    """Return what stands before every name; a word that differs by type is left out as a whole."""
    if len(set(befores)) == 1:
        return befores[0]
    length = min(common_prefix_length(befores[0], before) for before in befores)
    return re.sub(r"\w+$", "", befores[0][:length])


def _unescaped(
    seen: list[Written], inside: dict[tuple[JsonType, int], str], frame: ArgumentFrame
) -> list[Written]:
    """Where a text stands in quotes without escapes, all texts do: only what follows the last quote tells where one ends."""
    texts = [written for written in seen if written.kind is JsonType.STRING]
    raw = next((written for written in texts if written.spelling == "raw" and written.mid != frame.mid), None)
    if raw is None or all(written.spelling == "raw" for written in texts):
        return seen
    plain = [
        text
        for (kind, place), text in inside.items()
        if kind is JsonType.STRING and text == raw.mid + str(SAMPLES[place][1]) + raw.close
    ]
    if len(plain) < len(texts):
        return seen
    return [
        replace(raw, unescaped=True),
        *(written for written in seen if written.kind is not JsonType.STRING),
    ]


def _around(call_text: CallText, frame: ArgumentFrame, name: str, value: Any) -> tuple[str, str] | None:
    """Return what stands before an argument's name, and between that and the next argument, which is an integer."""
    text = call_text(Call(name=name, arguments={KEYS[0]: value, KEYS[1]: VALUES[1]}))
    if text is None:
        return None
    key_at = text.find(KEYS[0], text.find(name) + len(name))
    next_key = text.rfind(KEYS[1], 0, text.rfind(str(VALUES[1])))
    lead = frame.separator + frame.before
    if key_at < 0 or next_key < 0 or not text[:next_key].endswith(lead):
        return None
    before = text[len(frame.head) : key_at] if text.startswith(frame.head) else frame.before
    return before, text[key_at + len(KEYS[0]) : next_key - len(lead)].replace(KEYS[0], KEY)


def _nested(
    inside: dict[tuple[JsonType, int], str], seen: list[Written], frame: ArgumentFrame
) -> list[Written]:
    """Recognise mappings and lists that are the same tags again inside the value."""
    string = next((written for written in seen if written.kind is JsonType.STRING), None)
    texts = {kind: text for (kind, _), text in inside.items()}
    if string is None or JsonType.OBJECT not in texts:
        return []
    leaf = frame.before + KEY + string.mid + "\ue010" + string.close
    mapping = frame.mid + leaf.replace(KEY, "zinnerkey").replace("\ue010", "Zinnertext") + frame.close
    if texts[JsonType.OBJECT] != mapping:
        return []
    before = frame.before
    found = [Written(JsonType.OBJECT, frame.mid, "nested", frame.close, before=before)]
    items = texts.get(JsonType.ARRAY, "")
    item = re.match(re.escape(frame.mid + frame.before) + r"([\w.-]+)", items)
    if item is not None:
        name = item.group(1)
        shown = frame.mid + leaf.replace(KEY, name).replace("\ue010", "Zlistitem")
        if items.startswith(shown) and items.endswith(frame.close):
            found.append(Written(JsonType.ARRAY, frame.mid, "nested", frame.close, name, before=before))
            found[0] = replace(found[0], item_name=name)
    return found


def _split_value(inside: str, frame: ArgumentFrame, value: Any) -> tuple[str, str, str] | None:
    for spelled, name in spellings(value):
        at = inside.rfind(spelled)
        if at < 0:
            continue
        mid, close = inside[:at], inside[at + len(spelled) :]
        if name != "raw" and not _fits(mid, close, frame):
            continue
        return mid, name, close
    return None


def _escaped_value(
    inside: str, frame: ArgumentFrame, seen: list[Written], kind: JsonType, value: Any
) -> Written | None:
    """Return how a value stands whose text holds entities: between the markers of another value."""
    borders = [(frame.mid, frame.close), *((written.mid, written.close) for written in seen)]
    for mid, close in dict.fromkeys(borders):
        if not inside.startswith(mid) or not inside.endswith(close):
            continue
        written = inside[len(mid) : len(inside) - len(close)]
        for spelled, name in spellings(value):
            if entities := entities_of(spelled, written):
                return Written(kind, mid, name, close, entities=entities)
    return None


def _key_entities(call_text: CallText, frame: ArgumentFrame) -> tuple[tuple[str, str], ...]:
    """Return the characters of a name that stand as entities."""
    if KEY in frame.mid or not frame.mid:
        return ()
    text = call_text(Call(arguments={ODD_KEY: VALUES[0]})) or ""
    begin = frame.head + frame.before
    if not text.startswith(begin):
        return ()
    return entities_of(ODD_KEY, text[len(begin) :].partition(f"{frame.mid}{VALUES[0]}")[0]) or ()


def _fits(mid: str, close: str, frame: ArgumentFrame) -> bool:
    """Tell a spelled value from the same text inside a marker: most of the frame must be there."""
    return close == frame.close or mid == frame.mid or (close.endswith(frame.close) and bool(frame.close))


def _forms(seen: list[Written], frame: ArgumentFrame, opened: int) -> tuple[ValueForm, ...]:
    """Return the forms; the first `opened` characters before a name are those of all."""
    names = {written.kind: written.spelling for written in reversed(seen)}
    groups: dict[tuple[str, str, str, ValueEncoding], set[JsonType]] = {}
    entities = tuple(dict.fromkeys(pair for written in seen for pair in written.entities))
    for written in seen:
        mid, close = written.mid, written.close
        encoding = replace(RAW_ENCODING, entities=entities) if entities else _encoding(written, names, frame)
        if encoding.quotes and written.spelling == "raw":
            mid, close = frame.mid, frame.close
        groups.setdefault((written.before[opened:], mid, close, encoding), set()).add(written.kind)
    return tuple(
        ValueForm(frozenset(kinds), marker_text(mid), encoding, marker_text(close), marker_text(before))
        # Python's constants first: what reads them reads JSON's too, and one of two forms behind one marker reads all.
        for (before, mid, close, encoding), kinds in sorted(
            groups.items(), key=lambda item: item[0][3].true == "true"
        )
    )


def _encoding(written: Written, names: dict[JsonType, str], frame: ArgumentFrame) -> ValueEncoding:
    name, mid, close = written.spelling, written.mid, written.close
    if name == "nested":
        return replace(RAW_ENCODING, nested=True, item_name=written.item_name)
    if name == "raw":
        opening, closing = mid.removeprefix(frame.mid), close.removesuffix(frame.close)
        is_quoted = (
            mid.startswith(frame.mid) and close.endswith(frame.close) and opening and opening == closing
        )
        if is_quoted and len(opening) == 1 and written.unescaped:
            return RAW_ENCODING
        return quoted_encoding(opening, closing, names) if is_quoted else RAW_ENCODING
    if name == "python" or _python_constants(written.kind, names):
        return PYTHON_ENCODING
    return JSON_ENCODING


def _python_constants(kind: JsonType, names: dict[JsonType, str]) -> bool:
    """Numbers look alike in both encodings: they go with the constants, so that one form serves."""
    if kind not in (JsonType.INTEGER, JsonType.NUMBER):
        return False
    return names.get(JsonType.BOOLEAN) == "python" and names.get(JsonType.OBJECT) != "json"


def _places(
    text: str | None, keys: tuple[str, ...], values: tuple[int, ...], at: int
) -> list[tuple[int, int, int, int]] | None:
    found = []
    for key, value in zip(keys, values, strict=True):
        key_at = (text or "").find(key, at)
        value_at = (text or "").find(str(value), key_at + len(key)) if key_at >= 0 else -1
        if value_at < 0:
            return None
        at = value_at + len(str(value))
        found.append((key_at, key_at + len(key), value_at, at))
    return found
