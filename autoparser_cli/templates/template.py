"""A chat template as one value: its source, parsed and compiled once, and its renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path

from jinja2 import nodes

from autoparser_cli.templates.environment import STRICT, Liberty
from autoparser_cli.templates.inputs import ALWAYS_PASSED, RenderInputs
from autoparser_cli.templates.rendering import CompiledTemplate, Rendering, parse

#: Recorded of a template that only renders where the sandbox is less strict than that of transformers.
PortabilityWarning = Liberty


@dataclass(frozen=True, eq=False)
class ChatTemplate:
    """A chat template; make one with `load` or `from_source`.

    `special_tokens` are the variables that a tokenizer brings (`bos_token` ...): none for a bare template
    file, as with a tokenizer that has none. `variants` are all templates that were kept in the same place, by
    name.
    """

    name: str
    source: str
    special_tokens: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, ChatTemplate] = field(default_factory=dict)
    _noted: dict[PortabilityWarning, None] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def load(cls, source: str | Path, *, variant: str | None = None) -> ChatTemplate:
        """Load from a template file, `tokenizer_config.json`, `chat_template.json`, model folder, GGUF, or
        `-` (stdin).

        Where several templates are kept, `variant` names one; else it is `tool_use`, the one that sees tools,
        then `default`, then the first. Raise SourceError, TemplateSyntaxError.
        """
        chosen = cls.read(source, variant=variant)
        _ = chosen.tree
        return chosen

    @classmethod
    def read(cls, source: str | Path, *, variant: str | None = None) -> ChatTemplate:
        """Load without parsing the template, which its first use does. Raise SourceError."""
        from autoparser_cli.templates.source import read_source

        kept = read_source(source)
        variants: dict[str, ChatTemplate] = {}
        for key, text in kept.templates.items():
            name = f"{kept.name}#{key}" if len(kept.templates) > 1 else kept.name
            variants[key] = cls(name, text, kept.special_tokens, variants)
        return variants[kept.choose(variant)]

    @classmethod
    def from_source(
        cls, source: str, name: str = "<string>", special_tokens: Mapping[str, str] | None = None
    ) -> ChatTemplate:
        """Make a template of its text. Raise TemplateSyntaxError."""
        template = cls(name, source, dict(special_tokens or {}))
        _ = template.tree
        return template

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is computed: a worker process parses and compiles for itself."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @cached_property
    def tree(self) -> nodes.Template:
        """The parsed source. Read it, do not change it."""
        return parse(self.source, self.name)

    @property
    def variables(self) -> frozenset[str]:
        """The names that the template reads and does not set, without the functions that all have.

        Raise TemplateSyntaxError.
        """
        return self._compiled.variables

    @property
    def standard_variables(self) -> frozenset[str]:
        """The names that a render has whether they are passed or not."""
        return frozenset((*ALWAYS_PASSED, *self.special_tokens, *STRICT.globals))

    @property
    def portability_warnings(self) -> tuple[PortabilityWarning, ...]:
        """What transformers refuses and the renders so far made use of all the same."""
        return tuple(self._noted)

    def with_special_tokens(self, tokens: Mapping[str, str]) -> ChatTemplate:
        """Return the same template with other special tokens; it is not compiled a second time."""
        other = ChatTemplate(self.name, self.source, dict(tokens), self.variants)
        other.__dict__.update(tree=self.tree, _compiled=self._compiled)
        return other

    def for_tools(self, has_tools: bool) -> ChatTemplate:
        """Return the variant that transformers takes: `tool_use` with tools, else `default`; else self."""
        return (
            self.variants.get("tool_use" if has_tools else "default") or self.variants.get("default") or self
        )

    def render(self, inputs: RenderInputs) -> str:
        """Return the prompt. Raise RenderError, ResourceLimitError."""
        return self.rendering(inputs).text

    def rendering(self, inputs: RenderInputs) -> Rendering:
        """Render; the result also tells what transformers would have refused in this one render."""
        rendering = self._compiled.render(inputs, self.special_tokens)
        self._noted.update(dict.fromkeys(rendering.liberties))
        return rendering

    def render_strict(self, inputs: RenderInputs) -> str:
        """Return the prompt exactly where transformers does, and raise where it raises."""
        return self._compiled.render_strict(inputs, self.special_tokens)

    @cached_property
    def _compiled(self) -> CompiledTemplate:
        return CompiledTemplate(self.tree, self.source, self.name)
