"""Renders of one template, two by two -> evidence; made when it is first looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

from autoparser_cli.analysis.conventions import THINKING_SWITCHES
from autoparser_cli.analysis.conversations import (
    PROBE_TOOLS,
    Call,
    Conventions,
    Renderer,
    Turn,
    user_message,
)
from autoparser_cli.analysis.model import Evidence
from autoparser_cli.analysis.probes import PROBES, SYSTEM, USER
from autoparser_cli.analysis.switches import (
    Kwargs,
    TrialConversation,
    passed_variables,
    trial_conversations,
)
from autoparser_cli.diffing.split import compare_variants
from autoparser_cli.errors import RenderError
from autoparser_cli.frozen import frozen

#: Makes a render; None where the template raises.
Request = Callable[[Renderer], str | None]


class LazyEvidence(Sequence[Evidence]):
    """Comparisons that are made when they are first looked at: few commands show them, and they take a quarter of an analysis.

    A pickled copy holds what was made until then; one that was not looked at is empty.
    """

    def __init__(self, collect: Callable[[], tuple[Evidence, ...]]) -> None:
        self._collect = collect
        self._found: tuple[Evidence, ...] | None = None

    @overload
    def __getitem__(self, index: int) -> Evidence: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Evidence, ...]: ...
    def __getitem__(self, index: int | slice) -> Evidence | tuple[Evidence, ...]:
        """Return one comparison, or several."""
        return self._all()[index]

    def __len__(self) -> int:
        """Count the comparisons."""
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        """Tell whether another sequence has the same comparisons."""
        return isinstance(other, (LazyEvidence, tuple)) and self._all() == tuple(other)

    def __hash__(self) -> int:
        """Return the hash of the comparisons."""
        return hash(self._all())

    def __repr__(self) -> str:
        """Say whether the comparisons were made."""
        return f"LazyEvidence({'not looked at' if self._found is None else self._found})"

    def __reduce__(self) -> tuple[type, tuple[tuple[Evidence, ...]]]:
        """Pickle as a tuple."""
        return tuple, (self._found or (),)

    def _all(self) -> tuple[Evidence, ...]:
        if self._found is None:
            self._found = self._collect()
        return self._found


@frozen
class Bench:
    """Makes the renders of one analysis, and comparisons of them."""

    renderer: Renderer
    text: Conventions
    called: Conventions | None

    @property
    def calls(self) -> Conventions:
        """Return the shape of messages with calls, whether such were seen to work or not."""
        return self.called or self.text

    def turn(self, turn: Turn, conventions: Conventions | None = None, *, tools: bool = False) -> Request:
        """Return a conversation that ends with a turn; one with calls has tools."""
        tooled = tools or bool(turn.calls)
        shape = conventions or (self.calls if tooled else self.text)
        return lambda renderer: renderer.turn(turn, shape, tools=PROBE_TOOLS if tooled else None)

    def argument(self, key: str, value: Any) -> Request:
        """Return a turn with a call of one argument."""
        return self.turn(Turn(calls=(Call(arguments={key: value}),)))

    def prompt(self, thinking: bool | None, *, generation: bool = True, after_tool: bool = False) -> Request:
        """Return a prompt with thinking switched on or off, or the switches not set (None)."""
        shape = _with_thinking(self.calls if after_tool else self.text, self._switches(), thinking)
        return lambda renderer: renderer.prompt(shape, generation=generation, after_tool=after_tool)

    def ending(self, thinking: bool) -> str:
        """Return what the generation prompt adds with thinking switched on or off."""
        without, having = (
            self.prompt(thinking, generation=generation)(self.renderer) or "" for generation in (False, True)
        )
        return having.removeprefix(without)

    def messages(self, messages: list[dict[str, Any]], *, tools: bool = False) -> Request:
        """Return any conversation."""
        shape = self.calls if tools else self.text
        return lambda renderer: renderer.render(messages, shape, tools=PROBE_TOOLS if tools else None)

    def told(self, text: str) -> tuple[Request, Request]:
        """Return a prompt without and with a text in the user's or in a system message, where more differs than the text."""
        shape = replace(self.text, kwargs=passed_variables(self.text))

        def prompted(messages: list[dict[str, Any]]) -> Request:
            return lambda renderer: renderer.render(messages, shape, generation=True)

        asked, system = user_message(shape), {"role": "system", "content": SYSTEM}
        pairs = [
            (prompted([asked]), prompted([user_message(shape, f"{USER} {text}")])),
            (prompted([system, asked]), prompted([{**system, "content": f"{SYSTEM} {text}"}, asked])),
        ]
        for unset, having in pairs:
            if (having(self.renderer) or "").replace(f" {text}", "") != unset(self.renderer):
                return unset, having
        return pairs[0]

    def switched(self, name: str, value: Any, *, alone: bool) -> tuple[Request, Request]:
        """Return a conversation without and with a switch: the first that differs by it, where one does.

        Not `alone`: a difference may show only where another switch is set as well.
        """
        pairs = [
            self._switched(known, beside, name, value)
            for beside in (((),) if alone else self._settings(name))
            for known in trial_conversations(self.renderer, self.text, self.called)
        ]
        differing = (pair for pair in pairs if pair[0](self.renderer) != pair[1](self.renderer))
        return next(differing, pairs[0])

    def _switched(
        self, known: TrialConversation, beside: Kwargs, name: str, value: Any
    ) -> tuple[Request, Request]:
        tools = PROBE_TOOLS if known.tools else None
        others = (*((key, it) for key, it in passed_variables(self.text) if key != name), *beside)

        def rendered(kwargs: Kwargs) -> Request:
            shape = replace(known.conventions, kwargs=kwargs)
            return lambda renderer: renderer.render(
                known.messages, shape, generation=known.generation, tools=tools
            )

        return rendered(others), rendered((*others, (name, value)))

    def _settings(self, name: str) -> Iterator[Kwargs]:
        """Yield what to pass beside a switch: a difference may show only where thinking is on."""
        yield ()
        others = [switch for switch in self._switches() if switch != name]
        for value in (True, False) if others else ():
            yield tuple((other, value) for other in others)

    def compare(
        self,
        probe: str,
        left: Request,
        right: Request,
        conclusion: str,
        *,
        left_name: str = "",
        right_name: str = "",
    ) -> Evidence:
        """Render both and split the texts."""
        known = PROBES[probe]
        found = compare_variants(self, left, lambda _: right)
        return Evidence(
            probe=probe,
            question=known.question,
            left_name=left_name or known.left,
            right_name=right_name or known.right,
            left=found.left,
            right=found.right,
            split=found.split,
            conclusion=conclusion,
            decided=found.differs,
            error_left=_told(found.error_left),
            error_right=_told(found.error_right),
        )

    def render(self, inputs: Request) -> str:
        """Make a render. Raise RenderError."""
        text = inputs(self.renderer)
        if text is not None:
            return text
        again = Renderer(
            self.renderer.template
        )  # errors are kept by their text only: the first is this one's
        inputs(again)
        raise next(iter(again.errors.values()), RenderError("the template raises"))

    def _switches(self) -> tuple[str, ...]:
        return tuple(name for name in THINKING_SWITCHES if name in self.renderer.template.variables)


def _told(error: RenderError | None) -> str:
    if error is None:
        return ""
    return f"line {error.line}: {error}" if error.line is not None else str(error)


def _with_thinking(shape: Conventions, switches: tuple[str, ...], thinking: bool | None) -> Conventions:
    kwargs = tuple((name, value) for name, value in shape.kwargs if name not in switches)
    if thinking is not None:
        kwargs = (*kwargs, *((name, thinking) for name in switches))
    return replace(shape, kwargs=kwargs)
