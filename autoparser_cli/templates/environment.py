"""The two Jinja environments that chat templates are rendered in.

`STRICT` behaves as Hugging Face transformers 5.24 sets Jinja up: the immutable sandbox, block trimming, loop
controls, the `generation` tag and four globals. `PERMISSIVE` is the same sandbox, with what other engines
allow and what cannot harm: a template may change its own lists and dicts, and `tojson` takes generators. Each
such liberty is reported to the `Liberties` that the render was started with. Both compile a template to the
same code, so that one compile serves both.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from types import BuiltinMethodType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment, modifies_known_mutable
from jinja2.utils import Namespace, missing

from autoparser_cli.errors import ResourceLimitError
from autoparser_cli.frozen import frozen

#: The most characters that one string may grow to by repetition, and that one render may write.
MAX_OUTPUT = 10_000_000

#: The most bits that a number may have; far beyond what any prompt counts.
MAX_NUMBER_BITS = 100_000

#: The most rounds of loops and calls of macros in one render, and its most seconds. A long conversation needs
#: some thousands of rounds; the clock is for rounds that are slow.
MAX_STEPS = 1_000_000
MAX_SECONDS = 5.0

#: How many rounds pass between two looks at the clock.
LOOK_EVERY = 200

#: What `strftime_now` tells unless a render asks otherwise: renders have to be repeatable.
FROZEN_NOW = datetime(2025, 1, 15, 12, 0, 0)


#: What `+` and `*` make longer.
_GROWING = (str, list, tuple)

#: Where the sandbox has to look closer: a dict's own names, and the methods of a text that read attributes.
_DICT_ATTRIBUTES = frozenset(dir(dict))
_HARMLESS_STR_METHODS = frozenset(
    name for name in dir(str) if not name.startswith("_") and name not in ("format", "format_map")
)


@frozen
class Liberty:
    """Something the strict sandbox refuses: `code` for machines, `line` (1-based) of the template."""

    code: str
    message: str
    line: int | None


@dataclass(slots=True)
class Liberties:
    """What one permissive render made use of, each thing once, in order."""

    taken: dict[Liberty, None] = field(default_factory=dict)

    def note(self, code: str, message: str) -> None:
        """Add a liberty, with the line of the template that is running."""
        self.taken[Liberty(code, message, running_line())] = None


_liberties: ContextVar[Liberties | None] = ContextVar("liberties", default=None)


@contextmanager
def noting(liberties: Liberties) -> Iterator[None]:
    """Let the permissive environment report to `liberties`."""
    token = _liberties.set(liberties)
    try:
        yield
    finally:
        _liberties.reset(token)


_missed: ContextVar[set[str] | None] = ContextVar("missed", default=None)


@contextmanager
def noting_missed() -> Iterator[set[str]]:
    """Collect the names of the variables that the renders inside ask for and were not given."""
    names: set[str] = set()
    token = _missed.set(names)
    try:
        yield names
    finally:
        _missed.reset(token)


class MissedVariable(jinja2.Undefined):
    """What a template sees of anything that is not there; that a variable was asked for is noted."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        exc: type[jinja2.TemplateRuntimeError] = jinja2.UndefinedError,
    ) -> None:
        super().__init__(hint, obj, name, exc)
        if obj is missing and name is not None:
            names = _missed.get()
            if names is not None:
                names.add(name)


def running_line() -> int | None:
    """Return the line of the template whose code is running in the nearest frame."""
    frame = sys._getframe(1)
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if template is not None:
            line: int = template.get_corresponding_lineno(frame.f_lineno)
            return line
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return None


class GenerationTag(Extension):
    """`{% generation %}...{% endgeneration %}`: marks what a training mask keeps; prints its body unchanged.

    A call block, as in the reference, and not a plain scope: a call block's body cannot see `break` nor set
    outer names.
    """

    tags = {"generation"}  # noqa: RUF012 (jinja2 declares it as a plain set)

    def parse(self, parser: Parser) -> nodes.Node:
        """Read up to the closing tag."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_print_body"), [], [], body).set_lineno(line)

    def _print_body(self, caller: Macro) -> str:
        body: str = caller()
        return body


class ChatCodeGenerator(CodeGenerator):
    """Notes the names that a template reads and does not set, and lets every loop and macro count its rounds.

    `jinja2.meta` generates the code a second time to tell the names, which costs as much as the first.
    """

    def __init__(self, environment: jinja2.Environment) -> None:
        super().__init__(environment, None, None, optimized=environment.optimized)
        self.undeclared: set[str] = set()

    def enter_frame(self, frame: Frame) -> None:
        """Note what the frame looks up in the variables of the render; count where it can be entered again."""
        super().enter_frame(frame)
        if not frame.toplevel:
            self.writeline("context.step()")
        for action, name in frame.symbols.loads.values():
            if action == "resolve" and name is not None and name not in self.environment.globals:
                self.undeclared.add(name)


class CountingContext(Context):
    """The variables of one render, and the count of its rounds."""

    _steps = 0
    _next_look = LOOK_EVERY
    _deadline: float | None = None

    def derived(self, locals: dict[str, Any] | None = None) -> Context:
        """Return the variables of a scoped block; its rounds are counted with those outside of it."""
        inner = super().derived(locals)
        inner.__dict__["step"] = self.step
        return inner

    def step(self) -> None:
        """Count a round of a loop or a call of a macro. Raise ResourceLimitError."""
        self._steps += 1
        if self._steps >= self._next_look:
            self._look()

    def _look(self) -> None:
        self._next_look += LOOK_EVERY
        now = time.monotonic()
        if self._deadline is None:
            self._deadline = now + MAX_SECONDS
        if self._steps > MAX_STEPS:
            raise ResourceLimitError(
                f"more than {MAX_STEPS} rounds of loops and calls of macros", kind="StepLimit"
            )
        if now > self._deadline:
            raise ResourceLimitError(f"the render took longer than {MAX_SECONDS:g} s", kind="TimeLimit")


class BoundedSandbox(SandboxedEnvironment):
    """A sandbox that counts rounds, refuses what would grow beyond any sensible size before the memory is
    taken, and takes the short way to what is known to be harmless.
    """

    intercepted_binops = frozenset({"*", "**", "+"})
    context_class = CountingContext

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._judged: dict[tuple[type, str], bool] = {}

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Check the size of the result first."""
        if operator == "+":
            if type(left) is not int and isinstance(left, _GROWING) and isinstance(right, _GROWING):
                _check_size(len(left) + len(right))
            return left + right
        if operator == "*":
            _check_product(left, right)
        elif isinstance(left, int) and isinstance(right, int):
            _check_bits(left.bit_length() * right)
        return super().call_binop(context, operator, left, right)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Look up at once what a message, a loop or a namespace has; a dict has few attributes of its own."""
        kind = type(obj)
        if kind is dict and attribute not in _DICT_ATTRIBUTES:
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)
        if kind is str and attribute in _HARMLESS_STR_METHODS:
            return getattr(obj, attribute)
        if kind in _OPEN_TYPES and not attribute.startswith("_"):
            try:
                return getattr(obj, attribute)
            except AttributeError:
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Look up what was decided before: for plain values and Jinja's own only type and name count."""
        kind = type(obj)
        if kind not in _JUDGED_BY_TYPE:
            return super().is_safe_attribute(obj, attr, value)
        safe = self._judged.get((kind, attr))
        if safe is None:
            safe = super().is_safe_attribute(obj, attr, value)
            if len(self._judged) < _MOST_JUDGED:
                self._judged[kind, attr] = safe
        return safe

    def call(*arguments: Any, **keywords: Any) -> Any:
        """Call a macro, or a method of a plain value, without the questions that any other callable is asked.

        The arguments have no names of their own: a template may call its macros' `self` or `context`.
        """
        self, context, called, *positional = arguments
        kind = type(called)
        if kind is Macro:
            positional.insert(0, context.eval_ctx)
        elif kind is not BuiltinMethodType:
            return SandboxedEnvironment.call(*arguments, **keywords)
        keywords.pop("_block_vars", None)
        keywords.pop("_loop_vars", None)
        try:
            return called(*positional, **keywords)
        except StopIteration:
            return self.undefined("value was undefined because a callable raised a StopIteration exception")


class StrictEnvironment(BoundedSandbox, ImmutableSandboxedEnvironment):
    """The reference's sandbox."""


class PermissiveEnvironment(BoundedSandbox):
    """A sandbox in which a template may change the lists and dicts that it was given a copy of."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allow and report the methods that change lists and dicts."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        if modifies_known_mutable(obj, attr):
            liberties = _liberties.get()
            if liberties is not None:
                kind = type(obj).__name__
                liberties.note(
                    f"{kind}.{attr}", f"{kind}.{attr}() is refused by the immutable sandbox of transformers"
                )
        return True


class TemplateDict:
    """The `dict` of templates: a callable with `fromkeys`; the type itself would open ways out."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Make a dict."""
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Make a dict of keys with one value."""
        return dict.fromkeys(*args, **kwargs)


class TemplateNamespace(Namespace):
    """The `namespace` of templates: names that start with `_` are refused."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        # No named `self`: `namespace(self=...)` is a legal call, as it is of Jinja's own.
        self, *positional = args
        attributes = dict(*positional, **kwargs)
        for name in attributes:
            _check_namespace_name(name)
        Namespace.__init__(self, attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_namespace_name(name)
        super().__setitem__(name, value)


def to_json(
    x: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """Write JSON without HTML escapes (Jinja's own has them) and, by default, without ASCII escapes."""
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def permissive_to_json(
    x: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """Write JSON, generators as lists."""
    return json.dumps(
        x,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
        default=_list_of_generator,
    )


def raise_exception(message: Any) -> None:
    """End the render with the template's own message."""
    raise jinja2.TemplateError(message)


def strftime_now(format: str) -> str:
    """Tell the frozen time; a render with another clock brings its own function of this name."""
    return FROZEN_NOW.strftime(format)


def _check_namespace_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace cannot hold {name!r}: its name starts with an underscore")


def _check_product(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int):
        _check_bits(left.bit_length() + right.bit_length())
    elif isinstance(left, _GROWING) and isinstance(right, int):
        _check_size(len(left) * right)
    elif isinstance(right, _GROWING) and isinstance(left, int):
        _check_size(len(right) * left)


def _check_size(size: int) -> None:
    if size > MAX_OUTPUT:
        raise ResourceLimitError(f"a text or list of more than {MAX_OUTPUT} items", kind="OverflowError")


def _check_bits(bits: int) -> None:
    if bits > MAX_NUMBER_BITS:
        raise ResourceLimitError(f"a number of more than {MAX_NUMBER_BITS} bits", kind="OverflowError")


def _list_of_generator(value: Any) -> Any:
    if not isinstance(value, Iterator):
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
    liberties = _liberties.get()
    if liberties is not None:
        liberties.note("tojson(generator)", "tojson of a generator (add `| list`) is refused by transformers")
    return list(value)


#: Values of these types have no attributes of their own, so their type decides what may be read of them.
_JUDGED_BY_TYPE = frozenset({str, int, float, bool, list, dict, tuple, LoopContext, TemplateNamespace})
_MOST_JUDGED = 2000

#: Of these all that has no underscore is for templates, and neither has items.
_OPEN_TYPES = frozenset({LoopContext, TemplateNamespace})


def _build(kind: type[SandboxedEnvironment]) -> SandboxedEnvironment:
    # Not optimized: constant folding rewrites the tree that others read, is a place to spend unbounded time
    # before any render, and costs more than it saves in the few renders that one template gets.
    environment = kind(
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,
        undefined=MissedVariable,
        extensions=[GenerationTag, loopcontrols],
    )
    environment.filters["tojson"] = to_json if kind is StrictEnvironment else permissive_to_json
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = strftime_now
    environment.globals["dict"] = TemplateDict()
    environment.globals["namespace"] = TemplateNamespace
    return environment


STRICT = _build(StrictEnvironment)
PERMISSIVE = _build(PermissiveEnvironment)
