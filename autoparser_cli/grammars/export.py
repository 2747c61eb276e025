"""A parser -> a grammar in one dialect, with all that a sampler needs beside it.

`auto` is for lazy grammars: they begin where a trigger word stands, and what comes before is free. Where no
trigger exists, or a call is required, or the answer has a schema, the grammar holds for the whole output
behind the generation prompt (eager).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Any

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.errors import AutoparserError, FormatError
from autoparser_cli.frozen import frozen
from autoparser_cli.grammars.call_schema import call_list_schema
from autoparser_cli.grammars.dialects import Dialect
from autoparser_cli.grammars.gbnf import gbnf_text
from autoparser_cli.grammars.lark import LarkText, compile_lark, lark_text
from autoparser_cli.grammars.llguidance import llguidance_text
from autoparser_cli.grammars.lowering import Lowering, LoweringOptions, lower
from autoparser_cli.grammars.nodes import Grammar, alt
from autoparser_cli.grammars.reading import printed_items, without_leading_space
from autoparser_cli.grammars.response_template import response_template
from autoparser_cli.grammars.structural_tag import structural_tag
from autoparser_cli.parsing.output_parser import OutputParser
from autoparser_cli.peg import expressions as peg
from autoparser_cli.peg.names import AnyTool


class UncompiledGrammarError(AutoparserError):
    """A grammar of ours that an engine refuses: a bug in autoparser."""

    exit_code = 3

    def __init__(self, dialect: str, reason: object) -> None:
        super().__init__(
            f"the {dialect} grammar does not compile: {reason}",
            hint="This is a bug in autoparser. Please report it with the template and the tools.",
        )


class BudgetState(Enum):
    """The first state of a sampler that limits reasoning: does it count tokens from the start?"""

    COUNTING = "COUNTING"
    IDLE = "IDLE"


@frozen
class ExportedGrammar:
    """A grammar and what belongs to it.

    `triggers` are empty where the grammar is not `lazy`. `prefill` is the text to feed to the grammar
    before the first token; it is empty, because the grammar begins behind the generation prompt. `notes`
    say what the grammar leaves to the schema check; `shown` names a Lark grammar's terminals for people, and
    `keys` are its literals that open a field, each with the field's name.
    """

    dialect: Dialect
    text: str
    lazy: bool
    triggers: tuple[str, ...]
    preserved_tokens: tuple[str, ...]
    generation_prompt: str
    prefill: str
    reasoning_start: str
    reasoning_end: str
    budget: BudgetState
    notes: tuple[str, ...] = ()
    shown: tuple[tuple[str, str], ...] = ()
    keys: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything a sampler needs as JSON types."""
        return {
            "format": self.dialect.value,
            "grammar": self.text,
            "grammar_lazy": self.lazy,
            "grammar_triggers": [{"type": "word", "value": word} for word in self.triggers],
            "preserved_tokens": list(self.preserved_tokens),
            "generation_prompt": self.generation_prompt,
            "grammar_prefill": self.prefill,
            "reasoning_start": self.reasoning_start,
            "reasoning_end": self.reasoning_end,
            "reasoning_budget_state": self.budget.value,
            "notes": list(self.notes),
        }


def require_calls(analysis: TemplateAnalysis, parser: OutputParser, dialect: Dialect) -> None:
    """Raise FormatError where there is nothing that a grammar could hold a model to.

    A response template is the same for all tools, and needs none.
    """
    if parser.options.json_schema is not None:
        return
    if analysis.calls is None:
        reasons = "; ".join(warning.message for warning in analysis.warnings)
        raise FormatError(
            "no grammar: the template's tool calls could not be inferred"
            + (f" ({reasons})" if reasons else ""),
            hint="`autoparser analyze` shows what was tried.",
        )
    if not parser.allowed and dialect is not Dialect.RESPONSE_TEMPLATE:
        raise FormatError(
            "no grammar: there are no tools to call",
            hint="Name them with --tools FILE; without it the grammar takes calls of any tool.",
        )


def budget_state(analysis: TemplateAnalysis, generation_prompt: str) -> BudgetState:
    """Tell whether a prompt leaves reasoning open: its last start marker has no end marker behind it."""
    start, end = analysis.reasoning.start.strip(), analysis.reasoning.end.strip()
    at = generation_prompt.rfind(start) if start else -1
    if at < 0:
        return BudgetState.IDLE
    closed = bool(end) and end in generation_prompt[at + len(start) :]
    return BudgetState.IDLE if closed else BudgetState.COUNTING


def call_openings(tree: peg.Grammar) -> list[tuple[str, peg.Expression]]:
    """Give the ways from content into a call, as the template prints them: the anchor, and the call with all that follows.

    There are none where a call may open with its name: a trigger would miss it.
    """
    content = tree.states.get("openings", tree.states.get("content"))
    text = content if isinstance(content, peg.Text) else None
    openings = []
    for exit_ in text.exits if text else ():
        items = printed_items((exit_.item,))
        if items and any(isinstance(item, peg.Switch | peg.Record | peg.Span) for item in items):
            openings.append((exit_.anchor, exit_.item))
    return openings if all(anchor for anchor, _ in openings) else []


def lazy_grammar(parser: OutputParser, options: LoweringOptions) -> tuple[Grammar, tuple[str, ...]]:
    """Return the grammar that begins at a trigger, and the triggers; none where a call has no opening of its own."""
    lowering = Lowering(parser.grammar, options)
    openings = call_openings(parser.grammar)
    nodes = [lowering.row(without_leading_space(printed_items((item,)) or []), None) for _, item in openings]
    return lowering.book.grammar(alt(*dict.fromkeys(nodes))), tuple(dict(openings))


def export(
    analysis: TemplateAnalysis,
    parser: OutputParser,
    dialect: Dialect,
    *,
    generation_prompt: str = "",
    any_order: bool = False,
    whole_output: bool = False,
) -> ExportedGrammar:
    """Return the grammar of a parser; with `whole_output` never a lazy one.

    That of a parser without known tools (`build_parser(analysis)`) takes a call of any tool with any arguments.
    Raises FormatError where the dialect cannot hold the format, with the reason.
    """
    require_calls(analysis, parser, dialect)
    asked = parser.options
    must_call = asked.tool_choice not in ("auto", "none") and asked.json_schema is None
    options = LoweringOptions(
        wide=dialect is Dialect.LARK,
        any_order=any_order,
        must_call=must_call,
        single=not asked.parallel_tool_calls,
        lazy_texts=dialect is Dialect.LLGUIDANCE,
    )
    triggers: tuple[str, ...] = ()
    grammar: Grammar | None = None
    lazy = dialect is Dialect.GBNF and not (must_call or whole_output) and asked.json_schema is None
    if lazy:
        grammar, triggers = lazy_grammar(parser, options)
        if not triggers:
            raise FormatError(
                "no lazy grammar: nothing tells where a call begins, so there is no trigger",
                hint="--tool-choice required gives a grammar for the whole output.",
            )
    if dialect is Dialect.STRUCTURAL_TAG:
        triggers = tuple(dict.fromkeys(anchor for anchor, _ in call_openings(parser.grammar)))
    written = _written(analysis, parser, dialect, options, grammar)
    return ExportedGrammar(
        dialect=dialect,
        text=written.text,
        lazy=bool(triggers) and not must_call,
        triggers=triggers,
        preserved_tokens=analysis.preserved_tokens,
        generation_prompt=generation_prompt,
        prefill="",
        reasoning_start=analysis.reasoning.start,
        reasoning_end=analysis.reasoning.end,
        budget=budget_state(analysis, generation_prompt),
        notes=(*_left_to_callers(parser, dialect), *written.notes),
        shown=written.shown,
        keys=written.keys,
    )


def _left_to_callers(parser: OutputParser, dialect: Dialect) -> Iterator[str]:
    """Say what a grammar without tools cannot hold calls to; a response template never does."""
    holds_calls = dialect is not Dialect.RESPONSE_TEMPLATE and parser.options.json_schema is None
    if holds_calls and isinstance(parser.allowed, AnyTool):
        yield "no tools were given: calls of any tool with any arguments are taken (--tools FILE names them)"


@frozen
class _Written:
    """A grammar's text and what was learned in writing it, as `ExportedGrammar` has it."""

    text: str
    notes: tuple[str, ...] = ()
    shown: tuple[tuple[str, str], ...] = ()
    keys: tuple[tuple[str, str], ...] = ()


def _written(
    analysis: TemplateAnalysis,
    parser: OutputParser,
    dialect: Dialect,
    options: LoweringOptions,
    grammar: Grammar | None,
) -> _Written:
    if dialect is Dialect.JSON_SCHEMA:
        return _Written(_schema_text(analysis, parser))
    if dialect is Dialect.RESPONSE_TEMPLATE:
        template = {"response_template": response_template(analysis)}
        return _Written(json.dumps(template, ensure_ascii=False, indent=2) + "\n")
    if dialect is Dialect.STRUCTURAL_TAG:
        openings = call_openings(parser.grammar)
        if not openings:
            raise FormatError("no structural tag: nothing tells where a call begins, so there is no trigger")
        sectioned = bool(analysis.calls and (analysis.calls.section_start or analysis.calls.array_wrapped))
        return _Written(*structural_tag(parser.grammar, openings, options, sectioned=sectioned))
    if dialect is Dialect.LARK:
        lark, notes = lalr_grammar(parser, options)
        return _Written(lark.text, notes, tuple(lark.shown.items()), tuple(lark.keys.items()))
    grammar = grammar or lower(parser.grammar, options, prompt=parser.prefix)
    text = gbnf_text(grammar) if dialect is Dialect.GBNF else llguidance_text(grammar)
    return _Written(text, grammar.notes)


def _schema_text(analysis: TemplateAnalysis, parser: OutputParser) -> str:
    if parser.options.json_schema is not None:
        schema = parser.options.json_schema
    elif analysis.calls is None:
        raise FormatError("no JSON Schema: the template's tool calls could not be inferred")
    else:
        parallel = parser.options.parallel_tool_calls
        known = None if isinstance(parser.allowed, AnyTool) else parser.allowed
        schema = call_list_schema(analysis.calls, known, parallel=parallel)
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def lalr_grammar(parser: OutputParser, options: LoweringOptions) -> tuple[LarkText, tuple[str, ...]]:
    """Return the narrowest grammar of a parser that LALR can parse; arguments are any mapping where nothing else will do."""
    import lark

    grammar = lower(parser.grammar, options, prompt=parser.prefix)
    written = lark_text(grammar)
    try:
        compile_lark(written.text)
    except lark.exceptions.GrammarError:
        grammar = lower(parser.grammar, replace(options, any_arguments=True), prompt=parser.prefix)
        written = lark_text(grammar)
        try:
            compile_lark(written.text)
        except lark.exceptions.GrammarError as error:
            raise UncompiledGrammarError("Lark", str(error)[:400]) from None
        note = "LALR cannot tell the tools' arguments apart: any mapping is taken; --check applies the schema"
        return written, (*grammar.notes, note)
    return written, grammar.notes
