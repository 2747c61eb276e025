"""The method's vocabulary: named markers, modes and formats, read off the wire format for people, reports and JSON.

Everything is frozen; nothing here computes.
"""

from __future__ import annotations

from enum import Enum

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
