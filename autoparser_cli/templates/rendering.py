"""A compiled template and a conversation -> the prompt's text.

The strict sandbox is tried first and decides alone wherever it can. Only where it refuses something harmless
is the conversation rendered again in the permissive one, and what was made use of is returned beside the
text. Time and memory are bounded by whoever runs the process (a render can be interrupted at any point); the
output is bounded here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from io import StringIO
from types import CodeType
from typing import Any, cast

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError

from autoparser_cli.errors import RenderError, ResourceLimitError, TemplateSyntaxError
from autoparser_cli.frozen import frozen
from autoparser_cli.templates.environment import (
    MAX_OUTPUT,
    PERMISSIVE,
    STRICT,
    ChatCodeGenerator,
    Liberties,
    Liberty,
    noting,
)
from autoparser_cli.templates.inputs import RenderInputs, template_variables
from autoparser_cli.templates.known_children import keep_children

_TOO_MUCH_MEMORY = "takes more memory than a template may"


@frozen
class Rendering:
    """A rendered text, and what the strict sandbox would have refused on the way to it."""

    text: str
    liberties: tuple[Liberty, ...] = ()


class ChatTemplateCode(jinja2.Template):
    """A template's code that reads its table of lines once, and not for each error."""

    @cached_property
    def debug_info(self) -> list[tuple[int, int]]:
        """The lines of the template, each with that of the code."""
        return super().debug_info


class CompiledTemplate:
    """A template compiled once, to be rendered many times.

    `variables` are the names that it reads and does not set, without the functions that all have.
    """

    def __init__(self, tree: nodes.Template, source: str, name: str) -> None:
        self._source = source
        code, self.variables = _compile(tree, source, name)
        self._strict = ChatTemplateCode.from_code(STRICT, code, dict(STRICT.globals))
        self._permissive = ChatTemplateCode.from_code(PERMISSIVE, code, dict(PERMISSIVE.globals))

    def render(self, inputs: RenderInputs, special_tokens: Mapping[str, str]) -> Rendering:
        """Render strictly, or, where only the sandbox refuses, permissively."""
        try:
            return Rendering(self.render_strict(inputs, special_tokens))
        except RenderError as error:
            if not _is_refusal(error):
                raise
            return self._render_permissive(inputs, special_tokens, error)

    def render_strict(self, inputs: RenderInputs, special_tokens: Mapping[str, str]) -> str:
        """Render exactly as transformers would."""
        return self._render(self._strict, inputs, special_tokens)

    def _render_permissive(
        self, inputs: RenderInputs, special_tokens: Mapping[str, str], refusal: RenderError
    ) -> Rendering:
        liberties = Liberties()
        try:
            with noting(liberties):
                text = self._render(self._permissive, inputs, special_tokens)
            return Rendering(text, tuple(liberties.taken))
        except RenderError:
            if liberties.taken:
                raise  # past what was refused the template's own error is the telling one
        raise refusal

    def _render(
        self, template: jinja2.Template, inputs: RenderInputs, special_tokens: Mapping[str, str]
    ) -> str:
        variables, open_end = template_variables(inputs, special_tokens, self._source)
        try:
            rendered = _bounded_output(template, variables)
        except RenderError as error:
            error.line = error.line or _line_of(error)
            raise
        except (MemoryError, OverflowError) as error:
            text = str(error) or "the render takes more memory than it may"
            raise ResourceLimitError(text, line=_line_of(error), kind=type(error).__name__) from error
        except Exception as error:
            raise RenderError(_text_of(error), line=_line_of(error), kind=type(error).__name__) from error
        return rendered if open_end is None else open_end.cut(rendered)


def parse(source: str, name: str) -> nodes.Template:
    """Parse a template's source; raise TemplateSyntaxError."""
    try:
        return STRICT.parse(source)
    except jinja2.TemplateSyntaxError as error:
        raise _syntax_error(error.message, error.lineno, source, name) from error
    except RecursionError as error:
        raise _syntax_error("nested too deeply", 1, source, name) from error
    except MemoryError as error:
        raise _syntax_error(_TOO_MUCH_MEMORY, 1, source, name) from error


def _compile(tree: nodes.Template, source: str, name: str) -> tuple[CodeType, frozenset[str]]:
    generator = ChatCodeGenerator(STRICT)
    python = ""
    try:
        keep_children(tree)
        generator.visit(tree)
        python = cast("StringIO", generator.stream).getvalue()
        return compile(python, "<template>", "exec"), frozenset(generator.undeclared)
    except jinja2.TemplateSyntaxError as error:
        raise _syntax_error(error.message, error.lineno, source, name) from error
    except SyntaxError as error:
        # What Jinja takes and Python's own compiler refuses: `break` outside a loop, too many nested blocks.
        raise _syntax_error(error.msg, _template_line(python, error.lineno or 1), source, name) from error
    except RecursionError as error:
        raise _syntax_error("nested too deeply", 1, source, name) from error
    except (MemoryError, OverflowError) as error:
        # Jinja works out what is constant when it compiles, such as a padding of a billion characters.
        raise _syntax_error(_TOO_MUCH_MEMORY, 1, source, name) from error


def _syntax_error(message: str | None, line: int, source: str, name: str) -> TemplateSyntaxError:
    lines = source.split("\n")
    line = min(max(line, 1), len(lines))
    return TemplateSyntaxError(message or "syntax error", name=name, line=line, source_line=lines[line - 1])


def _template_line(python: str, python_line: int) -> int:
    """Return the template line that a line of the generated code was made of, as `debug_info` has it."""
    found = re.search(r"^debug_info = '([\d=&]*)'", python, re.MULTILINE)
    pairs = [pair.split("=") for pair in found[1].split("&")] if found and found[1] else []
    return max((int(ours) for ours, theirs in pairs if int(theirs) <= python_line), default=1)


def _bounded_output(template: jinja2.Template, variables: dict[str, Any]) -> str:
    pieces = []
    size = 0
    for piece in template.root_render_func(template.new_context(variables)):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_OUTPUT:
            raise ResourceLimitError(f"the render is longer than {MAX_OUTPUT} characters", kind="OutputLimit")
    return "".join(pieces)


def _is_refusal(error: RenderError) -> bool:
    cause = error.__cause__
    return isinstance(cause, SecurityError) or (
        isinstance(cause, TypeError) and str(cause).endswith("is not JSON serializable")
    )


def _line_of(error: BaseException) -> int | None:
    """Return the template line of the innermost frame that runs template code."""
    innermost = None
    traceback = error.__traceback__
    while traceback is not None:
        if "__jinja_template__" in traceback.tb_frame.f_globals:
            innermost = traceback
        traceback = traceback.tb_next
    if innermost is None:
        return None
    template: jinja2.Template = innermost.tb_frame.f_globals["__jinja_template__"]
    return template.get_corresponding_lineno(innermost.tb_lineno)


def _text_of(error: BaseException) -> str:
    return str(error) or type(error).__name__
