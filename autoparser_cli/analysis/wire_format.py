"""How a turn is laid out and how a call is written: literals as the template prints them, white space included, and slots.

This is what the parser and the grammars are built from. Everything is frozen; nothing here computes.
"""

from __future__ import annotations

from enum import Enum

from autoparser_cli.analysis.encodings import JSON_ENCODING, JsonType, ValueEncoding
from autoparser_cli.frozen import frozen


class Var(Enum):
    """What varies inside a literal. Its first place in a call is the slot; later ones repeat the same text.

    INDEX counts the calls of a turn, from `CallFormat.index_base`. KEY stands only in `TaggedArguments`.
    """

    NAME = "NAME"
    ID = "ID"
    ARGUMENTS = "ARGUMENTS"
    KEY = "KEY"
    INDEX = "INDEX"


#: Text as the template prints it, with places that vary: `("<function=", Var.NAME, ">\n", Var.ARGUMENTS, "</function>")`.
#: Two strings never stand side by side, and no string is empty.
MarkerText = tuple[str | Var, ...]


class TurnPart(Enum):
    """What an assistant turn is made of; START and END are its borders."""

    START = "START"
    REASONING = "REASONING"
    CONTENT = "CONTENT"
    CALLS = "CALLS"
    END = "END"


@frozen
class Joint:
    """What is printed between two parts of a turn, white space included.

    The text after START comes behind `TurnFormat.header`; the text before CALLS ends where `CallFormat.section_start` begins,
    the text after CALLS starts where `section_end` has ended; the text before END ends where `TurnFormat.end` begins.
    `observed` is False where no render shows the pair and the text was put together from others.
    """

    before: TurnPart
    after: TurnPart
    text: str
    observed: bool = True


@frozen
class TurnFormat:
    """The order of an assistant turn as a graph: `joints` has every pair of parts that can follow each other.

    `header` opens the turn (`<|im_start|>assistant\\n`); the prompt usually ends with it. `end` closes the turn
    (`<|im_end|>\\n`); an output may stop anywhere inside it.
    """

    header: str
    joints: tuple[Joint, ...]
    end: str


@frozen
class ValueForm:
    """One way to write a tagged argument from behind its name: `mid`, the value in `encoding`, `close`.

    `types` are the types that the template writes this way. Where two forms share `mid`, the declared type of the parameter
    chooses; where their `mid` differ, the text does, and so does `before`, which stands before the name (`type="string" name="`).
    """

    types: frozenset[JsonType]
    mid: MarkerText
    encoding: ValueEncoding
    close: MarkerText
    before: MarkerText = ()


@frozen
class TaggedArguments:
    """Arguments one by one: `open` `form.before` KEY `form.mid` VALUE `form.close`, with `separator` between two.

    `open` is the text before KEY that all forms share. Call syntax is this too: `open` empty, `mid` `=`, `separator` `, `.
    `key_entities` are the characters of names that stand as something else, each with what is written for it.
    """

    open: MarkerText
    forms: tuple[ValueForm, ...]
    separator: str
    key_entities: tuple[tuple[str, str], ...] = ()


@frozen
class LiteralArguments:
    """All arguments as one mapping in `encoding`; `as_string` where that mapping is JSON text inside a JSON string."""

    encoding: ValueEncoding = JSON_ENCODING
    as_string: bool = False


@frozen
class JsonCall:
    """A call that is one JSON object as a whole; the paths lead to its fields (`("function", "name")`).

    `fun_name_is_key`: the object is `{NAME: arguments}` and `name_path` is empty. `key_order` has the keys at the top in the order
    printed, `paths` the fields at any depth; `constants` the fields whose value never varies, as (path, JSON text);
    `arguments.encoding` is that of the whole object.
    `counted_id`: the id in `id_path` is numbered by the template and not read from the message.
    """

    name_path: tuple[str, ...]
    arguments_path: tuple[str, ...]
    arguments: LiteralArguments
    id_path: tuple[str, ...] | None = None
    counted_id: bool = False
    fun_name_is_key: bool = False
    key_order: tuple[str, ...] = ()
    paths: tuple[tuple[str, ...], ...] = ()
    constants: tuple[tuple[tuple[str, ...], str], ...] = ()


@frozen
class TaggedCall:
    """A call whose name stands outside JSON: `body` has NAME, ARGUMENTS, perhaps ID and INDEX, and the literals between.

    `empty_body`: the body of a call without arguments, where it is another one than `body` with nothing (or `{}`) for ARGUMENTS.
    `id_text`: the part of `body` that is the call's id as a whole, where the name is part of the id (`functions.NAME:0`).
    """

    body: MarkerText
    arguments: TaggedArguments | LiteralArguments
    empty_body: MarkerText | None = None
    id_text: MarkerText | None = None


@frozen
class CallFormat:
    """How calls are written: `section_start`, then for each call `per_call_start` body `per_call_end`, with `separator` between
    two, then `section_end`.

    `array_wrapped`: the calls are the items of a JSON array; `[` stands behind `section_start`, `]` before `section_end`, and
    `separator` holds the comma. `section_end_optional`: the template itself leaves `section_end` out for some number of calls.
    `parallel`: the template renders more than one call. `index_base`: what INDEX counts from. `other_starts`: markers that stand
    before calls to the template's own tools only, and that models write before any call. `several_start`, `several_end`: what stands
    inside of the section around two or more calls, and not around one.
    """

    section_start: str
    section_end: str
    per_call_start: MarkerText
    per_call_end: MarkerText
    separator: str
    body: JsonCall | TaggedCall
    array_wrapped: bool = False
    section_end_optional: bool = False
    parallel: bool = True
    index_base: int = 0
    other_starts: tuple[str, ...] = ()
    several_start: str = ""
    several_end: str = ""


@frozen
class MessageSequence:
    """A turn that the model writes as a sequence of messages, each with a header that says what it is.

    `start` opens every message but the first, which the prompt has opened. The header is `channel` and the name of a channel,
    with `recipient` and a name before or behind it where the message is for somebody, and perhaps a content type; `body` ends the
    header. `namespace` stands before the name of a declared tool. `ends` close a message, the one of reasoning first.
    """

    start: str
    channel: str
    body: str
    ends: tuple[str, ...]
    reasoning_channel: str = ""
    content_channel: str = ""
    call_channel: str = ""
    recipient: str = ""
    namespace: str = ""
    content_type: str = ""
