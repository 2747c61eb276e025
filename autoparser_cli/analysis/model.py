"""What an analysis finds: how a turn is laid out, how a call is written, and the method's named fields.

Two layers. The *wire format* (`TurnFormat`, `CallFormat`) is what the parser and the grammars are built from: literals as the
template prints them, white space included, and slots. The *named fields* (`ReasoningFields`, `ContentFields`, `ToolFields`)
are the method's vocabulary, read off the wire format for people, reports and JSON.

Everything is frozen; nothing here computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from autoparser_cli.analysis.encodings import JSON_ENCODING as JSON_ENCODING
from autoparser_cli.analysis.encodings import PYTHON_ENCODING as PYTHON_ENCODING
from autoparser_cli.analysis.encodings import RAW_ENCODING as RAW_ENCODING
from autoparser_cli.analysis.encodings import Escapes as Escapes
from autoparser_cli.analysis.encodings import JsonType as JsonType
from autoparser_cli.analysis.encodings import ValueEncoding as ValueEncoding
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.frozen import frozen


class ReasoningMode(Enum):
    """Where a template shows reasoning."""

    NONE = "NONE"
    TAG_BASED = "TAG_BASED"
    TOOLS_ONLY = "TOOLS_ONLY"


class ContentMode(Enum):
    """How a template wraps the assistant's content."""

    PLAIN = "PLAIN"
    ALWAYS_WRAPPED = "ALWAYS_WRAPPED"
    WRAPPED_WITH_REASONING = "WRAPPED_WITH_REASONING"


class ToolFormatMode(Enum):
    """By the method's definitions: is the function name inside JSON? are the argument names?"""

    NONE = "NONE"
    JSON_NATIVE = "JSON_NATIVE"
    TAG_WITH_JSON = "TAG_WITH_JSON"
    TAG_WITH_TAGGED = "TAG_WITH_TAGGED"


class CallIdPosition(Enum):
    """Where a call's id stands in a tag-based format."""

    NONE = "NONE"
    PRE_FUNC_NAME = "PRE_FUNC_NAME"
    BETWEEN_FUNC_AND_ARGS = "BETWEEN_FUNC_AND_ARGS"
    POST_ARGS = "POST_ARGS"


# --------------------------------------------------------------------------------------------- wire format


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


# ------------------------------------------------------------------------------------- the method's named fields


@frozen
class ReasoningFields:
    """`start` and `end` as printed; `start` is empty for delimiter-style reasoning. `field`: the message field it is read from."""

    mode: ReasoningMode = ReasoningMode.NONE
    start: str = ""
    end: str = ""
    field: str = ""


@frozen
class ContentFields:
    """`start` and `end` wrap the content; `requires_nonnull_content`: null content fails or is printed as text."""

    mode: ContentMode = ContentMode.PLAIN
    start: str = ""
    end: str = ""
    requires_nonnull_content: bool = False


@frozen
class ToolFormatFields:
    """The method's `tool_format_analysis`; field names are dotted where nested (`function.name`)."""

    mode: ToolFormatMode = ToolFormatMode.NONE
    section_start: str = ""
    section_end: str = ""
    per_call_start: str = ""
    per_call_end: str = ""
    separator: str = ""
    fun_name_is_key: bool = False
    tools_array_wrapped: bool = False
    function_field: str = ""
    name_field: str = ""
    args_field: str = ""
    id_field: str = ""
    gen_id_field: str = ""
    parameter_order: tuple[str, ...] = ()


@frozen
class FunctionFields:
    """Markers around the function name, and `close` behind the last argument."""

    name_prefix: str = ""
    name_suffix: str = ""
    close: str = ""


@frozen
class ArgumentFields:
    """Markers around arguments; `start`/`end` hold all of them, `separator` stands between two.

    What varies is written in capitals (`type="TYPE"`, `</NAME>`). `value_encoding` tells how each JSON type is written.
    """

    start: str = ""
    end: str = ""
    name_prefix: str = ""
    name_suffix: str = ""
    value_prefix: str = ""
    value_suffix: str = ""
    separator: str = ""
    value_encoding: tuple[tuple[str, str], ...] = ()


@frozen
class CallIdFields:
    """Where the id of a call stands; `name_in_id`: the function name stands only inside the id."""

    pos: CallIdPosition = CallIdPosition.NONE
    prefix: str = ""
    suffix: str = ""
    name_in_id: bool = False


@frozen
class ToolFields:
    """The method's `analyze_tools`."""

    format: ToolFormatFields = ToolFormatFields()
    function: FunctionFields = FunctionFields()
    arguments: ArgumentFields = ArgumentFields()
    call_id: CallIdFields = CallIdFields()


# ---------------------------------------------------------------------------------------------- the whole result


@frozen
class Capabilities:
    """What the template reads and supports.

    `content_with_calls` is `before`, `after`, `as reasoning`, `dropped`, `calls dropped` or `refused`; `string_arguments` is `as is`,
    `encoded twice`, `malformed` or `refused`.
    """

    supports_tools: bool = False
    supports_tool_calls: bool = False
    supports_parallel_tool_calls: bool = False
    supports_system_role: bool = False
    supports_tool_results: bool = False
    supports_typed_content: bool = False
    requires_typed_content: bool = False
    requires_string_arguments: bool = False
    string_arguments: str = ""
    content_with_calls: str = ""
    supports_generation_prompt: bool = False


@frozen
class Switch:
    """A variable that the template reads beyond the standard ones.

    `values` are JSON values that make a difference, `default` what the template sets itself (None: nothing), and
    `unset_acts_like` those of `values` that render as if it were not passed. `in_message`: no variable, but texts that the
    template acts on where they stand in a message (`/no_think`).
    """

    name: str
    default: Any
    values: tuple[Any, ...]
    unset_acts_like: tuple[Any, ...]
    in_message: bool = False


@frozen
class AnalysisWarning:
    """Something a user should know: `code` for machines, `line` (1-based) of the template where there is one."""

    code: str
    message: str
    line: int | None = None


@frozen
class Evidence:
    """One comparison: the probe's id and question, what was compared, both renders, their split, what was concluded.

    A render that raised has its error in place of the text, in `error_left` or `error_right`. `decided` is False where the
    comparison changed nothing.
    """

    probe: str
    question: str
    left_name: str
    right_name: str
    left: str
    right: str
    split: DiffSplit
    conclusion: str
    decided: bool = True
    error_left: str = ""
    error_right: str = ""


@frozen
class ProofStep:
    """One message rendered and parsed back; `detail` says what differed where `passed` is False, `line` which line of
    the template wrote the first of it.
    """

    name: str
    passed: bool
    detail: str = ""
    line: int | None = None


@frozen
class Proof:
    """The round trips that an analysis was put through."""

    steps: tuple[ProofStep, ...] = ()

    @property
    def passed(self) -> int:
        """Count the steps that came back equal."""
        return sum(step.passed for step in self.steps)

    @property
    def tried(self) -> int:
        """Count all steps."""
        return len(self.steps)


@frozen
class GenerationPrompt:
    """What `add_generation_prompt` appends under `kwargs`; `after_tool`: behind a tool result instead of a user turn."""

    text: str
    kwargs: tuple[tuple[str, Any], ...] = ()
    after_tool: bool = False


@frozen
class TemplateAnalysis:
    """All that is known about one chat template.

    `turn` and `calls` are what parsers and grammars are built from; `calls` is None where no tool format was found, and then
    `warnings` say why. `supplied_variables` are those that the template needs and that were made up for the renders. `family` is
    the template family that added what no render shows; `messages` is set where it found that turns are sequences of messages.
    """

    template: str
    capabilities: Capabilities
    reasoning: ReasoningFields
    content: ContentFields
    tools: ToolFields
    turn: TurnFormat
    calls: CallFormat | None
    generation_prompt: str
    generation_prompts: tuple[GenerationPrompt, ...] = ()
    preserved_tokens: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()
    supplied_variables: tuple[str, ...] = ()
    warnings: tuple[AnalysisWarning, ...] = ()
    evidence: Sequence[Evidence] = ()
    proof: Proof = Proof()
    family: str = ""
    messages: MessageSequence | None = None
