"""Parsing expressions: what a text may look like, as plain values that know nothing of chat.

A `Grammar` is a set of named states; each is an expression that ends in `Goto`. One tree serves three
readers: the matcher (`matching.py`), which is tolerant where `Space` and `Margin` stand; exporters of
grammars, which print the expected text exactly and enforce the schemas in `Switch` and `Record`; and people
(`dump.py`).

The nodes:

| node | matches |
|---|---|
| `Literal(text)` | exactly this text |
| `Space(printed)` | any white space between two markers; `printed` is what is expected |
| `Margin(printed)` | white space between a marker and a text: as much of `printed` as is there, never more |
| `Run(kind, pattern, what)` | the longest run of a pattern, given out as an event of `kind` |
| `Sequence`, `Choice`, `Optional` | as in any PEG; a `Cut` passed inside a choice rules the others out |
| `Peek(item)`, `Not(item)` | looks ahead and consumes nothing |
| `Cut()` | what was matched so far is final |
| `Mark(kind, value)` | nothing; gives out an event |
| `Text(kind, exits)` | text up to the first place where an exit matches, and that exit; or to the end |
| `Unclosed(head, closing, item)` | `item`, where `head` matches here and `closing` comes nowhere behind it |
| `Ahead(markers)` | nothing, where one of the markers comes anywhere behind |
| `Rest(markers)` | what may stand at the very end: some or all of `markers`, then nothing |
| `Goto(state)` | goes on as that state; stands only in tail position |
| `Switch(cases, body)` | a name (`Tag` inside the body), then arguments whose schema that name decides |
| `Tag(before, commit)` | the name itself: a run, looked up in the cases |
| `Span(kind, item)` | `item`; its whole text is an event |
| `Same(slot)` | the current tag or key once more |
| `Payload(syntax, as_string)` | all arguments as one object |
| `Fields(...)` | arguments one by one, each between its own markers |
| `Record(...)` | a whole JSON object that holds name, arguments and perhaps an id, in any key order |
| `Json(kind, schema)` | one JSON value, given out verbatim as an event of `kind` |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoparser_cli.frozen import frozen


@frozen
class Literal:
    """Exactly `text`."""

    text: str


@frozen
class Space:
    """White space between two markers; any amount is understood, `printed` is what is expected.

    `free`: any amount is as good as another.
    """

    printed: str = ""
    free: bool = False


@frozen
class Margin:
    """White space between a marker and a text.

    As much of `printed` as is there; what is more belongs to the text.
    """

    printed: str


@frozen
class Run:
    """The longest run of characters that `pattern` matches one by one, as an event of `kind`."""

    kind: str
    pattern: str
    what: str


@frozen
class Sequence:
    """All `items` in order."""

    items: tuple[Expression, ...]


@frozen
class Choice:
    """The first of `items` that matches."""

    items: tuple[Expression, ...]


@frozen
class Optional:
    """`item` or nothing; `missing` names the repair where leaving it out is one."""

    item: Expression
    missing: str = ""


@frozen
class Peek:
    """Nothing, where `item` would match."""

    item: Expression


@frozen
class Not:
    """Nothing, where `item` would not match."""

    item: Expression


@frozen
class Cut:
    """Nothing; what was matched so far is final, and a failure from here on is an error."""


@frozen
class Mark:
    """Nothing; gives out an event of `kind`."""

    kind: str
    value: str = ""


@frozen
class Exit:
    """A way out of a text: `item`, which opens with the literal `anchor`.

    `trim` is the white space printed before it.

    `guard`: a pattern of what comes next behind the anchor and white space. `certain`: the anchor is
    no prose, so that an input which ends inside `item` is one cut short.
    """

    anchor: str
    item: Expression
    trim: str = ""
    guard: str = ""
    certain: bool = False


@frozen
class Text:
    """Text as events of `kind`, up to the first place where an exit matches as a whole, then that exit.

    At the end of the input the text ends too, and the grammar goes on in the state `at_end`.
    """

    kind: str
    exits: tuple[Exit, ...]
    at_end: str


@frozen
class Unclosed:
    """`item`, where `head` matches here and none of `closing` comes behind it in the whole input.

    Else no match.
    """

    head: Expression
    closing: tuple[str, ...]
    item: Expression


@frozen
class Ahead:
    """Nothing, where one of `markers` comes anywhere behind in the whole input."""

    markers: tuple[str, ...]


@frozen
class Rest:
    """The very end: the first of `markers`, some or all of the others, then nothing more but white space."""

    markers: tuple[str, ...]


@frozen
class Goto:
    """Go on as the state `state`."""

    state: str


class Slot:
    """The names of what `Same` can repeat."""

    TAG = "tag"
    KEY = "key"


@frozen
class Same:
    """The text that the current tag or key was read as."""

    slot: str


@frozen
class Tag:
    """A name: a run of characters that ends before `before` or before what cannot stand in a name.

    `before_end`: what stands behind it where there are no arguments. A name that is none of the cases matches too, and an event `unknown` tells so. `commit`: one that is makes
    all that was matched final, as a `Cut` does. `known_only`: nothing else matches. `certain`: any name makes
    it final. `inside_id`: the run is an id that holds the name (`functions.NAME:0`) in a form of its own.
    """

    before: str = ""
    commit: bool = False
    known_only: bool = False
    certain: bool = False
    inside_id: bool = False
    before_end: str = ""


@frozen
class Span:
    """`item`, whose text as a whole is an event of `kind`, given out before the events of `item`."""

    kind: str
    item: Expression


@frozen
class Syntax:
    """How self-delimiting values are written.

    Quotes (open, close), escapes (`none`, `json`, `python`), keys and constants. `sorted_keys`: mappings are
    printed in the order of their keys; any order is read.
    """

    quotes: tuple[tuple[str, str], ...] = (('"', '"'),)
    escapes: str = "json"
    bare_keys: bool = False
    sorted_keys: bool = False
    true: str = "true"
    false: str = "false"
    null: str = "null"

    @property
    def is_json(self) -> bool:
        """Tell whether this is JSON itself, which needs no translation."""
        return self == JSON_SYNTAX


JSON_SYNTAX = Syntax()


@frozen
class Payload:
    """All arguments as one object in `syntax`, checked against the schema of the current case by exporters.

    `as_string`: the object is JSON text inside a JSON string.
    """

    syntax: Syntax = JSON_SYNTAX
    as_string: bool = False


@frozen
class Form:
    """One way to write a field behind its key: `mid`, the value, `close`; `before` stands before the key.

    `types` are the JSON types written this way. `syntax` None: raw text up to where `close` matches and a
    further field or the end of the fields follows; otherwise a self-delimiting value. `lead` and `trail` are
    the white space printed around raw text. `constants` are how raw true, false and null are written.
    `nested`: mappings and lists are fields inside fields. `quoted`: how a string in quotes that the template does not
    print is read in place of raw text. `entities`: characters of raw text, each with what is written for it.
    """

    types: frozenset[str]
    mid: tuple[Expression, ...]
    close: tuple[Expression, ...]
    syntax: Syntax | None = None
    raw: Syntax = JSON_SYNTAX
    lead: str = ""
    trail: str = ""
    nested: bool = False
    item_name: str = ""
    quoted: Syntax | None = None
    before: tuple[Expression, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()


@frozen
class Fields:
    """Fields one by one: `open` `form.before` KEY `form.mid` VALUE `form.close`, any order, `separator` between two.

    `end` is the literal that follows the last field, empty where none does, `other_ends` what may stand in
    its place; `key` a character class. `key_entities`: characters of keys, each with what is written for it. `behind` are the texts of which one stands behind `end`, each with the text behind a
    name that follows it, empty where none does; there are none where anything may stand there. `other_forms` are forms that the
    template does not print.
    """

    open: tuple[Expression, ...]
    forms: tuple[Form, ...]
    separator: str
    end: str
    key: str
    other_ends: tuple[str, ...] = ()
    behind: tuple[tuple[str, str], ...] = ()
    other_forms: tuple[Form, ...] = ()
    key_entities: tuple[tuple[str, str], ...] = ()


@frozen
class Switch:
    """`body` for one of `cases`, which map a name to the JSON Schema of its arguments."""

    cases: Mapping[str, Any]
    body: tuple[Expression, ...]


@frozen
class Record:
    """A JSON object with a name, arguments and perhaps an id at these paths; other keys are read over.

    `tag_is_key`: the object is `{name: arguments}`. `tag_path` empty otherwise never. `key_order` are the keys at the
    top in the order printed, `paths` all fields. `constants` are (path, JSON text). `weak`: nothing before the object says that it is one, so that only a name out of `cases` with
    its arguments counts.
    """

    cases: Mapping[str, Any]
    tag_path: tuple[str, ...]
    value_path: tuple[str, ...]
    id_path: tuple[str, ...] | None = None
    syntax: Syntax = JSON_SYNTAX
    as_string: bool = False
    tag_is_key: bool = False
    key_order: tuple[str, ...] = ()
    paths: tuple[tuple[str, ...], ...] = ()
    constants: tuple[tuple[tuple[str, ...], str], ...] = ()
    weak: bool = False


@frozen
class Json:
    """One JSON value, given out verbatim as an event of `kind`; exporters enforce `schema`."""

    kind: str
    schema: Any = True


Expression = (
    Literal | Space | Margin | Run | Sequence | Choice | Optional | Peek | Not | Cut | Mark | Text | Unclosed
    | Ahead | Rest
    | Goto | Same | Span | Tag | Payload | Fields | Switch | Record | Json
)  # fmt: skip


@frozen
class Grammar:
    """States by name, of which `start` is the first; a match ends where a state ends without `Goto`."""

    states: Mapping[str, Expression]
    start: str
