"""What an analysis finds, all of it: how a turn is laid out, how a call is written, the method's named fields, and the rest.

Two layers. The *wire format* (`wire_format.py`: `TurnFormat`, `CallFormat`; `encodings.py`: how values are written) is what
the parser and the grammars are built from. The *named fields* (`named_fields.py`: `ReasoningFields`, `ContentFields`,
`ToolFields`) are the method's vocabulary. Here is what holds both, and what else is known of a template. All of it is
imported from here.

Everything is frozen; nothing here computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autoparser_cli.analysis.encodings import JSON_ENCODING as JSON_ENCODING
from autoparser_cli.analysis.encodings import PYTHON_ENCODING as PYTHON_ENCODING
from autoparser_cli.analysis.encodings import RAW_ENCODING as RAW_ENCODING
from autoparser_cli.analysis.encodings import Escapes as Escapes
from autoparser_cli.analysis.encodings import JsonType as JsonType
from autoparser_cli.analysis.encodings import ValueEncoding as ValueEncoding
from autoparser_cli.analysis.named_fields import ArgumentFields as ArgumentFields
from autoparser_cli.analysis.named_fields import CallIdFields as CallIdFields
from autoparser_cli.analysis.named_fields import CallIdPosition as CallIdPosition
from autoparser_cli.analysis.named_fields import ContentFields as ContentFields
from autoparser_cli.analysis.named_fields import ContentMode as ContentMode
from autoparser_cli.analysis.named_fields import FunctionFields as FunctionFields
from autoparser_cli.analysis.named_fields import ReasoningFields as ReasoningFields
from autoparser_cli.analysis.named_fields import ReasoningMode as ReasoningMode
from autoparser_cli.analysis.named_fields import ToolFields as ToolFields
from autoparser_cli.analysis.named_fields import ToolFormatFields as ToolFormatFields
from autoparser_cli.analysis.named_fields import ToolFormatMode as ToolFormatMode
from autoparser_cli.analysis.wire_format import CallFormat as CallFormat
from autoparser_cli.analysis.wire_format import Joint as Joint
from autoparser_cli.analysis.wire_format import JsonCall as JsonCall
from autoparser_cli.analysis.wire_format import LiteralArguments as LiteralArguments
from autoparser_cli.analysis.wire_format import MarkerText as MarkerText
from autoparser_cli.analysis.wire_format import MessageSequence as MessageSequence
from autoparser_cli.analysis.wire_format import TaggedArguments as TaggedArguments
from autoparser_cli.analysis.wire_format import TaggedCall as TaggedCall
from autoparser_cli.analysis.wire_format import TurnFormat as TurnFormat
from autoparser_cli.analysis.wire_format import TurnPart as TurnPart
from autoparser_cli.analysis.wire_format import ValueForm as ValueForm
from autoparser_cli.analysis.wire_format import Var as Var
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.frozen import frozen


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
