"""A template as rules see it: parsed, rendered with the standard conversations, analysed; each of these once,
when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from jinja2 import nodes

from autoparser_cli.errors import AutoparserError, RenderError, ResourceLimitError
from autoparser_cli.frozen import frozen
from autoparser_cli.linting import conversations as said
from autoparser_cli.linting.conversations import CONVERSATIONS, TOOLS, Conversation, Shape
from autoparser_cli.linting.rule import NotEvaluatedError
from autoparser_cli.linting.tokens import Token, read_tokens
from autoparser_cli.templates import ChatTemplate, RenderInputs
from autoparser_cli.templates.source import SPECIAL_TOKEN_NAMES
from autoparser_cli.templates.tracing import Tracer

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import TemplateAnalysis

Node = TypeVar("Node", bound=nodes.Node)


@frozen
class Outcome:
    """A render: its text, or why there is none."""

    text: str = ""
    error: RenderError | None = None

    @property
    def failed(self) -> bool:
        """Tell whether the template raised."""
        return self.error is not None

    @property
    def line(self) -> int | None:
        """Return the line that raised, where it is known."""
        return self.error.line if self.error else None


@dataclass(frozen=True, eq=False)
class Subject:
    """One template to be judged. `path` is where the files beside it are looked for; `cache`: its analysis may
    come from the user's cache folder.
    """

    template: ChatTemplate
    engines: tuple[str, ...]
    path: Path | None = None
    cache: bool = False
    _outcomes: dict[tuple[Any, ...], Outcome] = field(default_factory=dict, init=False, repr=False)

    @property
    def source(self) -> str:
        """Return the template's text."""
        return self.template.source

    @property
    def tree(self) -> nodes.Template:
        """Return the syntax tree. Raise TemplateSyntaxError."""
        return self.template.tree

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Return the source's tokens, with their places."""
        return read_tokens(self.source)

    def find(self, kind: type[Node]) -> Iterator[Node]:
        """Yield the tree's nodes of a kind."""
        return (node for node in self._nodes if isinstance(node, kind))

    @cached_property
    def _nodes(self) -> tuple[nodes.Node, ...]:
        """All nodes of the tree: walking it once for each question takes longer than all renders."""
        return tuple(self.tree.find_all(nodes.Node))

    def column(self, line: int, text: str) -> int | None:
        """Return the column at which `text` first stands on a line."""
        lines = self.source.split("\n")
        at = lines[line - 1].find(text) if 0 < line <= len(lines) else -1
        return at + 1 if at >= 0 else None

    # -------------------------------------------------------------------------------------------------
    # renders

    @cached_property
    def kwargs(self) -> Mapping[str, str]:
        """Make up the special tokens that the template reads and that nothing beside it defines."""
        return {
            name: f"<|{name.removesuffix('_token')}|>"
            for name in SPECIAL_TOKEN_NAMES
            if name in self.template.variables and name not in self.template.special_tokens
        }

    def render(self, name: str, shape: Shape | None = None, **options: Any) -> Outcome:
        """Render a standard conversation in the template's own shape, or in another; `options` go to
        `RenderInputs`.
        """
        conversation = CONVERSATIONS[name]
        return self.render_conversation(conversation, shape or self.shape_for(conversation), **options)

    def shape_for(self, conversation: Conversation) -> Shape:
        """Return the shape that the template understands such a conversation in."""
        has_calls = any(message.get("tool_calls") for message in conversation.messages)
        return self.call_shape if has_calls else self.plain_shape

    def inputs(self, conversation: Conversation, shape: Shape) -> RenderInputs:
        """Return what the template is rendered with."""
        return RenderInputs(
            messages=shape.apply(conversation.messages),
            tools=list(TOOLS) if conversation.tools else None,
            add_generation_prompt=conversation.generation,
            kwargs=self.kwargs,
            keep_nulls=shape.call_content is None,
        )

    @cached_property
    def tracer(self) -> Tracer:
        """Tell which line wrote what; made once for all rules."""
        return Tracer(self.template)

    def render_conversation(self, conversation: Conversation, shape: Shape, **options: Any) -> Outcome:
        """Render a conversation that is not one of the standard ones."""
        key = (conversation.name, shape, tuple(sorted((name, str(value)) for name, value in options.items())))
        known = CONVERSATIONS.get(conversation.name) is conversation
        if known and key in self._outcomes:
            return self._outcomes[key]
        outcome = self._render(replace(self.inputs(conversation, shape), **options))
        if known:
            self._outcomes[key] = outcome
        return outcome

    def needs(self, name: str, shape: Shape | None = None) -> str:
        """Return a render's text; raise NotEvaluatedError where there is none."""
        outcome = self.render(name, shape)
        if outcome.failed:
            raise NotEvaluatedError(f"{CONVERSATIONS[name].title} does not render: {outcome.error}")
        return outcome.text

    @cached_property
    def plain_shape(self) -> Shape:
        """Find whether content is taken as text or only as typed parts; text where neither renders."""
        for shape in (Shape(), Shape(parts=True)):
            outcome = self.render_conversation(CONVERSATIONS["question"], shape)
            if not outcome.failed and said.QUESTIONS[0] in outcome.text and "'text'" not in outcome.text:
                return shape
        return Shape()

    @cached_property
    def call_shape(self) -> Shape:
        """Find the shape in which a call shows; the plain one where none does."""
        for shape in said.CALL_SHAPES:
            if self.shows_call(shaped := replace(shape, parts=self.plain_shape.parts)):
                return shaped
        return self.plain_shape

    def shows_call(self, shape: Shape) -> bool:
        """Tell whether a call's name and value are printed that a conversation without the call does not
        print.
        """
        for name in ("call", "answered"):
            outcome = self.render_conversation(CONVERSATIONS[name], shape)
            if not outcome.failed and said.VALUES[0] in outcome.text:
                return said.NAMES[0] in outcome.text
        return False

    @cached_property
    def renders_calls(self) -> bool:
        """Tell whether the template prints calls, in any of the usual shapes."""
        return self.shows_call(self.call_shape)

    @cached_property
    def prints_calls(self) -> bool:
        """Tell whether anything of a call is printed, if only its name."""
        if self.renders_calls:
            return True
        with_call, without = self.render("call"), self.render("tools")
        failed = with_call.failed or without.failed
        return not failed and with_call.text.count(said.NAMES[0]) > without.text.count(said.NAMES[0])

    @cached_property
    def renders_tools(self) -> bool:
        """Tell whether the template tells the model about the tools."""
        outcome = self.render("tools")
        return not outcome.failed and said.NAMES[0] in outcome.text

    @cached_property
    def renders_results(self) -> bool:
        """Tell whether what a tool gave is printed."""
        outcome = self.render("answered")
        return not outcome.failed and said.RESULTS[0] in outcome.text

    def _render(self, inputs: RenderInputs) -> Outcome:
        """Render once. Raise ResourceLimitError: what is beyond the limits once is not tried a hundred times."""
        try:
            return Outcome(self.template.render(inputs))
        except ResourceLimitError:
            raise
        except RenderError as error:
            return Outcome(error=error)

    # ------------------------------------------------------------------------------------------------
    # analysis

    @cached_property
    def analysis(self) -> TemplateAnalysis:
        """Return what can be inferred of the template; raise NotEvaluatedError where the analysis does not
        come to an end.
        """
        found = self._analysis_or_reason
        if isinstance(found, str):
            raise NotEvaluatedError(found)
        return found

    @cached_property
    def _analysis_or_reason(self) -> TemplateAnalysis | str:
        from autoparser_cli.inference import analyze

        tokens = {**self.template.special_tokens, **self.kwargs}
        try:
            return analyze(self.template.with_special_tokens(tokens), cache=self.cache)
        except AutoparserError as error:
            return f"the analysis ended with: {error}"
